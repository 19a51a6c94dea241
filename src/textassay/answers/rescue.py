"""What is readable of a damaged SQLite file, in a new one and as tables; the damaged file is never written to.

A row is taken only if all its values are of the kind that its column has, so that none is invented. Rows that were
removed earlier stay removed as long as the file still says which pages are unused.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from alembic.util import CommandError

from textassay.answers.database import connect, migrate
from textassay.answers.export import export_study
from textassay.answers.schema import METADATA
from textassay.answers.sqlite_pages import Cell, DamagedPageError, PageFile, Value
from textassay.errors import StoreError, TextassayError, UsageError
from textassay.study.store_address import FILE_NAME, file_address
from textassay.study.study import Study

LEFT_OVER = "left-over.jsonl"
TABLES = "tables"
_JSON = ("payload", "client")
_TIME = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?")
_SECRET = re.compile(r"[A-Za-z0-9_-]{43}")
_TEXTS: Mapping[str, Callable[[str], bool]] = {
    "TEXT": lambda text: "\0" not in text,
    "DATETIME": lambda text: _TIME.fullmatch(text) is not None,
}
_NUMBERS: Mapping[str, type | tuple[type, ...]] = {"INTEGER": int, "BOOLEAN": int, "FLOAT": (int, float)}
"""Kinds of columns, and what their values must be."""
_SCHEMA_COLUMNS = 5
_HIDDEN = "secrets"
"""The keys of links are in the new database only."""


@dataclass
class RescuedTable:
    """What came back of a table."""

    name: str
    readable: int = 0
    """Rows in the new database."""
    unreadable: int = 0
    """Rows that are there and cannot be read."""
    left_over: int = 0
    """Rows that are readable but do not fit the others, such as answers of a participant who is lost."""
    numbers: set[int] = field(default_factory=set, repr=False)

    @property
    def missing(self) -> int:
        """How many numbers up to the last one no row has: lost, or removed earlier."""
        return max(self.numbers, default=0) - len(self.numbers)


@dataclass(frozen=True)
class Rescued:
    """What came back of a file."""

    tables: tuple[RescuedTable, ...]
    damaged_pages: int
    pages: int
    files: tuple[Path, ...]
    notes: tuple[str, ...]


def rescue_file(path: Path, folder: Path, study: Study | None) -> Rescued:
    """Write out what is readable of an SQLite file.

    Args:
        path: The damaged file; a write-ahead log beside it is read, too.
        folder: A new or empty folder.
        study: The study that it belongs to, for the tables of an export; without it, rows are written as JSON lines.

    Raises:
        UsageError: the folder is not empty.
        StoreError: the file cannot be read at all, or nothing of a store is in it.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is there already, and not empty; give a new folder with --to")
    try:
        with PageFile(path) as pages:
            found = _Found(pages)
            folder.mkdir(parents=True, exist_ok=True)
            database = folder / FILE_NAME
            left_over = _fill(database, found)
    except OSError as error:
        raise StoreError(f"{path}: cannot be rescued ({error.strerror or error}); check file and folder") from None
    if not any(table.readable for table in found.tables.values()):
        raise StoreError(f"{path}: nothing in it is a row of answers; is this the right file?")
    files, notes = [database], found.notes()
    if left_over:
        _write_lines(folder / LEFT_OVER, left_over)
        files.append(folder / LEFT_OVER)
    exported, why_not = _exported(database, folder, study)
    files += exported
    return Rescued(
        tuple(found.tables.values()), len(found.damaged), pages.count, tuple(files), (*notes, *filter(None, [why_not]))
    )


