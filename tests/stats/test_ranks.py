"""Midranks against scipy."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from textassay.stats.ranks import midranks, tie_term

tables = st.integers(1, 8).flatmap(
    lambda width: st.lists(st.lists(st.integers(0, 4), min_size=width, max_size=width), min_size=1, max_size=5)
)


@given(tables)
def test_equals_scipy(table):
    array = np.array(table, dtype=float)
    assert midranks(array).tolist() == rankdata(array, axis=-1).tolist()


@given(tables)
def test_tie_term_is_the_sum_over_tied_groups(table):
    array = np.array(table, dtype=float)
    expected = [sum(count**3 - count for count in np.unique(row, return_counts=True)[1].tolist()) for row in array]
    assert tie_term(midranks(array)).tolist() == expected
