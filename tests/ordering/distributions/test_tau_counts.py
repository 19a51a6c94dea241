"""All orders, counted by tau."""

from __future__ import annotations

import math
import time
from collections import Counter
from itertools import permutations
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import UsageError
from textassay.ordering import chance_tau, tau_batch, tau_bins, tau_counts, tau_of_inversions, tau_shares
from textassay.ordering.distributions.tau_counts import COUNTED, _float_shares, inversions_between, inversions_p

# Lapata 2006, the first half for eight sentences; the second half is its mirror.
EIGHT = [1, 7, 27, 76, 174, 343, 602, 961, 1415, 1940, 2493, 3017, 3450, 3736, 3836]


def test_eight_sentences() -> None:
    assert tau_counts(8) == [*EIGHT, *EIGHT[-2::-1]]


@pytest.mark.parametrize("n", range(8))
def test_like_going_through_all_orders(n: int) -> None:
    every = Counter(
        sum(order[i] > order[j] for i in range(n) for j in range(i + 1, n)) for order in permutations(range(n))
    )
    assert tau_counts(n) == [every[k] for k in range(n * (n - 1) // 2 + 1)]


@pytest.mark.parametrize("n", [9, 10, 11, 50, 100])
def test_counts_are_whole_symmetric_and_sum_to_all_orders(n: int) -> None:
    found = tau_counts(n)
    assert len(found) == n * (n - 1) // 2 + 1
    assert found == found[::-1]
    assert sum(found) == math.factorial(n)
    assert all(type(count) is int for count in found)


def test_hundred_units_take_little_time() -> None:
    from textassay.ordering.distributions import tau_counts as module

    vars(module)["_counts"].cache_clear()
    spent = []
    for _ in range(3):
        vars(module)["_counts"].cache_clear()
        start = time.perf_counter()
        tau_counts(100)
        spent.append(time.perf_counter() - start)
    assert min(spent) < 0.5  # about 0.02 s on a quiet machine; the bench has the real bar


@pytest.mark.parametrize("n", [-1, 2.0, True, "8"])
def test_what_is_no_number_of_units(n: object) -> None:
    with pytest.raises(UsageError, match="whole number of at least 0"):
        tau_counts(n)  # type: ignore[arg-type]


def test_chance_is_the_mean_of_all_orders() -> None:
    for n in (2, 3, 6):
        orders = np.array(list(permutations(range(n))))
        taus = tau_batch(orders)
        assert chance_tau(n) == pytest.approx(taus.mean(), abs=1e-12)
        assert chance_tau(n, first_fixed=True) == pytest.approx(taus[orders[:, 0] == 0].mean()) == pytest.approx(2 / n)
    assert math.isnan(chance_tau(1))
    assert math.isnan(tau_of_inversions(0, 1))


def test_exact_and_normal_p_agree_for_many_units() -> None:
    exact, was_exact = inversions_p(6700, 170)
    normal, was_normal = inversions_p(6700, 171)
    assert (was_exact, was_normal) == (True, False)
    # The 171st unit adds 85 inversions on average: 6785 there is what 6700 is here.
    assert inversions_p(6785, 171)[0] == pytest.approx(exact, rel=0.05)
    assert normal < exact
    assert math.isnan(inversions_p(0, 1)[0])


def test_more_than_fits_into_memory_is_refused() -> None:
    with pytest.raises(UsageError, match=r"the orders of 5000 units are not counted: .* 1000 units are the most"):
        tau_counts(5000)


# --- Bins of tau ----------------------------------------------------------------------------------------------------


@given(st.integers(2, 12), st.integers(1, 12), st.sampled_from(["width", "orders"]))
def test_every_order_is_in_one_bin(n: int, bins: int, by: Literal["width", "orders"]) -> None:
    found = tau_bins(n, bins, by=by)
    assert [each.number for each in found] == list(range(1, bins + 1))
    assert [k for each in found for k in each.inversions] == list(range(n * (n - 1) // 2 + 1))
    assert sum(each.orders for each in found) == math.factorial(n)


def test_an_edge_belongs_to_the_upper_bin() -> None:
    # Four units: tau 2/3, 1/3, 0 …; in eight bins only 0 is on an edge. Five units: .2, .6 with ten bins of .2.
    assert [each.inversions for each in tau_bins(4, 8)] == [(0,), (1,), (2,), (3,), (), (4,), (5,), (6,)]
    five = tau_bins(5, 10)
    assert [tau_of_inversions(k, 5) for k in five[0].inversions] == [1.0, 0.8]
    assert [len(each.inversions) for each in five] == [2, *[1] * 9]
    assert five[0].holds == "[0.8, 1]"
    assert five[9].holds == "[-1, -0.8)"


def test_bins_of_unequal_width_between_edges() -> None:
    """Lapata (2006, experiment 2): bin 1, bins 2 to 4 and bins 5 to 8 of eight; no order is lost or counted twice."""
    eight, three = tau_bins(8, 8), tau_bins(8, (0.75, 0))
    assert [each.holds for each in three] == ["[0.75, 1]", "[0, 0.75)", "[-1, 0)"]
    joined = (eight[:1], eight[1:4], eight[4:])
    assert [each.orders for each in three] == [sum(each.orders for each in bins) for bins in joined]


@pytest.mark.parametrize("edges", [(0, 0.75), (1, 0), (0.5, 0.5), (0, -1), (math.nan,)])
def test_edges_must_fall(edges: tuple[float, ...]) -> None:
    with pytest.raises(UsageError, match=r"edges of bins fall from below 1 to above -1, such as 0\.75, 0; got"):
        tau_bins(8, edges)


def test_bins_by_orders_have_no_edges() -> None:
    with pytest.raises(UsageError, match="give their number"):
        tau_bins(8, (0.5,), by="orders")


def test_floats_that_are_not_quite_the_fraction() -> None:
    """0.2 is a little more than 1/5 as a float, and -1/3 a little more than itself: both mean the fraction."""
    assert list(inversions_between(5, 0.2, 0.4)) == [4]
    assert list(inversions_between(4, -1 / 3, 0)) == [4]
    assert list(inversions_between(3, 1 / 3, 1)) == [0, 1]
    assert list(inversions_between(4, 0, 0)) == [3]
    assert list(inversions_between(4, 0.1, 0.2)) == []


def test_bins_by_orders_are_about_even() -> None:
    found = tau_bins(10, 8, by="orders")
    share = [each.orders / math.factorial(10) for each in found]
    largest = max(tau_counts(10)) / math.factorial(10)
    assert all(abs(each - 1 / 8) <= largest for each in share)
    assert share == share[::-1]
    assert found[0].high == 1
    assert found[-1].low == -1


def test_more_bins_than_values_leave_empty_ones() -> None:
    found = tau_bins(2, 5, by="orders")
    assert [each.orders for each in found] == [0, 1, 0, 1, 0]
    assert math.isnan(found[0].low)


@pytest.mark.parametrize(
    ("n", "bins", "by", "message"),
    [(1, 8, "width", "n must be"), (8, 0, "width", "bins must be"), (8, 8, "size", "by must be one of width, orders")],
)
def test_wrong_settings(n: int, bins: int, by: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        tau_bins(n, bins, by=by)  # type: ignore[arg-type]


@pytest.mark.parametrize(("n", "low", "high"), [(5, 0.5, 0.2), (5, -2, 0), (5, 0, 1.5), (1, 0, 1), (5, math.nan, 1)])
def test_wrong_ranges(n: int, low: float, high: float) -> None:
    with pytest.raises(UsageError):
        inversions_between(n, low, high)


# --- Shares of more orders than are counted ------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 3, 4, 5, 8, 31, 170, 230])
def test_float_shares_are_the_exact_counts_over_all_orders(n: int) -> None:
    exact = np.array([count / math.factorial(n) for count in tau_counts(n)])
    found = _float_shares(n)
    assert len(found) == len(exact)
    safe = exact > 1e-290  # below, floating-point numbers have fewer digits
    assert np.abs(found[safe] / exact[safe] - 1).max() < 1e-14
    assert math.fsum(found) == pytest.approx(1, abs=1e-14)


def test_shares_up_to_the_bound_are_counts() -> None:
    assert tau_shares(8).tolist() == [count / 40320 for count in tau_counts(8)]
    assert tau_shares(0).tolist() == tau_shares(1).tolist() == [1]
    with pytest.raises(UsageError, match="2000 units are the most"):
        tau_shares(2001)


def test_many_units_have_the_moments_of_their_inversions() -> None:
    """Mean n(n-1)/4 and variance n(n-1)(2n+5)/72 (Kendall 1970)."""
    n = 400
    shares = tau_shares(n)
    inversions = np.arange(len(shares))
    mean = float(shares @ inversions)
    assert mean == pytest.approx(n * (n - 1) / 4, rel=1e-12)
    assert float(shares @ (inversions - mean) ** 2) == pytest.approx(n * (n - 1) * (2 * n + 5) / 72, rel=1e-12)
    assert shares.tolist() == shares[::-1].tolist()


@pytest.mark.parametrize("by", ["width", "orders"])
def test_bins_beyond_the_bound_are_like_those_before_it(by: Literal["width", "orders"]) -> None:
    counted, shared = tau_bins(COUNTED, 6, by=by), tau_bins(COUNTED + 1, 6, by=by)
    assert sum(each.orders or 0 for each in counted) == math.factorial(COUNTED)
    assert {each.orders for each in shared} == {None}
    for bins in (counted, shared):
        assert math.fsum(each.share for each in bins) == pytest.approx(1, abs=1e-14)
        if by == "orders":
            assert [each.share for each in bins] == pytest.approx([1 / 6] * 6, abs=0.01)
    assert [each.share for each in shared] == pytest.approx([each.share for each in counted], abs=0.01)


def test_bins_by_orders_of_floats_are_those_of_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    from textassay.ordering.distributions import tau_counts as module

    counted = tau_bins(60, 7, by="orders")
    monkeypatch.setattr(module, "COUNTED", 10)
    assert [each.inversions for each in tau_bins(60, 7, by="orders")] == [each.inversions for each in counted]
