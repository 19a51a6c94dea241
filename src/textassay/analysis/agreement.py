"""How far evaluators agree with each other and with themselves."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from textassay.analysis.judgements import CELL, Judgements
from textassay.results import Record
from textassay.stats import KendallW, kendall_w
from textassay.stats.statistic import Statistic

_NAMED = 5
"""How many names a warning lists."""
_TIE_DIGITS = 9
"""Means are compared to so many decimals, so that rounding does not break ties."""


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


def between_evaluators(judged: Judgements) -> KendallW:
    """Kendall's W between evaluators, on each evaluator's mean for each system (Belz & Kow 2010)."""
    means = judged.main.pivot_table(index="participant", columns="system", values="value", aggfunc="mean")
    means = means.astype(float).round(_TIE_DIGITS)
    gaps = means.isna().any(axis=1)
    complete = means[~gaps]
    result = kendall_w(complete.to_numpy(dtype=float), raters=list(complete.index), items=list(complete.columns))
    settings = {"between": "evaluators", "on": "mean a system", **result.settings}
    left_out = []
    if gaps.any():
        who = _some(list(means.index[gaps]))
        left_out = [f"W between evaluators leaves out {int(gaps.sum())} of {len(means)} without every system: {who}"]
    warnings = (*left_out, *result.warnings)
    return replace(result, method="Kendall's W between evaluators", settings=settings, warnings=warnings, by="System")


def within_evaluators(judged: Judgements) -> WithinEvaluators:
    """Mean over evaluators of the W of their own repeated judgements of the systems (Belz & Kow 2010).

    The n-th judgement of a system, in the order in which the evaluator gave them, belongs to round n; W is taken over
    the rounds in which every system was judged.
    """
    main = judged.main.assign(round=judged.main.groupby(["participant", "system"]).cumcount())
    rounds = main.pivot_table(index=["participant", "round"], columns="system", values="value")
    complete = {str(name): own.to_numpy(dtype=float) for name, own in rounds.dropna().groupby(level="participant")}
    per_evaluator, left_out = [], []
    for participant in sorted(set(main["participant"])):
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
        return (
            f"W within evaluators leaves out {len(left_out)} of {used + len(left_out)} who {why}: {_some(left_out)}",
        )
    return ()


def repeat_consistency(judged: Judgements) -> RepeatConsistency:
    """How far second answers to the same trial differ from the first."""
    pairs = judged.repeats.merge(judged.main, on=CELL, suffixes=("_again", ""))
    gap = (pairs["value_again"] - pairs["value"]).abs()
    unmatched = len(judged.repeats) - len(pairs)
    warnings = [] if len(pairs) else ["self-consistency on repeats is undefined: no trial was answered twice"]
    if unmatched:
        warnings.append(f"{unmatched} repeat(s) have no first answer to compare with; they are left out")
    return RepeatConsistency(
        method="answers to the same trial shown twice",
        warnings=tuple(warnings),
        mean_absolute_difference=float(gap.mean()) if len(pairs) else math.nan,
        share_equal=float((gap == 0).mean()) if len(pairs) else math.nan,
        n=len(pairs),
        participants=int(pairs["participant"].nunique()),
    )


def _some(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
