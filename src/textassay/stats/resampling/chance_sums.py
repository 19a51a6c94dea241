"""Exact tails of sums that chance makes: signs drawn for every unit, or one sample drawn out of two.

Where the numbers are whole in some unit, as ratings are, sums are counted (`rank_null`) for samples of any usual size;
other numbers are enumerated where there are few. None is returned where neither is cheap.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from textassay.stats.rank_tests.rank_null import SIGNED_RANK_LIMIT, rank_sum_tails, signed_rank_tails
from textassay.stats.samples import FloatArray

ENUMERATED = 20
"""The most units whose 2^n signs, or whose subsets, are all gone through (a million)."""

_WORK = 50_000_000
"""The most additions for counting sums of whole numbers."""
_UNITS = (*range(1, 41), 100, 1000)
"""Fractions that make numbers whole: halves, thirds …, as means of clusters are, and decimals."""


def sign_flip_tails(differences: FloatArray) -> tuple[float, float] | None:
    """P(S ≤ s) and P(S ≥ s), where s is the sum of the differences and S the same with signs drawn by chance.

    >>> sign_flip_tails(np.array([1.0, 2.0, 4.0]))
    (1.0, 0.125)
    """
    sizes = np.abs(differences)
    whole = _whole(sizes)
    if whole is not None and differences.size <= SIGNED_RANK_LIMIT and whole.sum() * whole.size <= _WORK:
        if not whole.any():
            return 1.0, 1.0
        return signed_rank_tails(whole, float(whole[differences > 0].sum()))
    if differences.size > ENUMERATED:
        return None
    sums = np.zeros(1)
    for size in sizes:
        sums = np.concatenate([sums - size, sums + size])
    return _tails(sums, float(differences.sum()), float(sizes.sum()))


def subset_sum_tails(values: FloatArray, size: int) -> tuple[float, float] | None:
    """P(S ≤ s) and P(S ≥ s), where s is the sum of the first `size` values and S that of as many drawn by chance.

    >>> subset_sum_tails(np.array([1.0, 2.0, 3.5, 4.2]), 2)  # the smallest of 6 sums
    (0.16666666666666666, 1.0)
    """
    shifted = values - values.min(initial=np.inf)
    whole = _whole(shifted)
    drawn = min(size, values.size - size)
    if whole is not None and math.log10(math.comb(values.size, size)) < 300:
        width = float(np.sort(whole)[values.size - drawn :].sum()) + 1
        if values.size * drawn * width <= _WORK:
            if not whole.any():
                return 1.0, 1.0
            return rank_sum_tails(whole, size, float(whole[:size].sum()))
    if values.size > ENUMERATED:
        return None
    sums = [np.zeros(1), *[np.empty(0)] * size]  # by how many were drawn
    for value in shifted:
        sums = [sums[0], *(np.concatenate([kept, fewer + value]) for fewer, kept in pairwise(sums))]
    return _tails(sums[size], float(shifted[:size].sum()), float(shifted.sum()))


def _tails(sums: FloatArray, observed: float, scale: float) -> tuple[float, float]:
    slack = 1e-10 * scale  # sums that tie with the observed one differ from it by rounding only
    return float(np.mean(sums <= observed + slack)), float(np.mean(sums >= observed - slack))


def _whole(values: FloatArray) -> FloatArray | None:
    """The values in the largest unit in which all are whole numbers; none where there is no such unit."""
    for unit in _UNITS:
        scaled = values * unit
        rounded = np.rint(scaled)
        if np.all(np.abs(scaled - rounded) <= 1e-9 * np.maximum(np.abs(scaled), 1.0)):
            return np.asarray(rounded)
    return None
