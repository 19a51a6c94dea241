"""Baselines."""

from __future__ import annotations

from collections import Counter

import pytest
from scipy.stats import chisquare

from textassay.errors import DataError, UsageError
from textassay.ordering.arranging.baselines import (
    chronological_order,
    original_order,
    random_order,
    reversed_order,
)


def test_original_and_reversed() -> None:
    assert original_order(["x", "y", "z"]) == ("x", "y", "z")
    assert reversed_order(["x", "y", "z"]) == ("z", "y", "x")


def test_random_depends_on_seed_and_name_only() -> None:
    units = list(range(20))
    assert random_order(units, seed=1, name="t") == random_order(units, seed=1, name="t")
    assert random_order(units, seed=1, name="t") != random_order(units, seed=2, name="t")
    assert random_order(units, seed=1, name="t") != random_order(units, seed=1, name="u")


@pytest.mark.parametrize(("first_fixed", "orders"), [(False, 24), (True, 6)])
def test_every_random_order_is_equally_likely(first_fixed: bool, orders: int) -> None:
    counts = Counter(random_order("abcd", seed=seed, first_fixed=first_fixed) for seed in range(2400))
    assert len(counts) == orders
    assert chisquare(list(counts.values())).pvalue > 1e-4
    assert not first_fixed or {order[0] for order in counts} == {"a"}


def test_chronological_keeps_the_order_of_equal_times() -> None:
    assert chronological_order("abcd", [2, 1, 2, 0.5]) == ("d", "b", "a", "c")
    assert chronological_order("ab", ["2001-02-03", "1999-12-31"]) == ("b", "a")


def test_wrong_times_are_refused() -> None:
    with pytest.raises(DataError, match="2 units and 1 times"):
        chronological_order("ab", [1])
    with pytest.raises(DataError, match="without a time: 'b', 'c'"):
        chronological_order("abc", [1, float("nan"), None])  # type: ignore[type-var]
    with pytest.raises(UsageError, match="all numbers or all texts"):
        chronological_order("ab", [1, "2001-01-01"])  # type: ignore[type-var]


def test_repeated_units_are_refused() -> None:
    with pytest.raises(DataError, match="more than once: 'a', 'a'"):
        original_order("aba")
