"""Leave-one-out agreement: each rater against the mean of the others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.results import Record
from textassay.stats.agreement.ratings import read_rating_table, some
from textassay.stats.correlations.correlation import product_moment
from textassay.stats.samples import FloatArray, midranks
from textassay.stats.statistic import Statistic

_TIE_DIGITS = 12
"""Means are compared to this number of digits, so that rounding does not break ties."""


@dataclass(frozen=True)
class CorrelationSpread:
    """The correlations of all raters in a few figures; nan where fewer raters than needed have one."""

    mean: float
    fisher_mean: float
    """Mean by Fisher's z: tanh of the mean of artanh r."""
    min: float
    max: float
    sd: float
    """Standard deviation over raters (divisor n-1)."""
    n: int
    """Raters who have a correlation."""


@dataclass(frozen=True, kw_only=True)
class LeaveOneOut(Statistic):
    """How well each rater is predicted by the mean of the others."""

    raters: tuple[str, ...]
    pearson: tuple[float, ...]
    """One r per rater; nan where there is none."""
    spearman: tuple[float, ...]
    shared: tuple[int, ...]
    """Items that each rater shares with at least one other."""
    of_pearson: CorrelationSpread
    of_spearman: CorrelationSpread

    def records(self) -> list[Record]:
        """One record per coefficient: the mean, and how it spreads."""
        return [
            self.record(
                f"mean {name} with the others",
                found.mean,
                n=found.n,
                fisher_mean=found.fisher_mean,
                min=found.min,
                max=found.max,
                sd=found.sd,
            )
            for name, found in (("r", self.of_pearson), ("rho", self.of_spearman))
        ]


def leave_one_out(ratings: npt.ArrayLike, *, raters: Sequence[str] | None = None, least_shared: int = 3) -> LeaveOneOut:
    """Each rater's correlation with the mean of the other raters, item by item; gaps are allowed.

    Purpose: find the upper bound that raters set for a metric, and raters who do not go with the others.

    rᵢ = cor(xᵢ, x̄₋ᵢ) over the items that rater i shares with any other, x̄₋ᵢ being the mean of the others who rated the
    item; then mean, least, greatest and standard deviation over raters (Weiss & Kulikowski 1991; Lapata 2006). One
    rater against a mean is not one against one: it is no ceiling for a metric that is held against a mean itself.

    R: `sapply(seq_len(nrow(ratings)), function(i) cor(ratings[i, ], colMeans(ratings[-i, ])))`.

    Example:
        >>> result = leave_one_out([[1, 2, 3, 4], [1, 2, 4, 3], [2, 1, 3, 4]])
        >>> [round(r, 4) for r in result.pearson], round(result.of_pearson.mean, 4)
        ([0.8944, 0.7379, 0.7379], 0.7901)

    Args:
        ratings: Shape (raters, items), nan or None where missing.
        raters: Their names; numbered from 1 if not given.
        least_shared: Fewest shared items for which a rater gets a correlation.

    Raises:
        DataError: wrong shape, infinite values, or no two raters who share an item.
        UsageError: fewer than 3 for `least_shared`: two items always correlate fully.
    """
    if least_shared < 3:
        raise UsageError(f"least_shared must be 3 or more (two items always correlate fully), got {least_shared}")
    table = read_rating_table(ratings, raters)
    others, both = _others(table.values)
    pairs = [(own[kept], rest[kept]) for own, rest, kept in zip(table.values, others, both, strict=True)]
    enough = [own.size >= least_shared for own, _ in pairs]
    spread = float(np.nanmax(table.values) - np.nanmin(table.values)) or 1.0
    found = [
        _correlations(own, rest, spread) if good else (math.nan, math.nan)
        for (own, rest), good in zip(pairs, enough, strict=True)
    ]
    pearson, spearman = (tuple(of_raters) for of_raters in zip(*found, strict=True))
    warnings = _warnings(table.raters, pearson, enough, least_shared)
    if any(abs(r) == 1 for r in (*pearson, *spearman)):
        warnings.append("Fisher's mean is undefined where a correlation is perfect: its z is infinite")
    return LeaveOneOut(
        method="leave-one-out agreement",
        settings={
            "raters": len(pairs),
            "items": table.values.shape[1],
            "least_shared": least_shared,
            "against": "mean of the others",
        },
        warnings=tuple(warnings),
        raters=tuple(str(name) for name in table.raters),
        pearson=pearson,
        spearman=spearman,
        shared=tuple(own.size for own, _ in pairs),
        of_pearson=_summary(pearson),
        of_spearman=_summary(spearman),
    )


def _others(table: FloatArray) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """For each rater the mean of the others on each item, less the grand mean, and the items that the rater shares."""
    if np.isinf(table).any():
        rater, item = np.argwhere(np.isinf(table))[0].tolist()
        raise DataError(f"ratings has an infinite value: rater {rater + 1} × item {item + 1}; correct it or use nan")
    there = ~np.isnan(table)
    count = there.sum(axis=0) - there
    both = there & (count > 0)
    if not both.any():
        raise DataError(
            "leave-one-out agreement needs items that at least two raters rated, and here no two raters share one "
            f"({int(there.sum())} values by {len(table)} raters of {table.shape[1]} items)"
        )
    values = np.where(there, table - np.mean(table[there]), 0.0)
    return (values.sum(axis=0) - values) / np.maximum(count, 1), both


def _correlations(own: FloatArray, rest: FloatArray, spread: float) -> tuple[float, float]:
    """Pearson's r and Spearman's rho; means that differ by no more than rounding does are tied."""
    tied = np.round(rest / spread, _TIE_DIGITS)
    if np.ptp(own) == 0 or np.ptp(tied) == 0:
        return math.nan, math.nan
    return product_moment(own, rest), product_moment(midranks(own), midranks(tied))


def _warnings(raters: Sequence[str], found: Sequence[float], enough: Sequence[bool], least: int) -> list[str]:
    few = [str(name) for name, good in zip(raters, enough, strict=True) if not good]
    flat = [str(name) for name, r, good in zip(raters, found, enough, strict=True) if good and math.isnan(r)]
    warnings = []
    if few:
        warnings.append(f"{len(few)} rater(s) share fewer than {least} items with others and are excluded: {some(few)}")
    if flat:
        why = "their values, or the others' means, do not vary"
        warnings.append(f"{len(flat)} rater(s) have no correlation and are excluded, because {why}: {some(flat)}")
    return warnings


def _summary(found: Sequence[float]) -> CorrelationSpread:
    r = np.array([value for value in found if not math.isnan(value)])
    if not r.size:
        return CorrelationSpread(math.nan, math.nan, math.nan, math.nan, math.nan, 0)
    fisher = math.nan if np.any(np.abs(r) == 1) else float(np.tanh(np.mean(np.arctanh(r))))
    sd = float(np.std(r, ddof=1)) if r.size > 1 else math.nan
    return CorrelationSpread(float(r.mean()), fisher, float(r.min()), float(r.max()), sd, r.size)
