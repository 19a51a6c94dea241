"""How often metrics and people agree on pairs: of texts of an item, with ties calibrated; of systems, by how surely."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from textassay.analysis.metric_correlations import MetricMaterial
from textassay.meta.alignment import ScoreGrid
from textassay.meta.coefficients import grouped
from textassay.meta.soft_accuracy import soft_accuracy
from textassay.meta.tie_calibration import calibrated_accuracy
from textassay.results import Analysis, Record, Table, table_of_records

_TEXTS = (
    "Pairs of texts of an item. Ordered pairs: of those that people order, the share that the metric orders alike; a "
    "tie of the metric is a miss. The others are of all pairs, the share on which both agree, a tie counting like an "
    "order; the metric ties scores that differ by at most ε. Held out: ε chosen on other items (the figure to report); "
    "in sample: on the same ones, which flatters. Chance: what the metric reaches in sample when its systems are "
    "exchanged. All tied: what a metric reaches that ties everything."
)
_SYSTEMS = (
    "Soft pairwise accuracy: 1 less the mean distance of the one-sided p-values by which people and metric tell two "
    "systems apart; 1 where the metric is as sure as people of every pair."
)


def pairwise_accuracy(material: MetricMaterial) -> Analysis:
    """Tables of agreement on pairs of texts and on pairs of systems."""
    pairs = [(grid.fair_to(metric), metric) for grid in material.grids for metric in grid.metrics]
    tables = (
        _table(_of_texts(pairs), "pairs-of-texts", "Agreement on pairs of texts", _TEXTS),
        _table(_of_systems(pairs), "pairs-of-systems", "Agreement on pairs of systems", _SYSTEMS),
    )
    return Analysis(
        name="metrics-accuracies",
        title="Agreement on pairs",
        tables=tuple(table for table in tables if table.rows),
        place="metrics",
    )


def _table(records: Iterator[Record], name: str, title: str, note: str) -> Table:
    return table_of_records(list(records), name=name, title=title, note=note)


def _of_texts(pairs: Sequence[tuple[ScoreGrid, str]]) -> Iterator[Record]:
    for grid, metric in pairs:
        found = calibrated_accuracy(grid.people, grid.scores[metric])
        if not math.isnan(found.in_sample):
            yield {
                "criterion": grid.criterion, "metric": metric,
                "ordered_pairs": grouped(grid.people, grid.scores[metric], "item", "accuracy").mean,
                "held_out": found.value, "in_sample": found.in_sample, "chance": found.chance,
                "all_tied": found.all_tied, "epsilon": found.epsilon, "items": found.groups, "pairs": found.pairs,
            }  # fmt: skip


def _of_systems(pairs: Sequence[tuple[ScoreGrid, str]]) -> Iterator[Record]:
    for grid, metric in pairs:
        found = soft_accuracy(grid.people, grid.scores[metric])
        if not math.isnan(found.value):
            yield {
                "criterion": grid.criterion, "metric": metric, "soft_accuracy": found.value, "pairs": found.pairs,
                "exact": found.exact,
            }  # fmt: skip
