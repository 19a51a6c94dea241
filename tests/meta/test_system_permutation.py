"""Whole systems exchanged: all orders by hand, draws, gaps, one-sided p, and what has no p."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest

from textassay.errors import UsageError
from textassay.meta.coefficients import Coefficient, grouped
from textassay.meta.system_permutation import (
    Exchanges,
    permute_items,
    permute_system_scores,
    permute_systems,
)
from textassay.stats.samples import FloatArray


def related(items: int, systems: int, seed: int = 3) -> tuple[FloatArray, FloatArray]:
    random = np.random.Generator(np.random.PCG64(seed))
    people = random.normal(size=systems) + random.normal(size=(items, systems))
    return people, people + 0.5 * random.normal(size=people.shape)


@pytest.mark.parametrize("coefficient", ["pearson", "tau-b", "accuracy"])
def test_all_orders_are_counted(coefficient: Coefficient) -> None:
    people, scores = related(6, 4)
    scores = scores[:, [1, 0, 2, 3]]
    figures = [grouped(people, scores[:, order], "item", coefficient).mean for order in permutations(range(4))]
    centre = np.mean(figures) if coefficient == "accuracy" else 0.0
    found = permute_systems(people, scores, coefficient)
    expected = np.mean(np.abs(np.array(figures) - centre) >= abs(figures[0] - centre) - 1e-10)
    assert found.p == pytest.approx(expected)
    assert found.chance == pytest.approx(np.mean(figures), abs=1e-9)
    assert (found.exact, found.permutations, found.least_p) == (True, 24, 1 / 24)
    upper = permute_systems(people, scores, coefficient, Exchanges("greater")).p
    lower = permute_systems(people, scores, coefficient, Exchanges("less")).p
    assert upper == pytest.approx(np.mean(np.array(figures) >= figures[0] - 1e-10))
    assert lower == pytest.approx(np.mean(np.array(figures) <= figures[0] + 1e-10))


def test_more_systems_are_drawn() -> None:
    people, scores = related(5, 9)
    found = permute_systems(people, scores, "tau-b", Exchanges(draws=199))
    assert (found.exact, found.permutations, found.least_p, found.p) == (False, 199, 1 / 200, 1 / 200)
    unrelated = permute_systems(people, related(5, 9, seed=11)[0], "pearson", Exchanges(draws=499))
    again = permute_systems(people, related(5, 9, seed=11)[0], "pearson", Exchanges(draws=499))
    assert 0.05 < unrelated.p == again.p


def test_draws_come_near_to_what_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    people, scores = related(4, 5)
    scores = scores[:, [1, 2, 0, 4, 3]]
    exact = permute_systems(people, scores, "pearson").p
    monkeypatch.setattr("textassay.meta.system_permutation.ENUMERATED", 4)
    assert permute_systems(people, scores, "pearson").p == pytest.approx(exact, abs=0.02)


def test_one_order_holds_for_all_items() -> None:
    # One-sided, each item by itself has p = 1/2 with two systems; the two orders are the same for all of them, so p
    # cannot fall. Two-sided both orders are as far from 0, so that no p can be below 1.
    people, scores = np.tile([1.0, 2.0], (50, 1)), np.tile([3.0, 4.0], (50, 1))
    found = permute_systems(people, scores, "tau-a")
    assert (found.value, found.p, found.least_p) == (1.0, 1.0, 1.0)
    greater = permute_systems(people, scores, "tau-a", Exchanges("greater"))
    assert (greater.p, greater.least_p) == (0.5, 0.5)


@pytest.mark.parametrize(("coefficient", "least"), [("pearson", 1), ("spearman", 2), ("tau-b", 2)])
def test_least_p_is_one_that_some_order_has(coefficient: Coefficient, least: int) -> None:
    # ranks the other way round are as far from 0; unevenly spaced values are not, and one of the 24 orders is farthest
    people, scores = [1.0, 2.0, 4.0, 9.0], [1.0, 3.0, 4.0, 5.0]
    orders = list(permutations(range(4)))
    found = [permute_system_scores(people, [scores[place] for place in order], coefficient) for order in orders]
    assert {round(one.least_p * 24) for one in found} == {round(min(one.p for one in found) * 24)} == {least}


def test_scores_of_texts_that_nobody_judged_are_used() -> None:
    people, scores = related(8, 4)
    people[0, 1] = people[3, 2] = np.nan
    figures = [grouped(people, scores[:, order], "item", "pearson").mean for order in permutations(range(4))]
    found = permute_systems(people, scores, "pearson")
    assert found.p == pytest.approx(np.mean(np.abs(figures) >= abs(figures[0]) - 1e-10))
    lacking = np.where(np.isnan(people), np.nan, scores)
    assert permute_systems(people, lacking, "pearson").chance != found.chance


def test_a_system_that_the_metric_lacks_is_left_out() -> None:
    people, scores = related(8, 5)
    scores[:, 2] = np.nan
    found = permute_systems(people, scores, "tau-b")
    rest = [0, 1, 3, 4]
    assert (found.p, found.permutations) == (permute_systems(people[:, rest], scores[:, rest], "tau-b").p, 24)


def test_one_text_per_item_has_no_figure_within_items() -> None:
    people = np.where(np.eye(4) > 0, 1.0, np.nan)
    found = permute_systems(people, np.ones((4, 4)), "tau-b")
    assert math.isnan(found.value)
    assert (found.permutations, found.reason) == (0, "fewer than 2 texts with a judgement and a score")


def test_no_p_where_exchanges_leave_too_few_texts() -> None:
    # two texts per item, the same on both sides: another order leaves hardly any text with both values
    random = np.random.Generator(np.random.PCG64(1))
    people = random.normal(size=(20, 10))
    for item in range(20):
        people[item, (np.arange(2, 10) + item) % 10] = np.nan
    found = permute_systems(people, people + 1, "tau-a")
    assert found.value == 1.0
    assert math.isnan(found.p)
    assert found.reason == "exchanging systems would leave less than half of the texts with a judgement and a score"


def test_system_level_is_one_item() -> None:
    # n = 5, ρ = 1: of 120 orders one gives 1 and one gives -1
    found = permute_system_scores([1, 2, 3, 4, 5], [2, 4, 6, 8, 11], "spearman")
    assert (found.value, found.p) == (pytest.approx(1.0), pytest.approx(2 / 120))
    assert permute_system_scores([1, 2, math.nan, 4], [1, 2, 3, 4], "pearson").permutations == 6


def test_items_are_exchanged_within_systems() -> None:
    people, scores = related(5, 3)
    figures = [grouped(people, scores[list(order)], "system", "tau-b").mean for order in permutations(range(5))]
    found = permute_items(people, scores, "tau-b")
    assert found.value == pytest.approx(figures[0])
    assert found.p == pytest.approx(np.mean(np.abs(figures) >= abs(figures[0]) - 1e-10))
    assert found.exchanged == "items"


def test_constant_metric_and_all_ties_have_no_p() -> None:
    people, scores = related(4, 4)
    constant = permute_systems(people, np.ones_like(scores), "pearson")
    assert (constant.groups, constant.reason) == (0, "all scores are equal")
    assert permute_systems(np.ones_like(people), scores, "tau-b").reason == "all judgements are equal"
    assert permute_systems(people, np.ones_like(scores), "tau-a").p == 1.0  # defined: 0 in every order


def test_what_is_refused() -> None:
    with pytest.raises(UsageError, match="alternative"):
        Exchanges("both")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="draws"):
        Exchanges(draws=0)
    with pytest.raises(UsageError, match="coefficient"):
        permute_systems([[1, 2]], [[1, 2]], "kendall")  # type: ignore[arg-type]
