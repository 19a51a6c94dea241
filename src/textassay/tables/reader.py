"""Tables from CSV, TSV, JSON lines and Parquet, every row with the line it came from.

Reading collects all problems of a table and raises them together. Data frames are made in `frames.py`, so that the
web server can read tables without pandas.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textassay.errors import Problem, ProblemsError, TableError
from textassay.tables.formats import FORMATS, RawRow
from textassay.tables.schema import Column, TableSchema
from textassay.tables.values import ValueProblem, convert


@dataclass(frozen=True)
class Row:
    """One row: its values by column, and where it stands."""

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
    reader = FORMATS.get(path.suffix.lower())
    if reader is None:
        known = ", ".join(sorted(FORMATS))
        seen = path.suffix or "no ending"
        raise TableError([Problem(name, 0, 0, "", f"unknown kind of table ({seen}); use one of {known}")])
    try:
        header, raw_rows = reader(path, name)
    except ProblemsError as error:
        raise TableError(error.problems) from None
    problems = list(_header_problems(header, schema, name))
    if problems:
        raise TableError(problems)
    if not raw_rows:
        raise TableError([Problem(name, 1, 0, "", "the table is empty; add at least one row under the header")])
    rows = [_checked_row(raw, schema, name, problems) for raw in raw_rows]
    problems.extend(_key_problems(rows, schema, name))
    if problems:
        raise TableError(problems)
    return Rows(schema, tuple(header), tuple(rows), name)


def _header_problems(header: list[str], schema: TableSchema, name: str) -> Iterator[Problem]:
    if not any(header):
        yield Problem(name, 1, 0, "", f"no header; the first line must name the columns, such as {_wanted(schema)}")
        return
    seen: set[str] = set()
    for index, column in enumerate(header, 1):
        if not column:
            yield Problem(name, 1, 0, "", f"column {index} has no name; name it or remove it")
        elif column in seen:
            yield Problem(name, 1, 0, column, f"column {column!r} stands there twice; rename or remove one")
        seen.add(column)
    for wanted in schema.columns:
        if wanted.required and wanted.name not in seen:
            close = next((column for column in seen if column.strip().casefold() == wanted.name), None)
            hint = f"rename {close!r}" if close else f"columns seen: {', '.join(filter(None, header))}"
            yield Problem(name, 1, 0, wanted.name, f"column {wanted.name!r} is missing; {hint}")


def _wanted(schema: TableSchema) -> str:
    return ",".join(column.name for column in schema.columns if column.required)


def _checked_row(raw: RawRow, schema: TableSchema, name: str, problems: list[Problem]) -> Row:
    problems.extend(Problem(name, raw.line, raw.column_of(column), column, message) for column, message in raw.problems)
    values: dict[str, Any] = dict(raw.values)
    for column in schema.columns:
        if column.name in values:
            try:
                values[column.name] = _checked_value(values[column.name], column)
            except ValueProblem as problem:
                problems.append(Problem(name, raw.line, raw.column_of(column.name), column.name, str(problem)))
    return Row(values, raw.line)


def _checked_value(value: Any, column: Column) -> Any:
    empty = value is None or (isinstance(value, str) and not value.strip())
    if empty and column.required:
        raise ValueProblem(f"nothing in column {column.name!r}; fill it in or remove the row")
    if empty and column.kind != "text":
        return None
    return convert("" if value is None else value, column.kind)


def _key_problems(rows: list[Row], schema: TableSchema, name: str) -> Iterator[Problem]:
    first: dict[tuple[Any, ...], int] = {}
    for row in rows:
        if not schema.key:
            return
        key = tuple(row.get(column) for column in schema.key)
        if key in first:
            what = ", ".join(f"{column} {value!r}" for column, value in zip(schema.key, key, strict=True))
            message = f"{what} stands already in line {first[key]}; keep one of the two rows"
            yield Problem(name, row.line, 0, ", ".join(schema.key), message)
        else:
            first[key] = row.line
