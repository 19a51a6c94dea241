"""The distribution of tau over all orders: exact counts, shares, the chance of a tau as far from 0, bins of tau.

Up to 200 units the orders are counted, in whole numbers. Beyond, n! has hundreds of digits, and shares of all orders
are computed as floating-point numbers, by sums of positive numbers alone, so that no digits are lost.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError
from textassay.known_names import check_choice
from textassay.stats.correlations.pair_counts import mahonian_numbers
from textassay.stats.distributions import Alternative, check_alternative, normal_p, p_of_tails

EXACT_LIMIT = 170
"""The largest n whose p is exact by default; beyond it 1/n! is smaller than any float."""

LARGEST = 1000
"""The largest n whose orders are counted if asked for: half a million numbers of up to 2568 digits, half a gigabyte."""
COUNTED = 200
"""Up to this number of units orders are counted; beyond it they have shares, since the numbers are many and long."""
MOST_UNITS = 2000
"""The largest n whose shares are computed: two million numbers, in half a minute."""
Floats = npt.NDArray[np.float64]
By = Literal["width", "orders"]
"""Bins of equal width over [-1, 1], or with about as many orders each."""
_DENOMINATOR = 1_000_000
"""Edges are read as fractions with at most this denominator, so that 0.2 means 1/5 and not the nearest float."""


def tau_counts(n: int) -> list[int]:
    """How many of the n! orders have each tau, from tau 1 down to -1: the Mahonian numbers, exact.

    The k-th number belongs to k inversions, tau = 1 - 4k/(n(n-1)); see `tau_of_inversions`.

    Raises:
        UsageError: n is not a whole number from 0 to 1000; beyond that the numbers fill the memory of most machines.

    >>> tau_counts(4)
    [1, 3, 5, 6, 5, 3, 1]
    """
    return list(_counts(_checked(n)))


def tau_shares(n: int) -> Floats:
    """The share of the n! orders with each tau, from tau 1 down to -1, as floating-point numbers.

    The k-th number belongs to k inversions. Up to 200 units these are the exact counts divided by n!; beyond that they
    are sums of shares of fewer units, with a relative error of about 10⁻¹⁴ at 1000 units. A share below 10⁻³⁰⁸ is 0.

    Raises:
        UsageError: n is not a whole number from 0 to 2000.

    >>> tau_shares(3).round(4).tolist()
    [0.1667, 0.3333, 0.3333, 0.1667]
    """
    if isinstance(n, int) and COUNTED < n <= MOST_UNITS:
        return _float_shares(n).copy()
    if isinstance(n, int) and n > MOST_UNITS:
        raise UsageError(f"shares of the orders of {n} units are not computed; {MOST_UNITS} units are the most")
    orders = math.factorial(_checked(n))
    return np.array([count / orders for count in _counts(n)])


@lru_cache(maxsize=2)
def _float_shares(n: int) -> Floats:
    """Unit by unit: one more adds 0 to size-1 inversions, so that each share becomes the mean of as many up to it."""
    half = n * (n - 1) // 4 + 1
    shares = np.ones(1)
    for size in range(2, n + 1):
        most = size * (size - 1) // 2
        lower = _window_sums(shares, size, min(most // 2 + 1, half)) / size
        if len(lower) <= most // 2:  # no more is needed for n units
            shares = lower
        else:  # the second half is the mirror of the first
            shares = np.concatenate([lower, lower[: most + 1 - len(lower)][::-1]])[:half]
    most = n * (n - 1) // 2
    return np.concatenate([shares, shares[: most + 1 - len(shares)][::-1]])


def _window_sums(values: Floats, size: int, length: int) -> Floats:
    """Sums of as many values up to each place, without a subtraction that would lose digits.

    In blocks of that size every window is the end of one block and the beginning of the next.
    """
    blocks = -(-length // size)
    padded = np.zeros(blocks * size)
    known = min(len(values), length)
    padded[:known] = values[:known]
    rows = padded.reshape(blocks, size)
    sums = np.cumsum(rows, axis=1)
    sums[1:, :-1] += np.cumsum(rows[:-1, ::-1], axis=1)[:, ::-1][:, 1:]
    return sums.reshape(-1)[:length]


def tau_of_inversions(inversions: int, n: int) -> float:
    """The tau of that many inversions; nan for fewer than two units.

    >>> [round(tau_of_inversions(k, 4), 4) for k in range(7)]
    [1.0, 0.6667, 0.3333, 0.0, -0.3333, -0.6667, -1.0]
    """
    return 1 - 4 * inversions / (n * (n - 1)) if n > 1 else math.nan


def chance_tau(n: int, *, first_fixed: bool = False) -> float:
    """The mean tau of all orders: 0, or 2/n of those that keep the first unit where it is.

    The n-1 pairs with the first unit are right in all of them, and half of the others: 2(n-1) / (n(n-1)).

    >>> chance_tau(8), chance_tau(8, first_fixed=True)
    (0.0, 0.25)
    """
    if n < 2:
        return math.nan
    return 2 / n if first_fixed else 0.0


def inversions_p(inversions: int, n: int, alternative: Alternative = "two-sided") -> tuple[float, bool]:
    """The chance that a random order of n units has a tau as extreme, and whether it is exact.

    Counted over all n! orders up to n = 170; beyond that the normal approximation, with mean n(n-1)/4 and variance
    n(n-1)(2n+5)/72 of the inversions (Kendall 1970). `greater` asks for a tau as high, so for as few inversions.

    >>> inversions_p(0, 4, "greater") == (1 / 24, True)
    True
    """
    check_alternative(alternative)
    if n < 2:
        return math.nan, True
    if n > EXACT_LIMIT:
        spread = math.sqrt(n * (n - 1) * (2 * n + 5) / 72)
        return normal_p((n * (n - 1) / 4 - inversions) / spread, alternative), False
    counts, orders = _counts(n), math.factorial(n)
    few = sum(counts[: inversions + 1]) / orders
    many = sum(counts[inversions:]) / orders
    return p_of_tails(many, few, alternative), True


def _checked(n: int) -> int:
    if isinstance(n, bool) or not isinstance(n, int) or n < 0:
        raise UsageError(f"n must be a whole number of at least 0, got {n!r}")
    if n > LARGEST:
        raise UsageError(
            f"the orders of {n} units are not counted: their {n * (n - 1) // 2 + 1} long counts would fill the memory; "
            f"{LARGEST} units are the most"
        )
    return n


@lru_cache(maxsize=16)
def _counts(n: int) -> tuple[int, ...]:
    """The first half is counted; the second is its mirror."""
    most = n * (n - 1) // 2
    half = mahonian_numbers(n, most // 2)
    return (*half, *half[: most - len(half) + 1][::-1])


@dataclass(frozen=True)
class TauBin:
    """A range of tau, and the orders in it."""

    number: int
    """From 1, which has the highest tau."""
    low: float
    high: float
    inversions: tuple[int, ...]
    """Numbers of inversions whose tau falls in the bin, rising; none in an empty bin."""
    orders: int | None
    """How many orders have these; None beyond 200 units, where there is a share only."""
    share: float
    """The share of all orders that have these."""

    @property
    def holds(self) -> str:
        """The range in brackets; a value on an edge belongs to the upper bin.

        >>> tau_bins(8, 8)[1].holds
        '[0.5, 0.75)'
        """
        return f"[{self.low:g}, {self.high:g}{']' if self.number == 1 else ')'}"


def tau_bins(n: int, bins: int | Sequence[float] = 8, *, by: By = "width") -> tuple[TauBin, ...]:
    """Bins of the orders of n units by their tau, from the highest to the lowest.

    Equal widths: the range [-1, 1] in that many parts; a value on an edge belongs to the upper bin, and 1 to the first.
    Unequal widths: the edges between bins, from the highest down; `(0.75, 0)` makes three bins.
    By orders: the values of tau from the highest on, each put where the middle of its orders falls among as many equal
    parts of all n! orders; then `low` and `high` are the lowest and highest tau in the bin.

    Raises:
        UsageError: n below 2, no bins, edges that do not fall from below 1 to above -1, or another word for `by`.

    >>> [bin.orders for bin in tau_bins(4, 8)]
    [1, 3, 5, 6, 0, 5, 3, 1]
    >>> [bin.holds for bin in tau_bins(8, (0.75, 0))]
    ['[0.75, 1]', '[0, 0.75)', '[-1, 0)']
    >>> [bin.orders for bin in tau_bins(4, 3, by="orders")]
    [9, 6, 9]
    """
    check_choice("by", by, get_args(By))
    if isinstance(bins, Sequence):
        if by != "width":
            raise UsageError("bins by orders have no edges; give their number, or omit by='orders'")
        return _between(_checked_n(n), checked_edges(bins))
    for name, value, least in (("n", n, 2), ("bins", bins, 1)):
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise UsageError(f"{name} must be a whole number of at least {least}, got {value!r}")
    if by == "orders":
        return _by_orders(n, bins)
    return _between(n, [float(1 - Fraction(2 * number, bins)) for number in range(1, bins)])


def checked_edges(edges: Sequence[float]) -> list[float]:
    """Edges between bins of tau.

    Raises:
        UsageError: they do not fall from below 1 to above -1.
    """
    whole = [1.0, *map(float, edges), -1.0]
    if not all(upper > lower for upper, lower in pairwise(whole)):
        seen = ", ".join(f"{edge:g}" for edge in edges)
        raise UsageError(f"edges of bins fall from below 1 to above -1, such as 0.75, 0; got {seen}")
    return whole[1:-1]


def inversions_between(n: int, low: float, high: float) -> range:
    """The numbers of inversions whose tau is at least `low` and below `high`; at most `high` where that is 1 or `low`.

    Raises:
        UsageError: a range that is none.

    >>> list(inversions_between(5, 0.2, 0.6))  # tau .2 and .4; .6 belongs to the bin above
    [3, 4]
    """
    _checked_n(n)
    if not -1 <= low <= high <= 1:
        raise UsageError(f"a range of tau lies between -1 and 1, low before high; got {low} to {high}")
    bottom, top = (Fraction(edge).limit_denominator(_DENOMINATOR) for edge in (low, high))
    # tau = 1 - 2k/pairs falls as k rises, so the upper edge bounds k from below.
    pairs = Fraction(n * (n - 1), 2)
    least, most = (1 - top) * pairs / 2, (1 - bottom) * pairs / 2
    closed = top in (1, bottom)
    first = math.ceil(least) if closed else math.floor(least) + 1
    return range(first, math.floor(most) + 1)


def _checked_n(n: int) -> int:
    if isinstance(n, bool) or not isinstance(n, int) or n < 2:
        raise UsageError(f"n must be a whole number of at least 2, got {n!r}")
    return n


def _between(n: int, edges: Sequence[float]) -> tuple[TauBin, ...]:
    """Bins between these edges, from 1 down to -1."""
    return tuple(
        _bin(n, number, low, high, inversions_between(n, low, high))
        for number, (high, low) in enumerate(pairwise([1.0, *edges, -1.0]), 1)
    )


def _bin(n: int, number: int, low: float, high: float, inside: Sequence[int]) -> TauBin:
    if n > COUNTED:
        return TauBin(number, low, high, tuple(inside), None, math.fsum(_float_shares(n)[list(inside)]))
    orders = sum(_counts(n)[k] for k in inside)
    return TauBin(number, low, high, tuple(inside), orders, orders / math.factorial(n))


def _by_orders(n: int, bins: int) -> tuple[TauBin, ...]:
    inside: list[list[int]] = [[] for _ in range(bins)]
    for k, number in enumerate(_parts(n, bins)):
        inside[number].append(k)
    found = []
    for number, its in enumerate(inside, 1):
        low, high = (tau_of_inversions(its[-1], n), tau_of_inversions(its[0], n)) if its else (math.nan, math.nan)
        found.append(_bin(n, number, low, high, its))
    return tuple(found)


def _parts(n: int, bins: int) -> Iterator[int]:
    """For each number of inversions, in which of as many equal parts of all orders the middle of its orders falls."""
    if n > COUNTED:
        shares = tau_shares(n)
        middles = np.cumsum(shares) - shares / 2
        yield from np.minimum((middles * bins).astype(np.int64), bins - 1).tolist()
        return
    counts = _counts(n)
    total = math.factorial(n)
    for count, so_far in zip(counts, accumulate(counts), strict=True):
        yield (2 * so_far - count) * bins // (2 * total)
