"""Differences whose ties survive the rounding of floats."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from textassay.stats.rank_tests.differences import paired_differences

tenths = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=1, max_size=30)


@given(tenths, st.sampled_from([10, 100, 3, 7]))
def test_equal_decimal_differences_stay_equal(pairs, unit):
    whole = np.array([x - y for x, y in pairs])
    found = paired_differences(np.array([x / unit for x, _ in pairs]), np.array([y / unit for _, y in pairs]))
    assert np.array_equal(np.sign(found), np.sign(whole))
    for i, j in zip(range(len(pairs)), range(1, len(pairs)), strict=False):
        assert (abs(found[i]) == abs(found[j])) == (abs(whole[i]) == abs(whole[j]))


def test_true_differences_are_kept_apart():
    found = paired_differences(np.array([1.0, 1.0 + 1e-13, -1e-13]), np.zeros(3))
    assert len(set(np.abs(found).tolist())) == 3
    assert found[2] < 0


def test_nothing_gives_nothing():
    assert paired_differences(np.array([]), np.array([])).size == 0
