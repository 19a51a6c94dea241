"""Coefficients of resamples against the same coefficient of the rows with their copies written out."""

from __future__ import annotations

import math
from itertools import combinations
from typing import get_args

import numpy as np
import pytest

from textassay.meta.coefficients import Coefficient, grouped, paired_grids, vector_coefficient
from textassay.meta.weighted_coefficients import group_coefficients, mean_of_defined, row_coefficients_of_draws
from textassay.stats.samples import FloatArray

WEIGHTS = np.array([[1.0, 1, 1, 1, 1], [2, 0, 1, 2, 0], [0, 3, 1, 0, 1], [5, 0, 0, 0, 0], [0, 2, 0, 3, 0]])
NO_COPY_PAIRS: tuple[Coefficient, ...] = ("tau-a", "accuracy", "acc-eq", "tau-b")


def by_pairs(x: FloatArray, y: FloatArray, weights: FloatArray, coefficient: Coefficient) -> float:
    """Copies written out, and pairs of a member with its own copy left out."""
    members = [
        place for place in np.repeat(np.arange(x.size), weights.astype(int)) if not np.isnan(x[place] + y[place])
    ]
    pairs = [(np.sign(x[a] - x[b]), np.sign(y[a] - y[b])) for a, b in combinations(members, 2) if a != b]
    ordered = [(a, b) for a, b in pairs if a]
    if not pairs or (not ordered and coefficient != "acc-eq"):
        return math.nan
    agreed = sum(a * b for a, b in pairs)
    match coefficient:
        case "tau-a":
            return float(agreed / len(pairs))
        case "tau-b":
            level = sum(bool(b) for _, b in pairs)
            return float(agreed / math.sqrt(len(ordered) * level)) if level else math.nan
        case "accuracy":
            return sum(a == b for a, b in ordered) / len(ordered)
    return sum(a == b for a, b in pairs) / len(pairs)


@pytest.mark.parametrize("coefficient", NO_COPY_PAIRS)
def test_pairs_with_the_own_copy_are_left_out(gaps: tuple[FloatArray, FloatArray], coefficient: Coefficient) -> None:
    x, y = paired_grids(*gaps)
    expected = [[by_pairs(*row, weights, coefficient) for row in zip(x, y, strict=True)] for weights in WEIGHTS]
    assert group_coefficients(x, y, WEIGHTS, coefficient) == pytest.approx(np.array(expected), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("coefficient", ["pearson", "spearman"])
def test_copies_count_as_often_as_they_are(gaps: tuple[FloatArray, FloatArray], coefficient: Coefficient) -> None:
    x, y = paired_grids(*gaps)
    found = group_coefficients(x, y, WEIGHTS, coefficient)
    for draw, weights in enumerate(WEIGHTS):
        members = np.repeat(np.arange(5), weights.astype(int))
        expected = grouped(x[:, members], y[:, members], "item", coefficient).values
        there = np.array([len(set(members[~np.isnan(row[members])])) for row in x])
        expected[there < 3] = np.nan  # two different texts always lie on a line
        assert found[draw] == pytest.approx(expected, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("coefficient", get_args(Coefficient))
def test_every_member_once_is_the_coefficient_itself(
    gaps: tuple[FloatArray, FloatArray], coefficient: Coefficient
) -> None:
    x, y = paired_grids(*gaps)
    expected = grouped(x, y, "item", coefficient).values
    assert group_coefficients(x, y, np.ones((1, 5)), coefficient)[0] == pytest.approx(expected, nan_ok=True)
    rows = row_coefficients_of_draws(x, y, np.ones_like(x), coefficient)
    assert rows == pytest.approx(expected, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("coefficient", get_args(Coefficient))
def test_rows_of_draws_are_weighted_as_groups_are(coefficient: Coefficient) -> None:
    random = np.random.Generator(np.random.PCG64(3))
    x, y = random.normal(size=(2, 4, 7))
    weights = random.integers(0, 3, (4, 7)).astype(float)
    expected = np.diag(group_coefficients(x, y, weights, coefficient))
    assert row_coefficients_of_draws(x, y, weights, coefficient) == pytest.approx(expected)


def test_the_mean_is_over_groups_with_a_value() -> None:
    values = np.array([[1.0, np.nan, 3.0], [np.nan, np.nan, np.nan]])
    found = mean_of_defined(values, np.array([[3.0, 5.0, 1.0], [1.0, 1.0, 1.0]]))
    assert found == pytest.approx([1.5, np.nan], nan_ok=True)


def test_values_far_from_zero_keep_their_digits() -> None:
    x, y = np.array([1e9, 1e9 + 1, 1e9 + 2, 1e9 + 4]), np.array([1.0, 3, 2, 4])
    (found,) = group_coefficients(x[None], y[None], np.ones((1, 4)), "pearson")
    assert found[0] == pytest.approx(vector_coefficient(x, y, "pearson"), abs=1e-9)
