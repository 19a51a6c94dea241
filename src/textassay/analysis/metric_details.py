"""What an agreement of metric and people hangs on, and what more could be had.

Systems in the wrong order, single items and systems, the best systems only; how many items and raters would be needed;
what several metrics together reach on texts that were left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from textassay.analysis.metric_comparison import without_reference
from textassay.analysis.metric_correlations import MetricMaterial
from textassay.errors import DataError
from textassay.meta.alignment import ScoreGrid
from textassay.meta.ceilings import reliability
from textassay.meta.coefficients import By, Coefficient, grouped
from textassay.meta.combination import combine
from textassay.meta.influence import among_best, influences
from textassay.meta.misordered import misordered_pairs
from textassay.meta.sample_size import needed_items
from textassay.results import Analysis, Record, Table, table_of_records

_MOST_ROWS = 5
"""Pairs, items or systems shown of each metric."""


def metric_details(material: MetricMaterial) -> Analysis:
    """Tables that tell what each agreement hangs on."""
    coefficient = material.options.coefficients[0]
    grids = [without_reference(grid) for grid in material.grids]
    tables = (
        _table(_misordered(grids), "misordered-systems", "Systems in the wrong order",
               "The pairs that people tell apart most, among those that the metric orders the other way round or not "
               "at all: by how much people prefer the better one, and the metric's difference in standard deviations "
               "over systems."),
        _table(_influences(grids, coefficient), "influences", "What the agreement within items hangs on",
               "The agreement without one item or one system, where it changes most; change: with less without."),
        _table(_among_best(grids, coefficient), "best-systems", "Agreement among the best systems",
               "The agreement of systems' scores among those that people like best: without the worst, without the two "
               "worst …"),
        _table(_needed(grids, coefficient), "items-needed", "Items and raters needed",
               "The fewest items with which a test over items would find an agreement within items as large as here "
               "with probability .8, by raters per text; the systems stay as they are."),
        _table(_combinations(grids, coefficient), "metrics-combined", "Metrics combined",
               "Agreement of metrics combined by ridge regression: fitted to all texts, which looks better than it is, "
               "and predicted for items that were left out; beside it the metric that was best without these items. "
               "What the texts of an item have in common is removed from scores first."),
    )  # fmt: skip
    return Analysis(
        name="metrics-details", title="Metrics in detail", tables=tuple(table for table in tables if table.rows),
        place="metrics",
    )  # fmt: skip


def _table(records: Iterator[Record], name: str, title: str, note: str) -> Table:
    return replace(table_of_records(list(records), name=name, title=title, note=note), detail=True)


def _misordered(grids: Sequence[ScoreGrid]) -> Iterator[Record]:
    for grid in grids:
        for metric in grid.metrics:
            pairs = misordered_pairs(grid.system_people, grid.system_scores[metric], grid.systems)
            for pair in pairs[:_MOST_ROWS]:
                yield {
                    "criterion": grid.criterion, "metric": metric, "better": pair.better, "worse": pair.worse,
                    "people_prefer_by": pair.people, "metric_difference": pair.metric, "misordered_pairs": len(pairs),
                }  # fmt: skip


def _influences(grids: Sequence[ScoreGrid], coefficient: Coefficient) -> Iterator[Record]:
    for grid in grids:
        for metric in grid.metrics:
            found = influences(
                grid.people, grid.scores[metric], coefficient, "within items", items=grid.items, systems=grid.systems
            )
            for each in found[:_MOST_ROWS]:
                yield {
                    "criterion": grid.criterion, "metric": metric, "kind": each.kind, "name": each.name,
                    "without": each.without, "change": each.change,
                }  # fmt: skip


def _among_best(grids: Sequence[ScoreGrid], coefficient: Coefficient) -> Iterator[Record]:
    for grid in grids:
        for metric in grid.metrics:
            found = among_best(grid.system_people, grid.system_scores[metric], coefficient, systems=grid.systems)
            for each in found if len(found) > 1 else ():
                yield {
                    "criterion": grid.criterion, "metric": metric, "systems": each.systems, "down_to": each.lowest,
                    "agreement": each.value,
                }  # fmt: skip


def _needed(grids: Sequence[ScoreGrid], coefficient: Coefficient) -> Iterator[Record]:
    for grid in grids:
        reliable = reliability(grid.rated, "texts within items").reliability
        now = _raters_per_text(grid)
        for metric in grid.metrics:
            values = grouped(grid.people, grid.scores[metric], "item", coefficient).values
            if math.isnan(reliable) or np.isfinite(values).sum() < 3:
                continue
            found = needed_items(values, reliable, now)
            yield {
                "criterion": grid.criterion, "metric": metric,
                **{_heading(each.raters): "none suffices" if each.items is None else each.items for each in found},
            }  # fmt: skip


def _heading(raters: float) -> str:
    return "perfect means" if math.isinf(raters) else f"{raters:g} rater{'' if raters == 1 else 's'}"


def _raters_per_text(grid: ScoreGrid) -> float:
    """In the harmonic mean."""
    texts = np.stack([grid.rated.item, grid.rated.system])
    counts = np.unique(texts, axis=1, return_counts=True)[1]
    return float(1 / np.mean(1 / counts))


def _combinations(grids: Sequence[ScoreGrid], coefficient: Coefficient) -> Iterator[Record]:
    for grid in grids:
        known = {name: own for name, own in grid.scores.items() if np.isfinite(grid.people + own).any()}
        if len(known) < 2 or len(grid.items) < 2:
            continue
        try:
            found = combine(grid.people, known)
        except DataError:  # too few texts for so many metrics
            continue
        within = grouped(grid.people, found.predicted, "item", coefficient).mean
        by: By | None = None if math.isnan(within) else "item"
        values = {
            name: grouped(grid.people, own, by, coefficient).mean
            for name, own in (("fitted", found.fitted), ("left_out", found.predicted), ("best_single", found.chosen))
        }
        yield {"criterion": grid.criterion, "metrics": len(known), "texts": found.texts, **values}
