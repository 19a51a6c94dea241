"""Intraclass correlations: the six forms of Shrout & Fleiss."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError
from textassay.known_names import unknown
from textassay.results import Record
from textassay.stats.agreement.ratings import read_rating_table, refuse_gaps
from textassay.stats.distributions import f_quantile, f_upper
from textassay.stats.samples import FloatArray, check_share
from textassay.stats.statistic import Statistic

Bounds = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Icc(Statistic):
    """How much of the variance of ratings is between items: 1 all of it."""

    forms: tuple[IccForm, ...]
    """ICC1, ICC2, ICC3, ICC1k, ICC2k, ICC3k."""
    raters: int
    items: int

    @property
    def icc(self) -> tuple[float, ...]:
        """The six coefficients."""
        return tuple(form.icc for form in self.forms)

    def form(self, name: str) -> IccForm:
        """One form by its name.

        Raises:
            UsageError: there is none of that name.
        """
        for form in self.forms:
            if form.name == name:
                return form
        raise UsageError(unknown("form", name, (form.name for form in self.forms)))

    def records(self) -> list[Record]:
        """One record per form."""
        return [
            self.record(
                form.name, form.icc, df=form.df, p=form.p, ci=form.ci, n=self.items, f=form.f, raters=self.raters
            )
            for form in self.forms
        ]


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


def icc(
    ratings: npt.ArrayLike,
    *,
    confidence: float = 0.95,
    raters: Sequence[str] | None = None,
    items: Sequence[str] | None = None,
) -> Icc:
    """The intraclass correlations of k raters over n items.

    Purpose: say how reliable ratings on a numeric scale are, for one rater or for the mean of several.

    From the mean squares of items (B), raters (J), residual (E), and within items (W): ICC1 = (B-W) / (B+(k-1)W);
    ICC2 = (B-E) / (B+(k-1)E+k(J-E)/n); ICC3 = (B-E) / (B+(k-1)E); of the mean of k raters ICC1k = (B-W) / B,
    ICC2k = (B-E) / (B+(J-E)/n), ICC3k = (B-E) / B. Tests F = B/W or B/E, and intervals, after Shrout & Fleiss (1979),
    those of ICC2 with Satterthwaite's degrees of freedom. Name the form that you report.

    R: `psych::ICC(t(ratings), lmer = FALSE)`.

    Example:
        >>> result = icc([[1, 2, 3, 4], [2, 3, 4, 5]])  # the same order one higher: consistency full, agreement not
        >>> [round(form.icc, 4) for form in result.forms[:3]]  # B = 10/3, J = 2, E = 0, W = 1/2
        [0.7391, 0.7692, 1.0]

    Args:
        ratings: Shape (raters, items), complete.
        confidence: Of the intervals.
        raters: Names for messages; numbered from 1 if not given.
        items: Names for messages; numbered from 1 if not given.

    Raises:
        DataError: not a table of numbers, or cells are missing or infinite; the message names them.
    """
    check_share("confidence", confidence)
    table = read_rating_table(ratings, raters, items)
    refuse_gaps(table, "the intraclass correlation")
    k, n = table.values.shape
    reason = _undefined(table.values)
    squares = NO_SQUARES if reason else mean_squares(table.values)
    forms = shrout_fleiss(squares, k, n, (1 - confidence) / 2)
    return Icc(
        method="intraclass correlation",
        settings={"forms": "Shrout-Fleiss", "raters": k, "items": n, "confidence": confidence},
        warnings=reason or _notes(squares, forms),
        forms=forms,
        raters=k,
        items=n,
    )


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
    """All six forms for k raters and n items; `tail` is the probability outside the intervals on each side."""
    b, j, e, w = squares.items, squares.raters, squares.residual, squares.within
    one_way = _FTest(b, w, (max(n - 1, 0), n * max(k - 1, 0)))
    two_way = _FTest(b, e, (max(n - 1, 0), max(n - 1, 0) * max(k - 1, 0)))
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
class _FTest:
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


def _undefined(table: FloatArray) -> tuple[str, ...]:
    """Why there is no coefficient; empty where there is one."""
    k, n = table.shape
    if k < 2 or n < 2:
        return (f"the intraclass correlation is undefined: it needs at least 2 raters and 2 items, got {k} and {n}",)
    if np.all(table == table[0, 0]):
        return (f"the intraclass correlation is undefined: all ratings are equal ({table[0, 0]:g})",)
    return ()


def _notes(squares: MeanSquares, forms: Sequence[IccForm]) -> tuple[str, ...]:
    """Which figures are undefined, and why."""
    left = "so the error cannot be estimated"
    notes = []
    if squares.within == 0:
        notes.append(f"F and intervals are undefined: all raters agree on every item, {left}")
    elif squares.residual == 0:
        why = f"the raters differ by the same amount on every item, {left}"
        notes.append(f"F and intervals of ICC2 and ICC3 are undefined: {why}")
    without = [form.name for form in forms if math.isnan(form.icc)]
    if without:
        notes.append(f"undefined because the items' means do not differ enough: {', '.join(without)}")
    open_ended = [form.name for form in forms if not math.isnan(form.icc + form.f) and math.isnan(sum(form.ci))]
    if open_ended:
        notes.append(f"bounds are undefined because raters disagree more than by chance: {', '.join(open_ended)}")
    return tuple(notes)
