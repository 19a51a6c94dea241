"""Measures of one order against another, besides tau.

By position: accuracy, displacement, first and last unit, Spearman's rho. As distances: Cayley's (exchanges of any two
units) and Ulam's (units that have to be moved).
"""

from __future__ import annotations

from bisect import bisect_left
from functools import partial

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError
from textassay.kernels.inversions import inversion_counts
from textassay.ordering.orders import Order, Units
from textassay.ordering.permutations import Counts, Floats, Measure, Permutations


def hits(places: Permutations) -> Counts:
    """Units in their place.

    >>> hits(np.array([[1, 0, 2]])).tolist()
    [1]
    """
    return np.asarray(np.count_nonzero(places == np.arange(places.shape[1]), axis=1))


POSITION_ACCURACY = Measure("position accuracy", "hits", hits, lambda count, n: count / n, least=1)
PERFECT_MATCH = Measure("perfect match", "hits", hits, lambda count, n: (count == n).astype(float), least=1)
PAIRWISE_ACCURACY = Measure(
    "pairwise accuracy", "inversions", inversion_counts, lambda count, n: 1 - 2 * count / (n * (n - 1))
)


def position_accuracy(order: Order, reference: Order, *, units: Units = "same") -> float:
    """Share of the units in the same place in both orders; 1/n on average by chance.

    >>> position_accuracy([2, 1, 3, 5, 4], [1, 2, 3, 4, 5])
    0.2
    """
    return POSITION_ACCURACY.of(order, reference, units)


def perfect_match(order: Order, reference: Order, *, units: Units = "same") -> float:
    """1 where both orders are the same, else 0; its mean over items is the perfect match ratio.

    >>> perfect_match("abc", "abc"), perfect_match("acb", "abc")
    (1.0, 0.0)
    """
    return PERFECT_MATCH.of(order, reference, units)


def pairwise_accuracy(order: Order, reference: Order, *, units: Units = "same") -> float:
    """Share of concordant pairs of units: (tau + 1) / 2.

    >>> pairwise_accuracy([2, 1, 3, 5, 4], [1, 2, 3, 4, 5])
    0.8
    """
    return PAIRWISE_ACCURACY.of(order, reference, units)


def position_accuracy_batch(orders: npt.ArrayLike, reference: npt.ArrayLike | None = None) -> Floats:
    """Position accuracy of many orders of the numbers 0 … n-1; arguments as in `tau_batch`."""
    return POSITION_ACCURACY.batch(orders, reference)


def perfect_match_batch(orders: npt.ArrayLike, reference: npt.ArrayLike | None = None) -> Floats:
    """Perfect match of many orders of the numbers 0 … n-1; arguments as in `tau_batch`."""
    return PERFECT_MATCH.batch(orders, reference)


def pairwise_accuracy_batch(orders: npt.ArrayLike, reference: npt.ArrayLike | None = None) -> Floats:
    """Pairwise accuracy of many orders of the numbers 0 … n-1; arguments as in `tau_batch`."""
    return PAIRWISE_ACCURACY.batch(orders, reference)


def displacements(places: Permutations) -> Counts:
    """Σ|d|, d being the distance of each unit from its place in the reference: Spearman's footrule.

    >>> displacements(np.array([[2, 0, 1]])).tolist()
    [4]
    """
    return np.asarray(np.abs(places - np.arange(places.shape[1])).sum(axis=1, dtype=np.int64))


def near(places: Permutations, window: int) -> Counts:
    """Units at most `window` places from their own.

    >>> near(np.array([[2, 0, 1]]), 1).tolist()
    [2]
    """
    return np.asarray(np.count_nonzero(np.abs(places - np.arange(places.shape[1])) <= window, axis=1))


DISPLACEMENT = Measure("mean displacement", "displacements", displacements, lambda count, n: count / n, least=1)


def within(window: int) -> Measure:
    """The measure for one window.

    Raises:
        UsageError: the window is not a whole number of at least 0.
    """
    if isinstance(window, bool) or not isinstance(window, int) or window < 0:
        raise UsageError(f"window must be a whole number of at least 0, got {window!r}")
    return Measure(f"within {window}", "near", partial(near, window=window), lambda count, n: count / n, least=1)


