"""The files of a report: tables as CSV, LaTeX and JSON, figures as SVG, PDF, PNG and CSV; how the page shows them."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import os
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textassay.formula_cells import marked
from textassay.report.figures.render import caption, describe_figure, figure_table, render
from textassay.report.figures.style import Palette
from textassay.report.latex import HIDDEN, latex_table
from textassay.report.numbers import format_value, heading, is_number, is_undefined, number_format
from textassay.results import Figure, Table, plain

_RESERVED = frozenset({"aux", "con", "nul", "prn", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))})
"""Names that Windows reserves for devices, with any extension."""
_LONGEST = 80
_LONG = 20
"""A table with more rows than this scrolls in a box of its own."""
_MOST = 200
"""The page shows that many rows of a table; its files have all."""
_MOST_WITHIN = 1_000_000
"""Characters of CSV that the page holds itself; of longer tables it links to the file beside it."""


@dataclass(frozen=True)
class TableCell:
    """A table cell in the page."""

    text: str
    number: bool
    undefined: bool
    mark: str = ""
    """The system or participant that it names, as in `figures.drawing.Mark`."""
    share: float | None = None
    """For a bar: its length relative to the largest number in the column."""


@dataclass(frozen=True)
class TableView:
    """A table in the page."""

    id: str
    caption: str
    note: str
    head: tuple[tuple[str, bool], ...]
    """Heading of each column, and whether it holds numbers."""
    rows: tuple[tuple[TableCell, ...], ...]
    long: bool
    csv: str
    """The whole table as a `data:` address; that of its file, where it is very long."""
    stem: str
    """Name of its files without extension."""
    checksum: str
    """SHA-256 of its CSV file."""


@dataclass(frozen=True)
class FigureView:
    """A figure in the page."""

    id: str
    title: str
    note: str
    description: str
    svg: str
    stem: str


class ArtifactWriter:
    """Writes tables and figures into the report's folder and returns their views in the page."""

    def __init__(self, directory: Path, palette: Palette, participants: Sequence[str]) -> None:
        self._directory = directory
        self._palette = palette
        self._marks = {name: f"participant:{name}" for name in participants}
        self._marks |= {name: f"system:{name}" for name in palette.systems}
        self._table_names = FileNames()
        self._figure_names = FileNames()
        self.missing: set[str] = set()
        """Characters for which this machine has no font."""
        self.tables: list[TableView] = []
        """All tables that were written, in their order."""
        self.checksums: dict[str, str] = {}
        """SHA-256 of each file of a table, by its path below the directory."""

    def table(self, table: Table, *, warnings: Sequence[str] = (), bars: bool = False) -> TableView:
        """Write a table as CSV, LaTeX and JSON.

        Args:
            table: The table.
            warnings: Why values in it are undefined.
            bars: Whether the numbers of the last column are also shown as bars.
        """
        stem, written = self._table_names.claim(table.name), csv_text(table)
        for ending, content in (
            ("csv", written),
            ("tex", latex_table(table, label=stem)),
            ("json", json_text(table, warnings)),
        ):
            write_file(self._directory / "tables" / f"{stem}.{ending}", content)
            self.checksums[f"tables/{stem}.{ending}"] = hashlib.sha256(content.encode("utf-8")).hexdigest()
        columns = [column for column in table.columns if column not in HIDDEN]
        records = table.records()[:_MOST]
        most = _largest(records, columns[-1]) if bars and columns else 0.0
        rows = tuple(tuple(self._cell(record, column, most, columns) for column in columns) for record in records)
        numeric = [
            bool(rows) and all(row[place].number or not row[place].text for row in rows)
            for place, _ in enumerate(columns)
        ]
        head = tuple(zip(map(heading, columns), numeric, strict=True))
        left = len(table.rows) - len(rows)
        cut = f"The first {len(rows)} of {len(table.rows)} rows; the files below have all of them. " if left else ""
        note, long = f"{cut}{table.note}".strip(), len(rows) > _LONG
        within = len(written) <= _MOST_WITHIN
        address = csv_address(table) if within else f"{self._directory.name}/tables/{stem}.csv"
        checksum = self.checksums[f"tables/{stem}.csv"]
        self.tables.append(TableView(f"table-{stem}", table.title, note, head, rows, long, address, stem, checksum))
        return self.tables[-1]

    def figure(self, figure: Figure) -> FigureView:
        """Draw a figure and write it as SVG, PDF and PNG, and its numbers as CSV."""
        stem = self._figure_names.claim(figure.name)
        rendered = render(figure, self._palette)
        self.missing |= set(rendered.missing)
        for ending, content in rendered.files.items():
            write_file(self._directory / "figures" / f"{stem}.{ending}", content)
        write_file(self._directory / "figures" / f"{stem}.csv", csv_text(figure_table(figure)))
        name = f"figure-{stem}"
        return FigureView(name, figure.title, caption(figure), describe_figure(figure), rendered.element(name), stem)

    def _cell(self, record: Mapping[str, Any], column: str, most: float, columns: Sequence[str]) -> TableCell:
        value = record[column]
        share = float(value) / most if most and column == columns[-1] and is_number(value) else None
        return TableCell(
            format_value(value, number_format(column, record)),
            is_number(value),
            is_undefined(value),
            self._marks.get(value, "") if isinstance(value, str) else "",
            share,
        )


