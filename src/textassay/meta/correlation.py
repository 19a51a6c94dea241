"""`correlate`: how far metrics agree with people."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import pandas as pd

from textassay.errors import UsageError
from textassay.meta.align import AlignedScores, Level, PeopleAndScores, read_tables
from textassay.results import Record, Result
from textassay.stats import Correlation, adjust_p, pearson, spearman
from textassay.stats.correlations.correlation import PERMUTATION_LIMIT

Coefficient = Literal["pearson", "spearman"]
By = Literal["item", "system"]


@dataclass(frozen=True)
class MetricAgreement:
    """One metric against one criterion."""

    metric: str
    criterion: str
    systems: str
    """`all`, or which system was omitted."""
    r: float
    n: int
    """Texts, systems, or groups that the mean is over."""
    p: float | None = None
    """Two-sided; nothing for a mean over groups."""
    ci: tuple[float, float] | None = None
    df: int | None = None
    exact: bool | None = None
    """Whether p comes from all orders and not from an approximation."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Correlations(Result):
    """Each metric against each criterion."""

    level: Level
    by: By | None
    coefficient: Coefficient
    agreements: tuple[MetricAgreement, ...]

    def records(self) -> list[Record]:
        """One record per metric, criterion and set of systems; `p_holm` is corrected for all of them together."""
        p = adjust_p([math.nan if one.p is None else one.p for one in self.agreements]).adjusted
        return [
            self.record(
                self.coefficient, one.r, of=f"{one.metric} and {one.criterion}", by=self.by or "", df=one.df, p=one.p,
                ci=one.ci, n=one.n, level=self.level, metric=one.metric, criterion=one.criterion, systems=one.systems,
                exact=one.exact, p_holm=None if one.p is None else corrected,
            )
            for one, corrected in zip(self.agreements, p, strict=True)
        ]  # fmt: skip


_COEFFICIENTS: dict[str, Callable[..., Correlation]] = {"pearson": pearson, "spearman": spearman}
_LEAST = 3
"""Two points always lie on a line."""


def correlate(
    judgements: pd.DataFrame,
    scores: pd.DataFrame,
    level: Level = "segment",
    by: By | None = None,
    coefficient: Coefficient = "pearson",
    *,
    reference_system: str | None = None,
    confidence: float = 0.95,
) -> Correlations:
    """The correlation of each metric's scores with people's mean judgements on each criterion.

    Args:
        judgements: Columns `participant, item, system, criterion, value`; averaged over participants first.
        scores: Columns `item, system, metric, value`; rows of whole systems have no item.
        level: `segment`: one pair a text. `system`: one pair a system, people's mean over its texts and the metric's
            corpus score (where there is none: its mean over the judged texts).
        by: At segment level, `item` or `system`: a correlation within each, then their mean; groups in which it is
            undefined are counted and omitted.
        coefficient: `pearson` or `spearman`.
        reference_system: A system that is also the reference, and so perfect by construction: everything is given
            with and without it.
        confidence: Of the intervals.

    The p is exact, from all orders, for up to 9 pairs; beyond, see `textassay.stats.pearson` and `spearman`.

    Raises:
        DataError: a table lacks a column or holds what cannot be used; the message says where.
    """
    _check(level, by, coefficient)
    tables = read_tables(judgements, scores)
    return correlate_tables(tables, level, by, coefficient, reference_system=reference_system, confidence=confidence)


