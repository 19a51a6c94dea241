"""The statistics of a reordering block: how far participants keep, or come back to, an order."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
import pandas as pd

from textassay.analysis.exclusions import with_and_without_exclusions
from textassay.analysis.judgements import in_order
from textassay.analysis.options import RecipeOptions
from textassay.analysis.orders.variability import order_variability
from textassay.analysis.quasi_f import quasi_f
from textassay.ordering.orders import GivenOrder
from textassay.results import Analysis, Result
from textassay.stats import MeanInterval, mean_interval, rm_anova
from textassay.study.model import AnalysisOptions
from textassay.study.study import Study
from textassay.study.units import shared_units
from textassay.tables.frames import rows_of_block
from textassay.tasks.contract import Task
from textassay.tasks.reordering import order_tables
from textassay.tasks.reordering.measures import OTHERS, START, TAU, Targets, condition_tests, measures, tau_with_others
from textassay.tasks.reordering.orders import kept, read_orders
from textassay.tasks.reordering.settings import ReorderingSettings


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
    """See `Task.analyse`."""
    options, systems = task.study.file.analysis, task.study.systems
    notes = (_FIXED,) if task.settings.first_fixed else ()
    targets = system_orders(task.study, task.settings)

    def short(rows: pd.DataFrame) -> list[Analysis]:
        return [_recipe(rows, options, targets, systems, notes)]

    def recipe(rows: pd.DataFrame) -> list[Analysis]:
        variability = RecipeOptions(alpha=options.alpha, confidence=options.confidence, seed=task.study.file.seed)
        return [*short(rows), *_variability(rows, variability, targets, systems)]

    return with_and_without_exclusions(rows_of_block(table, task.block.name), participants, recipe, of_everyone=short)


_FIXED = "the first unit could not be moved; its pairs count in tau, which therefore cannot fall as low as -1"


def analyse_table(table: pd.DataFrame, options: AnalysisOptions) -> Sequence[Analysis]:
    """The same of a table that belongs to no study; rows of systems and references are the orders to compare with."""
    targets: dict[str, dict[str, list[str]]] = {}
    if "role" in table and "by" in table:
        given = table[table["role"].isin(["system", "reference"])]
        for by, item, order in zip(given["by"], given["item"], given["order"], strict=True):
            targets.setdefault(str(by), {})[str(item)] = str(order).split()
    level = RecipeOptions(alpha=options.alpha, confidence=options.confidence)
    return [_recipe(table, options, targets, (), ()), *_variability(table, level, targets, ())]


def _variability(
    table: pd.DataFrame, options: RecipeOptions, targets: Targets, systems: Sequence[str]
) -> list[Analysis]:
    main = read_orders(table).main
    if main.empty:
        return []
    given = [
        GivenOrder(item, by, tuple(order), condition, tuple(start) or None)
        for item, by, order, condition, start in zip(
            main["item"], main["participant"], main["order"], main["condition"], main["start"], strict=True
        )
    ]
    return order_variability(given, targets=targets, conditions=systems, options=options)


def system_test(task: Task[ReorderingSettings], table: pd.DataFrame) -> Mapping[str, float]:
    """See `Task.system_test`: whether tau differs between conditions.

    Where the system's order is shown first, tau with that order by a quasi-F, with participants and items as random.
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
    return {name: quasi_f(cells).p if shown else _by_items(cells)}


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


def _recipe(
    table: pd.DataFrame, options: AnalysisOptions, targets: Targets, systems: Sequence[str], notes: Sequence[str]
) -> Analysis:
    orders = read_orders(table)
    if orders.main.empty:
        return Analysis("orders", "Orders", warnings=(*orders.warnings, "there are no orders to analyse"))
    measured = orders.main.assign(**measures(orders, targets))
    names = [START, *targets, OTHERS]
    conditions = in_order(set(measured["condition"]), systems)
    parts = [
        _of_condition(measured[measured["condition"] == condition], condition, names, options.confidence)
        for condition in conditions
    ]
    tests = condition_tests(measured) if len(conditions) > 1 else {}
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
            *tests.values(),
        ),
        tables=order_tables.tables(parts, tests, options.confidence),
        figures=order_tables.figures(parts),
        warnings=(*orders.warnings, *notes, *said),
    )


def _value(result: Result) -> float:
    return cast("MeanInterval", result).mean


def _of_condition(rows: pd.DataFrame, condition: str, targets: Sequence[str], confidence: float) -> ConditionResults:
    def mean(column: str, of: str) -> MeanInterval:
        return _mean(rows, column, of, condition, confidence)

    return ConditionResults(
        condition=condition,
        orders=len(rows),
        participants=rows["participant"].nunique(),
        taus=tuple(mean(TAU + name, TAU + name) for name in targets),
        unchanged=mean("unchanged", "share left as it was"),
        moves=mean("moves", "moves"),
        least=mean("least", "least moves"),
        seconds=mean("seconds", "seconds"),
    )


def _mean(rows: pd.DataFrame, column: str, of: str, condition: str, confidence: float) -> MeanInterval:
    """Mean over participants of their own means: single answers of one person are not independent."""
    own = rows.groupby("participant")[column].mean().dropna()
    found = mean_interval(own.to_numpy(dtype=float), confidence=confidence)
    settings = {"of": "each participant's mean", **found.settings}
    if column == TAU + OTHERS and len(own) > 1:
        # Two persons' means share the tau between the two, so Student's interval would be too narrow.
        settings = {**settings, "interval": "none: means over pairs depend on each other"}
        found = replace(found, se=math.nan, ci=(math.nan, math.nan))
    return replace(found, settings=settings, of=of, by=condition)
