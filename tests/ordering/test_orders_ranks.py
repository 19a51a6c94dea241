"""Ranks are mappings and may tie; orders are lists and may not."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from textassay.errors import DataError, UsageError
from textassay.ordering import order_of_ranks, tau, tau_of_ranks


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
