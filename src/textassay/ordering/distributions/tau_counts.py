"""How tau falls out over all orders: exact counts, and the chance of a tau as far from 0."""

from __future__ import annotations

import math
from functools import lru_cache

from textassay.errors import UsageError
from textassay.stats.correlations.pair_counts import inversion_counts
from textassay.stats.distributions import Alternative, check_alternative, normal_p, p_of_tails

EXACT_LIMIT = 170
"""The largest n whose p is exact by default; beyond it 1/n! is no float."""

LARGEST = 1000
"""The largest n whose orders are counted: half a million numbers of up to 2568 digits take half a gigabyte."""


def tau_counts(n: int) -> list[int]:
    """How many of the n! orders have each tau, from tau 1 down to -1: the Mahonian numbers, exact.

    The k-th number belongs to k inversions, tau = 1 - 4k/(n(n-1)); see `tau_of_inversions`.

    Raises:
        UsageError: n is no whole number from 0 to 1000; beyond that the numbers fill the memory of most machines.

    >>> tau_counts(4)
    [1, 3, 5, 6, 5, 3, 1]
    """
    return list(_counts(_checked(n)))


def tau_of_inversions(inversions: int, n: int) -> float:
    """The tau of so many inversions; nan for fewer than two units.

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
    half = inversion_counts(n, most // 2)
    return (*half, *half[: most - len(half) + 1][::-1])
