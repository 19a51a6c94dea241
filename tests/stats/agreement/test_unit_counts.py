"""Counts of categories by unit, and sums over pairs, against loops."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.stats.agreement.unit_counts import count_units, sums_by


@given(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=6), min_size=1, max_size=5))
def test_pairs_equal_a_loop(units):
    unit = np.array([index for index, values in enumerate(units) for _ in values])
    category = np.array([value for values in units for value in values])
    counts = count_units(unit, category, 4)
    for index, values in enumerate(units):
        pairs = list(itertools.permutations(values, 2))
        assert counts.equal_pairs()[index] == sum(a == b for a, b in pairs)
        unequal = sum((a - b) ** 2 for a, b in pairs)
        assert counts.unequal_pairs(lambda a, b: (a - b) ** 2.0)[index] == pytest.approx(unequal)
    assert counts.sizes.tolist() == [len(values) for values in units]


def test_sums_by_code():
    assert sums_by(np.array([2, 0, 2]), np.array([1.0, 2.0, 3.0]), 4).tolist() == [2, 0, 4, 0]
