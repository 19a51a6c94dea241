"""Consensus orders."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import textassay.ordering.agreement.consensus as module
from textassay.errors import DataError, UsageError
from textassay.ordering import consensus, tau, tau_batch
from textassay.ordering.agreement.consensus import pair_shares
from textassay.stats import kendall_w

sets = st.integers(2, 5).flatmap(lambda n: st.lists(st.permutations(range(n)), min_size=1, max_size=6))


@given(sets)
def test_kemeny_is_the_best_of_all_orders(orders: list[list[int]]) -> None:
    every = list(permutations(range(len(orders[0]))))
    means = [float(np.mean([tau(order, other) for other in orders])) for order in every]
    found = consensus(orders)
    assert found.exact
    assert found.mean_tau == pytest.approx(max(means)) == pytest.approx(found.highest)
    assert found.optimal == sum(math.isclose(mean, max(means), abs_tol=1e-9) for mean in means)
    assert bool(found.warnings and "orders have the same mean tau" in found.warnings[0]) == (found.optimal > 1)


@given(sets)
def test_borda_is_by_mean_place(orders: list[list[int]]) -> None:
    found = consensus(orders, rule="borda")
    places = {unit: np.mean([order.index(unit) for order in orders]) for unit in orders[0]}
    in_order = [places[unit] for unit in found.order]
    assert in_order == sorted(in_order)
    assert found.mean_places.tolist() == pytest.approx([place + 1 for place in in_order])
    assert found.mean_tau <= found.highest + 1e-12
    assert found.mean_tau == pytest.approx(np.mean([tau(found.order, order) for order in orders]))


def test_condorcets_cycle_has_three_answers() -> None:
    found = consensus(["abc", "bca", "cab"])
    assert found.optimal == 3
    assert found.order == tuple("abc")
    assert found.mean_tau == pytest.approx(1 / 9)
    # Without the cycle the best of each pair would give 1/3.
    assert found.highest == pytest.approx(1 / 9)


def test_ties_of_borda_are_said() -> None:
    assert "share their mean place" in consensus(["ab", "ba"], rule="borda").warnings[0]


def test_ten_and_sixteen_units_are_exact() -> None:
    draw = np.random.Generator(np.random.PCG64(4))
    for n in (10, 16):
        rows = np.array([draw.permutation(n) for _ in range(7)])
        found = consensus(rows)
        assert found.exact
        best = found.mean_tau
        # No exchange and no move makes it better.
        order = np.array(found.order)
        for i in range(n):
            for j in range(n):
                moved = np.insert(np.delete(order, i), j, order[i])
                assert tau_batch(rows, moved).mean() <= best + 1e-12


def test_many_units_that_agree_are_exact_and_others_bounded() -> None:
    draw = np.random.Generator(np.random.PCG64(5))
    base = np.arange(40)
    near = np.array([np.concatenate([base[:k], base[k : k + 2][::-1], base[k + 2 :]]) for k in range(0, 38, 5)])
    found = consensus(near)
    assert found.exact
    assert found.order == tuple(range(40))
    far = consensus(np.array([draw.permutation(40) for _ in range(9)]))
    assert not far.exact
    assert far.mean_tau < far.highest
    assert far.optimal == 0
    assert "not known to be the best" in far.warnings[0]


def test_concordance_is_kendalls_w() -> None:
    orders = ["abcd", "bacd", "abdc"]
    ranks = [[order.index(unit) for unit in "abcd"] for order in orders]
    assert consensus(orders).w == pytest.approx(kendall_w(ranks).w)
    assert [record["statistic"] for record in consensus(orders).records()] == ["mean tau", "W"]


def test_one_order_has_no_concordance() -> None:
    found = consensus(["abc"])
    assert (found.order, found.mean_tau) == (tuple("abc"), 1)
    assert math.isnan(found.w)
    assert "at least 2 raters" in found.warnings[-1]


def test_wrong_arguments() -> None:
    with pytest.raises(UsageError, match="rule must be one of kemeny, borda"):
        consensus(["ab"], rule="plurality")  # type: ignore[arg-type]
    with pytest.raises(DataError, match="no orders"):
        consensus([])
    with pytest.raises(DataError, match=r"orders\[1\]"):
        consensus(["ab", "ac"])


# --- Knots of the majority, and what is done with those that are too large ------------------------------------------


def test_knots_follow_the_majority() -> None:
    # a before all; b, c, d in a cycle; e after all
    shares = pair_shares(["abcde", "acdbe", "adbce"])
    assert module._knots(shares.before) == [[0], [1, 2, 3], [4]]


def test_moves_of_single_units_are_nearly_as_good(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.Generator(np.random.PCG64(9))
    for _ in range(10):
        shares = pair_shares(np.array([draw.permutation(9) for _ in range(5)]))
        with monkeypatch.context() as patch:
            best = shares.mean_tau(np.array(module.solve_kemeny(shares).order))
            patch.setattr(module, "LIMIT", 1)
            moved = module.solve_kemeny(shares)
        found = shares.mean_tau(np.array(moved.order))
        assert sorted(moved.order) == list(range(9))
        assert best - 0.06 <= found <= best + 1e-12


# --- Shares of pairs, and the mean tau that follows from them -------------------------------------------------------


sets_pair_shares = st.integers(2, 6).flatmap(lambda n: st.lists(st.permutations(range(n)), min_size=2, max_size=6))


@given(sets_pair_shares)
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
