"""Kendall's S when there is no association: exact where n allows, else its variance."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from textassay.stats.correlations.pair_counts import PairCounts
from textassay.stats.correlations.permutation import all_orders
from textassay.stats.samples import FloatArray, IntArray

EXACT_LIMIT = 170
"""The largest n without ties whose n! orders are counted; beyond it 1/n! is no float."""


def exact_tails(counts: PairCounts) -> tuple[float, float]:
    """P(S ≤ s) and P(S ≥ s) over all n! orders, without ties.

    >>> exact_tails(PairCounts(3, 3, 0, np.ones(3, int), np.ones(3, int), 0)) == (1, 1 / 6)
    True
    """
    few = min(counts.concordant, counts.discordant)
    numbers = inversion_counts(counts.n, few)
    orders = math.factorial(counts.n)
    near = sum(numbers) / orders
    far = (orders - sum(numbers[:-1])) / orders
    return (near, far) if counts.concordant < counts.discordant else (far, near)


def inversion_counts(n: int, most: int) -> list[int]:
    """How many of the n! orders of n things have 0, 1 … `most` inversions: the Mahonian numbers, exact.

    The k-th thing put in adds 0 to k-1 inversions, so each count becomes the sum of the k counts up to it.

    >>> inversion_counts(4, 6)
    [1, 3, 5, 6, 5, 3, 1]
    """
    numbers: npt.NDArray[np.object_] = np.array([1] + [0] * most, dtype=object)
    for size in range(2, n + 1):
        sums = np.cumsum(numbers)
        sums[size:] -= sums[:-size].copy()
        numbers = sums
    return list(numbers)


def permutation_tails(x: FloatArray, y: FloatArray) -> tuple[float, float]:
    """P(S ≤ s) and P(S ≥ s) over all n! pairings of x and y, ties included.

    >>> permutation_tails(np.array([1.0, 2.0, 2.0]), np.array([1.0, 2.0, 3.0]))
    (1.0, 0.3333333333333333)
    """
    first, second = np.triu_indices(x.size, 1)
    signs = np.sign(x[second] - x[first]).astype(np.int8)
    steps = np.sign(y[:, None] - y).astype(np.int8)
    orders = all_orders(x.size)
    s = np.zeros(len(orders), dtype=np.int16)
    for i, j, sign in zip(first.tolist(), second.tolist(), signs.tolist(), strict=True):
        if sign:
            s += sign * steps[orders[:, j], orders[:, i]]
    observed = int(signs @ steps[second, first].astype(np.int64))
    return float(np.mean(s <= observed)), float(np.mean(s >= observed))


def s_variance(counts: PairCounts) -> float:
    """The variance of S over all pairings, ties included (Kendall 1970).

    >>> round(s_variance(PairCounts(4, 6, 0, np.ones(4, int), np.ones(4, int), 0)), 4)  # 4·3·13/18
    8.6667
    """
    n = counts.n
    t, u = counts.ties_x.astype(float), counts.ties_y.astype(float)
    variance = (n * (n - 1) * (2 * n + 5) - _spread(t) - _spread(u)) / 18
    variance += 2 * counts.tied_x * counts.tied_y / (n * (n - 1))
    if n > 2:
        variance += _triples(t) * _triples(u) / (9 * n * (n - 1) * (n - 2))
    return float(variance)


def _spread(sizes: FloatArray) -> float:
    return float(np.sum(sizes * (sizes - 1) * (2 * sizes + 5)))


def _triples(sizes: FloatArray | IntArray) -> float:
    return float(np.sum(sizes * (sizes - 1) * (sizes - 2)))
