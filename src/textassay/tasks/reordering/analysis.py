"""The statistics of a reordering block: how far participants keep, or come back to, an order."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

import numpy as np
import pandas as pd

from textassay.analysis.compare_systems import (
    CROSSED,
    Interval,
    SystemComparison,
    SystemTest,
    pairs_table,
    system_tests_table,
)
from textassay.analysis.crossed_model import CrossedModel, crossed_model
from textassay.analysis.exclusions import with_and_without_exclusions
from textassay.analysis.headlines import Evidence, Wording, system_headline
from textassay.analysis.judgements import in_order
from textassay.analysis.leading_test import ABOUT_LEADING, ABOUT_PAIRS, leading_p
from textassay.analysis.options import RecipeOptions, study_options, table_options
from textassay.analysis.order_effects import order_cautions, order_effects, order_table
from textassay.analysis.orders.variability import order_variability
from textassay.analysis.system_means import groups_figure
from textassay.analysis.table_builder import Columns, TableColumn, build_table, interval_columns, mean_columns
from textassay.analysis.wording import named_warnings, per_cent
from textassay.headline import Headline, Sentence
from textassay.ordering.orders import GivenOrder
from textassay.report.numbers import NumberFormat, format_value
from textassay.results import Analysis, Figure, Result, Table
from textassay.stats import MeanInterval, mean_interval, rm_anova
from textassay.stats.mean_interval import NO_BOUNDS, Bounds
from textassay.study.model import AnalysisOptions
from textassay.study.study import Study
from textassay.study.units import shared_units
from textassay.tables.frames import rows_of_block
from textassay.tables.schema import ORDERS
from textassay.tasks.contract import Task
from textassay.tasks.reordering.orders import (
    OTHERS,
    START,
    TAU,
    Targets,
    condition_tests,
    in_item_order,
    kept,
    measures,
    read_orders,
    tau_with_others,
    with_tau,
)
from textassay.tasks.reordering.settings import ReorderingSettings

if TYPE_CHECKING:
    from textassay.analysis.leading_test import LeadingTest


@dataclass(frozen=True)
class ConditionResults:
    """All results for one condition."""

    condition: str
    orders: int
    participants: int
    taus: tuple[MeanInterval, ...]
    """Mean tau with each target, whose name is in `of`."""
    unchanged: MeanInterval
    moves: MeanInterval
    least: MeanInterval
    """The fewest moves that lead from the start to the order given."""
    seconds: MeanInterval

    @property
    def results(self) -> tuple[Result, ...]:
        """In the order of a report."""
        return *self.taus, self.unchanged, self.moves, self.least, self.seconds


def analyse(task: Task[ReorderingSettings], table: pd.DataFrame, participants: pd.DataFrame) -> Sequence[Analysis]:
    """What participants did to the orders, and how far they agree."""
    options, targets = with_tau(study_options(task.study)), system_orders(task.study, task.settings)
    notes = (_FIXED,) if task.settings.first_fixed else ()

    def short(rows: pd.DataFrame) -> list[Analysis]:
        return [_recipe(rows, options, targets, notes)]

    def recipe(rows: pd.DataFrame) -> list[Analysis]:
        own = in_item_order(read_orders(rows).main, task.study.items_in_order)
        return [*short(rows), *_variability(own, options, targets, task.study.file.tables.reference_system)]

    rows = rows_of_block(table, task.block.name)
    return with_and_without_exclusions(rows, participants, recipe, of_everyone=short, alpha=options.alpha)


_FIXED = "the first unit could not be moved; its pairs count in tau, which therefore cannot fall as low as -1"


def analyse_table(table: pd.DataFrame, options: AnalysisOptions) -> Sequence[Analysis]:
    """The same of a table that belongs to no study; rows of systems and references are the orders to compare with."""
    targets: dict[str, dict[str, list[str]]] = {}
    if "role" in table and "by" in table:
        given = table[table["role"].isin(["system", "reference"])]
        for by, item, order in zip(given["by"], given["item"], given["order"], strict=True):
            targets.setdefault(str(by), {})[str(item)] = str(order).split()
    known = with_tau(table_options(table, options, ORDERS))
    return [_recipe(table, known, targets, ()), *_variability(read_orders(table).main, known, targets)]


def _variability(
    main: pd.DataFrame, options: RecipeOptions, targets: Targets, numbering: str | None = None
) -> list[Analysis]:
    if main.empty:
        return []
    given = [
        GivenOrder(item, by, tuple(order), condition, tuple(start) or None)
        for item, by, order, condition, start in zip(
            main["item"], main["participant"], main["order"], main["condition"], main["start"], strict=True
        )
    ]
    known = set(main["item"])
    original = numbering if known <= set(targets.get(numbering or "", ())) else None
    return order_variability(given, targets=targets, conditions=options.systems, numbering=original, options=options)


def system_test(task: Task[ReorderingSettings], table: pd.DataFrame) -> Mapping[str, float]:
    """Whether tau differs between conditions.

    Where the system's order is shown first, tau with that order by the leading test.
    Where it is drawn, the mean tau among those who share an item and a condition, by items: two people have one tau in
    common, so that their taus are not independent, and only their mean counts.
    """
    main = read_orders(rows_of_block(table, task.block.name)).main
    shown = task.settings.start == "data"
    name = TAU + (START if shown else OTHERS)
    if main.empty:
        return {name: math.nan}
    pairs = zip(main["order"], main["start"], strict=True)
    taus = [kept(order, start) for order, start in pairs] if shown else tau_with_others(main)
    cells = main.assign(system=main["condition"], value=taus)
    cells = cells[cells["value"].notna()]
    return {name: leading_p(cells, "value") if shown else _by_items(cells)}


def _by_items(cells: pd.DataFrame) -> float:
    """The p of a repeated-measures analysis of the means of items in each condition; nan where it has none."""
    means = cells.pivot_table(index="item", columns="system", values="value").dropna()
    if min(means.shape) < 2:
        return math.nan
    items, systems = (part.ravel() for part in np.meshgrid(means.index, means.columns, indexing="ij"))
    return rm_anova(means.to_numpy(dtype=float).ravel(), items, {"system": systems})["system"].p


def system_orders(study: Study, settings: ReorderingSettings) -> dict[str, dict[str, list[str]]]:
    """The order in which each system gives the units of each item."""
    return {
        system: {
            item: [unit.id for unit in shared_units(study, item, system, settings.units_are)]
            for item in study.items_in_order
            if (item, system) in study.texts
        }
        for system in study.systems
    }


def _recipe(table: pd.DataFrame, options: RecipeOptions, targets: Targets, notes: Sequence[str]) -> Analysis:
    orders = read_orders(table)
    if orders.main.empty:
        return Analysis("orders", "Orders", warnings=(*orders.warnings, "there are no orders to analyse"))
    measured = orders.main.assign(**measures(orders, targets))
    names = [START, *targets, OTHERS]
    conditions = in_order(set(measured["condition"]), options.systems)
    parts = [
        _of_condition(measured[measured["condition"] == condition], condition, names, options.confidence)
        for condition in conditions
    ]
    tests = condition_tests(measured, options)
    model = kept_model(measured, options)
    if TAU + START in tests:
        tests[TAU + START] = tests[TAU + START].standardised(model.answer_sd)
    cells, led = measured.assign(system=measured["condition"]), tests.get(TAU + START)
    order = None if led is None else order_effects(cells, TAU + START, led, of=TAU + START, options=options)
    said = dict.fromkeys(
        f"{part.condition}, {result.of}: {warning}"
        for part in parts
        for result in (*part.taus, part.unchanged)
        for warning in result.warnings
    )
    return Analysis(
        name="orders",
        title="Orders",
        results=(
            *(result for part in parts for result in part.results if not math.isnan(_value(result))),
            *(result for test in tests.values() for result in test.results),
            *model.results,
            *(() if order is None else (order,)),
        ),
        tables=(
            *orders_tables(parts, compared_orders(tests, model), options.confidence),
            *filter(None, [order_table([order], of="Measure")]),
        ),
        figures=orders_figures(parts, tests, options.confidence),
        headlines=(orders_headline(parts, tests, measured, options),),
        cautions=tuple(order_cautions([order])),
        warnings=(
            *orders.warnings,
            *notes,
            *said,
            *named_warnings([(of, test.warnings) for of, test in tests.items()]),
        ),
    )


def _value(result: Result) -> float:
    return cast("MeanInterval", result).mean


def _of_condition(rows: pd.DataFrame, condition: str, targets: Sequence[str], confidence: float) -> ConditionResults:
    def mean(column: str, of: str, bounds: Bounds = NO_BOUNDS) -> MeanInterval:
        own = rows.groupby("participant")[column].mean().dropna()
        found = mean_interval(own.to_numpy(dtype=float), confidence=confidence, bounds=bounds)
        return _of_participants(found, column, of, condition)

    return ConditionResults(
        condition=condition,
        orders=len(rows),
        participants=rows["participant"].nunique(),
        taus=tuple(mean(TAU + name, TAU + name, bounds=(-1, 1)) for name in targets),
        unchanged=mean("unchanged", "share left as it was", bounds=(0, 1)),
        moves=mean("moves", "moves"),
        least=mean("least", "least moves"),
        seconds=mean("seconds", "seconds"),
    )


def _of_participants(found: MeanInterval, column: str, of: str, condition: str) -> MeanInterval:
    """Mean over participants of their own means: single answers of one person are not independent."""
    settings = {"of": "each participant's mean", **found.settings}
    if column == TAU + OTHERS and found.n > 1:
        # Two persons' means share the tau between the two, so Student's interval would be too narrow.
        settings = {**settings, "interval": "none: means over pairs depend on each other"}
        found = replace(found, se=math.nan, ci=(math.nan, math.nan))
    return replace(found, settings=settings, of=of, by=condition)


def compared_orders(tests: Mapping[str, LeadingTest], model: CrossedModel | None = None) -> list[SystemComparison]:
    """What is tested between conditions; beside what was kept stands the mixed model."""
    found, name = [], "mixed model"
    fitted = None if model is None else model.model
    for of, test in tests.items():
        linear = fitted.test("system") if fitted is not None and of == TAU + START else None
        beside = () if linear is None else (SystemTest(name, "F", linear.f, linear.df, linear.p, CROSSED[name]),)
        compared = SystemComparison(measure=of, tests=(*test.tests, *beside))
        of_pairs = {TAU + START: replace(compared, pairs=test.pairs, equivalence=test.equivalence)}
        found.append(of_pairs.get(of, compared))
    return [each for each in found if each.tests]


def orders_tables(
    parts: Sequence[ConditionResults], compared: Sequence[SystemComparison], confidence: float
) -> tuple[Table, ...]:
    """Mean taus, what was changed, whether conditions differ, and which."""
    level = per_cent(confidence)
    return (
        _taus_table(parts, level),
        _changes_table(parts),
        system_tests_table(compared, title="Do conditions differ?", of="Measure", note=ABOUT_LEADING),
        pairs_table(compared, title="All pairs of conditions", of="Measure", note=_PAIRS.format(level=level)),
    )


def kept_model(measured: pd.DataFrame, options: RecipeOptions) -> CrossedModel:
    """Mean tau of each condition with the order shown first, with participants and items as random."""
    cells, of = measured.assign(system=measured["condition"]), TAU + START
    return crossed_model(cells, of, of=of, better="higher", alpha=options.alpha, confidence=options.confidence)


def _kept(parts: Sequence[ConditionResults], tests: Mapping[str, LeadingTest]) -> dict[str, Interval]:
    """By condition the mean tau with the order shown first: adjusted, or over participants where that is not known."""
    found = tests[TAU + START].estimates((-1.0, 1.0)) if TAU + START in tests else {}
    return {part.condition: found.get(part.condition, (part.taus[0].mean, *part.taus[0].ci)) for part in parts}


def orders_headline(
    parts: Sequence[ConditionResults],
    tests: Mapping[str, LeadingTest],
    measured: pd.DataFrame,
    options: RecipeOptions,
) -> Headline:
    """Whose order was kept most, and how far people's orders agree with each target."""
    words = Wording(
        best="had its order kept most",
        worst="least",
        beats="had its order kept more than",
        better_than=("better kept", "than"),
        compared="conditions",
        value="mean tau {}",
        scale=" (agreement with the order shown first; 1 = nothing was moved)",
        kind=NumberFormat.BOUNDED,
        bounds=(-1.0, 1.0),
    )
    evidence = Evidence(
        values=_kept(parts, tests),
        participants=measured["participant"].nunique(),
        items=measured["item"].nunique(),
        confidence=options.confidence,
        alpha=options.alpha,
        caveat=tests[TAU + START].caveat if TAU + START in tests else "",
    )
    own = next((each for each in compared_orders(tests) if each.measure == TAU + START), None)
    comparison = own or SystemComparison(measure=TAU + START)
    headline = replace(system_headline(comparison, words, evidence), subject="Orders")
    return replace(headline, sentences=(*headline.sentences, *_targets_in_words(parts)))


