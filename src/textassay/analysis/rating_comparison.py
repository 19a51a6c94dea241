"""Ratings of systems compared on each criterion: the valid tests first, the published ones beside them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import pandas as pd

from textassay.analysis.compare_systems import (
    Interval,
    SystemComparison,
    SystemTest,
    corrected_over,
    pairs_table,
    system_tests_table,
)
from textassay.analysis.crossed_model import ABOUT_MIXED, CrossedModel, crossed_model
from textassay.analysis.headlines import Evidence, Wording, system_headline
from textassay.analysis.leading_test import (
    ABOUT_LEADING,
    ABOUT_PAIRS,
    LEADING,
    LeadingTest,
    for_whom,
    leading_test,
)
from textassay.analysis.options import RecipeOptions
from textassay.analysis.order_effects import OrderEffects, order_cautions, order_effects, order_table
from textassay.analysis.ordinal_systems import OrdinalSystems, ordinal_systems
from textassay.analysis.page_positions import (
    PositionEffect,
    position_cautions,
    rating_position_table,
    rating_positions,
)
from textassay.analysis.published_analysis import PublishedResults
from textassay.analysis.subjects_items import SubjectsItems
from textassay.analysis.system_means import groups_figure
from textassay.analysis.table_builder import Columns, TableColumn, build_table, interval_columns
from textassay.analysis.variance_table import variance_table
from textassay.analysis.wording import named_warnings, per_cent, slug
from textassay.headline import Headline
from textassay.report.numbers import p_in_words
from textassay.results import Analysis, Figure, Result, Table
from textassay.stats import MeanInterval
from textassay.stats.mean_interval import NO_BOUNDS, Bounds

MEANS_OF_ORDINAL = (
    "ratings are ordered answers, and their means take the steps of the scale as equal. The cumulative link model does "
    "not: where the two disagree and answers crowd at an end of the scale, trust it; its tests are approximations that "
    "want many participants and items"
)
PREFER = {
    "mixed model": "beside it: takes the variances of all systems as equal",
    "cumulative link model": "where steps may be unequal or answers crowd at an end",
    "min F′": "beside older work; safe, but blunt",
}
"""Test → when to prefer it."""
_LARGEST = 700.0
"""Logarithms of odds above this are too large for a number."""


@dataclass(frozen=True)
class RatingComparison:
    """Systems compared on one criterion, in every way."""

    criterion: str
    published: PublishedResults
    leading: LeadingTest
    model: CrossedModel
    ordinal: OrdinalSystems
    subjects_items: SubjectsItems
    participants: int
    items: int
    scale: Bounds = NO_BOUNDS
    order: OrderEffects | None = None
    """Of place and previous system, where places are known."""
    positions: PositionEffect | None = None
    """Of the place on the page, where several texts were rated together."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """All that is to be said, without the criterion's name; of a single system, that nothing is compared."""
        leading = () if self.published.one_system else self.leading.warnings
        return *leading, *self.model.warnings, *self.ordinal.warnings

    @property
    def results(self) -> tuple[Result, ...]:
        """Leading test, mixed and cumulative link model, agreement on the order of systems, effects of places."""
        if self.published.one_system:  # its mean is all there is; `warnings` says why
            return tuple(replace(each, warnings=()) for each in self.leading.results)
        places = tuple(each for each in (self.order, self.positions) if each is not None)
        return *self.leading.results, *self.model.results, *self.ordinal.results, self.published.between, *places

    @cached_property
    def systems(self) -> SystemComparison:
        """Tests, estimates and pairs."""
        return SystemComparison(
            measure=self.criterion,
            tests=tuple(self._tests()),
            estimates=self.leading.estimates(self.scale),
            pairs=self.leading.pairs,
            equivalence=self.leading.equivalence,
            further_pairs={"p ordinal": self.ordinal.pairs},
            plain=self.published.pairs.pairs,
        )

    @cached_property
    def values(self) -> dict[str, Interval]:
        """By system its adjusted mean; else the plain mean, without an interval, which would be too narrow."""
        known, none = self.systems.estimates, (math.nan, math.nan)
        return {each.by: known.get(each.by, (each.mean, *none)) for each in self.published.means}

    def _tests(self) -> Iterator[SystemTest]:
        yield from self.leading.tests
        if self.model.model is not None:
            linear = self.model.model.test("system")
            yield SystemTest("mixed model", "F", linear.f, linear.df, linear.p, PREFER["mixed model"])
        if self.ordinal.model is not None:
            name, ordered = "cumulative link model", self.ordinal.model.test("system")
            yield SystemTest(name, "χ²", ordered.chi2, (ordered.df, None), ordered.p, PREFER[name])
        for line in self.subjects_items.lines:
            if line.test in PREFER:
                yield SystemTest(line.test, "F", line.f, line.df, line.p, PREFER[line.test])


