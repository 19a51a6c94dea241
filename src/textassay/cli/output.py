"""Results on the terminal in the chosen format, and progress bars."""

from __future__ import annotations

import csv
import json
import logging
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as RichTable

from textassay.cli.options import Format
from textassay.formula_cells import marked
from textassay.prose import listed
from textassay.report.latex import CellFormat, latex_table
from textassay.results import Analysis, Record, Table, plain, shown, table_of_records

LOG = logging.getLogger("textassay")


def show_analyses(analyses: Sequence[Analysis], how: Format) -> None:
    """Print analyses: their tables for people, their records for programs."""
    records = [record for analysis in analyses for record in analysis.records()]
    if how == "json":
        show_records(records)
        return
    if how == "csv":
        show_flat(records)
        return
    for analysis in analyses:
        if how == "text":
            console().print(f"\n{analysis.title}", style="bold")
        for headline in analysis.headlines if how == "text" else ():
            console().print(headline.text)
        show_tables([table for table in analysis.tables if table.rows], how)
        for caution in analysis.cautions if how == "text" else ():
            console().print(f"Caution: {caution}")
        for warning in analysis.warnings if how == "text" else ():
            console().print(f"Note: {warning}")


def show_tables(tables: Sequence[Table], how: Format) -> None:
    """Print tables; as CSV several make one table of their cells, which any program can read."""
    if how == "json":
        show_records([{"table": table.name, **record} for table in tables for record in table.records()])
        return
    shown_tables = [_cells(tables)] if how == "csv" and len(tables) > 1 else tables
    for table in shown_tables:
        {"text": show_text, "csv": _as_csv, "latex": _as_latex}[how](table)


def _cells(tables: Sequence[Table]) -> Table:
    """The cells of tables with other columns each, as one table."""
    rows = tuple(
        (table.name, number, column, cell)
        for table in tables
        for number, row in enumerate(table.rows, 1)
        for column, cell in zip(table.columns, plain(row), strict=True)
    )
    return Table("cells", "", ("table", "row", "column", "value"), rows)


def show_records(records: Sequence[Record]) -> None:
    """Print records as one JSON list."""
    print(json.dumps(plain(records), ensure_ascii=False, indent=1))


def show_flat(records: Sequence[Record]) -> None:
    """Print records as one CSV table for programs."""
    _as_csv(table_of_records([_flat(record) for record in records], name="records", title=""))


def write_tables(tables: Iterable[Table], folder: Path) -> None:
    """Each table that has rows as CSV, under its name."""
    from textassay.report.artifacts import FileNames, csv_text, write_file  # noqa: PLC0415 -- only where asked for

    names = FileNames()
    for table in (table for table in tables if table.rows):
        write_file(folder / f"{names.claim(table.name)}.csv", csv_text(table))


_NAMED = 4
"""Names that a note for several gives after the first."""


def notes_at_once(notes: Iterable[str], names: Collection[str]) -> list[str]:
    """The notes, with those that differ only in names and numbers as one, which says of what else they are true.

    >>> notes_at_once(["a has 3 texts", "b has 4 texts", "all is short"], ["a", "b"])
    ['a has 3 texts (likewise b)', 'all is short']
    """
    ordered = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    named = re.compile(rf"(?<![\w-])(?:{ordered or '(?!)'})(?![\w-])")
    alike: dict[str, list[str]] = {}
    for note in dict.fromkeys(notes):
        alike.setdefault(re.sub(r"\d+(?:[.,]\d+)*", "0", named.sub("…", note)), []).append(note)
    said = []
    for first, *others in alike.values():
        here = set(named.findall(first))
        its = (", ".join(part for part in named.findall(note) if part not in here) for note in others)
        more = list(dict.fromkeys(its))
        rest = [*more[:_NAMED], *([f"{len(more) - _NAMED} more"] if len(more) > _NAMED else [])]
        likewise = f"likewise {listed(rest)}" if any(more) else f"and {len(others)} more like it"
        said.append(f"{first} ({likewise})" if others else first)
    return said


class _Terminal(Console):
    def on_broken_pipe(self) -> None:
        """Pass the error on: `run` treats a closed pipe as a normal end."""
        raise BrokenPipeError


def console() -> Console:
    """The terminal; pipes and files get lines of up to 160 columns. Texts are shown as they are, brackets included."""
    width = None if sys.stdout.isatty() else 160
    return _Terminal(width=width, highlight=False, soft_wrap=False, markup=False, emoji=False)


def shortened(table: Table, most: int) -> Table:
    """The table's first rows, for a reader at a terminal, with a note on how to see all of them."""
    left = len(table.rows) - most
    if left <= 0:
        return table
    return replace(table, rows=table.rows[:most], note=f"{left:,} more rows: use --format csv.")


def show_text(table: Table, format_cell: CellFormat | None = None) -> None:
    """Print a table for people; `format_cell` can format single cells, for example with fixed decimals."""
    grid = RichTable(
        title=table.title or None, title_justify="left", box=SIMPLE_HEAD, pad_edge=False, title_style="italic"
    )
    for index, column in enumerate(table.columns):
        numeric = all(isinstance(row[index], (int, float)) or row[index] is None for row in table.rows)
        aligned = format_cell is not None and all(isinstance(row[index], tuple | None) for row in table.rows)
        grid.add_column(column, justify="right" if numeric or aligned else "left")
    for number, row in enumerate(table.rows):
        formatted = (
            format_cell(number, column, cell) if format_cell is not None else None
            for cell, column in zip(row, table.columns, strict=True)
        )
        cells = zip(formatted, row, table.columns, strict=True)
        grid.add_row(*(shown(cell, column) if text is None else text for text, cell, column in cells))
    terminal = console()
    terminal.print(grid)
    if table.note:
        terminal.print(table.note)


def show_rows(columns: Iterable[str], rows: Iterable[Iterable[Any]]) -> None:
    """Print rows as CSV, one after the other, for there may be millions."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(map(marked, columns))
    writer.writerows(map(marked, plain(row)) for row in rows)


def _as_csv(table: Table) -> None:
    show_rows(table.columns, table.rows)


def _flat(record: Record) -> Record:
    """A record with its interval in two columns."""
    low, high = record.get("ci") or (None, None)
    rest = {key: value for key, value in record.items() if key != "ci"}
    return {**rest, "ci_low": low, "ci_high": high}


def _as_latex(table: Table) -> None:
    print(latex_table(table))


@contextmanager
def progress_bar(what: str, *, quiet: bool = False) -> Iterator[Callable[[int, int], None] | None]:
    """A callback that moves a progress bar; None if quiet or not on a terminal."""
    if quiet or not sys.stderr.isatty() or LOG.isEnabledFor(logging.DEBUG):
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 -- only where a bar is shown
    from rich.progress import Progress  # noqa: PLC0415

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def stage_line(*, quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """A callback that shows what is being done; it does nothing if quiet or not on a terminal."""
    if LOG.isEnabledFor(logging.DEBUG):
        yield LOG.debug
        return
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    with Console(stderr=True).status("") as line:
        yield lambda what: line.update(f"{what[:1].upper()}{what[1:]} …")
