"""`textassay relevance`: which event of which text gives which action how much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from textassay import pipeline
from textassay.analysis.letters import without_long_tables
from textassay.analysis.relevance_tables import events_table
from textassay.analysis.relevance_trace import relevance_trace
from textassay.analysis.study_scores import relevance_cases, relevance_settings
from textassay.analysis.traced_texts import KINDS, TracedText, share_in_words, traced_texts
from textassay.cli.options import Format
from textassay.cli.output import console, show_tables, write_tables
from textassay.content.event_marks import EventTones, mark_events
from textassay.errors import UsageError
from textassay.known_names import remedy
from textassay.results import Table

_LEFT_OUT = ("Item", "System", "Event", "Words", "Share of the text")
"""Columns of the table of events that one text does not need in a terminal."""


def relevance(
    study: Path,
    item: str | None = None,
    system: str | None = None,
    *,
    tables: Path | None = None,
    format: Format = "text",  # noqa: A002 -- the flag's name
) -> None:
    """Show how relevant texts are to actions, and where that comes from; for one item, event by event.

    Args:
        study: A study directory that names annotations, an ontology and a relevance file.
        item: Show the texts about this item, with what each event gives to each action.
        system: Only the text of this system.
        tables: Folder into which all tables, with every event of every text, are also written as CSV.
        format: How the result is printed.
    """
    loaded = pipeline.load(study)
    cases, settings = relevance_cases(loaded), relevance_settings(loaded)
    found = relevance_trace(cases, settings, confidence=loaded.file.analysis.confidence)
    if tables is not None:
        write_tables(found.tables, tables)
    if item is not None:
        _one_item(_chosen(traced_texts(cases, settings), item, system), format)
        return
    if format != "text":
        show_tables(found.tables, format)
        return
    console().print(found.headlines[0].text)
    where = "'textassay relevance STUDY ITEM' shows one item; --tables FOLDER writes all tables in full."
    short = without_long_tables(found, where)
    show_tables([table for table in short.tables if table.name in ("relevance-systems", "relevance-texts")], format)
    for note in found.warnings:
        console().print(f"Note: {note}")
    console().print(where)


def _chosen(texts: Sequence[TracedText], item: str, system: str | None) -> list[TracedText]:
    about = [text for text in texts if text.item == item]
    if not about:
        known = dict.fromkeys(text.item for text in texts)
        raise UsageError(f"no annotated text is about the item {item!r}; {remedy(item, known)}")
    chosen = [text for text in about if system in (None, text.system)]
    if not chosen:
        systems = [text.system for text in about]
        raise UsageError(f"the text of {system!r} about {item!r} is not annotated; {remedy(system, systems)}")
    return chosen


def _one_item(texts: Sequence[TracedText], how: Format) -> None:
    if how != "text":
        show_tables([events_table(texts), *(_actions(text) for text in texts)], how)
        return
    model = texts[0].case.model
    tones = EventTones.of([text.case.text for text in texts], model.ontology, model.links)
    for text in texts:
        marked = mark_events(text.case.text, tones, numbered=True)
        console().print(f"{marked.title}\n\n{marked.plain}\n")
        show_tables([_events(text), _actions(text)], how)


def _events(text: TracedText) -> Table:
    table = events_table([text])
    kept = [place for place, column in enumerate(table.columns) if column not in _LEFT_OUT]
    columns = tuple(table.columns[place] for place in kept)
    rows = tuple(tuple(row[place] for place in kept) for row in table.rows)
    return replace(table, columns=columns, rows=rows, note="")


def _actions(text: TracedText) -> Table:
    rows = []
    for kind in KINDS:
        own = [action for action in text.found.weights if text.kind(action) == kind]
        for action in sorted(own, key=lambda action: -text.found.weights[action]):
            shares = [
                (n, event.shares[action]) for n, event in enumerate(text.found.trace, 1) if action in event.shares
            ]
            if shares or kind != "neutral":
                given = ", ".join(f"{number}: {share_in_words(share)}" for number, share in shares)
                rows.append((action, kind, text.found.weights[action], given))
    rel, irrel = (share_in_words(text.weights[kind]) for kind in ("appropriate", "inappropriate"))
    name, title = f"actions-{text.item}-{text.system}", f"Weights of actions, {text.item}, {text.system}"
    note = f"REL {rel}, IRREL {irrel}. Neutral actions that get nothing are not shown."
    return Table(name, title, ("Action", "Kind", "Weight", "From events"), tuple(rows), note)
