"""The six intraclass correlations from mean squares, with their tests and intervals (Shrout & Fleiss 1979)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from textassay.stats.distributions import f_quantile, f_upper
from textassay.stats.samples import FloatArray

Bounds = tuple[float, float]


@dataclass(frozen=True)
class IccForm:
    """One form of the coefficient, with its F test against 0."""

    name: str
    """`ICC1` each item has raters of its own; `ICC2` raters are a sample and level counts (absolute agreement);
    `ICC3` these raters only and level does not count (consistency). With `k`: of the mean of all raters."""
    icc: float
    f: float
    df: tuple[int, int]
    p: float
    ci: Bounds


@dataclass(frozen=True)
class MeanSquares:
    """Of a table of ratings."""

    items: float
    raters: float
    residual: float
    within: float
    """Within items: raters and residual together."""


NO_SQUARES = MeanSquares(math.nan, math.nan, math.nan, math.nan)


def mean_squares(table: FloatArray) -> MeanSquares:
    """The mean squares of a table of the shape (raters, items), two of each at least."""
    k, n = table.shape
    centred = table - table.mean()
    items, raters = centred.mean(axis=0), centred.mean(axis=1)
    residual = centred - items - raters[:, None]
    slack = (64 * np.finfo(float).eps) ** 2 * float(np.sum(centred**2))  # what is less than rounding is none
    between, by_rater, left = (
        0.0 if ss <= slack else ss
        for ss in (k * float(items @ items), n * float(raters @ raters), float(np.sum(residual**2)))
    )
    return MeanSquares(
        between / (n - 1), by_rater / (k - 1), left / ((n - 1) * (k - 1)), (by_rater + left) / (n * (k - 1))
    )


def shrout_fleiss(squares: MeanSquares, k: int, n: int, tail: float) -> tuple[IccForm, ...]:
    """All six forms for k raters and n items; `tail` is left out on each side of the intervals."""
    b, j, e, w = squares.items, squares.raters, squares.residual, squares.within
    one_way = _Test(b, w, (max(n - 1, 0), n * max(k - 1, 0)))
    two_way = _Test(b, e, (max(n - 1, 0), max(n - 1, 0) * max(k - 1, 0)))
    by_rater = (j - e) / n if n else math.nan
    absolute = _ratio(b - e, b + (k - 1) * e + k * by_rater, b + k * (e + j))
    ci = _absolute_bounds(squares, absolute, k, n, tail)
    return (
        one_way.form("ICC1", _ratio(b - w, b + (k - 1) * w), one_way.single_bounds(k, tail)),
        two_way.form("ICC2", absolute, ci),
        two_way.form("ICC3", _ratio(b - e, b + (k - 1) * e), two_way.single_bounds(k, tail)),
        one_way.form("ICC1k", _ratio(b - w, b), one_way.mean_bounds(tail)),
        two_way.form("ICC2k", _ratio(b - e, b + by_rater, b + e + j), (_of_mean(ci[0], k), _of_mean(ci[1], k))),
        two_way.form("ICC3k", _ratio(b - e, b), two_way.mean_bounds(tail)),
    )


@dataclass(frozen=True)
class _Test:
    """Items against an error term."""

    items: float
    error: float
    df: tuple[int, int]

    @property
    def f(self) -> float:
        return _ratio(self.items, self.error)

    def form(self, name: str, icc: float, ci: Bounds) -> IccForm:
        p = math.nan if math.isnan(self.f) else f_upper(self.f, *self.df)
        return IccForm(name, icc, self.f, self.df, p, ci)

    def _f_bounds(self, tail: float) -> Bounds:
        """Bounds of the ratio of the two variances."""
        if math.isnan(self.f):
            return math.nan, math.nan
        df1, df2 = self.df
        return self.f / f_quantile(1 - tail, df1, df2), self.f * f_quantile(1 - tail, df2, df1)

    def single_bounds(self, k: int, tail: float) -> Bounds:
        low, high = self._f_bounds(tail)
        return (low - 1) / (low + k - 1), (high - 1) / (high + k - 1)

    def mean_bounds(self, tail: float) -> Bounds:
        low, high = self._f_bounds(tail)
        return 1 - _ratio(1, low), 1 - _ratio(1, high)


def _absolute_bounds(squares: MeanSquares, icc: float, k: int, n: int, tail: float) -> Bounds:
    """Of ICC2, whose error mixes two mean squares: Satterthwaite's degrees of freedom."""
    b, j, e = squares.items, squares.raters, squares.residual
    if math.isnan(icc) or e == 0:
        return math.nan, math.nan
    by_rater, by_error = k * icc * j / e, n * (1 + (k - 1) * icc) - k * icc
    if by_rater == by_error == 0:  # two raters with opposite orders: no weight is left on either mean square
        return math.nan, math.nan
    df = (by_rater + by_error) ** 2 / (by_rater**2 / (k - 1) + by_error**2 / ((n - 1) * (k - 1)))
    upper, lower = f_quantile(1 - tail, n - 1, df), f_quantile(1 - tail, df, n - 1)
    rest = k * j + (k * n - k - n) * e
    return n * (b - upper * e) / (upper * rest + n * b), n * (lower * b - e) / (rest + n * lower * b)


def _of_mean(single: float, k: int) -> float:
    """The reliability of the mean of k raters from that of one (Spearman & Brown)."""
    return _ratio(k * single, 1 + (k - 1) * single, k)


def _ratio(above: float, below: float, made_of: float = 0.0) -> float:
    """Of estimates of variances; nan where the lower one is not above 0, by more than the rounding of its parts."""
    return above / below if below > 64 * np.finfo(float).eps * made_of else math.nan
