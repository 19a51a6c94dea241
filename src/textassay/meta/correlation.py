"""`correlate`: how far metrics agree with people, within items, over all texts, within systems and over systems.

Texts of one system are alike, and so are texts of one item, on both sides. No p here takes texts as independent: whole
systems of the metric, whole items, or both are exchanged.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

import numpy as np
import pandas as pd

from textassay.errors import UsageError
from textassay.known_names import check_choice
from textassay.meta.alignment import AlignmentOptions, ScoreGrid, score_grids
from textassay.meta.coefficients import NO_CHANCE_LEVEL, PRODUCT_MOMENT, By, Coefficient, grouped, paired_grids
from textassay.meta.like_with_like import IntervalOptions, ceiling, interval
from textassay.meta.system_permutation import (
    Exchanges,
    PermutationTest,
    permute_items,
    permute_system_scores,
    permute_systems,
)
from textassay.meta.text_permutation import permute_systems_and_items, permute_texts
from textassay.results import Record, Result
from textassay.stats import Correlation, KendallTau, adjust_p, kendall_tau, pearson, spearman
from textassay.stats.samples import FloatArray

Level = Literal["segment", "system"]
LEVELS: dict[tuple[Level, By | None], str] = {
    ("segment", "item"): "within items",
    ("segment", None): "all texts",
    ("segment", "system"): "within systems",
    ("system", None): "systems",
}
"""Level and grouping → what tables call it; the first leads."""
_ONE_TEXT = "each item has one text, so there is no agreement within items"
_TWO_TEXTS = (
    "an item has two texts, and two points always lie on a line; pairwise accuracy (--coefficient accuracy) tells how "
    "often a metric prefers the text that people prefer"
)
_UNITS = {"within items": "items", "all texts": "texts", "within systems": "systems", "systems": "systems"}


@dataclass(frozen=True)
class CorrelationOptions:
    """How agreement is measured and tested."""

    alignment: AlignmentOptions = field(default_factory=AlignmentOptions)
    alpha: float = 0.05
    """Level of significance."""
    exchanges: Exchanges = field(default_factory=Exchanges)
    intervals: IntervalOptions | None = field(default_factory=IntervalOptions)
    """How intervals are drawn; none without."""
    given_signs: bool = False
    """Show the correlation of a metric that counts errors with the sign that it has without turning."""
    significant_groups: float | None = None
    """The mean within items (or systems) over those alone whose own p is at most this. It is what some published
    figures are; it makes a metric look better than it is, so there is no p."""


@dataclass(frozen=True)
class MetricAgreement:
    """One metric against one criterion."""

    metric: str
    criterion: str
    systems: str
    """`all`, or which system was omitted."""
    value: float
    """More is agreement: scores of metrics that count errors are turned."""
    n: int
    """Texts, systems, or groups that the mean is over."""
    ci: tuple[float, float] = (math.nan, math.nan)
    """Systems and items drawn again; with fewer than 6 systems items only."""
    scope: str = ""
    """What the interval holds for: `for systems and items like these`, `for these systems` …"""
    reliability: float = math.nan
    """Of people's means at the same level, over the same texts."""
    ceiling: float = math.nan
    """Its square root: the highest correlation that a perfect metric can be expected to have."""
    p: float = math.nan
    """Two-sided, by exchanging whole systems or items."""
    least_p: float = math.nan
    """The smallest p that there can be."""
    exact: bool = False
    """Whether all exchanges were counted."""
    exchanges: int = 0
    turned: bool = False
    """Whether the metric or the criterion (not both) counts errors, so that the sign was turned."""
    less_is_better: bool = False
    """Whether the criterion counts errors; the agreement is with people who prefer less of it."""
    leads: bool = True
    """Whether it stands in key results: without a system that is the reference."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Correlations(Result):
    """Each metric against each criterion."""

    level: Level
    by: By | None
    coefficient: Coefficient
    agreements: tuple[MetricAgreement, ...]
    given_signs: bool = False
    confidence: float = 0.95
    """Of the intervals."""
    significant_groups: float | None = None
    """Where the means are over chosen groups alone: the largest p of a group."""

    @property
    def name(self) -> str:
        """What tables call the level."""
        return LEVELS[self.level, self.by]

    @property
    def unit(self) -> str:
        """What `n` counts."""
        return _UNITS[self.name]

    def shown(self, one: MetricAgreement) -> float:
        """The figure with the sign that was asked for."""
        return one.value if self._unsigned(one) else 0.0 - one.value

    def shown_ci(self, one: MetricAgreement) -> tuple[float, float]:
        """The interval of the figure that is shown."""
        return one.ci if self._unsigned(one) else (0.0 - one.ci[1], 0.0 - one.ci[0])

    def _unsigned(self, one: MetricAgreement) -> bool:
        return self.coefficient in NO_CHANCE_LEVEL or not self.given_signs or not one.turned

    def records(self) -> list[Record]:
        """One record per metric, criterion and set of systems.

        `p_holm` is corrected for all metrics and criteria that lead, and apart from them for those with the reference.
        """
        corrected: dict[int, float] = {}
        for leads in (True, False):
            own = [place for place, one in enumerate(self.agreements) if one.leads is leads]
            p = adjust_p([self.agreements[place].p for place in own]).adjusted
            corrected.update(zip(own, map(float, p), strict=True))
        return [
            self.record(
                self.coefficient, self.shown(one), of=f"{one.metric} and {one.criterion}", by=self.by or "", p=one.p,
                ci=None if math.isnan(one.ci[0]) else self.shown_ci(one), n=one.n,
                level=self.level, metric=one.metric, criterion=one.criterion, systems=one.systems,
                p_holm=corrected[place], least_p=one.least_p, exact=one.exact, exchanges=one.exchanges,
                turned=one.turned, leads=one.leads, ci_holds=one.scope, reliability=one.reliability,
                ceiling=one.ceiling,
            )
            for place, one in enumerate(self.agreements)
        ]  # fmt: skip


def correlate(
    judgements: pd.DataFrame,
    scores: pd.DataFrame,
    level: Level = "segment",
    by: By | None = "item",
    coefficient: Coefficient = "pearson",
    *,
    options: CorrelationOptions | None = None,
) -> Correlations:
    """The agreement of each metric's scores with people's judgements on each criterion.

    Args:
        judgements: Columns `participant, item, system, criterion, value`.
        scores: Columns `item, system, metric, value`; rows of whole systems have no item.
        level: `segment`: texts. `system`: one pair per system, people's mean over its texts and the metric's score.
        by: At segment level, `item` or `system`: the agreement within each, then their mean; groups in which it is
            undefined are counted and omitted. None: all texts together.
        coefficient: See `Coefficient`.
        options: How both are brought together and tested.

    p within items comes from exchanging whole systems of the metric, the same for all items; over all texts systems and
    items are exchanged; within systems, items. With one text per item there is nothing within items, and texts are
    exchanged within systems.

    Raises:
        DataError: a table lacks a column or holds what cannot be used; the message says where.
    """
    options = options or CorrelationOptions()
    by = None if level == "system" and by == "item" else by
    _check(level, by, coefficient)
    return correlate_grids(score_grids(judgements, scores, options.alignment), level, by, coefficient, options)


def correlate_grids(
    grids: Sequence[ScoreGrid],
    level: Level,
    by: By | None,
    coefficient: Coefficient,
    options: CorrelationOptions | None = None,
) -> Correlations:
    """The same from judgements and scores that were brought together already."""
    options = options or CorrelationOptions()
    agreements, warnings, sources = [], [], set()
    for grid in grids:
        warnings += [f"{grid.criterion}: {note}" for note in grid.notes]
        for metric in grid.metrics:
            sources.add(grid.scores_are[metric])
            warnings += [f"{metric} and {grid.criterion}: {note}" for note in grid.metric_notes.get(metric, ())]
            parts = _parts(grid, metric)
            found = [_agreement(part, metric, which, level, by, coefficient, options) for which, part in parts]
            agreements += found
            place = f"{coefficient}, {LEVELS[level, by]}"
            warnings += [f"{_place(one, place)}: {text}" for one in found for text in one.warnings]
    if not agreements:
        warnings.append("nothing to correlate: there are no judgements or no scores")
    alignment = options.alignment
    return Correlations(
        method=f"agreement of metrics with people, {coefficient}",
        settings={
            "level": level, "by": by or "none", "raters": alignment.raters,
            **({"scores": ", ".join(sorted(sources))} if level == "system" else {}),
            "reference": alignment.reference_system or "none", "p": "two-sided, exchanges of systems or items",
            **({"ci": f"{options.intervals.confidence:g}"} if options.intervals else {}),
            "signs": "as given" if options.given_signs else "more is agreement",
            **({"groups": f"those with p ≤ {options.significant_groups:g}"} if options.significant_groups else {}),
        },
        warnings=tuple(dict.fromkeys(warnings)),
        level=level,
        by=by,
        coefficient=coefficient,
        agreements=tuple(agreements),
        given_signs=options.given_signs,
        confidence=options.intervals.confidence if options.intervals else 0.95,
        significant_groups=options.significant_groups if by is not None else None,
    )  # fmt: skip


def _place(one: MetricAgreement, place: str) -> str:
    left_out = "" if one.systems == "all" else f", {one.systems}"
    return f"{one.metric} and {one.criterion} ({place}{left_out})"


def _check(level: str, by: str | None, coefficient: str) -> None:
    for name, value, known in (("level", level, Level), ("by", by, By), ("coefficient", coefficient, Coefficient)):
        if not (name == "by" and value is None):
            check_choice(name, value, get_args(known))
    if by is not None and level == "system":
        raise UsageError(f"by={by!r} groups texts and needs level='segment'; at system level there is one group")


def _parts(grid: ScoreGrid, metric: str) -> list[tuple[str, ScoreGrid]]:
    """What is compared: for metrics that compare with references without that system, which leads, and with it."""
    if grid.reference is None or metric not in grid.comparing:
        return [("all", grid)]
    return [(f"without {grid.reference}", grid.without(grid.reference)), ("all", grid)]


def _agreement(
    grid: ScoreGrid,
    metric: str,
    which: str,
    level: Level,
    by: By | None,
    coefficient: Coefficient,
    options: CorrelationOptions,
) -> MetricAgreement:
    people, scores = grid.people, grid.scores[metric]
    if level == "system":
        people, scores = grid.system_people[None, :], grid.system_scores[metric][None, :]
    unknown = MetricAgreement(
        value=math.nan, n=0, metric=metric, criterion=grid.criterion, systems=which,
        leads=grid.reference is None or metric not in grid.comparing,
        turned=(metric in grid.turned) != grid.people_turned, less_is_better=grid.people_turned,
    )  # fmt: skip
    reason = _undefined(grid, metric, level, by, coefficient)
    if reason:
        return replace(unknown, warnings=(reason,))
    if options.significant_groups is not None and by is not None:
        value, n, note = _of_significant(people, scores, by, coefficient, options.significant_groups)
        return replace(unknown, value=value, n=n, warnings=(note,))
    test = _tested(grid, people, scores, level, by, coefficient, options.exchanges)
    pairs = int(np.isfinite(paired_grids(people, scores)[0]).sum())
    notes = _notes(people, scores, level, by, coefficient, test)
    systems = level == "system"
    reached = ceiling(grid, metric, systems=systems, by=by, coefficient=coefficient)
    found = replace(
        unknown, value=test.value, n=test.groups if by is not None else pairs, p=test.p, least_p=test.least_p,
        exact=test.exact, exchanges=test.permutations, reliability=reached.reliability, ceiling=reached.ceiling,
    )  # fmt: skip
    if options.intervals is not None:
        drawn = interval(grid, metric, systems=systems, by=by, coefficient=coefficient, options=options.intervals)
        found = replace(found, ci=drawn.ci, scope=drawn.scope)
        notes += [f"no interval: {drawn.reason}"] if drawn.reason and not math.isnan(test.value) else []
    return replace(found, warnings=tuple(notes))


def _undefined(grid: ScoreGrid, metric: str, level: Level, by: By | None, coefficient: Coefficient) -> str:
    """Why there is no figure at all; empty where there may be one."""
    if by == "system" and len(grid.systems) == 1:
        return "there is one system, so this is the same as over all texts"
    if level == "segment" and not np.isfinite(grid.scores[metric]).any():
        return "no judged text has a score of its own"
    if by == "item" and grid.texts_per_item < 2:
        return _ONE_TEXT
    if by == "item" and coefficient in PRODUCT_MOMENT:
        texts = np.isfinite(grid.people + grid.scores[metric]).sum(axis=1)
        return _TWO_TEXTS if texts.max(initial=0) == 2 else ""
    return ""


def _tested(
    grid: ScoreGrid,
    people: FloatArray,
    scores: FloatArray,
    level: Level,
    by: By | None,
    coefficient: Coefficient,
    exchanges: Exchanges,
) -> PermutationTest:
    if level == "system":
        return permute_system_scores(people[0], scores[0], coefficient, exchanges)
    if by == "item":
        return permute_systems(people, scores, coefficient, exchanges)
    if grid.texts_per_item < 2:
        return permute_texts(people, scores, coefficient, by, exchanges)
    permute = permute_items if by == "system" else permute_systems_and_items
    return permute(people, scores, coefficient, exchanges)


def _notes(
    people: FloatArray, scores: FloatArray, level: Level, by: By | None, coefficient: Coefficient, test: PermutationTest
) -> list[str]:
    """Why the figure or its p is undefined, and which groups it leaves out."""
    kind: By | None = "item" if level == "system" else by
    found = grouped(people, scores, kind, coefficient)
    unit = "systems" if level == "system" else "texts"
    reasons = {why.replace("texts", unit): count for why, count in found.undefined.items()}
    if not found.defined:
        return [f"undefined: {'; '.join(reasons) or 'nothing has a judgement and a score'}"]
    notes = []
    if reasons:
        total = len(found.values)
        why = "; ".join(f"{count}: {text}" for text, count in reasons.items())
        notes.append(f"{total - found.defined} of {total} {by or 'group'}s have no value and are omitted ({why})")
    if test.reason:
        notes.append(f"no p: {test.reason}")
    return notes


def _of_significant(
    people: FloatArray, scores: FloatArray, by: By, coefficient: Coefficient, alpha: float
) -> tuple[float, int, str]:
    """The mean over the groups whose own p is at most alpha, their number, and what to think of it."""
    tests: dict[str, Callable[..., Correlation | KendallTau]] = {
        "pearson": pearson, "spearman": spearman, "tau-b": kendall_tau,
    }  # fmt: skip
    test = tests.get(coefficient)
    if test is None:
        raise UsageError(f"there is no p of {coefficient} within one {by}; choose pearson, spearman or tau-b")
    found = grouped(people, scores, by, coefficient)
    grids = (grid if by == "item" else grid.T for grid in paired_grids(people, scores))
    rows = zip(*grids, found.values, strict=True)
    kept = [
        value
        for one, other, value in rows
        if not math.isnan(value) and test(other[np.isfinite(other)], one[np.isfinite(one)]).p <= alpha
    ]
    note = (
        f"the mean over {len(kept)} of {found.defined} {by}s, those with p ≤ {alpha:g} of their own: it makes a metric "
        "look better than it is"
    )
    return (float(np.mean(kept)) if kept else math.nan), len(kept), note
