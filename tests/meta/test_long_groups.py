"""Long groups, which are sorted, against the same resamples by tables of all pairs."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.meta.coefficients import Coefficient
from textassay.meta.long_groups import LONG, LongGroupResamples, grid_coefficients, group_resamples
from textassay.meta.weighted_coefficients import GroupResamples, group_coefficients
from textassay.stats.samples import FloatArray

SORTED: tuple[Coefficient, ...] = tuple(each for each in get_args(Coefficient) if each != "pearson")
PAIRS = tuple(each for each in SORTED if each != "spearman")


def drawn(seed: int, groups: int, members: int, values: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Two sides with ties and gaps, and weights of four draws."""
    random = np.random.Generator(np.random.PCG64(seed))
    x, y = random.integers(0, values, (2, groups, members)).astype(float)
    missing = random.random(x.shape) < 0.1
    x[missing], y[missing] = np.nan, np.nan
    return x, y, random.integers(0, 3, (4, members)).astype(float)


@given(st.integers(0, 2**16), st.integers(1, 12), st.sampled_from([1, 2, 5, 50]), st.sampled_from(SORTED))
def test_sorted_groups_equal_tables_of_pairs(seed: int, members: int, values: int, coefficient: Coefficient) -> None:
    x, y, weights = drawn(seed, 3, members, values)
    expected = group_coefficients(x, y, weights, coefficient)
    assert LongGroupResamples(x, y, coefficient).of(weights) == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("coefficient", PAIRS)
def test_a_text_of_a_grid_counts_as_often_as_its_row_and_column_together(coefficient: Coefficient) -> None:
    x, y, columns = drawn(5, 6, 7, 9)
    rows = drawn(6, 1, 6, 9)[2]
    weights = (rows[:, :, None] * columns[:, None, :]).reshape(4, -1)
    expected = group_coefficients(x.reshape(1, -1), y.reshape(1, -1), weights, coefficient)[:, 0]
    assert grid_coefficients(x, y, rows, columns, coefficient) == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_only_long_groups_are_sorted() -> None:
    short, long = np.zeros((1, LONG)), np.zeros((1, LONG + 1))
    assert isinstance(group_resamples(short, short, "tau-b"), GroupResamples)
    assert isinstance(group_resamples(long, long, "tau-b"), LongGroupResamples)
    assert isinstance(group_resamples(long, long, "pearson"), GroupResamples)
