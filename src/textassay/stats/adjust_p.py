"""Corrections of p for several comparisons."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.known_names import unknown
from textassay.pairwise import PairwiseComparison
from textassay.results import Record
from textassay.stats.samples import as_floats
from textassay.stats.statistic import Statistic

Correction = Literal["holm", "hochberg", "hommel", "bonferroni", "benjamini-hochberg", "benjamini-yekutieli"]

CORRECTION_NAMES: dict[Correction, str] = {
    "holm": "Holm",
    "hochberg": "Hochberg",
    "hommel": "Hommel",
    "bonferroni": "Bonferroni",
    "benjamini-hochberg": "Benjamini–Hochberg",
    "benjamini-yekutieli": "Benjamini–Yekutieli",
}
"""The names by which `PairwiseComparisons.adjustment` calls them."""


@dataclass(frozen=True, kw_only=True)
class AdjustedP(Statistic):
    """The p of several comparisons, corrected for their number."""

    p: tuple[float, ...]
    adjusted: tuple[float, ...]
    """In the order of `p`; nan stays nan and does not count as a comparison."""
    n: int
    """Comparisons."""

    def records(self) -> list[Record]:
        """One record per comparison: the corrected p, with the p that it was made from."""
        pairs = zip(self.p, self.adjusted, strict=True)
        return [self.record("adjusted p", after, p=before, n=self.n) for before, after in pairs]


def adjust_p(p: npt.ArrayLike, *, method: Correction = "holm") -> AdjustedP:
    """Correct p for the number of comparisons.

    Purpose: keep false alarms in check where several comparisons are tested at once.

    With m comparisons and p(1) ≤ … ≤ p(m): Holm (1979) p'(i) = max over j ≤ i of (m-j+1)·p(j), Hochberg (1988) the
    minimum over j ≥ i of the same, Benjamini & Hochberg (1995) that of m/j·p(j), Benjamini & Yekutieli (2001) that
    times Σ 1/j, Hommel (1988) by Simes' test of every subset, and Bonferroni m·p; none exceeds 1. Holm and Bonferroni
    hold under any dependence, Hochberg and Hommel where p-values are independent or positively dependent; Benjamini &
    Hochberg bound the false discovery rate then, Benjamini & Yekutieli always.

    R: `p.adjust(p, method = "holm")`; `"BH"` and `"BY"` are Benjamini's.

    Example:
        >>> [round(p, 4) for p in adjust_p([0.01, 0.04, 0.03]).adjusted]  # 3·.01, max(.03, 2·.03), max(.06, .04)
        [0.03, 0.06, 0.06]

    Raises:
        DataError: a p is outside 0 to 1, or the method is unknown.
    """
    values = as_floats(p, "p")
    if values.ndim != 1:
        raise DataError(f"p must be a list of numbers, got {values.ndim} dimensions")
    known = ~np.isnan(values)
    wrong = np.flatnonzero((values < 0) | (values > 1))
    if wrong.size:
        raise DataError(f"p must lie between 0 and 1; the one at index {wrong[0]} is {values[wrong[0]]:g}")
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


def adjust_pairs(pairs: Sequence[PairwiseComparison], *, method: Correction = "holm") -> tuple[PairwiseComparison, ...]:
    """The same comparisons with `p` made from their `p_raw`, adjusted for all of them.

    >>> pair = PairwiseComparison(first="a", second="b", difference=1.0, p=math.nan, p_raw=0.01, n=9)
    >>> [one.p for one in adjust_pairs([pair, pair])]
    [0.02, 0.02]
    """
    adjusted = adjust_p([pair.p_raw for pair in pairs], method=method).adjusted
    return tuple(replace(pair, p=p) for pair, p in zip(pairs, adjusted, strict=True))


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
        case "benjamini-yekutieli":
            stepped = np.minimum.accumulate((np.sum(1 / place) * m / place * p[order])[::-1])[::-1]
        case "hommel":
            stepped = _hommel(p[order])
        case _:
            raise DataError(unknown("correction", method, get_args(Correction)))
    result = np.empty(m)
    result[order] = np.minimum(stepped, 1.0)
    return result


def _hommel(p: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Hommel's correction of sorted p: the largest Simes p of any subset that holds the comparison (Wright 1992)."""
    m = p.size
    if m < 2:
        return p
    adjusted = np.full(m, np.min(m * p / np.arange(1, m + 1)))
    for size in range(m - 1, 1, -1):
        first = m - size + 1
        simes = np.min(size * p[first:] / np.arange(2, size + 1))
        lower = np.minimum(size * p[:first], simes)
        adjusted[:first] = np.maximum(adjusted[:first], lower)
        adjusted[first:] = np.maximum(adjusted[first:], lower[-1])
    return np.maximum(adjusted, p)
