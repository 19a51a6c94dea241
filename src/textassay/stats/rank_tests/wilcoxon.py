"""Wilcoxon's tests: rank-sum (Mann & Whitney's U) for two samples, signed-rank for pairs; exact also with ties.

The exact distributions come from the shift algorithm of Streitberg & Röhmel (1986). Midranks are halves, so doubled
ranks are whole numbers, and every sum that chance can give is a place in an array. A rank that may or may not be in the
sum adds the array to itself, shifted by that rank. All terms are positive, so the counts keep their digits though they
outgrow the whole numbers that a float holds exactly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.known_names import check_choice
from textassay.results import Record
from textassay.stats.distributions import (
    Alternative,
    ExactP,
    check_alternative,
    continuity_corrected,
    how_p,
    normal_p,
    p_of_tails,
)
from textassay.stats.samples import FloatArray, IntArray, finite_vector, midranks, same_length, tie_term
from textassay.stats.statistic import Statistic

Zeros = Literal["wilcoxon", "pratt"]
"""What to do with pairs that are equal: `wilcoxon` drops them before ranking, `pratt` after."""


@dataclass(frozen=True, kw_only=True)
class WilcoxonRankSum(Statistic):
    """Whether the values of one sample tend to be larger than those of another."""

    w: float
    """Mann & Whitney's U of x: in how many pairs x is larger, a tie counting half; what R calls W."""
    p: float
    z: float
    """Of the normal approximation; nan where p is exact."""
    sizes: tuple[int, int]
    exact: bool
    """Whether p comes from counting all ways to divide the values, ties included."""
    rank_biserial: float
    """2W/(mn) - 1: 1 where every x is larger than every y, -1 where none is (Cureton 1956)."""

    @property
    def superiority(self) -> float:
        """P(x > y) + P(x = y)/2 for one value of each sample."""
        return (self.rank_biserial + 1) / 2

    def records(self) -> list[Record]:
        """One record."""
        return [
            self.record(
                "W",
                self.w,
                p=self.p,
                n=sum(self.sizes),
                z=self.z,
                sizes=self.sizes,
                exact=self.exact,
                rank_biserial=self.rank_biserial,
                superiority=self.superiority,
            )
        ]


def wilcoxon_rank_sum(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    p: ExactP = "auto",
    continuity: bool = True,
) -> WilcoxonRankSum:
    """Wilcoxon's rank-sum test of two independent samples, the same as Mann & Whitney's.

    Purpose: find out whether one of two independent groups tends to have larger values, by ranks.

    All N = m + n values are ranked together (ties at their mean); W = R - m(m+1)/2, where R is the sum of the ranks of
    x (Wilcoxon 1945; Mann & Whitney 1947). Exact p: over all ways to draw m of these very ranks, so ties are no
    obstacle (Streitberg & Röhmel 1986); two-sided it is twice the smaller tail. Exact up to about 75 and 75 values.
    Otherwise z = (W - mn/2 ∓ ½) / √(mn/12 (N + 1 - Σ(t³-t)/(N(N-1)))), with the continuity correction of R.

    R: `wilcox.test(x, y)`, which is asymptotic with ties or from 50 values on (`p="asymptotic"`);
    `exactRankTests::wilcox.exact(x, y)` with ties, whose two-sided p adds the other tail by distance instead.

    Example:
        >>> result = wilcoxon_rank_sum([4, 5, 6], [1, 2, 3, 4])
        >>> round(result.w, 4), round(result.p, 4), result.exact  # U = 11.5; R ≥ 17.5 in 2 of 35 ways, doubled
        (11.5, 0.1143, True)

    Args:
        x: One number per observation.
        y: One number per observation of the other sample.
        alternative: `greater`: x is larger.
        p: Exact where the sizes allow, exact or refused, or asymptotic.
        continuity: Whether the asymptotic form corrects for continuity.

    Raises:
        DataError: missing or infinite values, or too many values for `exact`.
        UsageError: an unknown setting.
    """
    check_alternative(alternative)
    check_choice("p", p, get_args(ExactP))
    first, second = finite_vector(x, "x"), finite_vector(y, "y")
    m, n = first.size, second.size
    cheap = rank_sum_work(m, n) <= RANK_SUM_WORK
    if p == "exact" and not cheap:
        raise DataError(f"an exact p takes up to about 75 and 75 values, got {m} and {n}; use p='auto'")
    undefined = _rank_sum_undefined(first, second)
    ranks = midranks(np.concatenate([first, second]))
    w = float(ranks[:m].sum()) - m * (m + 1) / 2 if m and n else math.nan
    exact = p != "asymptotic" and cheap and not undefined
    z = math.nan if exact or undefined else _rank_sum_z(w, ranks, m, alternative, continuity=continuity)
    return WilcoxonRankSum(
        method="Wilcoxon's rank-sum test",
        settings={"p": how_p(exact=exact, continuity=continuity), "alternative": alternative, "n": f"{m}+{n}"},
        warnings=(undefined,) if undefined else (),
        w=w,
        p=p_of_tails(*rank_sum_tails(ranks, m, float(ranks[:m].sum())), alternative)
        if exact
        else normal_p(z, alternative),
        z=z,
        sizes=(m, n),
        exact=exact,
        rank_biserial=2 * w / (m * n) - 1 if m and n else math.nan,
    )


