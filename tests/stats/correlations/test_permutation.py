"""The permutation p of a correlation against a plain enumeration."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.stats.correlations.pair import product_moment
from textassay.stats.correlations.permutation import permutation_p

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
