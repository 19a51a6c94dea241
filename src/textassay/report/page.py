"""The report: one page that opens offline, and the files of its tables and figures."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from textassay.durations import duration
from textassay.report.artifacts import ArtifactWriter, FigureView, TableView, write_file
from textassay.report.figures.render import systems_in
from textassay.report.figures.style import Palette
from textassay.report.key_results import key_results
from textassay.report.summary import Section, StudySummary
from textassay.results import Analysis

__all__ = ["Section", "StudySummary", "write_report"]

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
class SectionView:
    """A section in the page."""

    id: str
    heading: str
    analysis: AnalysisView


def write_report(summary: StudySummary, sections: Sequence[Section], directory: Path | str) -> Path:
    """Write `report.html`, and under `report/` the files `tables/NAME.{csv,tex,json}` and `figures/NAME.{svg,pdf,png}`.

    Args:
        summary: The study in plain values.
        sections: The results, in the order of the report.
        directory: Where to write; created if needed.

    Returns:
        The path of the page.
    """
    folder = Path(directory)
    analyses = [section.analysis for section in sections]
    palette = Palette.of(systems_in([figure for analysis in analyses for figure in analysis.figures]))
    writer = ArtifactWriter(folder / FILES, palette, _participants(analyses))
    content: dict[str, Any] = {
        "summary": summary,
        "files": FILES,
        "key_results": key_results(sections),
        "systems": [(system, palette.style(system)) for system in palette.systems],
        "sections": [
            SectionView(f"section-{number}", section.heading, _analysis(writer, section.analysis))
            for number, section in enumerate(sections, 1)
        ],
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
    environment.globals["duration"] = duration
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
