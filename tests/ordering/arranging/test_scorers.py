"""Scorers of orders."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.ordering import reference_rank, share_preferred


def rises(order: Sequence[int]) -> float:
    return sum(b - a == 1 for a, b in pairwise(order))


@given(st.integers(1, 6).flatmap(lambda n: st.permutations(range(n))))
def test_rank_is_the_number_of_better_orders(reference: list[int]) -> None:
    found = reference_rank(rises, reference)
    every = [rises(order) for order in permutations(reference)]
    assert found.exact
    assert found.rank == sum(score > rises(reference) for score in every)
    assert found.ties == sum(score == rises(reference) for score in every) - 1
    assert found.orders == math.factorial(len(reference))


def test_ends_of_the_range() -> None:
    """0 best, n! - 1 worst."""
    assert reference_rank(rises, range(5)).rank == 0  # type: ignore[arg-type]
    lowest = {order: -number for number, order in enumerate(permutations("abcd"))}
    assert reference_rank(lambda order: lowest[tuple(order)], "dcba").rank == 23


def test_many_units_are_sampled() -> None:
    # Half of all orders have the first unit before the second, so half of them score higher than 0.
    found = reference_rank(lambda order: order.index(0) < order.index(1), [1, *range(2, 12), 0], samples=4000, seed=1)
    assert not found.exact
    assert found.share == pytest.approx(0.5, abs=0.04)
    assert found.rank == pytest.approx(found.share * (math.factorial(12) - 1), rel=1e-12)
    assert found.scored == 4000
    assert "estimated" in found.warnings[0]
    again = reference_rank(lambda order: order.index(0) < order.index(1), [1, *range(2, 12), 0], samples=4000, seed=1)
    assert again.rank == found.rank


def test_progress_is_told() -> None:
    seen: list[tuple[int, int]] = []
    reference_rank(rises, list(range(8)), progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (40319, 40319)
    assert len(seen) == 8


def test_ties_are_not_preferred_and_said() -> None:
    found = share_preferred(rises, [([0, 1, 2], [2, 1, 0]), ([0, 1, 2], [0, 1, 2]), ([2, 1, 0], [0, 1, 2])])
    assert (found.share, found.preferred, found.ties, found.n) == (pytest.approx(1 / 3), 1, 1, 3)
    assert "1 of 3 pairs are tied" in found.warnings[0]
    assert found.records()[0]["ties"] == 1


def test_wrong_arguments() -> None:
    with pytest.raises(DataError, match="no pairs"):
        share_preferred(rises, [])
    with pytest.raises(DataError, match="the scorer gives nan for the reference"):
        share_preferred(lambda _: math.nan, [([0, 1], [1, 0])])
    with pytest.raises(DataError, match="more than once"):
        reference_rank(rises, [0, 0])
    with pytest.raises(UsageError, match="samples"):
        reference_rank(rises, [0, 1], samples=0)
