"""Bins of tau."""

from __future__ import annotations

import math
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import UsageError
from textassay.ordering import tau_bins, tau_counts, tau_of_inversions
from textassay.ordering.distributions.tau_counts import inversions_between


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
