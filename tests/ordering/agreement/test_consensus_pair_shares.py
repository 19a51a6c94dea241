"""Shares of pairs, and the mean tau that follows from them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.ordering import tau
from textassay.ordering.agreement.consensus import pair_shares

sets = st.integers(2, 6).flatmap(lambda n: st.lists(st.permutations(range(n)), min_size=2, max_size=6))


@given(sets)
def test_charging_pairs_by_the_share_that_disagrees_is_the_mean_tau(orders: list[list[int]]) -> None:
    """1 - 2 Σ share / (n(n-1)/2), the share of references that have the pair the other way round."""
    *references, order = orders
    shares = pair_shares(np.array(references))
    n = len(order)
    charged = sum(shares.before[order[j], order[i]] for i in range(n) for j in range(i + 1, n))
    mean = np.mean([tau(order, reference) for reference in references])
    assert 1 - 2 * charged / (n * (n - 1) / 2) == pytest.approx(mean)
    assert shares.mean_tau(np.array(order)) == pytest.approx(mean)
    assert mean <= shares.highest + 1e-12


def test_shares_of_both_ways_sum_to_one() -> None:
    before = pair_shares(["abc", "cab", "bca"]).before
    assert before + before.T == pytest.approx(1 - np.eye(3))