class _Found:
    """The rows of each table, with what could not be read."""

    def __init__(self, pages: PageFile) -> None:
        self.pages = pages
        self.damaged: set[int] = set()
        self.tables = {table.name: RescuedTable(table.name) for table in METADATA.sorted_tables}
        self._leaves: dict[str, list[int]] = {name: [] for name in self.tables}
        self.revision: str | None = None
        self._seen: set[int] = set()
        self.knows_schema = self._walk()

    def notes(self) -> list[str]:
        """What a reader must know of the rows."""
        if self.knows_schema:
            return []
        return ["the list of tables is damaged, so rows that were removed earlier may be among those that came back"]

    def rows(self, columns: Mapping[str, Sequence[_Column]]) -> Iterator[tuple[str, Cell]]:
        """Every readable row with its table, tables that others refer to first."""
        lost = self._lost_leaves(columns)
        for name, table in self.tables.items():
            for leaf in (*self._leaves[name], *lost.get(name, ())):
                for row in self._rows(leaf):
                    if row is not None and _fits(row, columns[name]):
                        yield name, row
                    else:
                        table.unreadable += 1

    def _walk(self) -> bool:
        """Find the leaves of each table from the list of tables; whether that list is sound."""
        try:
            leaves, damaged = self.pages.leaves(1)
        except DamagedPageError:
            leaves, damaged = [], {1}
        self.damaged |= damaged
        sound = bool(leaves) and not damaged
        for leaf in leaves:
            self._seen.add(leaf)
            for row in self._rows(leaf):
                if row is None or len(row[1]) != _SCHEMA_COLUMNS:
                    sound = False
                    continue
                kind, name, _, root, _ = row[1]
                if kind == "table" and isinstance(root, int):
                    self._walk_table(str(name), root)
        return sound and self.pages.has_header

    def _walk_table(self, name: str, root: int) -> None:
        leaves, damaged = self.pages.leaves(root)
        self.damaged |= damaged
        self._seen |= {*leaves, *damaged}
        if name in self._leaves:
            self._leaves[name] = leaves
        elif name == "alembic_version":
            rows = [row for leaf in leaves for row in self._rows(leaf) if row is not None]
            self.revision = str(rows[0][1][0]) if len(rows) == 1 and len(rows[0][1]) == 1 else None

    def _lost_leaves(self, columns: Mapping[str, Sequence[_Column]]) -> dict[str, list[int]]:
        """Leaves that no tree leads to because a page above them is damaged, by the table that their rows fit."""
        found: dict[str, list[int]] = {}
        if not self.damaged and self.knows_schema:
            return found
        unused = self.pages.unused()
        for number in range(2, self.pages.count + 1):
            if number in self._seen or number in unused or not self.pages.is_leaf(number):
                continue
            rows = [row for row in self._rows(number) if row is not None]
            fitting = [name for name in self.tables if rows and all(_fits(row, columns[name]) for row in rows)]
            if len(fitting) > 1:  # names and values, which only their form tells apart
                secret = all(_SECRET.fullmatch(str(row[1][1])) for row in rows)
                fitting = ["secrets" if secret else "settings"]
            for name in fitting:
                found.setdefault(name, []).append(number)
        return found

    def _rows(self, leaf: int) -> Iterator[Cell | None]:
        try:
            yield from self.pages.rows(leaf)
        except DamagedPageError:
            self.damaged.add(leaf)


# --- the new database -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Column:
    name: str
    kind: str
    required: bool
    has_default: bool
    is_number: bool
    """Whether it is the number of the row."""

    def fits(self, value: Value) -> bool:
        if value is None or self.is_number:
            return value is None and (self.is_number or not self.required)
        if isinstance(value, str):
            return self.kind in _TEXTS and _TEXTS[self.kind](value) and (self.name not in _JSON or _is_object(value))
        return self.kind in _NUMBERS and isinstance(value, _NUMBERS[self.kind])


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _fits(row: Cell, columns: Sequence[_Column]) -> bool:
    """Whether the values are of the kinds of the columns; columns that were added later may be missing."""
    number, values = row
    if number < 1 or not values or len(values) > len(columns):
        return False
    missing = columns[len(values) :]
    return all(column.has_default or not column.required for column in missing) and all(
        column.fits(value) for column, value in zip(columns, values, strict=False)
    )


def _fill(database: Path, found: _Found) -> list[dict[str, Any]]:
    """Put the rows into a new database of the layout that the old one had; returns those that do not fit."""
    with connect(file_address(database)) as engines:
        try:
            migrate(engines, found.revision or "head")
        except CommandError:  # a layout that this release does not know
            migrate(engines)
    left_over: list[dict[str, Any]] = []
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("PRAGMA foreign_keys=ON")
        columns = {name: _columns(connection, name) for name in found.tables}
        for name, (number, values) in found.rows(columns):
            given = {
                column.name: number if column.is_number else value
                for column, value in zip(columns[name], values, strict=False)
            }
            table = found.tables[name]
            places = ", ".join("?" * len(given))
            try:
                connection.execute(
                    f"INSERT INTO {name} ({', '.join(given)}) VALUES ({places})",  # noqa: S608 -- our own names
                    tuple(given.values()),
                )
            except sqlite3.IntegrityError as error:
                table.left_over += 1
                left_over += [{"table": name, "why": str(error), **given}] if name != _HIDDEN else []
            else:
                table.readable += 1
            table.numbers |= {number} if "id" in given else set()
    with connect(file_address(database)) as engines:
        migrate(engines)
    return left_over


def _columns(connection: sqlite3.Connection, table: str) -> list[_Column]:
    described = connection.execute(f"PRAGMA table_info({table})").fetchall()
    return [
        _Column(name, kind, bool(required), default is not None, name == "id")
        for _, name, kind, required, default, _ in described
    ]


# --- for people -------------------------------------------------------------------------------------------------------


def _exported(database: Path, folder: Path, study: Study | None) -> tuple[list[Path], str | None]:
    """The tables of an export where the study allows it, else rows as they are stored; and why not the former."""
    why_not = "the study could not be loaded, so rows are written as they are stored"
    if study is not None:
        try:
            rescued = replace(study, store=file_address(database.absolute()))
            return export_study(rescued, folder / TABLES), None
        except (TextassayError, LookupError) as error:
            why_not = f"the tables of an export could not be made ({error}), so rows are written as they are stored"
    files = []
    with closing(sqlite3.connect(database)) as connection:
        connection.row_factory = sqlite3.Row
        for name in (table.name for table in METADATA.sorted_tables if table.name != _HIDDEN):
            files.append(folder / f"{name}.jsonl")
            rows = connection.execute(f"SELECT * FROM {name} ORDER BY 1")  # noqa: S608 -- our own names
            _write_lines(files[-1], ({key: row[key] for key in row.keys()} for row in rows))  # noqa: SIM118 -- a Row
    return files, why_not


def _write_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
