"""Orders seen from a reference; whatever is no order, or differs, is refused with names."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from textassay.errors import DataError, UsageError
from textassay.ordering import align, tau

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
