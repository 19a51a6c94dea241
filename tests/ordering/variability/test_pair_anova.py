from __future__ import annotations

import itertools
import math

import pytest
from people_orders import people_orders

from textassay.ordering import GivenOrder, pair_anova, pairs_of_people, reorderings, system_agreement
from textassay.ordering.variability import pair_anova as module
from textassay.ordering.variability.pair_anova import NOT_VALID, greater_sets


def test_every_pair_is_an_observation_and_that_is_said() -> None:
    found = pair_anova(reorderings(people_orders(1)))
    assert found is not None
    assert found.n == 153 * 9  # pairs of 18 people, texts
    assert [effect.name for effect in found.anova.effects] == ["text", "pair", "condition"]
    assert found.anova["text"].df == 8
    assert found.warnings[0] == NOT_VALID
    assert found.tukey is not None
    assert len(found.tukey.pairs) == 36
    assert "published" in found.records()[0]["method"]


def test_table_2_of_the_paper() -> None:
    # Madnani et al. (2007), Table 2, from its 20 significant comparisons
    order = ["8", "9", "6", "5", "3", "1", "2", "4", "7"]
    pairs = [(more, "7") for more in order[:-1]]
    pairs += list(itertools.product(["8", "9", "6"], ["4", "2"]))
    pairs += list(itertools.product(["8", "9"], ["1", "3", "5"]))
    assert len(pairs) == 20
    lines = greater_sets(pairs, order)
    assert [(sorted(more), sorted(less)) for more, less in lines] == [
        (["1", "2", "3", "4", "5", "6", "8", "9"], ["7"]),
        (["6", "8", "9"], ["2", "4"]),
        (["8", "9"], ["1", "3", "5"]),
    ]
    assert lines[0][0] == order[:-1]
    assert greater_sets([], order) == []


def test_nothing_to_analyse() -> None:
    assert pair_anova(reorderings([GivenOrder("s", by, "abc") for by in "pq"])) is None
    # all alike: no variance at all
    assert pair_anova(reorderings([GivenOrder(t, by, "abc") for t in "stu" for by in "pqr"])) is None


def test_too_many_pairs_are_no_factor(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(module, "_MOST_CELLS", 1000)
    found = pair_anova(reorderings(people_orders(1, people=6, texts=3)))
    assert found is not None
    assert [effect.name for effect in found.anova.effects] == ["text", "condition"]
    assert "the factor pair is excluded: 15 pairs are too many to fit at once" in found.warnings


ORDERS = {"p": ("abcd", "abcd"), "q": ("abcd", "abdc"), "r": ("abdc", "abcd"), "odd": ("dcba", "dcba")}
GIVEN = [GivenOrder(f"S{k}", by, order) for by, orders in ORDERS.items() for k, order in enumerate(orders)]


def test_means_over_texts() -> None:
    found = pairs_of_people(reorderings(GIVEN))
    pairs = {(one, other): (tau, n) for one, other, tau, n in found.pairs}
    assert len(pairs) == 6
    assert pairs["p", "q"] == (pytest.approx((1 + 2 / 3) / 2), 2)
    own = {each.name: each for each in found.persons}
    assert own["odd"].mean_tau < 0 < own["p"].mean_tau
    expected = system_agreement({by: {f"S{k}": o for k, o in enumerate(orders)} for by, orders in ORDERS.items()})
    assert [each.p for each in found.persons] == pytest.approx(expected.p.tolist())
    assert len(found.records()) == 4 + 6


def test_texts_that_only_one_of_two_ordered_do_not_count() -> None:
    found = pairs_of_people(reorderings([*GIVEN[:3], GivenOrder("S9", "r", "ab")]))
    assert [(one, other, n) for one, other, _, n in found.pairs] == [("p", "q", 1)]
    assert all(math.isnan(each.p) for each in found.persons)
    assert found.warnings == ("fewer than three people ordered all texts: outliers cannot be tested for",)
