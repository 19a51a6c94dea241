"""The mean agreement over items for every order of the metric's systems: the tables against group by group."""

from __future__ import annotations

from itertools import permutations
from typing import get_args

import numpy as np
import pytest

from textassay.meta.coefficients import Coefficient, grouped
from textassay.meta.exchange_sums import figures_by_order
from textassay.stats.samples import FloatArray

ORDERS = np.array(list(permutations(range(4))))


def grids(kind: str) -> tuple[FloatArray, FloatArray]:
    """7 items × 4 systems; where there are gaps, some items keep too few texts in some of the orders."""
    random = np.random.Generator(np.random.PCG64(8))
    people = random.integers(0, 4, (7, 4)).astype(float)
    scores = random.normal(size=(7, 4)) if "untied" in kind else random.integers(0, 4, (7, 4)).astype(float)
    if "people" in kind:
        people[random.random(people.shape) < 0.25] = np.nan
    if "metric" in kind:
        scores[random.random(scores.shape) < 0.25] = np.nan
    return people, scores


@pytest.mark.parametrize("coefficient", get_args(Coefficient))
@pytest.mark.parametrize("kind", ["complete", "gaps of people", "gaps of people, untied", "gaps of people and metric"])
def test_every_order_is_what_it_is_alone(kind: str, coefficient: Coefficient) -> None:
    people, scores = grids(kind)
    expected = [grouped(people, scores[:, order], "item", coefficient).mean for order in ORDERS]
    assert figures_by_order(people, scores, coefficient, ORDERS) == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("coefficient", ["tau-b", "pearson"])
def test_more_systems_than_pairs_are_tabled_for(coefficient: Coefficient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("textassay.meta.exchange_sums.TABLE", 3)
    test_every_order_is_what_it_is_alone("gaps of people and metric", coefficient)


def test_no_item_with_a_value_in_an_order_is_nan() -> None:
    people, scores = np.array([[1.0, 2.0, np.nan]]), np.array([[1.0, 2.0, np.nan]])
    found = figures_by_order(people, scores, "tau-a", np.array([[0, 1, 2], [0, 2, 1]]))
    assert found == pytest.approx([1.0, np.nan], nan_ok=True)
