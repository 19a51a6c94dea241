"""Rank tests without a difference: their exact distributions, and how often each test then rejects at .05.

Nothing here uses `textassay`. The distributions come from counting, not from tables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np
import numpy.typing as npt
from _calibration_theory import ALPHA, FloatArray
from scipy.stats import beta, binom, chi2, studentized_range
from scipy.stats import f as fisher
from scipy.stats import t as student


def attained(counts: npt.ArrayLike) -> float:
    """Size of a two-sided exact test of a symmetric count: twice the largest tail of at most .025."""
    shares = np.asarray(counts, dtype=float) / np.sum(counts)
    tails = np.cumsum(shares)
    return 2 * float(tails[tails <= ALPHA / 2 + 1e-12].max(initial=0.0))


def sign_counts(n: int) -> FloatArray:
    """Ways to have 0, 1, … of n signs above."""
    return np.asarray(binom.pmf(np.arange(n + 1), n, 0.5))


def signed_rank_counts(n: int) -> FloatArray:
    """Ways to have each sum of the ranks with a sign above: Π (1 + x^rank)."""
    return _product([np.eye(1, rank + 1)[0] + np.eye(1, rank + 1, rank)[0] for rank in range(1, n + 1)])


def rank_sum_counts(m: int, n: int) -> FloatArray:
    """Ways to have each sum of m of the ranks 1 … m + n."""
    ways = np.zeros((m + 1, (m + n) * m + 1))
    ways[0, 0] = 1
    for rank in range(1, m + n + 1):
        for drawn in range(min(m, rank), 0, -1):
            ways[drawn, rank:] += ways[drawn - 1, : ways.shape[1] - rank]
    return np.asarray(ways[m])


def tau_counts(n: int) -> FloatArray:
    """Orders of n with each number of discordant pairs: Π (1 + x + … + x^(i-1))."""
    return _product([np.ones(size) for size in range(1, n + 1)])


def spearman_counts(n: int) -> npt.NDArray[np.int64]:
    """Orders of n with each Σd²."""
    orders = np.array(list(permutations(range(n))))
    return np.bincount(((orders - np.arange(n)) ** 2).sum(axis=1))


def _product(polynomials: Sequence[FloatArray]) -> FloatArray:
    found = np.ones(1)
    for each in polynomials:
        found = np.convolve(found, each)
    return found


def clopper_pearson_coverage(n: int, share: float) -> float:
    """How often the interval of Clopper & Pearson holds the share of n."""
    k = np.arange(n + 1)
    low = np.where(k > 0, beta.ppf(ALPHA / 2, np.maximum(k, 1), n - k + 1), 0.0)
    high = np.where(k < n, beta.ppf(1 - ALPHA / 2, k + 1, np.maximum(n - k, 1)), 1.0)
    return float(binom.pmf(k, n, share)[(low <= share) & (share <= high)].sum())


@dataclass(frozen=True)
class RankSums:
    """All sums of ranks that chance can make, and with which probability."""

    sums: FloatArray
    """Shape (outcomes, groups)."""
    chance: FloatArray

    def size(self, rejects: Callable[[FloatArray], npt.NDArray[np.bool_]]) -> float:
        """How often a test rejects."""
        return float(self.chance[rejects(self.sums)].sum())


def blocked_sums(n: int, k: int) -> RankSums:
    """Of k treatments ranked in n blocks: one order of k after the other added to all sums so far."""
    ways = np.zeros((n * k + 1,) * (k - 1))  # the last sum follows from the others
    ways[(0,) * (k - 1)] = 1
    for _ in range(n):
        ways = sum((_moved(ways, order[:-1]) for order in permutations(range(1, k + 1))), np.zeros_like(ways))
    found = np.argwhere(ways)
    last = n * k * (k + 1) // 2 - found.sum(axis=1)
    return RankSums(np.column_stack([found, last]).astype(float), ways[ways > 0] / ways.sum())


def _moved(ways: FloatArray, step: Sequence[int]) -> FloatArray:
    moved = np.zeros_like(ways)
    there = tuple(slice(by, None) for by in step)
    moved[there] = ways[tuple(slice(None, size - by) for by, size in zip(step, ways.shape, strict=True))]
    return moved


def grouped_sums(sizes: tuple[int, int, int]) -> RankSums:
    """Of three groups ranked together: each rank in turn goes to one of the groups."""
    ways: dict[tuple[int, int, int, int], int] = {(0, 0, 0, 0): 1}
    for rank in range(1, sum(sizes) + 1):
        grown: dict[tuple[int, int, int, int], int] = {}
        for (a, b, sum_a, sum_b), count in ways.items():
            after = ((a + 1, b, sum_a + rank, sum_b), (a, b + 1, sum_a, sum_b + rank), (a, b, sum_a, sum_b))
            in_c = rank - 1 - a - b < sizes[2]
            for place, fits in zip(after, (a < sizes[0], b < sizes[1], in_c), strict=True):
                if fits:
                    grown[place] = grown.get(place, 0) + count
        ways = grown
    pairs = np.array([key[2:] for key in ways], dtype=float)
    n = sum(sizes)
    counts = np.array(list(ways.values()), dtype=float)
    return RankSums(np.column_stack([pairs, n * (n + 1) / 2 - pairs.sum(axis=1)]), counts / counts.sum())


@dataclass(frozen=True)
class BlockedTests:
    """The tests of k treatments in n blocks, from their sums of ranks (Conover 1999; Marozzi 2014)."""

    n: int
    k: int

    def chi2(self, sums: FloatArray) -> FloatArray:
        n, k = self.n, self.k
        return np.asarray(12 / (n * k * (k + 1)) * ((sums - n * (k + 1) / 2) ** 2).sum(axis=1))

    def friedman(self, sums: FloatArray) -> npt.NDArray[np.bool_]:
        return np.asarray(chi2.sf(self.chi2(sums), self.k - 1) < ALPHA)

    def iman_davenport(self, sums: FloatArray) -> npt.NDArray[np.bool_]:
        with np.errstate(divide="ignore"):
            f = (self.n - 1) * self.chi2(sums) / (self.n * (self.k - 1) - self.chi2(sums))
        return np.asarray(fisher.sf(f, self.k - 1, (self.k - 1) * (self.n - 1)) < ALPHA)

    def kendall_f(self, sums: FloatArray) -> npt.NDArray[np.bool_]:
        w = self.chi2(sums) / (self.n * (self.k - 1))
        df = self.k - 1 - 2 / self.n
        with np.errstate(divide="ignore"):
            f = (self.n - 1) * w / (1 - w)
        return np.asarray(fisher.sf(f, df, (self.n - 1) * df) < ALPHA)

    def nemenyi(self, sums: FloatArray) -> npt.NDArray[np.bool_]:
        q = np.ptp(sums, axis=1) / self.n / np.sqrt(self.k * (self.k + 1) / (12 * self.n))
        return np.asarray(q > studentized_range.ppf(1 - ALPHA, self.k, np.inf))

    def conover(self, sums: FloatArray) -> npt.NDArray[np.bool_]:
        """Any pair after Bonferroni, which is Holm's first step."""
        n, k = self.n, self.k
        squares = n * n * k * (k + 1) * (2 * k + 1) / 6 - (sums**2).sum(axis=1)
        df = (n - 1) * (k - 1)
        with np.errstate(divide="ignore"):
            t = np.ptp(sums, axis=1) / np.sqrt(2 * squares / df)
        return np.asarray(2 * student.sf(t, df) * (k * (k - 1) / 2) < ALPHA)


