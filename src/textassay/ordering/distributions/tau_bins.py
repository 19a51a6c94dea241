"""Bins of tau: of equal width, or of about equal numbers of orders."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Literal, get_args

from textassay.errors import UsageError
from textassay.ordering.distributions.tau_counts import tau_counts, tau_of_inversions

By = Literal["width", "orders"]
"""Bins of equal width over [-1, 1], or with about as many orders each."""
_DENOMINATOR = 1_000_000
"""Edges are read as fractions with at most this denominator, so that 0.2 means 1/5 and not the nearest float."""


@dataclass(frozen=True)
class TauBin:
    """A range of tau, and the orders in it."""

    number: int
    """From 1, which has the highest tau."""
    low: float
    high: float
    inversions: tuple[int, ...]
    """Numbers of inversions whose tau falls in the bin, rising; none in an empty bin."""
    orders: int
    """How many orders have these."""

    @property
    def holds(self) -> str:
        """The range in brackets; a value on an edge belongs to the upper bin.

        >>> tau_bins(8, 8)[1].holds
        '[0.5, 0.75)'
        """
        return f"[{self.low:g}, {self.high:g}{']' if self.number == 1 else ')'}"


def tau_bins(n: int, bins: int = 8, *, by: By = "width") -> tuple[TauBin, ...]:
    """Bins of the orders of n units by their tau, from the highest to the lowest.

    Equal widths: the range [-1, 1] in so many parts; a value on an edge belongs to the upper bin, and 1 to the first.
    By orders: the values of tau from the highest on, each put where the middle of its orders falls among so many equal
    parts of all n! orders; then `low` and `high` are the lowest and highest tau in the bin.

    Raises:
        UsageError: n below 2, no bins, or another word for `by`.

    >>> [bin.orders for bin in tau_bins(4, 8)]
    [1, 3, 5, 6, 0, 5, 3, 1]
    >>> [bin.orders for bin in tau_bins(4, 3, by="orders")]
    [9, 6, 9]
    """
    if by not in get_args(By):
        raise UsageError(f"by must be one of {', '.join(get_args(By))}; got {by!r}")
    for name, value, least in (("n", n, 2), ("bins", bins, 1)):
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise UsageError(f"{name} must be a whole number of at least {least}, got {value!r}")
    return _by_width(n, bins) if by == "width" else _by_orders(n, bins)


def inversions_between(n: int, low: float, high: float) -> range:
    """The numbers of inversions whose tau is at least `low` and below `high`; at most `high` where that is 1 or `low`.

    Raises:
        UsageError: a range that is none.

    >>> list(inversions_between(5, 0.2, 0.6))  # tau .2 and .4; .6 belongs to the bin above
    [3, 4]
    """
    if isinstance(n, bool) or not isinstance(n, int) or n < 2:
        raise UsageError(f"n must be a whole number of at least 2, got {n!r}")
    if not -1 <= low <= high <= 1:
        raise UsageError(f"a range of tau lies between -1 and 1, low before high; got {low} to {high}")
    bottom, top = (Fraction(edge).limit_denominator(_DENOMINATOR) for edge in (low, high))
    # tau = 1 - 2k/pairs falls as k rises, so the upper edge bounds k from below.
    pairs = Fraction(n * (n - 1), 2)
    least, most = (1 - top) * pairs / 2, (1 - bottom) * pairs / 2
    closed = top in (1, bottom)
    first = math.ceil(least) if closed else math.floor(least) + 1
    return range(first, math.floor(most) + 1)


def _by_width(n: int, bins: int) -> tuple[TauBin, ...]:
    counts = tau_counts(n)
    edges = [float(1 - Fraction(2 * number, bins)) for number in range(bins + 1)]
    found = []
    for number in range(bins):
        inside = tuple(inversions_between(n, edges[number + 1], edges[number]))
        found.append(TauBin(number + 1, edges[number + 1], edges[number], inside, sum(counts[k] for k in inside)))
    return tuple(found)


def _by_orders(n: int, bins: int) -> tuple[TauBin, ...]:
    counts = tau_counts(n)
    total = sum(counts)
    inside: list[list[int]] = [[] for _ in range(bins)]
    for k, (count, so_far) in enumerate(zip(counts, accumulate(counts), strict=True)):
        inside[(2 * so_far - count) * bins // (2 * total)].append(k)
    found = []
    for number, its in enumerate(inside, 1):
        low, high = (tau_of_inversions(its[-1], n), tau_of_inversions(its[0], n)) if its else (math.nan, math.nan)
        found.append(TauBin(number, low, high, tuple(its), sum(counts[k] for k in its)))
    return tuple(found)
