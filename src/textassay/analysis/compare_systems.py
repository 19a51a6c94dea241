"""Whether the systems differ: the valid tests first, the published ones beside them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from textassay.analysis.crossed_model import CrossedModel, crossed_model
from textassay.analysis.ordinal_systems import OrdinalSystems, ordinal_systems
from textassay.analysis.published_analysis import PublishedResults
from textassay.analysis.subjects_items import SubjectsItems
from textassay.analysis.wording import named_warnings, slug
from textassay.results import Analysis, Figure, Record, Result, Table
from textassay.stats import MarginalMeans
from textassay.stats.statistic import Statistic

MEANS_OF_ORDINAL = (
    "ratings are ordered answers, and their means take the steps of the scale as equal. The cumulative link model does "
    "not: where the two disagree and answers crowd at an end of the scale, trust it; its tests are approximations that "
    "want many participants and items"
)


@dataclass(frozen=True, kw_only=True)
class SignificantPairs(Statistic):
    """How many pairs of systems differ, out of all."""

    significant: int
    pairs: int
    alpha: float
    n: int
    """Answers."""

    def records(self) -> list[Record]:
        """One record."""
        return [self.record("significant pairs", self.significant, n=self.n, pairs=self.pairs, alpha=self.alpha)]


@dataclass(frozen=True)
class SystemComparison:
    """Systems compared on one criterion, in every way."""

    criterion: str
    published: PublishedResults
    model: CrossedModel
    ordinal: OrdinalSystems
    subjects_items: SubjectsItems
    alpha: float
    independent: bool = False
    """Whether each participant and each item has one answer only: then the published analysis is the valid one."""

    @property
    def results(self) -> tuple[Result, ...]:
        """Mixed model, count of pairs, cumulative link model, and whether evaluators agree on the order of systems."""
        counted = () if self.model.means is None else (significant_pairs(self.model.means),)
        return *self.model.results, *counted, *self.ordinal.results, self.published.between


def significant_pairs(means: MarginalMeans) -> SignificantPairs:
    """Those whose p, adjusted for all pairs, is below alpha."""
    alpha = means.pairs.alpha
    return SignificantPairs(
        method="mixed model, Tukey's adjustment",
        settings={"alpha": alpha, **means.settings},
        of=means.of,
        by="system",
        significant=means.pairs.n_significant,
        pairs=len(means.pairs),
        alpha=alpha,
        n=means.n,
    )


def systems_on(
    main: pd.DataFrame, published: PublishedResults, by: SubjectsItems, *, alpha: float, confidence: float
) -> SystemComparison:
    """Fit both models to the answers to one criterion.

    Args:
        main: First answers; columns `participant, item, system, value`.
        published: The published results of the criterion.
        by: Its analysis by subjects and by items.
        alpha: Level of significance.
        confidence: Level of intervals.
    """
    criterion = published.criterion
    linear = crossed_model(main, "value", of=criterion, better="higher", alpha=alpha, confidence=confidence)
    varying = None if linear.model is None else {each.group for each in linear.model.components}
    ordered = ordinal_systems(main, "value", of=criterion, varying=varying, confidence=confidence)
    independent = not any(main.duplicated(column).any() for column in ("participant", "item"))
    return SystemComparison(criterion, published, linear, ordered, by, alpha, independent)


def systems_compared(
    parts: Sequence[SystemComparison], *, scales: Mapping[str, tuple[float, float]], confidence: float
) -> Analysis:
    """Means, tests and pairs of all criteria.

    Args:
        parts: One per criterion.
        scales: Ends of the scale of each criterion, for the figures.
        confidence: Level of the intervals.
    """
    if not parts:
        return Analysis("systems", "Systems compared", warnings=("there are no answers to analyse",))
    said = [(part.criterion, [*part.model.warnings, *part.ordinal.warnings]) for part in parts]
    ordered = ordinal_table(parts, confidence)
    return Analysis(
        "systems",
        "Systems compared",
        results=tuple(result for part in parts for result in part.results),
        tables=(
            means_table(parts, confidence),
            tests_table(parts),
            pairs_table(parts, confidence),
            *((ordered,) if ordered else ()),
        ),
        figures=tuple(_figure(part, scales.get(part.criterion), confidence) for part in parts),
        warnings=(MEANS_OF_ORDINAL, *named_warnings(said)),
    )


def _figure(part: SystemComparison, scale: tuple[float, float] | None, confidence: float) -> Figure:
    """Means of the model; without one, plain means, without intervals where theirs would be too narrow."""
    model = part.model.means
    known = {} if model is None else {mean.name: (mean.estimate, *mean.ci) for mean in model.means}
    groups = []
    for each in part.published.means:
        plain = each.ci if part.independent else (math.nan, math.nan)
        mean, low, high = known.get(each.by, (each.mean, *plain))
        groups.append({"system": each.by, "mean": mean, "low": low, "high": high, "n": each.n})
    ends = scale or (None, None)
    level = f"{100 * confidence:g} %"
    note = f"Means of the mixed model with {level} intervals, which hold for other participants and other items."
    return Figure(
        name=f"means-{slug(part.criterion)}",
        title=f"Mean {part.criterion} of each system",
        kind="means",
        data={"criterion": part.criterion, "scale_from": ends[0], "scale_to": ends[1], "groups": groups},
        note=note if known else "Plain means; there is no mixed model.",
    )


Row = tuple[object, ...]
PREFER = {
    "mixed model": "first choice",
    "cumulative link model": "where steps may be unequal or answers crowd at an end",
    "min F′": "beside older work; safe, but blunt",
    "one-way ANOVA (published)": "beside Belz & Kow (2010) only; not valid here",
}
"""Test → when to prefer it."""
_LARGEST = 700.0
"""Logarithms of odds above this are too large for a number."""
_INDEPENDENT = "first choice: each participant and item has one answer"


def means_table(parts: Sequence[SystemComparison], confidence: float) -> Table:
    """Mean and spread of the answers, and what the mixed model makes of them."""
    rows: list[Row] = []
    for part in parts:
        found = part.model.means
        estimated: Mapping[str, Row] = {} if found is None else {x.name: (x.estimate, *x.ci) for x in found.means}
        rows += [
            (part.criterion, x.by, x.n, x.mean, x.sd, *estimated.get(x.by, (None, None, None)))
            for x in part.published.means
        ]
    return Table(
        "means",
        "Means of the systems",
        ("Criterion", "System", "n", "Mean", "SD", "Estimate", "Low", "High"),
        tuple(rows),
        note="Mean and SD: of the answers as they are. Estimate: mean of the mixed model, all participants and items "
        f"equal, with its {confidence * 100:g} % interval, which holds for other participants and other items.",
    )


def tests_table(parts: Sequence[SystemComparison]) -> Table:
    """Every test that systems differ."""
    rows = tuple((part.criterion, *row) for part in parts for row in _tests(part))
    return Table(
        "tests",
        "Do the systems differ?",
        ("Criterion", "Test", "Statistic", "Value", "df 1", "df 2", "p", "When to prefer it"),
        rows,
        note="The mixed model has participants and items as random, by themselves and with each system; the cumulative "
        "link model has them too, and only the order of the answers. The one-way analysis takes all answers as "
        "independent, which they are not: its p is mostly too small.",
    )


def _tests(part: SystemComparison) -> Iterator[Row]:
    if part.model.model is not None:
        linear = part.model.model.test("system")
        yield _row("mixed model", "F", linear.f, *linear.df, linear.p)
    if part.ordinal.model is not None:
        ordered = part.ordinal.model.test("system")
        yield _row("cumulative link model", "χ²", ordered.chi2, ordered.df, None, ordered.p)
    for line in part.subjects_items.lines:
        if line.test == "min F′":
            yield _row(line.test, "F", line.f, *line.df, line.p)
    published = part.published.variance[0]
    row = _row("one-way ANOVA (published)", "F", published.f, *published.df, published.p)
    yield (*row[:-1], _INDEPENDENT) if part.independent else row


def _row(test: str, *figures: object) -> Row:
    return test, *figures, PREFER[test]


def pairs_table(parts: Sequence[SystemComparison], confidence: float) -> Table:
    """Every pair of systems, by each method."""
    rows = tuple(row for part in parts for row in _pairs(part))
    return Table(
        "pairs",
        "All pairs of systems",
        ("Criterion", "System", "Other system", "Difference", "Low", "High", "p", "Significant", "p ordinal",
         "p published"),
        rows,
        note="Difference: mean of System less that of Other system in the mixed model; p and intervals are Tukey's and "
        f"hold for all pairs together (intervals at {confidence * 100:g} %). p ordinal: cumulative link model, Holm's "
        "correction. p published: Tukey's HSD over single answers, which are not independent.",
    )  # fmt: skip


def _pairs(part: SystemComparison) -> Iterator[Row]:
    """In the order of the published pairs; without a model, their differences alone."""
    for published in part.published.pairs.pairs:
        names = published.first, published.second
        found = None if part.model.means is None else part.model.means.pairs.get(*names)
        ordinal = None if part.ordinal.pairs is None else part.ordinal.pairs.get(*names)
        row: Row = (published.difference, None, None, None, None)
        if found is not None:
            row = (found.difference, *found.ci, found.p, found.significant)
        yield part.criterion, *names, *row, None if ordinal is None else ordinal.p, published.p


def ordinal_table(parts: Sequence[SystemComparison], confidence: float) -> Table | None:
    """Systems in the cumulative link model; nothing where there is none."""
    rows = tuple(row for part in parts for row in _ordered(part))
    if not rows:
        return None
    return Table(
        "ordinal",
        "Systems as ordered answers",
        ("Criterion", "System", "Compared with", "Log odds", "Low", "High", "Odds ratio", "z", "p"),
        rows,
        note="Cumulative link model: by how much the odds of a higher answer, at every step of the scale, differ from "
        f"those of the system compared with; {confidence * 100:g} % intervals and p of each system alone.",
    )


def _ordered(part: SystemComparison) -> Iterator[Row]:
    if part.ordinal.model is None:
        return
    found = {each.name.removeprefix("system[").removesuffix("]"): each for each in part.ordinal.model.coefficients}
    names = [mean.by for mean in part.published.means]
    first = next(name for name in names if name not in found)
    for name in (each for each in names if each in found):
        x = found[name]
        odds = math.exp(x.estimate) if x.estimate < _LARGEST else math.inf
        yield part.criterion, name, first, x.estimate, *x.ci, odds, x.z, x.p
