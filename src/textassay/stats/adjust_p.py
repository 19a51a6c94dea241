"""Corrections of p for several comparisons."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.results import Record
from textassay.stats.statistic import Statistic

Correction = Literal["holm", "hochberg", "bonferroni", "benjamini-hochberg"]


@dataclass(frozen=True, kw_only=True)
class AdjustedP(Statistic):
    """The p of several comparisons, corrected for their number."""

    p: tuple[float, ...]
    adjusted: tuple[float, ...]
    """In the order of `p`; nan stays nan and does not count as a comparison."""
    n: int
    """Comparisons."""

    def records(self) -> list[Record]:
        """One record a comparison: the corrected p, with the p that it was made from."""
        pairs = zip(self.p, self.adjusted, strict=True)
        return [self.record("adjusted p", after, p=before, n=self.n) for before, after in pairs]


def adjust_p(p: npt.ArrayLike, *, method: Correction = "holm") -> AdjustedP:
    """Correct p for the number of comparisons.

    With m comparisons and p(1) ≤ … ≤ p(m): Holm (1979) p'(i) = max over j ≤ i of (m-j+1)·p(j), Hochberg (1988) the
    minimum over j ≥ i of the same, Benjamini & Hochberg (1995) that of m/j·p(j), and Bonferroni m·p; none exceeds 1.
    Holm and Bonferroni hold under any dependence; Benjamini & Hochberg bound the false discovery rate.

    R: `p.adjust(p, method)`.

    Example:
        >>> adjust_p([0.01, 0.04, 0.03]).adjusted  # 3·.01, then max(.03, 2·.03), then max(.06, .04)
        (0.03, 0.06, 0.06)

    Raises:
        DataError: a p is outside 0 to 1, or the method is unknown.
    """
    values = np.asarray(p, dtype=float)
    if values.ndim != 1:
        raise DataError(f"p must be a list of numbers, got {values.ndim} dimensions")
    known = ~np.isnan(values)
    if np.any((values[known] < 0) | (values[known] > 1)):
        raise DataError("p must lie between 0 and 1")
    adjusted = np.full(values.shape, math.nan)
    adjusted[known] = _adjusted(values[known], method)
    missing = int(np.sum(~known))
    return AdjustedP(
        method=f"{method} correction",
        settings={"method": method, "comparisons": int(known.sum())},
        warnings=(f"{missing} comparisons have no p and are not counted",) if missing else (),
        p=tuple(values.tolist()),
        adjusted=tuple(adjusted.tolist()),
        n=int(known.sum()),
    )


def _adjusted(p: npt.NDArray[np.float64], method: Correction) -> npt.NDArray[np.float64]:
    m = p.size
    order = np.argsort(p, kind="stable")
    place = np.arange(1, m + 1)
    match method:
        case "bonferroni":
            stepped = p[order] * m
        case "holm":
            stepped = np.maximum.accumulate((m - place + 1) * p[order])
        case "hochberg":
            stepped = np.minimum.accumulate(((m - place + 1) * p[order])[::-1])[::-1]
        case "benjamini-hochberg":
            stepped = np.minimum.accumulate((m / place * p[order])[::-1])[::-1]
        case _:
            raise DataError(f"unknown correction {method!r}; use holm, hochberg, bonferroni or benjamini-hochberg")
    result = np.empty(m)
    result[order] = np.minimum(stepped, 1.0)
    return result
