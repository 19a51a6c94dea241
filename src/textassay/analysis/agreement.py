"""How far evaluators agree with each other, with themselves, and on single texts that several of them judged."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

import numpy as np
import pandas as pd

from textassay.analysis.judgements import CELL, Judgements
from textassay.analysis.table_builder import Columns, TableColumn
from textassay.analysis.wording import list_some
from textassay.errors import DataError
from textassay.results import Record, Result, Table
from textassay.stats import (
    Icc,
    KendallW,
    KrippendorffAlpha,
    LeaveOneOut,
    LongRatings,
    icc,
    kendall_w,
    krippendorff_alpha,
    leave_one_out,
)
from textassay.stats.statistic import Statistic

_Found = TypeVar("_Found")
_Row = TypeVar("_Row")
_TIE_DIGITS = 9
"""Decimals to which means are compared, so that rounding does not break ties."""


@dataclass(frozen=True, kw_only=True)
class WithinEvaluators(Statistic):
    """Kendall's W of each evaluator's own repeated judgements of the systems, and its mean."""

    mean_w: float
    per_evaluator: tuple[tuple[str, float], ...]
    """Name and W of each evaluator for whom it is defined."""
    repetitions: int
    """Complete rounds through the systems that the evaluator with the fewest has."""

    def records(self) -> list[Record]:
        """The mean."""
        w = [value for _, value in self.per_evaluator]
        return [
            self.record(
                "mean W within evaluators",
                self.mean_w,
                n=len(w),
                min=min(w, default=math.nan),
                max=max(w, default=math.nan),
                repetitions=self.repetitions,
            )
        ]


@dataclass(frozen=True, kw_only=True)
class RepeatConsistency(Statistic):
    """The same trial answered twice by the same participant."""

    mean_absolute_difference: float
    share_equal: float
    n: int
    """Trials answered twice."""
    participants: int

    def records(self) -> list[Record]:
        """Mean absolute difference, and share of equal answers."""
        return [
            self.record(name, value, n=self.n, participants=self.participants)
            for name, value in (
                ("mean absolute difference of repeats", self.mean_absolute_difference),
                ("share of equal repeats", self.share_equal),
            )
        ]


Concordance = KendallW | KrippendorffAlpha
"""Between those who judged the systems: W where each of them has every system, otherwise alpha."""


def between_evaluators(judged: Judgements) -> Concordance:
    """Kendall's W between evaluators, on each evaluator's mean for each system (Belz & Kow 2010).

    Where an evaluator lacks a system, Krippendorff's alpha of the same means.
    """
    means = judged.main.pivot_table(index="participant", columns="system", values="value", aggfunc="mean")
    return concordance(means, between="evaluators", on="mean a system")


def concordance(means: pd.DataFrame, *, between: str, on: str, incomplete: str = "") -> Concordance:
    """How far those in the rows agree on the systems in the columns.

    W compares the orders of complete blocks only. Where a block lacks a system, Krippendorff's alpha of all values
    stands in its place (ordinal): it allows for gaps, but counts it as disagreement where some answer higher than
    others.

    Args:
        means: One row per block; nothing where a block lacks the system.
        between: Who they are.
        on: What the values are.
        incomplete: Why no block is complete although it has every system.
    """
    means = means.astype(float).round(_TIE_DIGITS)
    gaps = means.isna().any(axis=1)
    said: tuple[str, ...] = ()
    found: Concordance | None = None
    if incomplete or gaps.any():
        who = list_some(list(means.index[gaps]))
        lacking = incomplete or f"{int(gaps.sum())} of {len(means)} {between} lack a system ({who})"
        found = _tried(lambda: krippendorff_alpha(means.to_numpy(dtype=float), level="ordinal"), [])
        shown = "there is no W" if found is None else "Krippendorff's alpha in place of W"
        said = (f"{shown} between {between}: {lacking}",)
    if found is None:
        complete = means[~gaps]
        found = kendall_w(complete.to_numpy(dtype=float), raters=list(complete.index), items=list(complete.columns))
    return replace(
        found,
        method=f"{found.method} between {between}",
        settings={"between": between, "on": on, **found.settings},
        warnings=(*said, *found.warnings),
        by="System",
    )


def concordance_columns(get: Callable[[_Row], Concordance | None], rows: Sequence[_Row], w: str = "W") -> Columns[_Row]:
    """W, and alpha in its place where blocks are incomplete, if there are any such.

    Args:
        get: From what the row is about; nothing leaves the cells empty.
        rows: All rows of the table.
        w: Heading of W.
    """

    def alpha(row: _Row) -> float | None:
        found = get(row)
        return found.alpha if isinstance(found, KrippendorffAlpha) else None

    columns: Columns[_Row] = (TableColumn(w, lambda row: _of_w(get(row), lambda found: found.w)),)
    more = TableColumn(w.replace("W", "alpha"), alpha)
    return (*columns, more) if any(alpha(row) is not None for row in rows) else columns


def _of_w(found: Concordance | None, value: Callable[[KendallW], _Found]) -> _Found | None:
    return value(found) if isinstance(found, KendallW) else None


OF_GAPS = (
    "where blocks are incomplete, Krippendorff's alpha (ordinal) of the same values stands in place of W, and counts "
    "unequal levels as disagreement"
)


def within_evaluators(judged: Judgements) -> WithinEvaluators:
    """Mean over evaluators of the W of their own repeated judgements of the systems (Belz & Kow 2010).

    The n-th judgement of a system, in the order in which the evaluator gave them, belongs to round n; W is taken over
    the rounds in which every system was judged.
    """
    main = judged.main.assign(round=judged.main.groupby(["participant", "system"]).cumcount())
    rounds = main.pivot_table(index=["participant", "round"], columns="system", values="value")
    complete = {str(name): own.to_numpy(dtype=float) for name, own in rounds.dropna().groupby(level="participant")}
    per_evaluator, left_out = [], []
    for participant in sorted(main["participant"].unique()):
        w = kendall_w(complete[participant]).w if participant in complete else math.nan
        if math.isnan(w):
            left_out.append(participant)
        else:
            per_evaluator.append((participant, w))
    return WithinEvaluators(
        method="mean Kendall's W within evaluators",
        settings={"rounds": "n-th judgement of each system", "systems": rounds.shape[1], "ties": "corrected"},
        warnings=_within_warnings(len(per_evaluator), left_out),
        by="System",
        mean_w=float(np.mean([w for _, w in per_evaluator])) if per_evaluator else math.nan,
        per_evaluator=tuple(per_evaluator),
        repetitions=min((len(complete[name]) for name, _ in per_evaluator), default=0),
    )


def _within_warnings(used: int, left_out: list[str]) -> tuple[str, ...]:
    why = "judged some system less than twice, or all of them alike"
    if not used:
        return (f"W within evaluators is undefined: every evaluator {why}",)
    if left_out:
        share = f"{len(left_out)} of {used + len(left_out)}"
        return (f"W within evaluators leaves out {share} who {why}: {list_some(left_out)}",)
    return ()


def repeat_consistency(judged: Judgements) -> RepeatConsistency:
    """How far second answers to the same trial differ from the first."""
    pairs = judged.repeats.merge(judged.main, on=CELL, suffixes=("_again", ""))
    gap = (pairs["value_again"] - pairs["value"]).abs()
    unmatched = len(judged.repeats) - len(pairs)
    warnings = [] if len(pairs) else ["self-consistency on repeats is undefined: no trial was answered twice"]
    if unmatched:
        warnings.append(f"{unmatched} repeat(s) have no first answer with a value to compare with; they are omitted")
    return RepeatConsistency(
        method="answers to the same trial shown twice",
        warnings=tuple(warnings),
        mean_absolute_difference=float(gap.mean()) if len(pairs) else math.nan,
        share_equal=float((gap == 0).mean()) if len(pairs) else math.nan,
        n=len(pairs),
        participants=int(pairs["participant"].nunique()),
    )


DRAWS = 1000
"""Of the bootstrap of alpha."""
_MEASURES = "Krippendorff's alpha, the intraclass correlation and leave-one-out agreement"


@dataclass(frozen=True)
class SharedTexts:
    """Agreement on single texts for one criterion; what cannot be computed is omitted, with its reason."""

    criterion: str
    interval: KrippendorffAlpha | None = None
    ordinal: KrippendorffAlpha | None = None
    icc: Icc | None = None
    """Needs every evaluator's judgement of every text."""
    leave_one_out: LeaveOneOut | None = None
    warnings: tuple[str, ...] = ()

    @property
    def results(self) -> tuple[Result, ...]:
        """All that could be computed."""
        return tuple(x for x in (self.interval, self.ordinal, self.icc, self.leave_one_out) if x is not None)

    def rows(self) -> list[tuple[object, ...]]:
        """As the table shows them."""
        rows: list[tuple[object, ...]] = [
            (self.criterion, f"alpha ({found.level})", found.alpha, *(found.ci or (None, None)), found.raters,
             found.units, None, None, None)
            for found in (self.interval, self.ordinal) if found is not None
        ]  # fmt: skip
        if self.icc is not None:
            forms = [self.icc.form(name) for name in ("ICC2", "ICC2k")]
            sizes = (self.icc.raters, self.icc.items)
            rows += [(self.criterion, form.name, form.icc, *form.ci, *sizes, None, None, None) for form in forms]
        if self.leave_one_out is not None:
            own = self.leave_one_out
            for name, x in (("r with the others", own.of_pearson), ("rho with the others", own.of_spearman)):
                texts = own.settings["items"]
                rows.append((self.criterion, name, x.mean, None, None, x.n, texts, x.min, x.max, x.sd))
        return rows