@dataclass(frozen=True, kw_only=True)
class WilcoxonSignedRank(Statistic):
    """Whether the differences of pairs lie symmetrically about 0."""

    v: float
    """Sum of the ranks of the positive differences."""
    p: float
    z: float
    """Of the normal approximation; nan where p is exact."""
    n: int
    """Pairs that differ."""
    zeros: int
    """Pairs that are equal."""
    exact: bool
    """Whether p comes from counting all signs, ties included."""
    rank_biserial: float
    """(positive - negative) / all ranks: 1 where x is larger in every pair, -1 where y is (Kerby 2014)."""

    def records(self) -> list[Record]:
        """One record."""
        return [
            self.record(
                "V",
                self.v,
                p=self.p,
                n=self.n,
                z=self.z,
                zeros=self.zeros,
                exact=self.exact,
                rank_biserial=self.rank_biserial,
            )
        ]


def wilcoxon_signed_rank(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    p: ExactP = "auto",
    zeros: Zeros = "wilcoxon",
    continuity: bool = True,
) -> WilcoxonSignedRank:
    """Wilcoxon's signed-rank test of paired values.

    Purpose: find out whether two systems differ on the same items, by the ranks of the differences.

    The sizes of the differences x - y are ranked (ties at their mean); V = the sum of the ranks of those above 0
    (Wilcoxon 1945). Exact p: over all 2^n signs of these very ranks, so ties are no obstacle (Streitberg & Röhmel
    1986); up to 500 pairs. Otherwise z = (V - Σr/2 ∓ ½) / √(Σr²/4), with the continuity correction of R. Equal
    pairs are dropped, before ranking (Wilcoxon) or after (Pratt 1959), and counted; rounding breaks no tie.

    R: `wilcox.test(x, y, paired = TRUE)`, which is asymptotic with ties or from 50 pairs on (`p="asymptotic"`);
    `exactRankTests::wilcox.exact(x, y, paired = TRUE)` with ties.

    Example:
        >>> result = wilcoxon_signed_rank([5, 7, 9, 6, 4], [4, 5, 6, 6, 5])
        >>> round(result.v, 4), result.n, result.zeros  # ranks 1.5, 3, 4 and -1.5
        (8.5, 4, 1)
        >>> round(result.p, 4)  # V ≥ 8.5 in 3 of 2⁴ ways, doubled
        0.375

    Args:
        x: One number per pair.
        y: The other number of the same pair.
        alternative: `greater`: x is larger.
        p: Exact where n allows, exact or refused, or asymptotic.
        zeros: How pairs that are equal are dropped.
        continuity: Whether the asymptotic form corrects for continuity.

    Raises:
        DataError: unequal lengths, missing or infinite values, or too many pairs for `exact`.
        UsageError: an unknown setting.
    """
    check_alternative(alternative)
    check_choice("zeros", zeros, get_args(Zeros))
    check_choice("p", p, get_args(ExactP))
    first, second = finite_vector(x, "x"), finite_vector(y, "y")
    same_length(("x", first), ("y", second))
    differences = paired_differences(first, second)
    ranks, signs = _signed_ranks(differences, zeros)
    if p == "exact" and ranks.size > SIGNED_RANK_LIMIT:
        raise DataError(f"an exact p takes up to {SIGNED_RANK_LIMIT} pairs, got {ranks.size}; use p='auto'")
    exact = p != "asymptotic" and ranks.size <= SIGNED_RANK_LIMIT
    v = float(ranks[signs > 0].sum()) if ranks.size else math.nan
    z = math.nan if exact else _signed_rank_z(v, ranks, alternative, continuity=continuity)
    dropped = differences.size - ranks.size
    return WilcoxonSignedRank(
        method="Wilcoxon's signed-rank test",
        settings={
            "p": how_p(exact=exact, continuity=continuity),
            "alternative": alternative,
            "zeros": f"dropped ({zeros})",
            "n": ranks.size,
        },
        warnings=_signed_rank_warnings(differences.size, dropped),
        v=v,
        p=_signed_rank_p(v, z, ranks, alternative, exact=exact),
        z=z,
        n=ranks.size,
        zeros=dropped,
        exact=exact and ranks.size > 0,
        rank_biserial=2 * v / float(ranks.sum()) - 1 if ranks.size else math.nan,
    )


