"""Exact distributions of sums of ranks, ties included: the shift algorithm of Streitberg & Röhmel (1986).

Midranks are halves, so doubled ranks are whole numbers, and every sum that chance can give is a place in an array. A
rank that may or may not be in the sum adds the array to itself, shifted by that rank. All terms are positive, so the
counts keep their digits though they outgrow the whole numbers that a float holds exactly.
"""

from __future__ import annotations

import math

import numpy as np

from textassay.stats.samples import FloatArray, IntArray

SIGNED_RANK_LIMIT = 500
"""The most differences whose 2^n signs are counted (a fifth of a second)."""

RANK_SUM_WORK = 200_000_000
"""The most additions for counting the ways to draw one sample out of both (half a second): about 75 and 75 values."""


def doubled(ranks: FloatArray) -> IntArray:
    """Midranks as whole numbers: twice each.

    >>> doubled(np.array([1.0, 2.5, 2.5])).tolist()
    [2, 5, 5]
    """
    return np.rint(2 * ranks).astype(np.intp)


def signed_rank_tails(ranks: FloatArray, observed: float) -> tuple[float, float]:
    """P(V ≤ observed) and P(V ≥ observed), where V is the sum of the ranks whose sign is positive by chance.

    >>> signed_rank_tails(np.array([1.0, 2.0, 3.0]), 6.0)  # one of 2³ ways
    (1.0, 0.125)
    """
    steps, place = _in_steps(doubled(ranks), round(2 * observed))
    counts = np.zeros(int(steps.sum()) + 1)
    counts[0] = 1
    for step in steps.tolist():
        counts[step:] += counts[: counts.size - step]
    return _tails(counts, place, 2.0**steps.size)


def rank_sum_work(size: int, other: int) -> int:
    """How many additions `rank_sum_tails` needs at most."""
    total, drawn = size + other, min(size, other)
    return total * drawn * drawn * (2 * total - drawn + 1)


def rank_sum_tails(ranks: FloatArray, size: int, observed: float) -> tuple[float, float]:
    """P(R ≤ observed) and P(R ≥ observed), where R is the sum of `size` of the ranks drawn by chance.

    >>> rank_sum_tails(np.array([1.0, 2.0, 3.0, 4.0]), 2, 3.0)  # one of the 6 pairs of ranks
    (0.16666666666666666, 1.0)
    """
    if 2 * size > ranks.size:  # the ranks left behind are fewer
        lower, upper = rank_sum_tails(ranks, ranks.size - size, float(ranks.sum()) - observed)
        return upper, lower
    steps, place = _in_steps(doubled(ranks), round(2 * observed))
    width = int(np.sort(steps)[steps.size - size :].sum()) + 1
    counts = np.zeros((size + 1, width))  # [number of ranks drawn, sum]: in how many ways
    counts[0, 0] = 1
    for step in steps.tolist():
        counts[1:, step:] += counts[:-1, : max(width - step, 0)]
    return _tails(counts[size], place, float(math.comb(ranks.size, size)))


def _in_steps(ranks: IntArray, place: int) -> tuple[IntArray, int]:
    """The same in units of what divides them all: without ties a half of the array."""
    unit = int(np.gcd.reduce(ranks))
    return ranks // unit, place // unit


def _tails(counts: FloatArray, place: int, ways: float) -> tuple[float, float]:
    return min(1.0, float(counts[: place + 1].sum()) / ways), min(1.0, float(counts[place:].sum()) / ways)