def _targets_in_words(parts: Sequence[ConditionResults]) -> list[Sentence]:
    """The mean tau with each target, over conditions."""
    taus: dict[str, list[MeanInterval]] = {}
    for result in (result for part in parts for result in part.taus[1:] if not math.isnan(result.mean)):
        taus.setdefault(result.of.removeprefix(TAU), []).append(result)
    means = {name: sum(each.mean * each.n for each in own) / sum(each.n for each in own) for name, own in taus.items()}
    shown = [f"{format_value(mean, NumberFormat.BOUNDED)} with {name}" for name, mean in means.items()]
    return [(f"Participants' orders have a mean tau of {', '.join(shown)}.",)] if shown else []


_PAIRS = f"Difference: adjusted mean of First − that of Second. {ABOUT_PAIRS}"


def _known_ends(mean: MeanInterval) -> tuple[float, float] | None:
    return None if math.isnan(mean.ci[0]) else mean.ci


def _taus_table(parts: Sequence[ConditionResults], level: str) -> Table:
    """Mean tau of each condition with each target."""
    rows = [
        (part.condition, result.of.removeprefix(TAU), result)
        for part in parts
        for result in part.taus
        if not math.isnan(result.mean)
    ]
    return build_table(
        "tau",
        "How far participants' orders agree with others",
        (*mean_columns("Participants", "Mean tau")[:3], *interval_columns(_known_ends)),
        rows,
        labels=("Condition", "Compared with"),
        note=f"Kendall's tau of orders: 1 the same, -1 the reverse. Means, SD and the {level} intervals are over "
        "participants' own means and say nothing about other items; headline and figure have the leading test's, which "
        "do. Taus with other participants have no interval: they depend on each other.",
    )


