"""Tables from CSV, TSV, JSON, Excel and Parquet files, every row with the line it came from.

Reading collects all problems of a table and raises them together. Data frames are made in `frames.py`, so that the
web server can read tables without pandas.
"""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from textassay.errors import Problem, ProblemsError, TableError
from textassay.known_names import nearest
from textassay.tables.formats import FORMATS
from textassay.tables.raw_table import RawRow, RawTable
from textassay.tables.schema import Column, Kind, TableSchema

LOG = logging.getLogger(__name__)

_SHOWN = 50
"""How many problems of one table are shown; what is wrong in the first lines is mostly wrong in all."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its values by column, and its line in the file."""

    values: Mapping[str, Any]
    line: int

    def __getitem__(self, column: str) -> Any:
        return self.values[column]

    def get(self, column: str, default: Any = None) -> Any:
        """The value, or the default where the table has no such column."""
        return self.values.get(column, default)


@dataclass(frozen=True)
class Rows:
    """A table that has been read and checked."""

    schema: TableSchema
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    file: str
    """Its name in messages."""

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def problem(self, row: Row, column: str, message: str) -> Problem:
        """A problem with one of its rows."""
        return Problem(self.file, row.line, 0, column, message)


def read_table(path: Path, schema: TableSchema, name: str | None = None) -> Rows:
    """Read a table and check it against its declaration.

    Args:
        path: The file; its ending says which format it is in.
        schema: What its columns are.
        name: What to call it in messages; by default the file's name.

    Raises:
        TableError: with every problem found.
    """
    name = name or path.name
    table = raw_table(path, name)
    problems = list(_header_problems(table, schema, name))
    if problems:
        raise TableError(problems)
    found = table.filled_rows if any(column.required for column in schema.columns) else table.rows
    if not found:
        message = "the table has a header but no rows; add at least one"
        raise TableError([Problem(name, table.line, 0, "", message)])
    rows = [_checked_row(table, raw, schema, name, problems) for raw in found]
    key = [column for column in schema.key if column in table.header]
    problems.extend(_key_problems(rows, key, name))
    if problems:
        raise TableError(first_problems(problems))
    LOG.debug("read %s: rows %d, columns %s", name, len(rows), ", ".join(table.header))
    return Rows(schema, tuple(table.header), tuple(rows), name)


def columns_of(path: Path, name: str | None = None) -> list[str]:
    """The columns of a table of any kind.

    Raises:
        TableError: it cannot be read.
    """
    return list(raw_table(path, name or path.name).header)


def raw_table(path: Path, name: str) -> RawTable:
    """A table as the file has it; the ending says in which format.

    Raises:
        TableError: it cannot be read.
    """
    reader = FORMATS.get(path.suffix.lower())
    if reader is None:
        known = ", ".join(sorted(FORMATS))
        seen = path.suffix or "no ending"
        wrong = f"unknown file format ({seen}); use one of: {known}"
        missing = "no such file; create it or correct the path"
        raise TableError([Problem(name, 0, 0, "", wrong if path.exists() else missing)])
    try:
        return reader(path, name)
    except ProblemsError as error:
        raise TableError(first_problems(error.problems)) from None


def first_problems(problems: Sequence[Problem]) -> list[Problem]:
    """The first problems, and how many more there are."""
    found = sorted(set(problems))
    if len(found) <= _SHOWN:
        return found
    more = len(found) - _SHOWN
    message = f"{more} more problem{'s' if more > 1 else ''} from here on; correct those above first"
    return [*found[:_SHOWN], Problem(found[_SHOWN].file, found[_SHOWN].line, 0, "", message)]


def _header_problems(table: RawTable, schema: TableSchema, name: str) -> Iterator[Problem]:
    wanted = [column.name for column in schema.columns if column.required]
    if not any(column.strip() for column in table.header):
        yield Problem(name, table.line, 0, "", f"the table is empty; it needs the columns {', '.join(wanted)}")
        return
    if table.one_header:
        yield Problem(name, table.line, 0, "", two_headers(table))
        return
    seen: set[str] = set()
    for index, column in enumerate(table.header):
        place = table.locate(table.line, index)
        if not column.strip():
            yield Problem(name, *place, "", f"column {index + 1} has no name; name it or remove it")
        elif column in seen:
            yield Problem(name, *place, column, f"duplicate column {column!r}; rename or remove one")
        seen.add(column)
    for column in wanted:
        if column not in seen:
            yield Problem(name, table.line, 0, column, f"column {column!r} is missing; {_hint(column, table.header)}")


def two_headers(table: RawTable) -> str:
    """What to say of a header that seems to have two rows."""
    unnamed = [str(index) for index, column in enumerate(table.header, 1) if not column.strip()]
    places = f"column{'s' if len(unnamed) > 1 else ''} {', '.join(unnamed)}"
    found = "the header seems to have two rows, as merged cells leave it"
    return f"{found} (no name in {places}); make it one row: {', '.join(table.one_header)}"


