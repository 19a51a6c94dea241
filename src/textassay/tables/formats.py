"""The file formats of tables: CSV, TSV, JSON lines and Parquet, each read with the line and column of every value."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from textassay.errors import Problem, ProblemsError
from textassay.tables.text_files import read_text

Place = tuple[int, int]
"""Line and column, from 1; column 0 where the line as a whole is meant."""


@dataclass(frozen=True, slots=True)
class RawRow:
    """A row as the file has it, before anything is known of its columns."""

    values: dict[str, Any]
    line: int
    """The line in which it begins."""
    problems: tuple[tuple[str, str], ...] = ()
    """What is wrong with its form: name of the column (or nothing) and message."""


def _whole_line(line: int, index: int) -> Place:
    del index
    return line, 0


class RawTable(NamedTuple):
    """A table as the file has it, before anything is known of its columns."""

    header: list[str]
    rows: list[RawRow]
    line: int = 0
    """The line of the header; 0 where the format has none."""
    locate: Callable[[int, int], Place] = _whole_line
    """Place of a value, from the line in which its row begins and the index of its column, from 0."""

    def place(self, row: RawRow, column: str) -> Place:
        """The place of a value of a row."""
        return self.locate(row.line, self.header.index(column)) if column in self.header else (row.line, 0)


# --- CSV and TSV ------------------------------------------------------------------------------------------------------

_DELIMITER_NAMES = {",": "commas", "\t": "tabs", ";": "semicolons"}


def read_delimited(path: Path, name: str, *, delimiter: str) -> RawTable:
    """Read a table whose values are separated by a delimiter and quoted with double quotation marks.

    Raises:
        ProblemsError: the file cannot be read, or its quotation marks do not pair up.
    """
    text = read_text(path, name)
    # The csv module's notion of a line, and not str.splitlines(), which also breaks at form feeds and the like.
    lines = list(io.StringIO(text, newline=""))
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    header: list[str] = []
    header_line, begin = 0, 1
    rows: list[RawRow] = []
    try:
        with _long_values(len(text)):
            for fields in reader:
                line, begin = begin, reader.line_num + 1
                if not header:
                    header, header_line = fields, line
                elif fields and not (len(fields) == 1 < len(header) and not fields[0].strip()):
                    rows.append(_delimited_row(header, fields, line, delimiter))
    except csv.Error:
        places, fault = _scan(lines, begin, delimiter)
        message = f"{fault}; inside a value, write each quotation mark twice"
        raise ProblemsError([Problem(name, *places[-1], "", message)]) from None
    _check_delimiter(header, delimiter, Problem(name, header_line, 0, "", ""))
    return RawTable(header, rows, header_line, partial(_place, lines, delimiter))


@contextmanager
def _long_values(length: int) -> Iterator[None]:
    """Let the csv module read values as long as the file; its limit applies to the whole process."""
    limit = csv.field_size_limit()
    csv.field_size_limit(max(limit, length))
    try:
        yield
    finally:
        csv.field_size_limit(limit)


def _delimited_row(header: Sequence[str], fields: list[str], line: int, delimiter: str) -> RawRow:
    values = dict(zip(header, fields, strict=False))
    if len(fields) == len(header):
        return RawRow(values, line)
    remedy = f"put a value that contains {delimiter!r} in quotation marks"
    if len(fields) < len(header):
        remedy = "add the missing values, if only as empty ones"
    counted = f"{len(fields)} value{'s' if len(fields) != 1 else ''}"
    return RawRow(values, line, (("", f"{counted}, but the header has {len(header)} columns; {remedy}"),))


def _check_delimiter(header: Sequence[str], delimiter: str, problem: Problem) -> None:
    """Refuse a header with one column whose name contains another delimiter: that one was used for the file."""
    other = next((mark for mark in ";\t," if len(header) == 1 and mark != delimiter and mark in header[0]), None)
    if other is not None:
        seen, wanted = _DELIMITER_NAMES[other], _DELIMITER_NAMES[delimiter]
        message = f"the values are separated by {seen}, not {wanted}; save the table with {wanted}"
        raise ProblemsError([Problem(problem.file, problem.line, 0, "", message)])


def _place(lines: Sequence[str], delimiter: str, line: int, index: int) -> Place:
    places, _ = _scan(lines, line, delimiter)
    return places[index] if index < len(places) else (line, 0)


def _scan(lines: Sequence[str], line: int, delimiter: str) -> tuple[list[Place], str]:
    """The place of each value of the row that begins in this line, and what is wrong with the last one, if anything."""
    places = [(line, 1)]
    begins, quoted, inside = True, False, False
    for number in range(line, len(lines) + 1):
        for column, character in enumerate(lines[number - 1], 1):
            if begins:
                quoted = inside = character == '"'
            elif quoted and character == '"':
                inside = not inside
            elif quoted and not inside and character not in (delimiter, "\r", "\n"):
                return places, "text follows the closing quotation mark of this value"
            begins = character == delimiter and not inside
            if begins:
                places.append((number, column + 1))
        if not inside:
            return places, ""
    return places, "the quotation mark here is never closed; close it"


# --- JSON lines -------------------------------------------------------------------------------------------------------

_LONGEST_EXCERPT = 40


class _RepeatedKeyError(ValueError):
    """An object has a key twice."""


def read_json_lines(path: Path, name: str) -> RawTable:
    """Read a table with one JSON object per line; a key that is missing in a line counts as empty there.

    Raises:
        ProblemsError: with every line that is not a JSON object.
    """
    header: dict[str, None] = {}
    rows: list[RawRow] = []
    problems: list[Problem] = []
    for line, source in enumerate(read_text(path, name).split("\n"), 1):
        if not source.strip():
            continue
        try:
            values = _object(source)
        except json.JSONDecodeError as error:
            message = f"not a JSON object ({error.msg}); write one object per line"
            problems.append(Problem(name, line, error.colno, "", message))
        except (ValueError, RecursionError) as error:
            too_large = "a value is too large; write it as a string"
            message = str(error) if isinstance(error, _RepeatedKeyError) else too_large
            problems.append(Problem(name, line, 0, "", message))
        else:
            header.update(dict.fromkeys(values))
            rows.append(RawRow(values, line, tuple(_unwritable(values))))
    if problems:
        raise ProblemsError(problems)
    columns = list(header)
    full = [RawRow({column: row.values.get(column) for column in columns}, row.line, row.problems) for row in rows]
    return RawTable(columns, full)


def _object(source: str) -> dict[str, Any]:
    values = json.loads(source, object_pairs_hook=_unique_pairs)
    if not isinstance(values, dict):
        seen = source.strip()
        seen = seen if len(seen) <= _LONGEST_EXCERPT else seen[: _LONGEST_EXCERPT - 1] + "…"
        raise json.JSONDecodeError(f"got {seen}", source, len(source) - len(source.lstrip()))
    return values


def _unique_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        keys = [key for key, _ in pairs]
        duplicate = next(key for index, key in enumerate(keys) if key in keys[:index])
        raise _RepeatedKeyError(f"duplicate key {duplicate!r}; keep one")
    return values


def _unwritable(values: dict[str, Any]) -> list[tuple[str, str]]:
    """The first character that JSON can spell but no text file can hold: half of a surrogate pair, or NUL."""
    message = "contains a character that is not text (U+{:04X}); remove it"
    return [
        (column, message.format(ord(character)))
        for column, value in values.items()
        if isinstance(value, str)
        for character in value
        if character == "\0" or "\ud800" <= character <= "\udfff"
    ][:1]


# --- Parquet ----------------------------------------------------------------------------------------------------------


def read_parquet(path: Path, name: str) -> RawTable:
    """Read a Parquet file; lines are rows, counted from 1.

    Raises:
        ProblemsError: pyarrow is not installed, or the file is missing or not Parquet.
    """
    try:
        parquet: Any = import_module("pyarrow.parquet")
    except ImportError:
        remedy = "install it with: pip install 'textassay[parquet]'"
        raise ProblemsError([Problem(name, 0, 0, "", f"reading Parquet needs pyarrow; {remedy}")]) from None
    if not path.is_file():
        raise ProblemsError([Problem(name, 0, 0, "", "no such file; create it or correct the path")])
    try:
        table = parquet.read_table(path)
    except (OSError, ValueError) as error:  # pyarrow's own errors derive from ValueError
        reason = str(error).partition("\n")[0].rstrip(".")
        raise ProblemsError([Problem(name, 0, 0, "", f"not a Parquet file ({reason}); save it again")]) from None
    rows = [RawRow(values, line) for line, values in enumerate(table.to_pylist(), 1)]
    return RawTable(list(table.column_names), rows)


FORMATS: dict[str, Callable[[Path, str], RawTable]] = {
    ".csv": partial(read_delimited, delimiter=","),
    ".tsv": partial(read_delimited, delimiter="\t"),
    ".jsonl": read_json_lines,
    ".ndjson": read_json_lines,
    ".parquet": read_parquet,
}
"""The reader for each file ending; it takes the path and what to call the file in messages."""