def shared_texts(judged: Judgements, criterion: str, *, confidence: float = 0.95, seed: int = 0) -> SharedTexts:
    """Krippendorff's alpha, intraclass correlations and leave-one-out agreement over texts (item × system).

    Args:
        judged: Answers to the criterion; one per evaluator and text.
        criterion: Its name.
        confidence: Of the intervals.
        seed: Of the bootstrap of alpha.
    """
    main = judged.main
    texts = main["item"] + " × " + main["system"]
    raters = texts.groupby(texts).size()
    if main.empty or raters.max() < 2:
        return SharedTexts(criterion, warnings=(_refused(len(main), main["participant"].nunique(), len(raters)),))
    long = LongRatings(main["value"].to_numpy(dtype=float), main["participant"].to_numpy(), texts.to_numpy())
    why: list[str] = []

    def alpha(level: Literal["interval", "ordinal"]) -> KrippendorffAlpha:
        found = krippendorff_alpha(long, level=level, draws=DRAWS, confidence=confidence, seed=seed)
        return found.about(criterion)

    found = SharedTexts(
        criterion,
        interval=_tried(lambda: alpha("interval"), why),
        ordinal=_tried(lambda: alpha("ordinal"), why),
        icc=_intraclass(main.assign(text=texts), criterion, confidence, why),
        leave_one_out=_tried(lambda: leave_one_out(long).about(criterion), why),
    )
    said = [*why, *(text for result in found.results for text in result.warnings)]
    return replace(found, warnings=tuple(dict.fromkeys(said)))