def compare_ratings(
    main: pd.DataFrame, published: PublishedResults, by: SubjectsItems, options: RecipeOptions
) -> RatingComparison:
    """The leading test, and both models beside it, of the answers to one criterion.

    Args:
        main: First answers; columns `participant, item, system, value`.
        published: The published results of the criterion.
        by: Its analysis by subjects and by items.
        options: Levels of tests and intervals.
    """
    of, alpha, confidence = published.criterion, options.alpha, options.confidence
    leading = leading_test(main, "value", of=of, options=options, better="higher")
    linear = crossed_model(main, "value", of=of, better="higher", alpha=alpha, confidence=confidence)
    varying = None if linear.model is None else {each.group for each in linear.model.components}
    ordered = ordinal_systems(main, "value", of=of, varying=varying, alpha=alpha, confidence=confidence)
    people, items = main["participant"].nunique(), main["item"].nunique()
    scale = options.scales.get(of) or NO_BOUNDS
    leading = leading.standardised(linear.answer_sd)
    order = order_effects(main, "value", leading, of=of, options=options)
    shown = rating_positions(main, leading, options)
    return RatingComparison(of, published, leading, linear, ordered, by, people, items, scale, order, shown)


def systems_compared(parts: Sequence[RatingComparison], options: RecipeOptions) -> Analysis:
    """Means, tests and pairs of all criteria."""
    if not parts:
        return Analysis("systems", "Systems compared", warnings=("there are no answers to analyse",))
    said = [(part.criterion, part.warnings) for part in parts]
    of_means = () if all(part.published.one_system for part in parts) else (MEANS_OF_ORDINAL,)
    found, level = [part.systems for part in parts], per_cent(options.confidence)
    orders, corrected = [part.order for part in parts], corrected_over(found)
    positions = [part.positions for part in parts]
    more = (
        variance_table([part.model for part in parts]),
        _ordinal_table(parts, level),
        order_table(orders),
        rating_position_table(positions, options.confidence),
    )
    return Analysis(
        "systems",
        "Systems compared",
        results=tuple(result for part in parts for result in part.results),
        tables=(
            _means_table(parts, level),
            system_tests_table(found, note=_TESTS),
            pairs_table(found, note=_PAIRS.format(level=level)),
            *(replace(table, detail=True) for table in more if table is not None),
        ),
        figures=tuple(_figure(part, options.scales.get(part.criterion), level) for part in parts),
        warnings=(*of_means, *named_warnings(said)),
        headlines=tuple(rating_headline(part, options, corrected) for part in parts),
        cautions=(
            *(text for part in found for text in disagreements(part, options.alpha)),
            *order_cautions(orders),
            *position_cautions(positions),
        ),
    )


def disagreements(part: SystemComparison, alpha: float) -> Iterator[str]:
    """What a reader must know where the model of means finds a difference and that of ordered answers none, or reverse.

    >>> names = (LEADING, "cumulative link model")
    >>> tests = [SystemTest(name, "F", 3.0, (1, 9), p, "") for name, p in zip(names, (0.03, 0.2))]
    >>> list(disagreements(SystemComparison(measure="clarity", tests=tuple(tests)), 0.05))[0][:87]
    'clarity: the ANOVA-type test (p = .030) and the cumulative link model (p = .200) disagr'
    """
    p = {test.name: test.p for test in part.tests}
    linear, ordered = (p.get(name, math.nan) for name in (LEADING, "cumulative link model"))
    if not math.isnan(linear + ordered) and (linear < alpha) != (ordered < alpha):
        yield (
            f"{part.measure}: the {LEADING} ({p_in_words(linear)}) and the cumulative link model "
            f"({p_in_words(ordered)}) disagree on "
            "whether the systems differ; where answers crowd at an end of the scale, trust the second"
        )


