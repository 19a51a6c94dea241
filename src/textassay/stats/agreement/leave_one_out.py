"""Leave-one-out agreement: each rater against the mean of the others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.results import Record
from textassay.stats.agreement.ratings import LongRatings, RatingsLike, present, read_rating_table, some
from textassay.stats.correlations.correlation import product_moment
from textassay.stats.samples import FloatArray, IntArray, as_floats, coded, midranks, same_length
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


def leave_one_out(ratings: RatingsLike, *, raters: Sequence[str] | None = None, least_shared: int = 3) -> LeaveOneOut:
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
        ratings: Shape (raters, items), nan or None where missing; or long form, which takes no memory for gaps.
        raters: Their names; numbered from 1 if not given. Long form has them already.
        least_shared: Fewest shared items for which a rater gets a correlation.

    Raises:
        DataError: wrong shape, infinite values, or no two raters who share an item.
        UsageError: fewer than 3 for `least_shared`: two items always correlate fully.
    """
    if least_shared < 3:
        raise UsageError(f"least_shared must be 3 or more (two items always correlate fully), got {least_shared}")
    given = _read_long(ratings) if isinstance(ratings, LongRatings) else _read_table(ratings, raters)
    pairs = _with_others(given)
    enough = [own.size >= least_shared for own, _ in pairs]
    spread = float(np.ptp(given.values)) or 1.0
    found = [
        _correlations(own, rest, spread) if good else (math.nan, math.nan)
        for (own, rest), good in zip(pairs, enough, strict=True)
    ]
    pearson, spearman = (tuple(of_raters) for of_raters in zip(*found, strict=True))
    warnings = _warnings(given.names, pearson, enough, least_shared)
    if any(abs(r) == 1 for r in (*pearson, *spearman)):
        warnings.append("Fisher's mean is undefined where a correlation is perfect: its z is infinite")
    return LeaveOneOut(
        method="leave-one-out agreement",
        settings={
            "raters": len(pairs),
            "items": given.items,
            "least_shared": least_shared,
            "against": "mean of the others",
        },
        warnings=tuple(warnings),
        raters=given.names,
        pearson=pearson,
        spearman=spearman,
        shared=tuple(own.size for own, _ in pairs),
        of_pearson=_summary(pearson),
        of_spearman=_summary(spearman),
    )


@dataclass(frozen=True)
class _Answers:
    """Finite values, in the order of their raters."""

    values: FloatArray
    rater: IntArray
    item: IntArray
    names: tuple[str, ...]
    items: int


def _read_table(ratings: npt.ArrayLike, raters: Sequence[str] | None) -> _Answers:
    table = read_rating_table(ratings, raters)
    if np.isinf(table.values).any():
        one, other = np.argwhere(np.isinf(table.values))[0].tolist()
        raise DataError(f"ratings has an infinite value: rater {one + 1} × item {other + 1}; correct it or use nan")
    rater, item = np.nonzero(~np.isnan(table.values))
    return _Answers(table.values[rater, item], rater, item, tuple(map(str, table.raters)), table.values.shape[1])


def _read_long(ratings: LongRatings) -> _Answers:
    values = as_floats(ratings.values, "values")
    same_length(("values", values), ("raters", ratings.raters), ("units", ratings.units))
    rater, names = coded(ratings.raters, "raters")
    item, units = coded(ratings.units, "units")
    rows = np.flatnonzero(present(values, "values"))
    rows = rows[np.lexsort((item[rows], rater[rows]))]
    again = np.flatnonzero((np.diff(rater[rows]) == 0) & (np.diff(item[rows]) == 0))
    if again.size:
        row = rows[again[0]]
        twice = f"rater {names[rater[row]]} has several values for unit {units[item[row]]}"
        raise DataError(f"{twice}; keep one value per rater and unit")
    return _Answers(values[rows], rater[rows], item[rows], tuple(map(str, names)), len(units))


def _with_others(given: _Answers) -> list[tuple[FloatArray, FloatArray]]:
    """For each rater the values that any other shares, and the mean of the others, less the grand mean."""
    count = np.bincount(given.item, minlength=given.items) - 1
    shared = count[given.item] > 0
    if not shared.any():
        raise DataError(
            "leave-one-out agreement needs items that at least two raters rated, and here no two raters share one "
            f"({given.values.size} values by {len(given.names)} raters of {given.items} items)"
        )
    values = given.values - given.values.mean()
    sums = np.bincount(given.item, weights=values, minlength=given.items)
    others = (sums[given.item] - values)[shared] / count[given.item[shared]]
    ends = np.cumsum(np.bincount(given.rater[shared], minlength=len(given.names)))[:-1]
    return list(zip(np.split(given.values[shared], ends), np.split(others, ends), strict=True))


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