def _hint(wanted: str, header: Sequence[str]) -> str:
    """The column that was probably meant."""
    close = nearest(wanted, header, alike=0.7)
    if close:
        return f"rename {close[0]!r} to {wanted!r}"
    return f"add it; columns seen: {', '.join(filter(None, header))}"


def _checked_row(table: RawTable, raw: RawRow, schema: TableSchema, name: str, problems: list[Problem]) -> Row:
    problems.extend(Problem(name, *table.place(raw, column), column, message) for column, message in raw.problems)
    values: dict[str, Any] = dict(raw.values)
    for column in schema.columns:
        if column.name in values:
            try:
                values[column.name] = _checked_value(values[column.name], column, raw.values.get(column.empty_where))
            except UnfitValueError as problem:
                problems.append(Problem(name, *table.place(raw, column.name), column.name, str(problem)))
    return Row(values, raw.line)


def _checked_value(value: Any, column: Column, excused: Any) -> Any:
    """The value as its column holds it; `excused` is what the row has in the column that `empty_where` names."""
    empty = value is None or (isinstance(value, str) and not value.strip())
    may_be_empty = column.undefined or _BOOLEANS.get(str(excused).strip().casefold(), False)
    if not empty and may_be_empty and not column.undefined:
        remedy = f"empty it, or set {column.empty_where!r} to false"
        raise UnfitValueError(f"column {column.name!r} has a value, but {column.empty_where!r} is true; {remedy}")
    if empty and column.required and not may_be_empty:
        raise UnfitValueError(f"column {column.name!r} is empty; fill it in or remove the row")
    if empty and column.kind != "text":
        return None
    return convert("" if value is None else value, column.kind)


def _key_problems(rows: Sequence[Row], columns: Sequence[str], name: str) -> Iterator[Problem]:
    first: dict[tuple[Any, ...], int] = {}
    for row in rows if columns else ():
        key = tuple(row.get(column) for column in columns)
        if all(value is None or value == "" for value in key):
            continue  # reported already as empty
        if key in first:
            what = ", ".join(f"{column} {value!r}" for column, value in zip(columns, key, strict=True))
            message = f"{what} is already in line {first[key]}; keep one of the two rows"
            yield Problem(name, row.line, 0, ", ".join(columns), message)
        else:
            first[key] = row.line


# --- single values ----------------------------------------------------------------------------------------------------

_BOOLEANS = {"true": True, "false": False, "yes": True, "no": False, "1": True, "0": False}
# Python's float() would also take 1_000, Arabic digits, and words such as infinity.
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"[+-]?[0-9]{1,300}")


class UnfitValueError(ValueError):
    """A value does not fit its column; the message says how to correct it."""


def convert(value: Any, kind: Kind) -> Any:
    """The value as the kind of value that its column holds.

    >>> convert("3", "integer"), convert("2.5", "number"), convert("yes", "boolean")
    (3, 2.5, True)

    Raises:
        UnfitValueError: it cannot be converted.
    """
    return _CONVERTERS[kind](value)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (dict, list)):
        raise UnfitValueError(f"{_shown(value)} is not a text; write it as a string")
    return str(value)


def _number(value: Any) -> float | int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    text = str(value).strip()
    if _WHOLE.fullmatch(text):
        return int(text)
    if not isinstance(value, float) and not _NUMBER.fullmatch(text):
        hint = "write the decimal point as '.'" if _NUMBER.fullmatch(text.replace(",", ".", 1)) else "write a number"
        if text.casefold() in ("nan", "na", "n/a", "none", "null", "inf", "infinity", "-", "?"):
            hint = "leave the cell empty where nothing is known"
        raise UnfitValueError(f"{_shown(value)} is not a number; {hint}")
    number = float(text)
    if not math.isfinite(number):
        raise UnfitValueError(f"{_shown(value)} is not a finite number; leave the cell empty where nothing is known")
    return int(number) if number.is_integer() else number


def _integer(value: Any) -> int:
    number = _number(value)
    if not isinstance(number, int):
        raise UnfitValueError(f"{_shown(value)} is not a whole number; write one without a fraction")
    return number


def _boolean(value: Any) -> bool:
    truth = _BOOLEANS.get(str(value).strip().casefold())
    if truth is None:
        raise UnfitValueError(f"{_shown(value)} is neither true nor false; write one of the two")
    return truth


def _time(value: Any) -> datetime:
    try:
        moment = value if isinstance(value, datetime) else datetime.fromisoformat(str(value).strip())
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        remedy = "write it as 2026-01-31T09:30:00+00:00"
        raise UnfitValueError(f"{_shown(value)} is not a time; {remedy}") from None


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:58] + "…" + text[-1]


_CONVERTERS = {"text": _text, "number": _number, "integer": _integer, "boolean": _boolean, "time": _time}
