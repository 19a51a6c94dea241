"""The report: one page that opens offline, and the files of its tables and figures."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from textassay.report.artifacts import ArtifactWriter, FigureView, TableView, write_file
from textassay.report.comparison import side_by_side
from textassay.report.figures.render import systems_in
from textassay.report.figures.style import Palette
from textassay.report.key_results import key_results
from textassay.report.summary import Part, StudySummary
from textassay.results import Analysis

__all__ = ["Part", "StudySummary", "write_report"]

PAGE = "report.html"
FILES = "report"
"""Folder of the files, beside the page."""


@dataclass(frozen=True)
class AnalysisView:
    """An analysis in the page."""

    figures: tuple[FigureView, ...]
    tables: tuple[TableView, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class PartView:
    """A part in the page."""

    id: str
    heading: str
    about: tuple[str, ...]
    valid: AnalysisView
    everyone: AnalysisView | None
    comparison: TableView | None


def write_report(summary: StudySummary, parts: Sequence[Part], directory: Path | str) -> Path:
    """Write `report.html`, and under `report/` the files `tables/NAME.{csv,tex,json}` and `figures/NAME.{svg,pdf,png}`.

    Args:
        summary: The study in plain values.
        parts: The results, in the order of the report.
        directory: Where to write; created if needed.

    Returns:
        The path of the page.
    """
    folder = Path(directory)
    analyses = [analysis for part in parts for analysis in (part.valid, part.everyone) if analysis is not None]
    palette = Palette.of(systems_in([figure for analysis in analyses for figure in analysis.figures]))
    writer = ArtifactWriter(folder / FILES, palette, _participants(analyses))
    content: dict[str, Any] = {
        "summary": summary,
        "files": FILES,
        "key_results": key_results(parts),
        "systems": [(system, palette.style(system)) for system in palette.systems],
        "parts": [_part(writer, place, part) for place, part in enumerate(parts)],
        "demographics": [writer.table(table, bars=True) for table in summary.participants.demographics],
        "missing": "".join(sorted(writer.missing)),
        "exclusions": writer.table(summary.exclusions) if summary.exclusions and summary.exclusions.rows else None,
    }
    path = folder / PAGE
    write_file(path, _page(content))
    return path


def _participants(analyses: Sequence[Analysis]) -> list[str]:
    """Codes of the participants that figures show."""
    people = (figure.data.get("participants", ()) for analysis in analyses for figure in analysis.figures)
    return list(dict.fromkeys(str(person["participant"]) for group in people for person in group))


def _part(writer: ArtifactWriter, place: int, part: Part) -> PartView:
    comparison = part.comparison
    if comparison is None and part.everyone is not None and part.everyone.results:
        comparison = side_by_side(part.valid, part.everyone)
    return PartView(
        f"part-{place + 1}",
        part.heading,
        part.about,
        _analysis(writer, part.valid),
        None if part.everyone is None else _analysis(writer, _of_everyone(part.everyone)),
        None if comparison is None else writer.table(comparison),
    )


def _of_everyone(analysis: Analysis) -> Analysis:
    """The analysis with names and titles that tell its figures and tables from those of the participants kept."""
    return replace(
        analysis,
        figures=tuple(
            replace(one, name=f"{one.name}-everyone", title=f"{one.title}, all participants")
            for one in analysis.figures
        ),
        tables=tuple(
            replace(one, name=f"{one.name}-everyone", title=f"{one.title}, all participants") for one in analysis.tables
        ),
    )


def _analysis(writer: ArtifactWriter, analysis: Analysis) -> AnalysisView:
    notes = _notes(analysis)
    return AnalysisView(
        tuple(writer.figure(figure) for figure in analysis.figures),
        tuple(writer.table(table, warnings=notes) for table in analysis.tables),
        notes,
    )


def _notes(analysis: Analysis) -> tuple[str, ...]:
    """The warnings of the analysis, then further warnings of its results."""
    notes = list(dict.fromkeys(analysis.warnings))
    for result in analysis.results:
        notes += [text for text in result.warnings if not any(note.endswith(text) for note in notes)]
    return tuple(notes)


def _page(content: dict[str, Any]) -> str:
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415 -- not needed to draw

    environment = Environment(
        loader=PackageLoader("textassay.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style, script = _static("report.css"), _static("highlight.js")
    return environment.get_template(PAGE).render(
        **content, style=style, script=script, style_hash=_hash(style), script_hash=_hash(script)
    )


def _static(name: str) -> str:
    """A static file for the page, with the line ends that browsers use for the hash."""
    text = files("textassay.report").joinpath("static", name).read_text(encoding="utf-8")
    return text.replace("\r\n", "\n")


def _hash(text: str) -> str:
    """The hash that allows exactly this text in the page's security policy."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
