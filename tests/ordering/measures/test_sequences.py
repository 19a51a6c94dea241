"""What stays together: against the definitions written out, over all orders of few units."""

from __future__ import annotations

import math
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import UsageError
from textassay.ordering import (
    adjacent_accuracy,
    adjacent_accuracy_batch,
    average_continuity,
    average_continuity_batch,
    lsr,
    lsr_batch,
)


def longest_common(order: tuple[int, ...], reference: tuple[int, ...]) -> int:
    """By the table of all prefixes, as textbooks have it."""
    table = np.zeros((len(order) + 1, len(reference) + 1), dtype=int)
    for i, one in enumerate(order):
        for j, other in enumerate(reference):
            table[i + 1, j + 1] = table[i, j] + 1 if one == other else max(table[i, j + 1], table[i + 1, j])
    return int(table[-1, -1])


def plain_continuity(order: tuple[int, ...], reference: tuple[int, ...], k: int, alpha: float) -> float:
    """The formula of Bollegala et al. (2006), with runs as tuples."""

    def runs(units: tuple[int, ...], length: int) -> set[tuple[int, ...]]:
        return {units[start : start + length] for start in range(len(units) - length + 1)}

    n = len(reference)
    lengths = range(2, min(k, n) + 1)
    shares = [len(runs(order, each) & runs(reference, each)) / (n - each + 1) for each in lengths]
    return math.prod(share + alpha for share in shares) ** (1 / len(shares))


@pytest.mark.parametrize("n", [2, 3, 4, 6])
def test_all_orders_of_few_units(n: int) -> None:
    orders, reference = list(permutations(range(n))), tuple(range(n))
    assert lsr_batch(orders) == pytest.approx([longest_common(order, reference) / n for order in orders])
    pairs = {(unit, unit + 1) for unit in range(n - 1)}
    kept = [len(pairs & set(pairwise(order))) / (n - 1) for order in orders]
    assert adjacent_accuracy_batch(orders) == pytest.approx(kept)
    for run, smoothing in ((4, 0.01), (2, 0.01), (3, 0.5), (9, 0.01)):
        expected = [plain_continuity(order, reference, run, smoothing) for order in orders]
        assert average_continuity_batch(orders, run=run, smoothing=smoothing) == pytest.approx(expected)


@given(st.integers(2, 90).flatmap(lambda n: st.tuples(st.permutations(range(n)), st.permutations(range(n)))))
def test_long_orders_against_any_reference(orders: tuple[list[int], list[int]]) -> None:
    order, reference = map(tuple, orders)
    assert lsr(order, reference) == pytest.approx(longest_common(order, reference) / len(order))
    assert average_continuity(order, reference) == pytest.approx(plain_continuity(order, reference, 4, 0.01))
    # The share of runs of two is the share of neighbours.
    pairs = average_continuity(order, reference, run=2, smoothing=0)
    assert pairs == pytest.approx(adjacent_accuracy(order, reference))
    # All that these two count stays the same if both orders are read from the other end.
    assert lsr(order[::-1], reference[::-1]) == lsr(order, reference)
    assert average_continuity(order[::-1], reference[::-1]) == pytest.approx(average_continuity(order, reference))


def test_a_block_that_moved_keeps_its_runs() -> None:
    # e a b c d: 3 of 4 pairs, 2 of 3 runs of three, 1 of 2 runs of four; tau is 1 - 4·4/20 only.
    assert average_continuity("eabcd", "abcde") == pytest.approx((0.76 * (2 / 3 + 0.01) * 0.51) ** (1 / 3))
    assert average_continuity("abcde", "abcde") == pytest.approx(1.01)
    assert average_continuity("edcba", "abcde") == pytest.approx(0.01)
    assert average_continuity("edcba", "abcde", smoothing=0) == 0


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"run": 1}, "run must be a whole number of at least 2, got 1"),
        ({"run": True}, "run must be a whole number"),
        ({"smoothing": -0.1}, "smoothing must be a number of at least 0"),
        ({"smoothing": math.nan}, "smoothing must be a number of at least 0"),
    ],
)
def test_wrong_settings(settings: dict[str, float], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        average_continuity("abc", "abc", **settings)  # type: ignore[arg-type]