def rating_headline(
    part: RatingComparison, options: RecipeOptions, corrected: Mapping[str, float] | None = None
) -> Headline:
    """Who was rated highest on the criterion; `corrected` has the p of all criteria, corrected over them."""
    scale = options.scales.get(part.criterion)
    words = Wording(
        best="was rated highest",
        worst="lowest",
        beats="was rated higher than",
        on=f" on {part.criterion}",
        scale="" if scale is None else f" on the scale from {scale[0]:g} to {scale[1]:g}",
        bounds=scale or (-math.inf, math.inf),
    )
    evidence = Evidence(
        values=part.values,
        participants=part.participants,
        items=part.items,
        confidence=options.confidence,
        alpha=options.alpha,
        caveat=part.leading.caveat,
        corrected=corrected or {},
    )
    return system_headline(part.systems, words, evidence)


_TESTS = f"{ABOUT_LEADING} {ABOUT_MIXED}; the cumulative link model has them too, and only the order of the answers."
_PAIRS = (
    f"Difference: adjusted mean of First − that of Second. {ABOUT_PAIRS} p ordinal: cumulative link model, Holm's "
    "correction."
)


def _figure(part: RatingComparison, scale: tuple[float, float] | None, level: str) -> Figure:
    """Adjusted means; where there are none, plain means without intervals."""
    groups = []
    for each in part.published.means:
        mean, low, high = part.values[each.by]
        groups.append({"system": each.by, "mean": mean, "low": low, "high": high, "n": each.n})
    note = part.leading.about_means(level)
    return groups_figure(
        f"means-{slug(part.criterion)}",
        f"Mean {part.criterion} of each system",
        part.criterion,
        groups,
        scale or (None, None),
        note if part.systems.estimates else "Plain means.",
    )


def _means_table(parts: Sequence[RatingComparison], level: str) -> Table:
    """Mean and spread of the answers, and the mean with participants and items taken out."""
    rows = [
        (part.criterion, (mean, part.systems.estimates.get(mean.by))) for part in parts for mean in part.published.means
    ]
    columns: Columns[tuple[MeanInterval, tuple[float, float, float] | None]] = (
        TableColumn("System", lambda both: both[0].by),
        TableColumn("n", lambda both: both[0].n),
        TableColumn("Mean", lambda both: both[0].mean),
        TableColumn("Least", lambda both: both[0].least),
        TableColumn("Most", lambda both: both[0].most),
        TableColumn("SD", lambda both: both[0].sd),
        TableColumn("Estimate", lambda both: None if both[1] is None else both[1][0]),
        *interval_columns(lambda both: None if both[1] is None else both[1][1:]),
    )
    note = (
        "Mean, Least, Most and SD: of the answers as they are. Estimate: mean with the differences between "
        f"participants and between items taken out, with its {level} interval, which holds for "
        f"{for_whom(part.leading for part in parts)}."
    )
    return build_table("means", "Means of the systems", columns, rows, labels=("Criterion",), note=note)


def _ordinal_table(parts: Sequence[RatingComparison], level: str) -> Table | None:
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
        f"those of the system compared with; {level} intervals and p of each system alone.",
    )


def _ordered(part: RatingComparison) -> Iterator[tuple[object, ...]]:
    if part.ordinal.model is None:
        return
    found = {each.name.removeprefix("system[").removesuffix("]"): each for each in part.ordinal.model.coefficients}
    names = [mean.by for mean in part.published.means]
    first = next(name for name in names if name not in found)
    for name in (each for each in names if each in found):
        x = found[name]
        odds = math.exp(x.estimate) if x.estimate < _LARGEST else math.inf
        yield part.criterion, name, first, x.estimate, *x.ci, odds, x.z, x.p
