"""Which three numbers can be the correlations of three variables."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError
from textassay.stats.correlations.correlation_triple import covariance, fisher_mean, read_triple


@given(st.lists(st.tuples(*[st.integers(-9, 9)] * 3), min_size=5, max_size=12))
def test_correlations_of_real_data_are_accepted(data):
    columns = np.array(data, dtype=float).T
    if np.all(np.ptp(columns, axis=1)):
        r = np.clip(np.corrcoef(columns), -1, 1)
        triple = read_triple(r[0, 1], r[0, 2], r[1, 2], len(data))
        assert triple.determinant == pytest.approx(np.linalg.det(r), abs=1e-9)


def test_numpy_numbers_are_numbers():
    assert read_triple(np.float32(0.5), np.float64(0.25), 0, np.int64(9)).n == 9


@pytest.mark.parametrize(
    ("r12", "r13", "r23", "n", "message"),
    [
        (1.2, 0.1, 0.1, 20, "r12 must be a correlation between -1 and 1, got 1.2"),
        (0.1, math.nan, 0.1, 20, "r13 must be a correlation .* got nan"),
        (0.1, 0.1, "0.1", 20, "r23 must be a correlation .* got '0.1'"),
        (0.1, 0.1, 0.1, 20.5, "n must be the number of observations, a whole number, got 20.5"),
        (0.1, 0.1, 0.1, -3, "got -3"),
        (0.9, -0.9, 0.9, 20, "no three variables have the correlations 0.9, -0.9 and 0.9"),
    ],
)
def test_what_cannot_be_is_refused(r12, r13, r23, n, message):
    with pytest.raises(DataError, match=message):
        read_triple(r12, r13, r23, n)


def test_fisher_z_of_two_correlations_correlates_as_theory_says():
    # Three normal variables, 4,000 samples of 60: the correlation of artanh r12 and artanh r13, with error 1/√4000.
    r12, r13, r23 = 0.6, 0.4, 0.5
    generator = np.random.Generator(np.random.PCG64(7))
    root = np.linalg.cholesky([[1, r12, r13], [r12, 1, r23], [r13, r23, 1]])
    draws = generator.normal(size=(4_000, 60, 3)) @ root.T
    draws -= draws.mean(axis=1, keepdims=True)
    draws /= np.linalg.norm(draws, axis=1, keepdims=True)
    first, second = (np.arctanh(np.sum(draws[..., 0] * draws[..., place], axis=1)) for place in (1, 2))
    assert np.corrcoef(first, second)[0, 1] == pytest.approx(covariance(r12, r13, r23), abs=4 / math.sqrt(4_000))


def test_fisher_mean_lies_between():
    assert fisher_mean(0.3, 0.3) == pytest.approx(0.3)
    assert 0.65 < fisher_mean(0.8, 0.5) < 0.8
