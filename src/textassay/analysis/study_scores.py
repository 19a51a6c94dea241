"""The texts of a study scored by metrics of several kinds: of words, of orders, of content, of dependencies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from textassay.errors import UsageError
from textassay.metrics import Metric, ScoreTable, ScoringOptions, Segments, metric, score_table
from textassay.metrics.relevance_metrics import RelevanceCase, RelevanceSettings
from textassay.study.study import Study


def study_metrics(study: Study) -> dict[str, Metric]:
    """The study's metrics by their names in tables."""
    return {choice.label or choice.metric: metric(choice.metric, **choice.settings) for choice in study.file.metrics}


def study_references(study: Study) -> Mapping[str, Sequence[str]]:
    """The references of metrics: the references table, or the texts of the reference system."""
    reference = study.file.tables.reference_system
    if study.references or reference is None:
        return study.references
    return {item: (study.texts[item, reference],) for item in study.items_in_order}


def score_study(
    study: Study,
    metrics: Mapping[str, Metric],
    references: Mapping[str, Sequence[str]],
    options: ScoringOptions,
    documents: Mapping[str, str] | None = None,
) -> ScoreTable:
    """Score all texts of a study that participants read; a system that shows a plot or an image has no scores.

    Args:
        study: Its texts and their units.
        metrics: By their names in the table.
        references: The reference texts of each item; other kinds have references of their own.
        options: What is kept, and who works.
        documents: The document that each item belongs to, for scores per document.

    Raises:
        UsageError: a metric takes what a study does not have.
    """
    by_kind: dict[type[Segments[Any]], dict[str, Metric]] = {}
    for name, each in metrics.items():
        by_kind.setdefault(each.takes, {})[name] = each
    tables = []
    read = {system for system in study.systems if any(block.task.shows_text(system) for block in study.blocks)}
    for kind, chosen in by_kind.items():
        if kind.kind not in _SOURCES:
            raise UsageError(f"{next(iter(chosen))} takes {kind.kind}, which a study does not have; score that apart")
        given = _SOURCES[kind.kind](study, next(iter(chosen)), references)
        shown = {key: value for key, value in given.values.items() if key[1] in read}
        items, systems = zip(*shown, strict=True) if shown else ((), ())
        values = list(shown.values())
        more: dict[str, Any] = {"sources": given.sources, "documents": documents, "kind": kind, "options": options}
        tables.append(score_table(chosen, items, systems, values, given.references, **more))
    return reduce(ScoreTable.joined, tables)


@dataclass(frozen=True)
class KindInput:
    """What metrics of one kind score, and what they compare it with."""

    values: Mapping[tuple[str, str], Any]
    """By item and system; a text that has none, such as one that was shown as a plot, is left out."""
    references: Mapping[str, Sequence[Any]]
    """By item."""
    sources: Mapping[str, str] | None = None
    """What texts were made from, by item; where the kind has it."""


def _texts(study: Study, name: str, references: Mapping[str, Sequence[str]]) -> KindInput:
    del name
    return KindInput(study.texts, references, study_sources(study))


def study_sources(study: Study) -> dict[str, str]:
    """What the texts of each item were made from: the column `source` of the items table, where there is one."""
    found = {item: row.get("source") for item, row in study.items.items()}
    return {item: str(source) for item, source in found.items() if source is not None}


def _orders(study: Study, name: str, references: Mapping[str, Sequence[str]]) -> KindInput:
    del references
    orders = {key: tuple(unit.id for unit in study.units.get(key, ())) for key in study.texts}
    missing = [key for key, order in orders.items() if not order]
    reference = study.file.tables.reference_system
    known = {item: [tuple(unit.id for unit in units) for units in its] for item, its in study.reference_units.items()}
    of_system = {item: [order] for (item, system), order in orders.items() if system == reference and order}
    if missing or len({**of_system, **known}) < len(study.items_in_order):
        remedy = "give the texts table a row for each unit, with its id in the column unit"
        name_one = "the references table too, or name a reference_system"
        raise UsageError(f"{name} compares orders of units with that of a reference; {remedy}, and {name_one}")
    return KindInput(orders, {**of_system, **known})


def _annotations(study: Study, name: str, references: Mapping[str, Sequence[str]]) -> KindInput:
    del references
    found = study.content
    _refuse_none(found.annotations, name, "annotated texts", "annotations")
    return KindInput(found.annotations, _with_system(study, found.annotations, found.annotated_references))


def _parses(study: Study, name: str, references: Mapping[str, Sequence[str]]) -> KindInput:
    del references
    found = study.content
    _refuse_none(found.parses, name, "parsed texts", "parses")
    return KindInput(found.parses, _with_system(study, found.parses, found.parsed_references))


def _cases(study: Study, name: str, references: Mapping[str, Sequence[str]]) -> KindInput:
    del references
    return KindInput(relevance_cases(study, name), {})


def relevance_cases(study: Study, name: str = "relevance") -> dict[tuple[str, str], RelevanceCase]:
    """The annotated texts of a study with their cases, by item and system.

    Args:
        study: It names annotations, an ontology and a relevance file.
        name: What needs them, for messages.

    Raises:
        UsageError: it lacks one of these.
    """
    found, model = study.content, study.content.relevance
    _refuse_none(found.annotations, name, "annotated texts", "annotations")
    if model is None:
        raise UsageError(f"{name} needs what events have to do with actions; name the file in tables.relevance")
    return {
        key: RelevanceCase(text, model, facts.appropriate, facts.inappropriate, facts.state)
        for key, text in found.annotations.items()
        if (facts := found.cases.get(key[0])) is not None
    }


def relevance_settings(study: Study) -> RelevanceSettings:
    """The settings of the first metric of relevance that the study names; the usual ones where it names none."""
    for choice in study.file.metrics:
        if choice.metric in ("relevance", "irrelevance"):
            return RelevanceSettings(**choice.settings)
    return RelevanceSettings()


def _refuse_none(values: Mapping[Any, Any], name: str, what: str, table: str) -> None:
    if not values:
        raise UsageError(f"{name} takes {what}; name their file in tables.{table}")


def _with_system(
    study: Study, values: Mapping[tuple[str, str], Any], references: Mapping[str, Sequence[Any]]
) -> dict[str, list[Any]]:
    """The references of each item, and that of the reference system where an item has none of its own."""
    found = {item: list(its) for item, its in references.items()}
    system = study.file.tables.reference_system
    for (item, whose), value in values.items():
        if whose == system and item not in references:
            found[item] = [value]
    return found


_SOURCES: dict[str, Callable[[Study, str, Mapping[str, Sequence[str]]], KindInput]] = {
    "text": _texts,
    "order": _orders,
    "annotation": _annotations,
    "parse": _parses,
    "case": _cases,
}
"""Kind of input → where a study has it."""
