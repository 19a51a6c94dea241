"""What the tables of papers about metrics and people have in common.

Their p takes texts as independent and is not corrected for the number of correlations. It is kept here, marked as
liberal, so that a study can be set beside the paper; the analysis of metrics and people itself has other ones.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from textassay.meta.alignment import ScoreGrid
from textassay.meta.coefficients import Coefficient
from textassay.results import Record, Result
from textassay.stats import pearson, spearman
from textassay.stats.samples import FloatArray

LIBERAL = (
    "As published; liberal: p takes texts as independent and is not corrected for the number of correlations. The "
    "analysis of metrics and people has p that do not."
)


@dataclass(frozen=True)
class PublishedFigure:
    """One figure of a table."""

    table: str
    statistic: str
    value: float
    metric: str
    measure: str = ""
    """What people do or say: a criterion."""
    where: str = ""
    """The systems, condition or difference that it is of."""
    items: str = ""
    """Which items it is over, where some can be left out."""
    n: int = 0
    p: float = math.nan
    df: float = math.nan
    liberal: bool = True
    """Whether p takes texts as independent."""


@dataclass(frozen=True, kw_only=True)
class PublishedFigures(Result):
    """The figures of a paper's tables."""

    figures: tuple[PublishedFigure, ...]

    def records(self) -> list[Record]:
        """One record per figure."""
        return [
            self.record(
                each.statistic, each.value, of=each.measure or each.metric, by=each.where, n=each.n or None,
                p=None if math.isnan(each.p) else each.p, df=None if math.isnan(each.df) else each.df,
                table=each.table, metric=each.metric, measure=each.measure, items=each.items,
                note="as published; liberal" if each.liberal and not math.isnan(each.p) else "",
            )
            for each in self.figures
        ]  # fmt: skip


def given_people(grid: ScoreGrid) -> FloatArray:
    """People's means of texts with the sign that they have in the table."""
    return 0.0 - grid.people if grid.people_turned else grid.people


def plain_correlation(x: FloatArray, y: FloatArray, coefficient: Coefficient) -> tuple[float, float, int]:
    """The coefficient of those pairs that are complete, its p as if they were independent, and their number."""
    known = np.isfinite(x) & np.isfinite(y)
    n = int(known.sum())
    if n < 3:
        return math.nan, math.nan, n
    found = (spearman if coefficient == "spearman" else pearson)(x[known], y[known])
    return found.r, found.p, n


def decimals(value: float, places: int = 2) -> str:
    """A number as the papers print it, without the zero before the point where it is between −1 and 1.

    >>> [decimals(x) for x in (0.4271, -0.091, 1.0, 66.52, -0.001, math.nan)]
    ['.43', '−.09', '1.00', '66.52', '.00', '']
    """
    if math.isnan(value):
        return ""
    rounded = round(value, places) + 0.0  # never −0
    text = f"{rounded:.{places}f}".replace("-", "−")
    return text.replace("0.", ".", 1) if abs(rounded) < 1 else text