def _largest(records: Sequence[Mapping[str, Any]], column: str) -> float:
    return max((float(record[column]) for record in records if is_number(record[column])), default=0.0)


def csv_text(table: Table) -> str:
    """The table as CSV: empty for missing, `nan` for undefined, several values of a cell as a JSON list.

    >>> print(csv_text(Table("t", "T", ("system", "ci"), (("a, b", (1.5, 2.0)), ("c", None)))), end="")
    system,ci
    "a, b","[1.5, 2.0]"
    c,
    """
    return "".join([_line(table.columns), *(_line([_cell(cell) for cell in row]) for row in table.rows)])


def csv_address(table: Table) -> str:
    """The CSV as a `data:` address, so that the page can offer it without another file."""
    # the byte order mark tells spreadsheets that it is UTF-8
    encoded = base64.b64encode(csv_text(table).encode("utf-8-sig")).decode("ascii")
    return f"data:text/csv;charset=utf-8;base64,{encoded}"


def json_text(table: Table, warnings: Sequence[str] = ()) -> str:
    """The table as JSON: its records, with undefined values as null and the reasons in `warnings`."""
    content = {
        "name": table.name,
        "title": table.title,
        "note": table.note,
        "records": plain(table.records()),
        "warnings": list(warnings),
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _line(cells: Sequence[Any]) -> str:
    # csv quotes only the line ends in a cell that it writes itself, so it writes both kinds here
    buffer = io.StringIO(newline="")
    csv.writer(buffer, lineterminator="\r\n").writerow(map(marked, cells))
    return buffer.getvalue().removesuffix("\r\n") + "\n"


def _cell(value: Any) -> Any:
    if hasattr(value, "tolist"):  # a NumPy scalar
        value = value.tolist()
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (tuple, list)):
        return json.dumps(plain(value), ensure_ascii=False)
    return value


def file_name(name: str) -> str:
    """The name in characters that are safe in file names and addresses.

    >>> file_name("Means: Verständlichkeit (1–7)"), file_name("../../etc/passwd"), file_name("nul")
    ('means-verstandlichkeit-1-7', 'etc-passwd', 'nul-')
    """
    letters = unicodedata.normalize("NFKD", name).casefold()
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    text = re.sub(r"[^a-z0-9_]+", "-", plain).strip("-")[:_LONGEST].rstrip("-")
    if not re.search(r"[a-z0-9]", text):
        return f"x-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
    return f"{text}-" if text in _RESERVED else text


class FileNames:
    """Gives each file a unique name, even if two tables have the same name."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def claim(self, name: str) -> str:
        """An unused file name for the given name, with a number added if needed."""
        base = file_name(name)
        found, number = base, 1
        while found in self._taken:
            number += 1
            found = f"{base}-{number}"
        self._taken.add(found)
        return found


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file completely or not at all: to a temporary file, which then replaces it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    temporary.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    temporary.replace(path)