@dataclass(frozen=True)
class GroupedTests:
    """The tests of independent groups, from their sums of ranks (Kruskal & Wallis 1952; Conover & Iman 1979)."""

    sizes: tuple[int, int, int]

    def h(self, sums: FloatArray) -> FloatArray:
        n = sum(self.sizes)
        return np.asarray(12 / (n * (n + 1)) * (sums**2 / np.array(self.sizes)).sum(axis=1) - 3 * (n + 1))

    def kruskal_wallis(self, sums: FloatArray) -> npt.NDArray[np.bool_]:
        return np.asarray(chi2.sf(self.h(sums), 2) < ALPHA)

    def conover(self, sums: FloatArray) -> npt.NDArray[np.bool_]:
        """Any pair after Bonferroni, which is Holm's first step."""
        n, df = sum(self.sizes), sum(self.sizes) - 3
        spread = n * (n + 1) / 12 * (n - 1 - self.h(sums)) / df
        means = sums / np.array(self.sizes)
        worst = np.zeros(len(sums))
        for i, j in combinations(range(3), 2):
            scale = np.sqrt(spread * (1 / self.sizes[i] + 1 / self.sizes[j]))
            with np.errstate(divide="ignore"):
                worst = np.maximum(worst, np.abs(means[:, i] - means[:, j]) / scale)
        return np.asarray(2 * student.sf(worst, df) * 3 < ALPHA)