def _intraclass(main: pd.DataFrame, criterion: str, confidence: float, why: list[str]) -> Icc | None:
    cells = main["participant"].nunique() * main["text"].nunique()
    if len(main) < cells:
        why.append(
            "no intraclass correlation: it needs every evaluator's judgement of every text, and "
            f"{cells - len(main)} of {cells} are not there; alpha allows for that"
        )
        return None
    table = main.pivot(index="participant", columns="text", values="value").astype(float)
    values = table.to_numpy()
    return _tried(lambda: icc(values, confidence=confidence, raters=list(table.index)).about(criterion), why)


def _tried(compute: Callable[[], _Found], why: list[str]) -> _Found | None:
    """What comes of it, or nothing and the reason."""
    try:
        return compute()
    except DataError as error:
        why.append(str(error))
        return None


def _refused(answers: int, raters: int, texts: int) -> str:
    return (
        f"{_MEASURES} are refused: no two evaluators judged the same text ({answers} answers by {raters} evaluators to "
        f"{texts} texts); what can be told is whether they put the systems in the same order (Kendall's W)"
    )


def shared_texts_table(parts: Sequence[SharedTexts]) -> Table | None:
    """All measures of all criteria; nothing where there is none."""
    rows = tuple(row for part in parts for row in part.rows())
    if not rows:
        return None
    columns = (
        "Criterion", "Statistic", "Value", "Low", "High", "Evaluators", "Texts", "Least r", "Greatest r", "SD of r"
    )  # fmt: skip
    note = (
        "alpha: Krippendorff's, 1 full agreement, 0 chance; the ordinal one compares ranks and is the one for steps "
        "that need not be equal. ICC2 is the reliability of one evaluator, ICC2k that of the mean of all. r and rho: "
        "each evaluator against the mean of the others, the mean over evaluators (leave-one-out, Lapata 2006); one "
        "against a mean is more than one against one, so it is no ceiling for a metric that is held against a mean."
    )
    return Table("shared-texts", "Agreement on single texts", columns, rows, note)