_CHANGES: Columns[ConditionResults] = (
    TableColumn("Condition", lambda part: part.condition),
    TableColumn("Orders", lambda part: part.orders),
    TableColumn("Participants", lambda part: part.participants),
    TableColumn("Share left as it was", lambda part: part.unchanged.mean),
    TableColumn("Mean moves", lambda part: part.moves.mean),
    TableColumn("Mean of the fewest", lambda part: part.least.mean),
    TableColumn("Mean seconds", lambda part: part.seconds.mean),
)


def _changes_table(parts: Sequence[ConditionResults]) -> Table:
    """How much was done to the texts of each condition."""
    note = (
        "Means over participants' own means. A unit that is moved step by step, with no other in between, counts as "
        "one move; the fewest moves are those that the order given needs."
    )
    return build_table("changes", "What participants did", _CHANGES, parts, note=note)


def orders_figures(
    parts: Sequence[ConditionResults], tests: Mapping[str, LeadingTest], confidence: float
) -> tuple[Figure, ...]:
    """Mean tau of the conditions with the order shown first."""
    of = {part.condition: part.participants for part in parts}
    groups = [
        {"system": name, "mean": mean, "low": low, "high": high, "n": of[name]}
        for name, (mean, low, high) in _kept(parts, tests).items()
    ]
    level = per_cent(confidence)
    over = (
        f"Intervals over participants' own means ({level})."
        if TAU + START not in tests
        else tests[TAU + START].about_means(level)
    )
    figure = groups_figure(
        "tau-with-start",
        "How far the order shown first was kept",
        "tau with the order shown first",
        groups,
        (-1, 1),
        f"1: left as it was; -1: turned round. {over}",
    )
    return (figure,)
