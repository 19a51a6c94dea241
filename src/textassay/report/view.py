"""What the page's template gets: figures and tables ready to be shown, with the files that hold them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textassay.report.figures.draw import describe, render
from textassay.report.figures.style import Palette
from textassay.report.files import Names, write
from textassay.report.latex import HIDDEN, latex_table
from textassay.report.numbers import heading, is_number, is_undefined, kind_of, shown
from textassay.report.tables import csv_address, csv_text, json_text
from textassay.results import Figure, Table

_LONG = 20
"""A table with more rows than this scrolls in a box of its own."""


@dataclass(frozen=True)
class Cell:
    """A cell of a table."""

    text: str
    number: bool
    undefined: bool
    mark: str = ""
    """Whom it names, as in `figures.drawing.Mark`."""
    share: float | None = None
    """For a bar: part of the largest number in the column."""


@dataclass(frozen=True)
class TableView:
    """A table in the page."""

    id: str
    caption: str
    note: str
    head: tuple[tuple[str, bool], ...]
    """Heading of each column, and whether it holds numbers."""
    rows: tuple[tuple[Cell, ...], ...]
    long: bool
    csv: str
    """The whole table as a `data:` address."""
    stem: str
    """Name of its files without ending."""


@dataclass(frozen=True)
class FigureView:
    """A figure in the page."""

    id: str
    title: str
    note: str
    description: str
    svg: str
    key_svg: str
    """The same, for the key results."""
    stem: str


class Shelf:
    """Writes tables and figures into the report's folder and says how the page shows them."""

    def __init__(self, directory: Path, palette: Palette, participants: Sequence[str]) -> None:
        self._directory = directory
        self._palette = palette
        self._marks = {name: f"participant:{name}" for name in participants}
        self._marks |= {name: f"system:{name}" for name in palette.systems}
        self._tables = Names()
        self._figures = Names()
        self.missing: set[str] = set()
        """Letters for which this machine has no font."""

    def table(self, table: Table, *, warnings: Sequence[str] = (), bars: bool = False) -> TableView:
        """Write a table as CSV, LaTeX and JSON.

        Args:
            table: The table.
            warnings: Reasons of what is undefined in it.
            bars: Whether the numbers of the last column are also shown as bars.
        """
        stem = self._tables.claim(table.name)
        for ending, content in (
            ("csv", csv_text(table)),
            ("tex", latex_table(table, label=stem)),
            ("json", json_text(table, warnings)),
        ):
            write(self._directory / "tables" / f"{stem}.{ending}", content)
        columns = [column for column in table.columns if column not in HIDDEN]
        records = table.records()
        most = _largest(records, columns[-1]) if bars and columns else 0.0
        rows = tuple(tuple(self._cell(record, column, most, columns) for column in columns) for record in records)
        numeric = [
            bool(rows) and all(row[place].number or not row[place].text for row in rows)
            for place, _ in enumerate(columns)
        ]
        head = tuple(zip(map(heading, columns), numeric, strict=True))
        return TableView(
            f"table-{stem}", table.title, table.note, head, rows, len(rows) > _LONG, csv_address(table), stem
        )

    def figure(self, figure: Figure) -> FigureView:
        """Draw a figure and write it as SVG, PDF and PNG."""
        stem = self._figures.claim(figure.name)
        rendered = render(figure, self._palette)
        self.missing |= set(rendered.missing)
        for ending, content in rendered.files.items():
            write(self._directory / "figures" / f"{stem}.{ending}", content)
        names = f"figure-{stem}", f"key-{stem}"
        own, key = (rendered.element(name) for name in names)
        return FigureView(names[0], figure.title, figure.note, describe(figure), own, key, stem)

    def _cell(self, record: Mapping[str, Any], column: str, most: float, columns: Sequence[str]) -> Cell:
        value = record[column]
        share = float(value) / most if most and column == columns[-1] and is_number(value) else None
        return Cell(
            shown(value, kind_of(column, record)),
            is_number(value),
            is_undefined(value),
            self._marks.get(value, "") if isinstance(value, str) else "",
            share,
        )


def _largest(records: Sequence[Mapping[str, Any]], column: str) -> float:
    return max((float(record[column]) for record in records if is_number(record[column])), default=0.0)
