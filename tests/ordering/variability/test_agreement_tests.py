from __future__ import annotations

import math

import numpy as np
import pytest
from people_orders import people_orders
from scipy.stats import ttest_rel

from textassay.ordering import GivenOrder, condition_agreement, reorderings, text_agreement
from textassay.ordering.variability.agreement_tests import turned_people
from textassay.stats import rm_anova


def test_pseudo_values_are_those_of_a_mean_over_pairs() -> None:
    # For a mean over pairs, n θ - (n-1) θ₋ₚ = (2 (n-1) h̄ₚ - n θ) / (n-2), h̄ₚ the mean of the pairs with p.
    people = reorderings(people_orders(1, texts=3))
    n = 18
    own = np.nanmean(people.taus, axis=2).T
    mean = np.nanmean(people.taus, axis=(1, 2))
    pseudo = (2 * (n - 1) * own - n * mean) / (n - 2)
    found = text_agreement(people)
    assert found.means == pytest.approx(tuple(mean))
    who, where = (part.ravel() for part in np.meshgrid(range(n), range(3), indexing="ij"))
    effect = rm_anova(pseudo.ravel(), who, {"text": where})["text"]
    assert (found.f, *found.df) == pytest.approx((effect.f, effect.df, effect.error.df))
    assert found.p == turned_people(pseudo, draws=1999, seed=0).p
    first = found.pairs[0]
    expected = ttest_rel(pseudo[:, 0], pseudo[:, 1])
    assert (first.first, first.second) == ("S1", "S2")
    assert first.p_raw == pytest.approx(float(expected.pvalue))
    assert first.ci == pytest.approx(tuple(expected.confidence_interval(0.95)))


def test_texts_on_which_people_stray_more_are_told_apart() -> None:
    found = text_agreement(reorderings(people_orders(2, noise=(0.3, 1.5, 1.5))))
    assert found.p < 0.001
    apart = {(pair.first, pair.second) for pair in found.pairs if pair.significant}
    firm = {"S1", "S4", "S7"}
    assert apart
    assert all((one in firm) != (other in firm) for one, other in apart)
    assert all(low < mean < high for mean, (low, high) in zip(found.means, found.intervals, strict=True))


def test_conditions_compare_those_in_the_same_one() -> None:
    people = reorderings(people_orders(1))
    found = condition_agreement(people)
    first, second = np.triu_indices(18, 1)
    cells = []
    for text in range(9):
        own = people.condition[text]
        both = (own[first] == 0) & (own[second] == 0)
        cells.append(people.taus[text, first[both], second[both]].mean())
    assert found.groups == ("O", "R", "T")
    assert found.means[0] == pytest.approx(float(np.mean(cells)))
    assert len(found.records()) == 3 + 1 + 3


def test_why_there_is_no_test() -> None:
    two = text_agreement(reorderings([GivenOrder(t, by, "abc") for t in "st" for by in "pq"]))
    assert two.means == (1, 1)
    assert math.isnan(two.p)
    assert two.warnings == ("no test: leaving out a person leaves some text without two people to compare",)
    same = text_agreement(reorderings([GivenOrder(t, by, "abc") for t in "st" for by in "pqr"]))
    assert math.isnan(same.f)
    assert math.isnan(same.pairs[0].p)


def test_few_people_cannot_show_that_texts_differ() -> None:
    given = [GivenOrder(t, by, o) for t, orders in {"s": "abc abc abc", "t": "abc bca cab"}.items()
             for by, o in zip("pqr", orders.split(), strict=True)]  # fmt: skip
    found = text_agreement(reorderings(given))
    assert found.p == 0.25  # all of 8 ways but the one seen and its opposite are less extreme
    assert "3 people: p cannot be below 0.25, however much texts differ" in found.warnings


def test_people_who_lack_a_text_add_nothing_to_its_error() -> None:
    given = [each for each in people_orders(1, people=9, texts=3) if (each.item, each.by) != ("S1", "p1")]
    found = text_agreement(reorderings(given))
    assert 0 < found.p < 1
    assert found.warnings == (
        "not all people have an order in every text; those who have none add nothing to its error",
    )
