"""Pairs of observations that two variables put in the same order, in opposite orders, or in none."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from textassay.stats.correlations.correlation import all_orders
from textassay.stats.samples import FloatArray, IntArray


@dataclass(frozen=True)
class PairCounts:
    """All pairs of n observations, and the coefficients that are made of their counts."""

    n: int
    concordant: int
    discordant: int
    ties_x: IntArray
    """Sizes of the groups of equal x, those of one included."""
    ties_y: IntArray
    tied_both: int
    """Pairs tied on x and on y."""

    @property
    def s(self) -> int:
        """Concordant less discordant pairs."""
        return self.concordant - self.discordant

    @property
    def pairs(self) -> int:
        """All pairs."""
        return self.n * (self.n - 1) // 2

    @cached_property
    def tied_x(self) -> int:
        """Pairs tied on x, whether or not on y."""
        return pairs_within(self.ties_x)

    @cached_property
    def tied_y(self) -> int:
        """Pairs tied on y, whether or not on x."""
        return pairs_within(self.ties_y)

    @property
    def tau_a(self) -> float:
        """S over all pairs."""
        return self.s / self.pairs

    @property
    def tau_b(self) -> float:
        """S over the geometric mean of the pairs untied on x and those untied on y."""
        untied_x, untied_y = self.pairs - self.tied_x, self.pairs - self.tied_y
        return self.s / untied_x if untied_x == untied_y else self.s / (untied_x**0.5 * untied_y**0.5)

    @property
    def tau_c(self) -> float:
        """Stuart's: S over the most that it can be in a table with as many rows and columns as there are values."""
        values = min(self.ties_x.size, self.ties_y.size)
        return 2 * values * self.s / (self.n**2 * (values - 1))

    @property
    def gamma(self) -> float:
        """Goodman & Kruskal's: S over the pairs that are tied on neither."""
        return self.s / (self.concordant + self.discordant)

    @property
    def somers_d(self) -> float:
        """Somers' d of y given x: S over the pairs that are untied on x."""
        return self.s / (self.pairs - self.tied_x)


def count_pairs(x: FloatArray, y: FloatArray) -> PairCounts:
    """The counts, in n log n steps and memory of n (after Knight 1966).

    Sorted by x, and by y where x is tied, pairs are discordant where y falls.

    >>> found = count_pairs(np.array([1.0, 2.0, 2.0, 3.0]), np.array([1.0, 3.0, 3.0, 2.0]))
    >>> found.concordant, found.discordant, found.tied_x, found.tied_y, found.tied_both
    (3, 2, 1, 1, 1)
    """
    _, codes_x, ties_x = np.unique(x, return_inverse=True, return_counts=True)
    _, codes_y, ties_y = np.unique(y, return_inverse=True, return_counts=True)
    codes_x, codes_y = codes_x.reshape(-1), codes_y.reshape(-1)
    _, cells = np.unique(codes_x.astype(np.int64) * ties_y.size + codes_y, return_counts=True)
    discordant = count_inversions(codes_y[np.lexsort((codes_y, codes_x))])
    tied_both, pairs = pairs_within(cells), x.size * (x.size - 1) // 2
    untied = pairs - pairs_within(ties_x) - pairs_within(ties_y) + tied_both
    return PairCounts(x.size, untied - discordant, discordant, ties_x, ties_y, tied_both)


def pairs_within(sizes: IntArray) -> int:
    """How many pairs lie within groups of these sizes."""
    return int(np.sum(sizes * (sizes - 1)) // 2)


def count_inversions(codes: IntArray) -> int:
    """How many pairs of whole numbers from 0 are in falling order.

    Two numbers differ first in one bit, from the top; they are inverted where the earlier has the one. So each bit is
    one pass: within every group of numbers that agree in all higher bits, count the ones before each zero, then put
    the zeros first.

    >>> count_inversions(np.array([2, 0, 1, 1]))
    3
    """
    found = 0
    for bit in reversed(range(int(codes.max(initial=0)).bit_length())):
        ones = (codes >> bit) & 1
        before = np.cumsum(ones) - ones
        group = codes >> (bit + 1)
        starts = np.flatnonzero(np.diff(group, prepend=-1))
        sizes = np.diff(starts, append=codes.size)
        before -= np.repeat(before[starts], sizes)
        found += int(before[ones == 0].sum())
        codes = codes[np.argsort(codes >> bit, kind="stable")]
    return found


EXACT_LIMIT = 170
"""The largest n without ties whose n! orders are counted; beyond it 1/n! is smaller than any float."""


def exact_tails(counts: PairCounts) -> tuple[float, float]:
    """P(S ≤ s) and P(S ≥ s) over all n! orders, without ties.

    >>> exact_tails(PairCounts(3, 3, 0, np.ones(3, int), np.ones(3, int), 0)) == (1, 1 / 6)
    True
    """
    few = min(counts.concordant, counts.discordant)
    numbers = mahonian_numbers(counts.n, few)
    orders = math.factorial(counts.n)
    near = sum(numbers) / orders
    far = (orders - sum(numbers[:-1])) / orders
    return (near, far) if counts.concordant < counts.discordant else (far, near)


def mahonian_numbers(n: int, most: int) -> list[int]:
    """How many of the n! orders of n things have 0, 1 … `most` inversions: the Mahonian numbers, exact.

    The k-th thing put in adds 0 to k-1 inversions, so each count becomes the sum of the k counts up to it.

    >>> mahonian_numbers(4, 6)
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