def displacement(order: Order, reference: Order, *, units: Units = "same") -> float:
    """Mean number of places between a unit's positions in the two orders; (n²-1)/(3n) on average by chance.

    >>> displacement([2, 1, 3, 5, 4], [1, 2, 3, 4, 5])
    0.8
    """
    return DISPLACEMENT.of(order, reference, units)


def within_window(order: Order, reference: Order, *, window: int = 1, units: Units = "same") -> float:
    """Share of the units at most `window` places from where they are in the reference.

    >>> within_window([3, 1, 2], [1, 2, 3], window=1) == 2 / 3
    True
    """
    return within(window).of(order, reference, units)


def displacement_batch(orders: npt.ArrayLike, reference: npt.ArrayLike | None = None) -> Floats:
    """Mean displacement of many orders of the numbers 0 … n-1; arguments as in `tau_batch`."""
    return DISPLACEMENT.batch(orders, reference)


def within_window_batch(orders: npt.ArrayLike, reference: npt.ArrayLike | None = None, *, window: int = 1) -> Floats:
    """`within_window` of many orders of the numbers 0 … n-1; arguments as in `tau_batch`."""
    return within(window).batch(orders, reference)


def _first(places: Permutations) -> Counts:
    return np.asarray(places[:, 0] == 0, dtype=np.int64)


def _last(places: Permutations) -> Counts:
    return np.asarray(places[:, -1] == places.shape[1] - 1, dtype=np.int64)


FIRST_CORRECT = Measure("first correct", "first", _first, lambda count, _: count, least=1)
LAST_CORRECT = Measure("last correct", "last", _last, lambda count, _: count, least=1)


def first_correct(order: Order, reference: Order, *, units: Units = "same") -> float:
    """1 where both orders begin with the same unit, else 0.

    >>> first_correct("abdc", "abcd"), last_correct("abdc", "abcd")
    (1.0, 0.0)
    """
    return FIRST_CORRECT.of(order, reference, units)


def last_correct(order: Order, reference: Order, *, units: Units = "same") -> float:
    """1 where both orders end with the same unit, else 0."""
    return LAST_CORRECT.of(order, reference, units)


def first_correct_batch(orders: npt.ArrayLike, reference: npt.ArrayLike | None = None) -> Floats:
    """`first_correct` of many orders of the numbers 0 … n-1; arguments as in `tau_batch`."""
    return FIRST_CORRECT.batch(orders, reference)


def last_correct_batch(orders: npt.ArrayLike, reference: npt.ArrayLike | None = None) -> Floats:
    """`last_correct` of many orders of the numbers 0 … n-1; arguments as in `tau_batch`."""
    return LAST_CORRECT.batch(orders, reference)


def squared_displacements(places: Permutations) -> Counts:
    """Σd², d being the distance of each unit from its place in the reference.

    >>> squared_displacements(np.array([[1, 0, 2]])).tolist()
    [2]
    """
    away = places - np.arange(places.shape[1])
    return np.asarray(np.einsum("ij,ij->i", away, away, dtype=np.int64))


SPEARMAN = Measure(
    "Spearman's rho", "squared displacements", squared_displacements, lambda d2, n: 1 - 6 * d2 / (n * (n**2 - 1))
)


def spearman(order: Order, reference: Order, *, units: Units = "same") -> float:
    """Spearman's rho of an order with a reference: 1 - 6 Σd² / (n(n²-1)), the correlation of the places.

    A unit that is far from its place costs more than with tau; -1 ≤ 3 tau - 2 rho ≤ 1 always holds (Daniels 1950).

    >>> spearman([2, 1, 3, 5, 4], [1, 2, 3, 4, 5])
    0.8
    """
    return SPEARMAN.of(order, reference, units)


def spearman_batch(orders: npt.ArrayLike, reference: npt.ArrayLike | None = None) -> Floats:
    """Spearman's rho of many orders of the numbers 0 … n-1; arguments as in `tau_batch`."""
    return SPEARMAN.batch(orders, reference)


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
