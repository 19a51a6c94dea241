"""Kendall's coefficient of concordance W."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.results import Record
from textassay.stats.distributions import chi2_upper
from textassay.stats.ranks import midranks, tie_term
from textassay.stats.samples import FloatArray, as_floats
from textassay.stats.statistic import Statistic

_NAMED = 5
"""How many missing cells a message names."""


@dataclass(frozen=True, kw_only=True)
class KendallW(Statistic):
    """How far raters put the same items in the same order: 0 not at all, 1 fully."""

    w: float
    chi2: float
    df: int
    p: float
    """Of χ², an approximation that is rough for few items."""
    raters: int
    items: int

    def records(self) -> list[Record]:
        """One record."""
        return [
            self.record("W", self.w, df=self.df, p=self.p, n=self.raters, chi2=self.chi2, items=self.items),
        ]


def kendall_w(
    ratings: npt.ArrayLike, *, raters: Sequence[str] | None = None, items: Sequence[str] | None = None
) -> KendallW:
    """Kendall's W of m raters over n items, corrected for ties.

    Each rater's values become ranks (ties at their mean); Rᵢ is the sum of ranks of item i, T the sum of t³ - t over
    all groups of t tied values. W = 12 Σ(Rᵢ - R̄)² / (m²(n³ - n) - m T); χ² = m(n-1)W on n-1 degrees of freedom
    (Kendall & Babington Smith 1939). χ² is Friedman's.

    R: `irr::kendall(t(ratings), correct = TRUE)`.

    Example:
        >>> result = kendall_w([[1, 2, 3], [1, 3, 2]])
        >>> round(result.w, 6), round(result.chi2, 6), result.df  # sums 2, 5, 5: Σ(R-4)² = 6; 12·6 / (4·24)
        (0.75, 3.0, 2)

    Args:
        ratings: Shape (raters, items), complete.
        raters: Names for messages; numbered from 1 if not given.
        items: Names for messages; numbered from 1 if not given.

    Raises:
        DataError: not a table of numbers, or cells are missing or infinite; the message names them.
    """
    table = as_floats(ratings, "ratings")
    if table.ndim != 2:
        raise DataError(f"ratings must have the shape (raters, items), got {table.shape}")
    m, n = table.shape
    rater_names = _names(raters, m, "rater")
    _refuse_missing(table, rater_names, _names(items, n, "item"))
    w, warnings = _concordance(table, rater_names)
    chi2 = m * (n - 1) * w
    df = max(n - 1, 0)
    return KendallW(
        method="Kendall's W",
        settings={"ties": "corrected", "p": "chi-squared approximation", "raters": m, "items": n},
        warnings=warnings,
        w=w,
        chi2=chi2,
        df=df,
        p=math.nan if math.isnan(w) else chi2_upper(chi2, df),
        raters=m,
        items=n,
    )


def _concordance(table: FloatArray, raters: Sequence[str]) -> tuple[float, tuple[str, ...]]:
    m, n = table.shape
    if m < 2 or n < 2:
        return math.nan, (f"W is undefined: it needs at least 2 raters and 2 items, got {m} and {n}",)
    ranks = midranks(table)
    ties = tie_term(ranks)
    flat = [name for name, tie in zip(raters, ties.tolist(), strict=True) if tie == n**3 - n]
    if len(flat) == m:
        return math.nan, ("W is undefined: every rater gave all items the same value",)
    warnings = (f"all values are equal, so they add nothing but ties, for {_some(flat)}",) if flat else ()
    sums = ranks.sum(axis=0)
    spread = float(np.sum((sums - m * (n + 1) / 2) ** 2))
    return 12 * spread / (m**2 * (n**3 - n) - m * float(ties.sum())), warnings


def _names(names: Sequence[str] | None, size: int, kind: str) -> Sequence[str]:
    if names is None:
        return [f"{kind} {index + 1}" for index in range(size)]
    if len(names) != size:
        raise DataError(f"there are {size} {kind}s in ratings but {len(names)} names for them")
    return names


def _refuse_missing(table: FloatArray, raters: Sequence[str], items: Sequence[str]) -> None:
    cells = np.argwhere(~np.isfinite(table))
    if cells.size:
        named = _some([f"{raters[i]} × {items[j]}" for i, j in cells])
        raise DataError(
            f"Kendall's W needs every rater's value for every item; missing or infinite: {named}. "
            "Leave out those raters or those items"
        )


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
