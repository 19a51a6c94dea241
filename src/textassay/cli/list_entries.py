"""`textassay list`: metrics, statistics, tasks, screening rules and templates, with their settings."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from textassay import catalogue, ready_studies
from textassay.catalogue_entries import KINDS, CatalogueEntry, entries, entry
from textassay.cli.completing import kinds_of_entries, names_of_entries
from textassay.cli.options import Format
from textassay.cli.output import console, show_tables
from textassay.errors import UsageError
from textassay.known_names import same_name, unknown
from textassay.results import Table

TEMPLATES = "templates"
_NOUNS = {"metrics": "metric", "statistics": "statistic", "tasks": "task", "rules": "rule", TEMPLATES: "template"}


def list_entries(
    kind: Annotated[str | None, Parameter(completer=kinds_of_entries)] = None,
    name: Annotated[str | None, Parameter(completer=names_of_entries)] = None,
    *,
    format: Format = "text",  # noqa: A002 -- the flag's name
) -> None:
    """List metrics, statistics, tasks, rules or templates with their settings, or show one of them in full.

    Args:
        kind: What to list: metrics, statistics, tasks, rules or templates.
        name: Show this one in full.
        format: How the result is printed.
    """
    if kind is None:
        show_tables([_kinds()], format)
        return
    chosen = _kind(kind)
    if chosen == TEMPLATES:
        _templates(name, format)
    elif name is None:
        show_tables([_table(chosen, entries(KINDS[chosen]))], format)
    else:
        _show(entry(KINDS[chosen], catalogue.meant(KINDS[chosen], name)), chosen, format)


def _kind(typed: str) -> str:
    """The kind that was meant; the singular is understood too."""
    found = same_name(typed, _NOUNS) or same_name(f"{typed}s", _NOUNS)
    if found is None:
        raise UsageError(unknown("kind", typed, _NOUNS))
    return found


def _kinds() -> Table:
    counts = {kind: len(catalogue.names(own)) for kind, own in KINDS.items()} | {TEMPLATES: len(ready_studies.names())}
    note = "List one kind: textassay list metrics. Show one entry in full: textassay list metrics bleu."
    return Table("kinds", "", ("kind", "number"), tuple(counts.items()), note)


def _table(kind: str, found: list[CatalogueEntry]) -> Table:
    rows = tuple((each.name, each.summary, ", ".join(map(str, each.settings))) for each in found)
    note = "Settings are shown with their values, the default first (… where it has to be given, limits in brackets)."
    return Table(
        kind, "", (_NOUNS[kind], "what it is", "settings"), rows, f"{note} In full: textassay list {kind} NAME"
    )


def _show(found: CatalogueEntry, kind: str, how: Format) -> None:
    rows = tuple(
        (
            each.name,
            each.holds,
            "needed" if each.default is None else each.default,
            each.meaning,
        )
        for each in found.settings
    )
    settings = Table(
        "settings", "Settings" if rows else "It has no settings.", ("setting", "values", "default", "what it is"), rows
    )
    if how != "text":
        show_tables([settings], how)
        return
    terminal = console()
    terminal.print(f"{found.name} ({_NOUNS[kind]})", style="bold")
    terminal.print(f"\n{found.text}\n", soft_wrap=True)
    for what, value in found.facts.items():
        terminal.print(f"{what}: {value}")
    show_tables([settings], how)


def _templates(name: str | None, how: Format) -> None:
    from textassay import pipeline  # noqa: PLC0415 -- the others are described without any study
    from textassay.cli.new import templates  # noqa: PLC0415

    if name is None:
        show_tables([templates()], how)
        return
    known = same_name(name, ready_studies.names()) or name
    show_tables([pipeline.load(ready_studies.folder(known)).facts()], how)
    if how == "text":
        print(f"Copy it into a new directory: textassay new my-study --template {known}")
