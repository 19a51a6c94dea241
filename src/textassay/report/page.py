"""The report: one page that opens offline, and the files of its tables and figures."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from textassay.durations import duration
from textassay.headline import Headline
from textassay.marked_text import MarkedText
from textassay.report.artifacts import ArtifactWriter, FigureView, TableView, write_file
from textassay.report.figures.render import systems_in
from textassay.report.figures.style import Palette, dark_rules
from textassay.report.outline import OutlineSection, outline
from textassay.report.paste import NAME, PasteText, bibtex_text, latex_text, markdown_text, plain_tables
from textassay.report.summary import (
    MethodsParagraph,
    MethodsText,
    QuestionSummary,
    ScreenPicture,
    Section,
    StudySummary,
)
from textassay.results import Analysis, Place, Table

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["Section", "StudySummary", "write_report"]

PAGE = "report.html"
FILES = "report"
"""Folder of the files, beside the page."""


@dataclass(frozen=True)
class SectionView:
    """A section in the page."""

    id: str
    heading: str
    figures: tuple[FigureView, ...]
    tables: tuple[TableView, ...]
    texts: tuple[MarkedText, ...]
    more_texts: tuple[MarkedText, ...]
    more_figures: tuple[FigureView, ...]
    """Those that are folded."""
    more_tables: tuple[TableView, ...]
    more_titles: tuple[str, ...]
    """What is folded, each title once and the first few only."""
    cautions: tuple[str, ...]
    notes: tuple[str, ...]
    headlines: tuple[Headline, ...]
    question: QuestionSummary | None


def write_report(summary: StudySummary, sections: Sequence[Section], directory: Path | str) -> Path:
    """Write `report.html` and, under `report/`, the files of tables and figures, the methods to paste, and checksums.

    Args:
        summary: The study in plain values.
        sections: The results, in the order of the report.
        directory: Where to write; created if needed.

    Returns:
        The path of the page.
    """
    folder = Path(directory)
    summary = replace(summary, methods=_with_registration(summary))
    analyses = [section.analysis for section in sections]
    palette = Palette.of(systems_in([figure for analysis in analyses for figure in analysis.figures]))
    writer = ArtifactWriter(folder / FILES, palette, _participants(analyses))
    ordered = outline(sections, summary.blocks)
    views = [_section(writer, section, f"section-{number}") for number, section in enumerate(ordered, 1)]
    content: dict[str, Any] = {
        "summary": summary,
        "files": FILES,
        "systems": [(system, palette.style(system)) for system in palette.systems if system in summary.systems],
        "sections": {
            place: [view for view, section in zip(views, ordered, strict=True) if section.place == place]
            for place in get_args(Place)
        },
        "demographics": [writer.table(table, bars=True) for table in summary.participants.demographics],
        "screens": _embedded(summary.screens.pictures) if summary.screens else [],
        "registered": _registered(writer, summary),
        "exclusions": writer.table(summary.exclusions) if summary.exclusions and summary.exclusions.rows else None,
        "metrics_table": writer.table(summary.methods.metrics) if summary.methods.metrics else None,
    }
    content |= {"missing": "".join(sorted(writer.missing)), "all_tables": writer.tables}
    _write_paste(summary, ordered, folder / FILES)
    sums = {**{f"../{name}": each for name, each in summary.settings.checksums.items()}, **writer.checksums}
    write_file(folder / FILES / "checksums.txt", "".join(f"{each}  {name}\n" for name, each in sums.items()))
    path = folder / PAGE
    write_file(path, _page(PAGE, content))
    return path


def _with_registration(summary: StudySummary) -> MethodsText:
    """The methods with what is known of the registration; where nothing is, that is left for the researcher to say."""
    methods, registered = summary.methods, summary.registration
    if not methods.paragraphs:
        return methods
    if registered is None:
        return replace(methods, unsaid=(*methods.unsaid, "whether and where the study was registered"))
    return replace(methods, paragraphs=(*methods.paragraphs, MethodsParagraph("Registration", registered.sentences)))


def _write_paste(summary: StudySummary, sections: Sequence[OutlineSection], folder: Path) -> None:
    """Methods, key results and main tables as files to paste from."""
    leading = [section for section in sections if section.place in ("results", "metrics")]
    text = PasteText.of(
        summary.title,
        summary.methods,
        [headline for section in leading for headline in section.headlines],
        [_titled(table, section) for section in leading for table in section.tables if not table.detail],
    )
    for ending, content in (
        ("tex", latex_text(text)),
        ("bib", bibtex_text(summary.methods.references)),
        ("md", markdown_text(text)),
        ("html", _page("paste.html", {"text": text, "tables": plain_tables(text)})),
    ):
        write_file(folder / f"{NAME}.{ending}", content)


def _titled(table: Table, section: OutlineSection) -> Table:
    """The table with the measure in its title, where the section is about one of several."""
    return replace(table, title=f"{table.title}: {section.heading}") if table.subject else table


def _embedded(pictures: Sequence[ScreenPicture]) -> list[tuple[ScreenPicture, str]]:
    """Each picture with its content as a `data:` address, so that the page needs no other file."""
    contents = (base64.b64encode(picture.file.read_bytes()).decode() for picture in pictures)
    return [(picture, f"data:image/webp;base64,{content}") for picture, content in zip(pictures, contents, strict=True)]


def _registered(writer: ArtifactWriter, summary: StudySummary) -> TableView | None:
    changes = summary.registration.changes if summary.registration else None
    return writer.table(changes) if changes and changes.rows else None


def _participants(analyses: Sequence[Analysis]) -> list[str]:
    """Codes of the participants that figures show."""
    people = (figure.data.get("participants", ()) for analysis in analyses for figure in analysis.figures)
    return list(dict.fromkeys(str(person["participant"]) for group in people for person in group))


def _section(writer: ArtifactWriter, section: OutlineSection, name: str) -> SectionView:
    warnings = [*section.cautions, *section.notes]
    figures = [(figure.detail, writer.figure(figure)) for figure in section.figures]
    tables = [(table.detail, writer.table(table, warnings=warnings)) for table in section.tables]
    return SectionView(
        id=name,
        heading=section.heading,
        figures=tuple(view for detail, view in figures if not detail),
        tables=tuple(view for detail, view in tables if not detail),
        texts=tuple(text for text in section.texts if not text.detail),
        more_texts=tuple(text for text in section.texts if text.detail),
        more_figures=tuple(view for detail, view in figures if detail),
        more_tables=tuple(view for detail, view in tables if detail),
        more_titles=_titles(
            [*(x.title for x in section.figures if x.detail), *(x.title for x in section.tables if x.detail)]
        ),
        cautions=section.cautions,
        notes=section.notes,
        headlines=section.headlines,
        question=section.question,
    )


_MOST_TITLES = 6


def _titles(titles: Sequence[str]) -> tuple[str, ...]:
    once = tuple(dict.fromkeys(titles))
    return once if len(once) <= _MOST_TITLES else (*once[:_MOST_TITLES], f"and {len(once) - _MOST_TITLES} more")


def _page(template: str, content: dict[str, Any]) -> str:
    style, script = _static("report.css") + dark_rules(), _static("highlight.js") + _static("copy.js")
    return (
        _environment()
        .get_template(template)
        .render(**content, style=style, script=script, style_hash=_hash(style), script_hash=_hash(script))
    )


@cache
def _environment() -> Environment:
    """The templates of the report, each compiled once."""
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415 -- not needed to draw

    environment = Environment(
        loader=PackageLoader("textassay.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["duration"] = duration
    environment.filters["unbroken"] = unbroken
    return environment


def unbroken(text: str) -> str:
    """A sentence in which no line ends within `p = .012` or between a number and its per cent sign.

    >>> unbroken("12 % (95 % CI .1 to .2), p < .001").replace(chr(160), "_")
    '12_% (95_%_CI .1 to .2), p_<_.001'
    """
    return re.sub(r"(?<=\d) %(?: (?=CI))?|(?<=\bp) [<=>] (?=[.\d])", lambda found: found[0].replace(" ", "\xa0"), text)


def _static(name: str) -> str:
    """A static file for the page, with the line ends that browsers use for the hash."""
    text = files("textassay.report").joinpath("static", name).read_text(encoding="utf-8")
    return text.replace("\r\n", "\n")


def _hash(text: str) -> str:
    """The hash that allows exactly this text in the page's security policy."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
