"""Distributions of sums of ranks against plain enumeration and against R's own tables."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.stats.rank_tests.rank_null import rank_sum_tails, rank_sum_work, signed_rank_tails
from textassay.stats.samples import midranks

numbers = st.lists(st.integers(1, 5), min_size=2, max_size=9)


@given(numbers, st.data())
def test_signed_ranks_equal_plain_enumeration(values, data):
    ranks = midranks(np.array(values, dtype=float))
    signs = data.draw(st.lists(st.booleans(), min_size=len(values), max_size=len(values)))
    observed = float(ranks[signs].sum())
    sums = [sum(r for r, on in zip(ranks, row, strict=True) if on) for row in product([0, 1], repeat=len(values))]
    expected = np.mean([s <= observed for s in sums]), np.mean([s >= observed for s in sums])
    assert signed_rank_tails(ranks, observed) == pytest.approx(expected, abs=1e-15)


@given(numbers, st.data())
def test_rank_sums_equal_plain_enumeration(values, data):
    ranks = midranks(np.array(values, dtype=float))
    size = data.draw(st.integers(1, len(values) - 1))
    observed = float(ranks[:size].sum())
    sums = [sum(drawn) for drawn in combinations(ranks.tolist(), size)]
    expected = np.mean([s <= observed for s in sums]), np.mean([s >= observed for s in sums])
    assert rank_sum_tails(ranks, size, observed) == pytest.approx(expected, abs=1e-14)


def test_many_values_equal_r():
    # R 4.2.2: psignrank(3000, 150), pwilcox(900, 50, 50); R's W is R - m(m+1)/2.
    assert signed_rank_tails(np.arange(1.0, 151.0), 3000.0)[0] == pytest.approx(1.5652030880071e-07, rel=1e-11, abs=0)
    lower, _ = rank_sum_tails(np.arange(1.0, 101.0), 50, 900.0 + 50 * 51 / 2)
    assert lower == pytest.approx(0.00776197261535618, rel=1e-11)


def test_work_does_not_depend_on_which_sample_comes_first():
    assert rank_sum_work(10, 90) == rank_sum_work(90, 10)
    assert rank_sum_work(10, 90) < rank_sum_work(50, 50)
