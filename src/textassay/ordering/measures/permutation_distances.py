"""Cayley's distance, exchanges of any two units, and Ulam's distance, units that have to be moved."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
import numpy.typing as npt

from textassay.ordering.measures.measure import Counts, Floats, Measure
from textassay.ordering.orders import Order, Units
from textassay.ordering.permutations import Permutations

_SHORT = 64
"""Up to here all pairs of places are compared, many orders at once; beyond, one order after the other."""
_AT_ONCE = 1 << 18
"""Numbers worked on together: they stay in the processor's cache."""


def exchanges(places: Permutations) -> Counts:
    """Units less the number of cycles: each exchange of two units splits one cycle in two.

    Every place carries the lowest place of its cycle that it has heard of; the reach doubles with each step.

    >>> exchanges(np.array([[1, 0, 2, 4, 3], [1, 2, 3, 4, 0]])).tolist()
    [2, 4]
    """
    n = places.shape[1]
    lowest = np.minimum(places, np.arange(n, dtype=places.dtype))
    ahead = places
    for _ in range(max(n - 1, 1).bit_length()):
        lowest = np.minimum(lowest, np.take_along_axis(lowest, ahead, axis=1))
        ahead = np.take_along_axis(ahead, ahead, axis=1)
    return np.asarray(n - np.count_nonzero(lowest == np.arange(n), axis=1))


CAYLEY = Measure("Cayley's distance", "exchanges", exchanges, lambda count, _: count, least=1)


def cayley(order: Order, reference: Order, *, units: Units = "same") -> float:
    """Cayley's distance: the fewest exchanges of two units, wherever they are, that turn one order into the other.

    0 the same, n-1 the most.

    >>> cayley([2, 1, 3, 5, 4], [1, 2, 3, 4, 5])
    2.0
    """
    return CAYLEY.of(order, reference, units)


def cayley_batch(orders: npt.ArrayLike, reference: npt.ArrayLike | None = None) -> Floats:
    """Cayley's distance of many orders of the numbers 0 … n-1; arguments as in `tau_batch`."""
    return CAYLEY.batch(orders, reference)


def moves(places: Permutations) -> Counts:
    """Units less the length of the longest increasing subsequence.

    >>> moves(np.array([[1, 0, 2, 4, 3], [1, 2, 3, 4, 0]])).tolist()
    [2, 1]
    """
    m, n = places.shape
    if n > _SHORT:
        return np.array([n - _longest(row) for row in places.tolist()], dtype=np.int64)
    size = max(_AT_ONCE // n, 1)
    longest = [_longest_of_short(places[start : start + size]) for start in range(0, m, size)]
    return np.asarray(n - np.concatenate(longest or [np.zeros(0, dtype=np.int64)]))


def _longest(row: list[int]) -> int:
    """Patience sorting: `ends[k]` is the lowest number in which an increasing subsequence of k + 1 can end."""
    ends: list[int] = []
    for number in row:
        place = bisect_left(ends, number)
        ends[place : place + 1] = [number]
    return len(ends)


def _longest_of_short(rows: Permutations) -> Counts:
    """The longest subsequence that ends in each place is one longer than the longest before it with a lower end."""
    columns = np.ascontiguousarray(rows.T, dtype=np.int8)
    length = np.ones(columns.shape, dtype=np.int8)
    for place in range(1, len(columns)):
        lower = columns[:place] < columns[place]
        length[place] += np.max(length[:place] * lower, axis=0)
    return np.asarray(length.max(axis=0), dtype=np.int64)


ULAM = Measure("Ulam's distance", "moves", moves, lambda count, _: count, least=1)


def ulam(order: Order, reference: Order, *, units: Units = "same") -> float:
    """Ulam's distance: the fewest units that have to be taken out and put elsewhere; 0 the same, n-1 the most.

    It is n less the length of the longest subsequence that both orders have in common.

    >>> ulam([2, 1, 3, 5, 4], [1, 2, 3, 4, 5])
    2.0
    """
    return ULAM.of(order, reference, units)


def ulam_batch(orders: npt.ArrayLike, reference: npt.ArrayLike | None = None) -> Floats:
    """Ulam's distance of many orders of the numbers 0 … n-1; arguments as in `tau_batch`."""
    return ULAM.batch(orders, reference)
