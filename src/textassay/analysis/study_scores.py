"""The texts of a study scored by metrics of several kinds: of texts, and of the order of their units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

from textassay.errors import UsageError
from textassay.metrics import Metric, ScoreTable, ScoringOptions, Segments, TextSegments, score_table
from textassay.study.study import Study


def score_study(
    study: Study, metrics: Mapping[str, Metric], references: Mapping[str, Sequence[str]], options: ScoringOptions
) -> ScoreTable:
    """Score all texts of a study.

    Args:
        study: Its texts and their units.
        metrics: By their names in the table.
        references: The reference texts of each item; orders are compared with that of the reference system.
        options: What is kept, and who works.

    Raises:
        UsageError: a metric takes what a study does not have.
    """
    items, systems = zip(*study.texts, strict=True)
    by_kind: dict[type[Segments[Any]], dict[str, Metric]] = {}
    for name, metric in metrics.items():
        by_kind.setdefault(metric.takes, {})[name] = metric
    tables = []
    for kind, chosen in by_kind.items():
        values, compared = _given(study, kind, next(iter(chosen)), references)
        tables.append(score_table(chosen, items, systems, values, compared, kind=kind, options=options))
    return reduce(ScoreTable.joined, tables)


def _given(
    study: Study, kind: type[Segments[Any]], name: str, references: Mapping[str, Sequence[str]]
) -> tuple[Sequence[Any], Mapping[str, Sequence[Any]]]:
    """What metrics of that kind score, and what they compare it with."""
    if kind is TextSegments:
        return list(study.texts.values()), references
    if kind.kind != "order":
        raise UsageError(f"{name} takes {kind.kind}, which a study does not have; score that apart from it")
    orders = {key: tuple(unit.id for unit in study.units.get(key, ())) for key in study.texts}
    missing = [key for key, order in orders.items() if not order]
    reference = study.file.tables.reference_system
    if missing or reference is None:
        remedy = "give the texts table a row for each unit, with its id in the column unit, and name a reference_system"
        raise UsageError(f"{name} compares orders of units with that of a reference system; {remedy}")
    return list(orders.values()), {item: [orders[item, reference]] for item in study.items_in_order}
