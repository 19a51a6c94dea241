"""Wilcoxon's signed-rank test for pairs, exact also with ties."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.results import Record
from textassay.stats.distributions import (
    Alternative,
    ExactP,
    check_alternative,
    check_choice,
    continuity_corrected,
    how_p,
    normal_p,
    p_of_tails,
)
from textassay.stats.rank_tests.rank_null import SIGNED_RANK_LIMIT, signed_rank_tails
from textassay.stats.samples import FloatArray, finite_vector, midranks, same_length
from textassay.stats.statistic import Statistic

Zeros = Literal["wilcoxon", "pratt"]
"""What to do with pairs that are equal: `wilcoxon` drops them before ranking, `pratt` after."""


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
    ranks, signs = _ranked(differences, zeros)
    if p == "exact" and ranks.size > SIGNED_RANK_LIMIT:
        raise DataError(f"an exact p takes up to {SIGNED_RANK_LIMIT} pairs, got {ranks.size}; use p='auto'")
    exact = p != "asymptotic" and ranks.size <= SIGNED_RANK_LIMIT
    v = float(ranks[signs > 0].sum()) if ranks.size else math.nan
    z = math.nan if exact else _z(v, ranks, alternative, continuity=continuity)
    dropped = differences.size - ranks.size
    return WilcoxonSignedRank(
        method="Wilcoxon's signed-rank test",
        settings={
            "p": how_p(exact=exact, continuity=continuity),
            "alternative": alternative,
            "zeros": f"dropped ({zeros})",
            "n": ranks.size,
        },
        warnings=_warnings(differences.size, dropped),
        v=v,
        p=_p(v, z, ranks, alternative, exact=exact),
        z=z,
        n=ranks.size,
        zeros=dropped,
        exact=exact and ranks.size > 0,
        rank_biserial=2 * v / float(ranks.sum()) - 1 if ranks.size else math.nan,
    )


def _ranked(differences: FloatArray, zeros: Zeros) -> tuple[FloatArray, FloatArray]:
    """Ranks and signs of the differences that are not 0."""
    kept = differences != 0
    ranks = midranks(np.abs(differences))[kept] if zeros == "pratt" else midranks(np.abs(differences[kept]))
    return ranks, np.sign(differences[kept])


def _p(v: float, z: float, ranks: FloatArray, alternative: Alternative, *, exact: bool) -> float:
    if not ranks.size:
        return math.nan
    return p_of_tails(*signed_rank_tails(ranks, v), alternative) if exact else normal_p(z, alternative)


def _z(v: float, ranks: FloatArray, alternative: Alternative, *, continuity: bool) -> float:
    if not ranks.size:
        return math.nan
    return continuity_corrected(v - float(ranks.sum()) / 2, alternative, continuity=continuity) / math.sqrt(
        float(ranks @ ranks) / 4
    )


def _warnings(pairs: int, dropped: int) -> tuple[str, ...]:
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