def correlate_tables(
    tables: PeopleAndScores,
    level: Level,
    by: By | None,
    coefficient: Coefficient,
    *,
    reference_system: str | None = None,
    confidence: float = 0.95,
) -> Correlations:
    """The same from tables that were read already."""
    agreements, warnings = [], list(tables.warnings)
    sources = set()
    for aligned in tables.aligned(level):
        sources.add(aligned.scores_are)
        found = [_agreement(aligned, "all", by, coefficient, confidence)]
        if reference_system in aligned.systems:
            left = aligned.without(str(reference_system))
            found.append(_agreement(left, f"without {reference_system}", by, coefficient, confidence))
        agreements += found
        warnings += [f"{aligned.metric} and {aligned.criterion}: {note}" for note in aligned.notes]
        warnings += [f"{_place(one, level, coefficient)}: {text}" for one in found for text in one.warnings]
    if not agreements:
        warnings.append("nothing to correlate: there are no judgements or no scores")
    return Correlations(
        method=f"{coefficient.title()} correlation of metrics with people",
        settings={
            "level": level, "by": by or "none", "judgements": "mean over participants",
            "scores": ", ".join(sorted(sources)), "reference": reference_system or "none", "confidence": confidence,
            "p": "two-sided; all orders where n is at most 9, else t" if coefficient == "pearson"
            else "two-sided; exact or series without ties, else t",
            "ci": "Fisher" if coefficient == "pearson" else "Bonett-Wright",
        },
        warnings=tuple(dict.fromkeys(warnings)),
        level=level,
        by=by,
        coefficient=coefficient,
        agreements=tuple(agreements),
    )  # fmt: skip


def _place(one: MetricAgreement, level: Level, coefficient: Coefficient) -> str:
    left_out = "" if one.systems == "all" else f", {one.systems}"
    return f"{one.metric} and {one.criterion} ({coefficient}, {level} level{left_out})"


def _check(level: str, by: str | None, coefficient: str) -> None:
    for name, value, known in (("level", level, Level), ("by", by, By), ("coefficient", coefficient, Coefficient)):
        if value not in get_args(known) and not (name == "by" and value is None):
            raise UsageError(f"{name} is {value!r}; choose one of: {', '.join(get_args(known))}")
    if by is not None and level == "system":
        raise UsageError(f"by={by!r} groups texts and needs level='segment'; at system level there is one group")


def _agreement(
    aligned: AlignedScores, systems: str, by: By | None, coefficient: Coefficient, confidence: float
) -> MetricAgreement:
    if by is not None:
        return _mean_over_groups(aligned, systems, by, coefficient)
    pairs = aligned.pairs
    reason = _undefined(pairs, aligned.level)
    if reason:
        nothing = (math.nan, math.nan)
        return MetricAgreement(
            aligned.metric, aligned.criterion, systems, math.nan, len(pairs), math.nan, nothing, warnings=(reason,)
        )
    result = _COEFFICIENTS[coefficient](
        pairs["score"], pairs["judgement"], confidence=confidence,
        p="permutation" if len(pairs) <= PERMUTATION_LIMIT else "auto",
    )  # fmt: skip
    warnings = tuple(
        text.replace("x is", "the score is").replace("y is", "the judgement is") for text in result.warnings
    )
    return MetricAgreement(
        aligned.metric,
        aligned.criterion,
        systems,
        result.r,
        result.n,
        result.p,
        result.ci,
        result.df,
        result.exact,
        warnings,
    )


def _mean_over_groups(aligned: AlignedScores, systems: str, by: By, coefficient: Coefficient) -> MetricAgreement:
    groups = [group for _, group in aligned.pairs.groupby(by, sort=False)]
    defined = [group for group in groups if not _undefined(group, aligned.level)]
    values = [_COEFFICIENTS[coefficient](group["score"], group["judgement"], p="t").r for group in defined]
    warnings = []
    if len(defined) < len(groups):
        warnings.append(
            f"{len(groups) - len(defined)} of {len(groups)} groups have fewer than {_LEAST} texts or only equal "
            "values; the mean is over the others"
        )
    if not values:
        warnings.append("no group has a correlation, so their mean is undefined")
    mean = float(np.mean(values)) if values else math.nan
    return MetricAgreement(aligned.metric, aligned.criterion, systems, mean, len(values), warnings=tuple(warnings))


def _undefined(pairs: pd.DataFrame, level: Level) -> str:
    """Why there is no correlation; empty where there is one."""
    if len(pairs) < _LEAST:
        what = "texts" if level == "segment" else "systems"
        return f"{len(pairs)} {what} have both a judgement and a score; a correlation needs {_LEAST}"
    for column in ("score", "judgement"):
        values = pairs[column].to_numpy()
        if np.all(values == values[0]):
            return f"all {len(values)} {column}s are equal ({values[0]:g}), so there is no correlation"
    return ""
