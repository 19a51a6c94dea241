"""Orders seen from a reference; whatever is no order, or differs, is refused with names."""

from __future__ import annotations

import math
from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare, kendalltau

from textassay.errors import DataError, UsageError
from textassay.ordering import align, order_of_ranks, tau, tau_of_ranks
from textassay.ordering.orders import (
    chronological_order,
    original_order,
    random_order,
    reversed_order,
)

shuffled = st.integers(1, 9).flatmap(lambda n: st.permutations(range(n)))


@given(shuffled)
def test_places_read_the_reference(order: list[int]) -> None:
    reference = sorted(order)[::-1]
    found = align(order, reference)
    assert [reference[place] for place in found.places] == order
    assert found.units == tuple(reference)
    assert found.coverage == 1
    assert found.warnings == ()


@given(shuffled)
def test_arrays_of_numbers_give_what_names_give(order: list[int]) -> None:
    reference = sorted(order)[::-1]
    numbers = align(np.array(order), np.array(reference))
    names = align([str(unit) for unit in order], [str(unit) for unit in reference])
    assert numbers.places.tolist() == names.places.tolist()
    assert numbers.units == tuple(reference)


def test_orders_are_not_ranks() -> None:
    """As ranks, as scipy takes them, more than half of all pairs of orders of four units get another tau."""
    orders = list(permutations(range(4)))
    wrong = sum(
        not math.isclose(tau(one, other), kendalltau(one, other).statistic, abs_tol=1e-9)
        for one in orders
        for other in orders
    )
    assert wrong == 296
    assert tau([0, 2, 3, 1], [1, 2, 3, 0]) == pytest.approx(-2 / 3)


@pytest.mark.parametrize(
    ("order", "reference", "message"),
    [
        ("ab", "abc", "lacks units of the reference: 'c'"),
        ("abcx", "abc", "has units that the reference lacks: 'x'"),
        ("abb", "abc", "lacks units of the reference: 'c'; the order names units more than once: 'b'"),
        ("abc", "abcc", "the reference names units more than once: 'c'"),
        ([1, 2], ["1", "2"], "lacks units of the reference: '1', '2'; the order has units .* lacks: 1, 2"),
        (list("abcdefgh"), list("h"), "'a', 'b', 'c', 'd', 'e' and 2 more"),
        (np.array([0, 0, 1]), np.array([0, 1, 2]), "lacks units of the reference: 2"),
        (["a", None], ["a", "b"], "order has no unit in place 2"),
        (["a", math.nan], ["a", "b"], "order has no unit in place 2"),
    ],
)
def test_differences_are_refused_with_names(order: object, reference: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        align(order, reference)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("order", "message"),
    [
        ("a b c", r"for example its \.split\(\)"),
        ({"a": 1}, "For ranks of units use tau_of_ranks"),
        ({"a", "b"}, "give a list of unit ids"),
        (b"ab", "give a list of unit ids"),
        (5, "give a list of unit ids"),
        ([["a"], ["b"]], "which cannot be a unit"),
    ],
)
def test_what_is_no_order_is_refused(order: object, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        align(order, "abc")  # type: ignore[arg-type]


def test_common_units_with_what_was_left_out() -> None:
    found = align("xbba", "abcc", units="common")
    assert found.places.tolist() == [1, 0]
    assert found.units == ("a", "b")
    assert (found.missing, found.extra, found.repeated) == (("c",), ("x",), ("b", "c"))
    assert found.coverage == pytest.approx(2 / 3)
    assert len(found.warnings) == 3


def test_nothing_in_common() -> None:
    found = align("ab", "cd", units="common")
    assert found.n == 0
    assert found.coverage == 0
    assert math.isnan(align([], [], units="common").coverage)


def test_other_words_for_units_are_refused() -> None:
    with pytest.raises(UsageError, match="units must be one of same, common; got 'all'"):
        align("ab", "ab", units="all")  # type: ignore[arg-type]


# --- Ranks are mappings and may tie; orders are lists and may not ---------------------------------------------------


@given(st.integers(2, 8).flatmap(lambda n: st.permutations(range(n))))
def test_without_ties_it_is_tau(order: list[int]) -> None:
    ranks = {unit: place for place, unit in enumerate(order)}
    reference = sorted(order)
    assert tau_of_ranks(ranks, reference).tau == pytest.approx(tau(order, reference))
    assert tau_of_ranks(order, reference).tau == pytest.approx(tau(order, reference))
    assert order_of_ranks(ranks) == order


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=3, max_size=8))
def test_with_ties_like_scipy(pairs: list[tuple[int, int]]) -> None:
    one, other = ({str(unit): pair[side] for unit, pair in enumerate(pairs)} for side in (0, 1))
    expected = kendalltau(list(one.values()), list(other.values())).statistic
    found = tau_of_ranks(one, other).tau
    assert (math.isnan(found) and math.isnan(expected)) or found == pytest.approx(expected)


@pytest.mark.parametrize(
    ("ranks", "reference", "error", "message"),
    [
        ({"a": 1}, {"b": 1}, DataError, "only one of the two has 'a', 'b'"),
        ({"a": "x"}, {"a": 1}, UsageError, "must map every unit to a number"),
        ({"a": math.inf}, {"a": 1}, DataError, "no finite rank for 'a'"),
        ("aa", "ab", DataError, "more than once: 'a'"),
        (7, "ab", UsageError, "give a list of unit ids"),
    ],
)
def test_wrong_ranks(ranks: object, reference: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        tau_of_ranks(ranks, reference)  # type: ignore[arg-type]


def test_tied_ranks_have_no_order() -> None:
    with pytest.raises(DataError, match="'a' and 'b' share rank 1"):
        order_of_ranks({"a": 1, "b": 1})


# --- Baselines ------------------------------------------------------------------------------------------------------


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
