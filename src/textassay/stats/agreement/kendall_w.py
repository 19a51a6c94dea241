"""Kendall's coefficient of concordance W."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from textassay.known_names import check_choice
from textassay.results import Record
from textassay.stats.agreement.ratings import RatingTable, read_rating_table, refuse_gaps, some
from textassay.stats.correlations.correlation import standardised
from textassay.stats.distributions import chi2_upper, f_upper
from textassay.stats.samples import FloatArray, midranks, tie_term
from textassay.stats.statistic import Statistic

Ties = Literal["corrected", "uncorrected"]
"""Whether the largest spread that W is measured by allows for ties."""


@dataclass(frozen=True, kw_only=True)
class KendallW(Statistic):
    """How far raters put the same items in the same order: 0 not at all, 1 fully."""

    w: float
    chi2: float
    df: int
    p: float
    """Of χ², an approximation that is rough for few items."""
    f: float
    """The F ratio of W, which holds for few items too."""
    f_df: tuple[float, float]
    f_p: float
    mean_spearman: float
    """Mean of Spearman's rho over all pairs of raters whose values vary."""
    raters: int
    items: int

    def records(self) -> list[Record]:
        """One record."""
        more: Record = {"f": self.f, "f_df": self.f_df, "f_p": self.f_p, "mean_spearman": self.mean_spearman}
        return [
            self.record("W", self.w, df=self.df, p=self.p, n=self.raters, chi2=self.chi2, items=self.items, **more),
        ]


def kendall_w(
    ratings: npt.ArrayLike,
    *,
    ties: Ties = "corrected",
    raters: Sequence[str] | None = None,
    items: Sequence[str] | None = None,
) -> KendallW:
    """Kendall's W of m raters over n items, corrected for ties.

    Purpose: say how far several raters put the same items in the same order.

    Each rater's values become ranks (ties at their mean); Rᵢ is the sum of ranks of item i, T the sum of t³ - t over
    all groups of t tied values. W = 12 Σ(Rᵢ - R̄)² / (m²(n³ - n) - m T); χ² = m(n-1)W on n-1 degrees of freedom, and
    F = (m-1)W / (1-W) on n-1-2/m and (m-1) times as many (Kendall & Babington Smith 1939). χ² is Friedman's; F keeps
    its level better for few items or raters (Marozzi 2014). Without ties the mean of Spearman's rho over all pairs of
    raters is (mW-1) / (m-1).

    R: `irr::kendall(t(ratings), correct = TRUE)`.

    Example:
        >>> result = kendall_w([[1, 2, 3], [1, 3, 2]])
        >>> round(result.w, 6), round(result.chi2, 6), result.df  # sums 2, 5, 5: Σ(R-4)² = 6; 12·6 / (4·24)
        (0.75, 3.0, 2)

    Args:
        ratings: Shape (raters, items), complete.
        ties: `corrected`, or `uncorrected` to leave T out, as some papers do.
        raters: Names for messages; numbered from 1 if not given.
        items: Names for messages; numbered from 1 if not given.

    Raises:
        DataError: not a table of numbers, or cells are missing or infinite; the message names them.
        UsageError: another word for `ties`.
    """
    check_choice("ties", ties, get_args(Ties))
    table = read_rating_table(ratings, raters, items)
    refuse_gaps(table, "Kendall's W")
    m, n = table.values.shape
    w, rho, warnings = _concordance(table, ties)
    chi2 = m * (n - 1) * w
    df = max(n - 1, 0)
    f, f_df, reason = _f_ratio(w, m, n)
    return KendallW(
        method="Kendall's W",
        settings={"ties": ties, "p": "chi-squared approximation", "raters": m, "items": n},
        warnings=(*warnings, *reason),
        w=w,
        chi2=chi2,
        df=df,
        p=math.nan if math.isnan(w) else chi2_upper(chi2, df),
        f=f,
        f_df=f_df,
        f_p=math.nan if math.isnan(f) else f_upper(f, *f_df),
        mean_spearman=rho,
        raters=m,
        items=n,
    )


def _concordance(table: RatingTable, ties: Ties) -> tuple[float, float, tuple[str, ...]]:
    m, n = table.values.shape
    if m < 2 or n < 2:
        return math.nan, math.nan, (f"W is undefined: it needs at least 2 raters and 2 items, got {m} and {n}",)
    ranks = midranks(table.values)
    tied = tie_term(ranks)
    alike = tied == n**3 - n
    if alike.all():
        return math.nan, math.nan, ("W is undefined: every rater gave all items the same value",)
    flat = [name for name, same in zip(table.raters, alike.tolist(), strict=True) if same]
    warnings = (f"all values are equal, so they add nothing but ties, for {some(flat)}",) if flat else ()
    if len(flat) == m - 1:
        warnings = (*warnings, "the mean of Spearman's rho is undefined: only one rater's values vary")
    sums = ranks.sum(axis=0)
    spread = float(np.sum((sums - m * (n + 1) / 2) ** 2))
    largest = m**2 * (n**3 - n) - (m * float(tied.sum()) if ties == "corrected" else 0.0)
    return 12 * spread / largest, _mean_spearman(ranks[~alike]), warnings


def _mean_spearman(ranks: FloatArray) -> float:
    """The mean over pairs from the length of the sum of all raters' standardised ranks; nan for one rater."""
    m = len(ranks)
    total = np.sum([standardised(row) for row in ranks], axis=0)
    return (float(total @ total) - m) / (m * (m - 1)) if m > 1 else math.nan


def _f_ratio(w: float, m: int, n: int) -> tuple[float, tuple[float, float], tuple[str, ...]]:
    df1 = n - 1 - 2 / m if m else math.nan
    degrees = (df1, df1 * (m - 1))
    if math.isnan(w):
        return math.nan, degrees, ()
    if df1 <= 0:
        return math.nan, degrees, (f"F is undefined: {m} raters and {n} items leave no degrees of freedom",)
    if 1 - w < 1e-12:
        return math.nan, degrees, ("F is undefined: the raters agree fully, so the error cannot be estimated",)
    return (m - 1) * w / (1 - w), degrees, ()
