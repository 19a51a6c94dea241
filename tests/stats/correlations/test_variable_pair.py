"""Two variables, checked and standardised."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.stats.correlations.variable_pair import permutation_p, product_moment, read_pair, standardised


def test_reason_is_told_where_there_is_no_correlation():
    assert read_pair([1, 2], [3, 4]).undefined == ""
    assert read_pair([1], [2]).undefined == "a correlation needs at least 2 pairs, got 1"
    assert read_pair([1, 2], [3, 3]).undefined == "y is constant (always 3), so there is no correlation"


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_standardised_has_mean_0_and_length_1(scale):
    values = standardised(np.array([1.0, 2.0, 4.0]) * scale)
    assert values.sum() == pytest.approx(0, abs=1e-15)
    assert values @ values == pytest.approx(1)


def test_perfect_is_exactly_one():
    x = np.array([0.1, 0.2, 0.7, 0.4])
    assert product_moment(x, 3 * x + 0.1) == 1.0
    assert product_moment(x, -x) == -1.0
    assert product_moment(x, np.array([0.1, 0.2, 0.7, 0.4000001])) < 1.0


# --- The permutation p of a correlation against a plain enumeration -------------------------------------------------


numbers = st.lists(st.integers(0, 6), min_size=5, max_size=5).filter(lambda values: len(set(values)) > 1)


@given(numbers, numbers)
def test_equals_plain_enumeration(x, y):
    x, y = np.array(x, dtype=float), np.array(y, dtype=float)
    observed = product_moment(x, y)
    all_r = [product_moment(np.array(order), y) for order in permutations(x.tolist())]
    tails = sum(r >= observed - 1e-9 for r in all_r), sum(r <= observed + 1e-9 for r in all_r)
    assert permutation_p(x, y) == min(1.0, 2 * min(tails) / math.factorial(5))


def test_nine_values():
    x = np.arange(9.0)
    assert permutation_p(x, x**2) == pytest.approx(2 / math.factorial(9))
    assert permutation_p(x, -(x**3)) == pytest.approx(2 / math.factorial(9))
