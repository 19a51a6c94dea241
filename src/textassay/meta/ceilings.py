"""How far people agree among themselves: what a metric's correlation with them can be held against.

Two comparisons of like with like. The reliability of people's means tells how much of what distinguishes the texts
would be found again with other people; a metric's correlation with those means can hardly exceed its square root. And
leave-one-out: each rater against the mean of the others, beside the metric against the same means over the same texts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from textassay.stats.correlations.correlation import product_moment
from textassay.stats.samples import FloatArray, IntArray

Over = Literal["texts within items", "texts", "systems"]
"""Among what means are compared."""


@dataclass(frozen=True)
class Ceiling:
    """How reliable people's means are."""

    over: Over
    reliability: float
    """Share of the variance of the means that other people would find again; nan where it cannot be told."""
    n: int
    """Texts or systems that at least two people judged."""
    reason: str = ""
    """Why there is none."""

    @property
    def ceiling(self) -> float:
        """The highest correlation with the means that a perfect metric can be expected to have."""
        return math.sqrt(max(self.reliability, 0.0)) if not math.isnan(self.reliability) else math.nan


@dataclass(frozen=True)
class MetricAsRater:
    """A metric put through the raters' own leave-one-out."""

    people: float
    """Mean over raters of their correlation with the mean of the others."""
    metric: float
    """Mean over the same raters of the metric's correlation with the same means, over the same texts."""
    raters: int
    """Raters who have both."""
    behind: int
    """Raters with whom the metric keeps up: its correlation is at least theirs."""


@dataclass(frozen=True, eq=False)
class RatedTexts:
    """Judgements in long form: one row per rater and text."""

    values: FloatArray
    rater: IntArray
    item: IntArray
    system: IntArray

    def __post_init__(self) -> None:
        """Centre the values, so that products of them lose no digits."""
        if self.values.size:
            object.__setattr__(self, "values", self.values - self.values.mean())


def reliability(rated: RatedTexts, over: Over) -> Ceiling:
    """How much of the differences between means would be found again with other people.

    What two different raters say of the same unit has only the unit in common, so that the mean product of different
    raters' values estimates what is true of the units, and

        reliability = true variance of the units / observed variance of their means,

    where (μ_s - μ_t)² is estimated by U_ss + U_tt - 2 U_st with U_st the mean of x_rs x_r't over all r ≠ r'. It allows
    any gaps. With complete data it is Cronbach's alpha; with different raters for each unit, that of ICC(1, k).

    Args:
        rated: The judgements.
        over: `texts within items`: the texts of an item against each other. `texts`: all of them. `systems`: the means
            of systems over the items.
    """
    groups = rated.item if over == "texts within items" else np.zeros_like(rated.item)
    units = rated.system if over == "systems" else _texts(rated)
    true, observed, compared = _variances(rated.values, rated.rater, units, groups)
    if compared == 0:
        what = "two systems" if over == "systems" else "two texts"
        where = " of one item" if over == "texts within items" else ""
        return Ceiling(over, math.nan, 0, f"no {what}{where} were judged by two people or more each")
    if observed <= 0:
        return Ceiling(over, math.nan, compared, "all means are equal")
    reason = "people differ among themselves as much as the texts do" if true <= 0 else ""
    return Ceiling(over, min(max(true / observed, 0.0), 1.0), compared, reason)


def metric_as_rater(rated: RatedTexts, scores: FloatArray, *, least_shared: int = 3) -> MetricAsRater:
    """The metric's correlation with the mean of all raters but one, for each rater, beside that rater's own.

    Args:
        rated: The judgements.
        scores: The metric's score of the text of each row; nan where there is none, and the row does not count.
        least_shared: Fewest texts for which a rater gets a correlation.
    """
    if not rated.values.size:
        return MetricAsRater(math.nan, math.nan, 0, 0)
    units = _texts(rated)
    count = np.bincount(units) - 1
    sums = np.bincount(units, weights=rated.values)
    shared = (count[units] > 0) & ~np.isnan(scores)
    others = np.divide(sums[units] - rated.values, count[units], out=np.zeros_like(sums[units]), where=shared)
    own, its = [], []
    for rows in _rows_by(rated.rater):
        used = rows[shared[rows]]
        triple = (rated.values[used], scores[used], others[used])
        if used.size >= least_shared and all(np.ptp(each) > 0 for each in triple):
            own.append(product_moment(triple[0], triple[2]))
            its.append(product_moment(triple[1], triple[2]))
    if not own:
        return MetricAsRater(math.nan, math.nan, 0, 0)
    behind = int(np.sum(np.array(its) >= np.array(own)))
    return MetricAsRater(float(np.mean(own)), float(np.mean(its)), len(own), behind)


