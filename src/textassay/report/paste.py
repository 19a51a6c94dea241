"""Methods, key results and main tables ready to paste: LaTeX, Markdown, HTML for word processors, BibTeX."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from textassay.headline import Headline
from textassay.report.latex import HIDDEN, escape, latex_table
from textassay.report.numbers import format_value, heading, number_format
from textassay.report.summary import MethodsText, Reference
from textassay.results import Table

NAME = "methods"
"""Name of the files without extension."""
_MOST_ROWS = 40
"""A table with more rows than this is no main table of a paper."""


@dataclass(frozen=True)
class PasteText:
    """What goes into a paper."""

    title: str
    methods: MethodsText
    headlines: tuple[Headline, ...]
    tables: tuple[Table, ...]

    @classmethod
    def of(cls, title: str, methods: MethodsText, headlines: Sequence[Headline], tables: Sequence[Table]) -> PasteText:
        """With those tables that fit a page; the metrics with their signatures come last."""
        short = [table for table in tables if table.rows and len(table.rows) <= _MOST_ROWS]
        return cls(title, methods, tuple(headlines), (*short, *([methods.metrics] if methods.metrics else [])))


def markdown_text(text: PasteText) -> str:
    """As Markdown, with pipe tables."""
    return "\n".join(_markdown(text)) + "\n"


def _markdown(text: PasteText) -> Iterator[str]:
    yield f"# {_marked_down(text.title)}"
    yield "\n## Methods"
    for paragraph in text.methods.paragraphs:
        yield f"\n### {paragraph.heading}\n\n{_marked_down(paragraph.text)}"
    if text.headlines:
        yield "\n## Results"
        yield from (f"\n{_marked_down(said)}" for said in _sentences(text.headlines))
    for table in text.tables:
        columns = _columns(table)
        yield f"\n**{_marked_down(table.title)}**\n"
        yield _row([heading(column) for column in columns])
        yield _row(["---"] * len(columns))
        yield from (_row([_marked_down(cell) for cell in cells]) for cells in _cells(table))
        if table.note:
            yield f"\n{_marked_down(table.note)}"
    if text.methods.references:
        yield "\n## References\n"
        yield from (f"- {_marked_down(work.text)}" for work in text.methods.references)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _marked_down(text: str) -> str:
    r"""The text with what Markdown would read as markup escaped.

    >>> print(_marked_down("P_AP | <b> *x*"))
    P\_AP \| \<b> \*x\*
    """
    return re.sub(r"([\\`*_|<\[\]#])", r"\\\1", " ".join(text.split()))


def latex_text(text: PasteText) -> str:
    r"""As LaTeX, ready for `\input`."""
    return "\n".join(_latex(text)) + "\n"


def _latex(text: PasteText) -> Iterator[str]:
    long = any(len(table.rows) > _MOST_ROWS for table in text.tables)
    yield rf"% {' '.join(text.title.split())}" + f"\n% needs \\usepackage{{booktabs{',longtable' if long else ''}}}"
    yield r"\section*{Methods}"
    for paragraph in text.methods.paragraphs:
        yield f"\\paragraph{{{escape(paragraph.heading)}}} {escape(paragraph.text)}\n"
    if text.headlines:
        yield r"\section*{Results}"
        yield from (f"{escape(said)}\n" for said in _sentences(text.headlines))
    yield from (latex_table(table, label=f"main-{table.name}") for table in text.tables)
    if text.methods.references:
        yield "% the same references as BibTeX entries are in methods.bib\n\\section*{References}\n\\begin{itemize}"
        yield from (rf"\item {escape(work.text)}" for work in text.methods.references)
        yield r"\end{itemize}"


def bibtex_text(references: Sequence[Reference]) -> str:
    """The references as BibTeX entries."""
    return "\n".join(map(_entry, references))


def _entry(work: Reference) -> str:
    key = re.sub(r"\W", "", work.cited.partition(" ")[0]).lower() + str(work.year)
    fields = {
        "author": " and ".join(work.authors),
        "title": f"{{{work.title}}}",
        "howpublished": work.venue,
        "year": str(work.year),
    }
    lines = "".join(
        f"  {name} = {{{escape(value) if name != 'title' else value}}},\n" for name, value in fields.items()
    )
    return f"@misc{{{key},\n{lines}}}\n"


def _sentences(headlines: Sequence[Headline]) -> list[str]:
    return [headline.text for headline in headlines]


def _columns(table: Table) -> list[str]:
    return [column for column in table.columns if column not in HIDDEN]


def _cells(table: Table) -> Iterator[list[str]]:
    for record in table.records():
        yield [format_value(record[column], number_format(column, record)) for column in _columns(table)]


@dataclass(frozen=True)
class PlainTable:
    """A table as a word processor gets it."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str


def plain_tables(text: PasteText) -> list[PlainTable]:
    """The tables for the HTML that word processors open."""
    return [
        PlainTable(table.title, tuple(map(heading, _columns(table))), tuple(map(tuple, _cells(table))), table.note)
        for table in text.tables
    ]
