"""Statistics of weighted observations are those of the sample that repeats each observation as often."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError
from textassay.stats import anova, pearson
from textassay.stats.resampling.weighted_statistics import (
    check_column_count,
    difference_sums,
    eta2_sums,
    f_sums,
    mean_sums,
    pearson_sums,
    sd_sums,
    weighted_median,
)

observations = st.lists(
    st.tuples(st.integers(-20, 20), st.integers(-20, 20), st.integers(0, 2), st.integers(0, 3)), min_size=4, max_size=15
).filter(lambda rows: sum(row[3] for row in rows) >= 4)


def repeated(rows):
    x, y, codes, weights = (np.array(column) for column in zip(*rows, strict=True))
    again = np.repeat(np.arange(len(rows)), weights)
    return x.astype(float), y.astype(float), codes, weights.astype(float), again


@given(observations)
def test_of_values(rows):
    x, y, _, weights, again = repeated(rows)
    assert mean_sums(x).of(weights @ mean_sums(x).terms) == pytest.approx(x[again].mean())
    assert sd_sums(x).of(weights @ sd_sums(x).terms) == pytest.approx(x[again].std(ddof=1), abs=1e-6)
    assert weighted_median(x, weights[None])[0] == np.median(x[again])
    both = pearson_sums(np.stack([x, y], axis=1))
    expected = pearson(x[again], y[again]).r
    if not np.isnan(expected):
        assert both.of(weights @ both.terms) == pytest.approx(expected, abs=1e-9)


@given(observations)
def test_of_groups(rows):
    x, _, codes, weights, again = repeated(rows)
    table = anova(x[again], codes[again])
    whole = set(codes[again].tolist()) == set(range(int(codes.max()) + 1))
    for made, expected in ((f_sums, table.f), (eta2_sums, table.eta2)):
        found = float(made(x, codes).of(weights @ made(x, codes).terms))
        if whole and codes.max() > 0:  # an empty group makes it undefined
            assert found == pytest.approx(expected, rel=1e-9, abs=1e-9, nan_ok=True)
        elif codes.max() > 0:
            assert np.isnan(found)


def test_difference_is_the_first_less_the_second():
    sums = difference_sums(np.array([5.0, 7, 1, 2]), np.array([0, 0, 1, 1]))
    assert sums.of(np.array([[1.0, 1, 1, 1], [2, 0, 0, 1]]) @ sums.terms).tolist() == [4.5, 3.0]


def test_a_large_offset_costs_no_digits():
    values, codes = np.array([1.0, 2, 3, 4, 5, 6]), np.array([0, 0, 0, 1, 1, 1])
    near, far = f_sums(values, codes), f_sums(values + 1e9, codes)
    assert float(far.of(far.terms.sum(axis=0))) == pytest.approx(float(near.of(near.terms.sum(axis=0))), rel=1e-9)


def test_no_spread_within_groups_is_no_error_term():
    sums = f_sums(np.array([0.1, 0.1, 0.7, 0.7]), np.array([0, 0, 1, 1]))
    assert np.isnan(sums.of(sums.terms.sum(axis=0)))


def test_shapes_are_checked():
    with pytest.raises(DataError, match="'mean' needs values that are a plain list"):
        check_column_count(np.zeros((3, 2)), "mean", 1)
    with pytest.raises(DataError, match=r"'pearson' needs values that are of shape \(observations, 2\)"):
        check_column_count(np.zeros(3), "pearson", 2)