def _texts(rated: RatedTexts) -> IntArray:
    """Each row's text as a number: one for each item and system."""
    pairs = rated.item.astype(np.int64) * (int(rated.system.max(initial=0)) + 1) + rated.system
    texts: IntArray = np.unique(pairs, return_inverse=True)[1].astype(np.intp)
    return texts


def _rows_by(groups: IntArray) -> list[IntArray]:
    order = np.argsort(groups, kind="stable")
    return [part for part in np.split(order, np.flatnonzero(np.diff(groups[order])) + 1) if part.size]


def _variances(values: FloatArray, rater: IntArray, unit: IntArray, group: IntArray) -> tuple[float, float, int]:
    """Sums over groups of the true and of the observed variance of their units, each times the units less one.

    Only units that two raters judged count, and only groups with two such units; their number is returned too.
    """
    y, rater, unit, group = _one_value_each(values, rater, unit, group)
    n = _sums(unit, np.ones_like(y))
    kept = n[unit] >= 2
    y, rater, unit, group = y[kept], rater[kept], unit[kept], group[kept]
    if not y.size:
        return 0.0, 0.0, 0
    known, first, unit = np.unique(unit, return_index=True, return_inverse=True)
    n, of_unit = n[known], group[first]

    def by(codes: IntArray, weights: FloatArray) -> FloatArray:
        return _sums(codes, weights, int(group.max()) + 1)

    total, squares = _sums(unit, y), _sums(unit, y**2)
    one_rater, its_group = _rater_in_group(rater, group)
    voice, rows = _sums(one_rater, y), _sums(one_rater, np.ones_like(y))
    # products of different units by different raters: all, less those of one unit, less those of one rater
    cross = by(of_unit, total) ** 2 - by(of_unit, total**2) - by(its_group, voice**2) + by(of_unit, squares)
    ways = by(of_unit, n) ** 2 - by(of_unit, n**2) - by(its_group, rows**2) + by(of_unit, n)
    units = by(of_unit, np.ones_like(n))
    own = by(of_unit, (total**2 - squares) / (n * (n - 1)))
    used = (units >= 2) & (ways > 0)
    true = (own[used] / units[used] - cross[used] / ways[used]) * (units[used] - 1)
    means = total / n
    observed = by(of_unit, means**2)[used] - by(of_unit, means)[used] ** 2 / units[used]
    return float(true.sum()), float(observed.sum()), int(units[used].sum())


def _sums(codes: IntArray, weights: FloatArray, least: int = 0) -> FloatArray:
    """Sums by code."""
    return np.asarray(np.bincount(codes, weights=weights, minlength=least), dtype=float)


def _one_value_each(
    values: FloatArray, rater: IntArray, unit: IntArray, group: IntArray
) -> tuple[FloatArray, IntArray, IntArray, IntArray]:
    """Several values of one rater for one unit become their mean: a rater is one voice."""
    cells = rater.astype(np.int64) * (int(unit.max(initial=0)) + 1) + unit
    _, first, cell = np.unique(cells, return_index=True, return_inverse=True)
    means = np.bincount(cell, weights=values) / np.bincount(cell)
    return means, rater[first], unit[first], group[first]


def _rater_in_group(rater: IntArray, group: IntArray) -> tuple[IntArray, IntArray]:
    """Each row's rater within its group as a number, and the group of each such number."""
    pairs = group.astype(np.int64) * (int(rater.max()) + 1) + rater
    _, first, codes = np.unique(pairs, return_index=True, return_inverse=True)
    return codes.astype(np.intp), group[first]