def _rank_sum_undefined(x: FloatArray, y: FloatArray) -> str:
    if not x.size or not y.size:
        return f"the test is undefined: both samples need values, got {x.size} and {y.size}"
    if np.ptp(np.concatenate([x, y])) == 0:
        return f"the test is undefined: all values are equal ({x[0]:g})"
    return ""


def _rank_sum_z(w: float, ranks: FloatArray, m: int, alternative: Alternative, *, continuity: bool) -> float:
    total = ranks.size
    n = total - m
    variance = m * n / 12 * (total + 1 - float(tie_term(ranks)) / (total * (total - 1)))
    return continuity_corrected(w - m * n / 2, alternative, continuity=continuity) / math.sqrt(variance)


def _signed_ranks(differences: FloatArray, zeros: Zeros) -> tuple[FloatArray, FloatArray]:
    """Ranks and signs of the differences that are not 0."""
    kept = differences != 0
    ranks = midranks(np.abs(differences))[kept] if zeros == "pratt" else midranks(np.abs(differences[kept]))
    return ranks, np.sign(differences[kept])


def _signed_rank_p(v: float, z: float, ranks: FloatArray, alternative: Alternative, *, exact: bool) -> float:
    if not ranks.size:
        return math.nan
    return p_of_tails(*signed_rank_tails(ranks, v), alternative) if exact else normal_p(z, alternative)


def _signed_rank_z(v: float, ranks: FloatArray, alternative: Alternative, *, continuity: bool) -> float:
    if not ranks.size:
        return math.nan
    return continuity_corrected(v - float(ranks.sum()) / 2, alternative, continuity=continuity) / math.sqrt(
        float(ranks @ ranks) / 4
    )


def _signed_rank_warnings(pairs: int, dropped: int) -> tuple[str, ...]:
    if dropped == pairs:
        return (f"the test is undefined: {'all pairs are equal' if pairs else 'there are no pairs'}",)
    return (f"{dropped} of {pairs} pairs are equal and excluded",) if dropped else ()


def paired_differences(x: FloatArray, y: FloatArray) -> FloatArray:
    """The differences x - y; sizes that differ by rounding only are made equal.

    1.3 - 1.2 and 0.4 - 0.3 differ in the last digit, which would break a tie and turn a difference of nothing into one.

    >>> paired_differences(np.array([1.3, 0.4, 0.3]), np.array([1.2, 0.3, 0.1 + 0.2])).tolist()
    [0.10000000000000003, 0.10000000000000003, 0.0]
    """
    difference = x - y
    if not difference.size:
        return difference
    slack = 4 * np.finfo(float).eps * max(float(np.max(np.abs(x))), float(np.max(np.abs(y))))
    order = np.argsort(np.abs(difference), kind="stable")
    size = np.abs(difference)[order]
    starts = np.diff(size, prepend=-np.inf) > slack
    first = np.maximum.accumulate(np.where(starts, np.arange(size.size), 0))
    common = np.empty(size.size)
    common[order] = np.where(size[first] <= slack, 0.0, size[first])
    return np.asarray(np.copysign(common, difference) + 0.0)


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
