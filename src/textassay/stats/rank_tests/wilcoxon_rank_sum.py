"""Wilcoxon's rank-sum test (Mann & Whitney's U) for two samples, exact also with ties."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import get_args

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
from textassay.stats.rank_tests.rank_null import RANK_SUM_WORK, rank_sum_tails, rank_sum_work
from textassay.stats.samples import FloatArray, finite_vector, midranks, tie_term
from textassay.stats.statistic import Statistic


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
    undefined = _undefined(first, second)
    ranks = midranks(np.concatenate([first, second]))
    w = float(ranks[:m].sum()) - m * (m + 1) / 2 if m and n else math.nan
    exact = p != "asymptotic" and cheap and not undefined
    z = math.nan if exact or undefined else _z(w, ranks, m, alternative, continuity=continuity)
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


def _undefined(x: FloatArray, y: FloatArray) -> str:
    if not x.size or not y.size:
        return f"the test is undefined: both samples need values, got {x.size} and {y.size}"
    if np.ptp(np.concatenate([x, y])) == 0:
        return f"the test is undefined: all values are equal ({x[0]:g})"
    return ""


def _z(w: float, ranks: FloatArray, m: int, alternative: Alternative, *, continuity: bool) -> float:
    total = ranks.size
    n = total - m
    variance = m * n / 12 * (total + 1 - float(tie_term(ranks)) / (total * (total - 1)))
    return continuity_corrected(w - m * n / 2, alternative, continuity=continuity) / math.sqrt(variance)
