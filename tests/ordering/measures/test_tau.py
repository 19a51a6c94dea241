"""Kendall's tau of orders."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from textassay.errors import DataError
from textassay.ordering import inversions, tau, tau_batch

REFERENCE = list(range(1, 11))
SYSTEM_1 = [2, 1, 5, 3, 4, 6, 7, 9, 8, 10]
SYSTEM_2 = [10, 2, 3, 4, 5, 6, 7, 8, 9, 1]


def test_example_of_lapata() -> None:
    """Lapata 2006, ten items; S and tau recomputed by hand: 1 - 4 S / 90."""
    assert [inversions(SYSTEM_1, REFERENCE), inversions(SYSTEM_2, REFERENCE), inversions(SYSTEM_1, SYSTEM_2)] == [
        4,
        17,
        19,
    ]
    found = [tau(SYSTEM_1, REFERENCE), tau(SYSTEM_2, REFERENCE), tau(SYSTEM_1, SYSTEM_2)]
    assert [round(value, 4) for value in found] == [0.8222, 0.2444, 0.1556]


@given(st.integers(2, 30).flatmap(lambda n: st.tuples(st.permutations(range(n)), st.permutations(range(n)))))
def test_like_scipy_on_places_and_the_same_both_ways(orders: tuple[list[int], list[int]]) -> None:
    one, other = orders
    places = np.argsort(one), np.argsort(other)
    assert tau(one, other) == pytest.approx(kendalltau(*places).statistic)
    assert tau(one, other) == tau(other, one)
    assert tau(one[::-1], other) == pytest.approx(-tau(one, other))


def test_a_million_units() -> None:
    draw = np.random.Generator(np.random.PCG64(3))
    one, other = draw.permutation(200_000), draw.permutation(200_000)
    assert tau(one, other) == pytest.approx(kendalltau(np.argsort(one), np.argsort(other)).statistic)


def test_batch_checks_the_reference() -> None:
    with pytest.raises(DataError, match=r"reference\[0\] is no permutation"):
        tau_batch([[0, 1]], [1, 1])
