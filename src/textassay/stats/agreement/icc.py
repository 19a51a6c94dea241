"""Intraclass correlations: the six forms of Shrout & Fleiss."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError
from textassay.results import Record
from textassay.stats.agreement.icc_forms import NO_SQUARES, IccForm, MeanSquares, mean_squares, shrout_fleiss
from textassay.stats.agreement.rating_table import read_table, refuse_gaps
from textassay.stats.samples import FloatArray, check_share
from textassay.stats.statistic import Statistic


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
        raise UsageError(f"there is no form {name!r}; there are {', '.join(form.name for form in self.forms)}")

    def records(self) -> list[Record]:
        """One record a form."""
        return [
            self.record(
                form.name, form.icc, df=form.df, p=form.p, ci=form.ci, n=self.items, f=form.f, raters=self.raters
            )
            for form in self.forms
        ]


def icc(
    ratings: npt.ArrayLike,
    *,
    confidence: float = 0.95,
    raters: Sequence[str] | None = None,
    items: Sequence[str] | None = None,
) -> Icc:
    """The intraclass correlations of k raters over n items.

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
    table = read_table(ratings, raters, items)
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
    left = "so nothing is left to measure by"
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
