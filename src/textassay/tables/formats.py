"""The file formats of tables, each as header and raw rows with line numbers."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from textassay.errors import Problem, ProblemsError, UsageError
from textassay.tables.decode import read_text


@dataclass(frozen=True)
class RawRow:
    """A row as the file has it."""

    values: dict[str, Any]
    line: int
    source: str = ""
    """The line itself, where the place of a value in it can be told."""
    delimiter: str = ""
    problems: list[tuple[str, str]] = field(default_factory=list)
    """What is wrong with its form: name of the column (or nothing) and message."""

    def column_of(self, name: str) -> int:
        """Place of the value in its line, from 1; 0 where it cannot be told."""
        if not self.delimiter or name not in self.values:
            return 0
        return _field_start(self.source, self.delimiter, list(self.values).index(name))


def _field_start(line: str, delimiter: str, index: int) -> int:
    quoted, seen = False, 0
    for place, character in enumerate(line):
        if seen == index:
            return place + 1
        if character == '"':
            quoted = not quoted
        elif character == delimiter and not quoted:
            seen += 1
    return len(line) + 1 if seen == index else 0


def _delimited(path: Path, name: str, delimiter: str) -> tuple[list[str], list[RawRow]]:
    text = read_text(path, name)
    lines = text.splitlines()
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[RawRow] = []
    header: list[str] = []
    begin = 1
    try:
        for fields in reader:
            line, begin = begin, reader.line_num + 1
            if not header:
                header = fields
            elif fields:
                rows.append(_delimited_row(header, fields, line, lines[line - 1], delimiter))
    except csv.Error as error:
        hint = "is a quotation mark left open? Write a quotation mark inside a value twice"
        raise ProblemsError([Problem(name, begin, 0, "", f"{error}; {hint}")]) from None
    return header, rows


def _delimited_row(header: list[str], fields: list[str], line: int, source: str, delimiter: str) -> RawRow:
    problems = []
    if len(fields) != len(header):
        message = f"{len(fields)} values where the header names {len(header)} columns; "
        message += (
            f"put a value that contains {delimiter!r} in quotation marks"
            if len(fields) > len(header)
            else ("add the missing values")
        )
        problems.append(("", message))
    return RawRow(dict(zip(header, fields, strict=False)), line, source, delimiter, problems)


def _csv(path: Path, name: str) -> tuple[list[str], list[RawRow]]:
    return _delimited(path, name, ",")


def _tsv(path: Path, name: str) -> tuple[list[str], list[RawRow]]:
    return _delimited(path, name, "\t")


def _json_lines(path: Path, name: str) -> tuple[list[str], list[RawRow]]:
    header: dict[str, None] = {}
    rows: list[RawRow] = []
    problems: list[Problem] = []
    for line, source in enumerate(read_text(path, name).split("\n"), 1):
        if not source.strip():
            continue
        try:
            values = json.loads(source)
        except json.JSONDecodeError as error:
            problems.append(Problem(name, line, error.colno, "", f"not JSON ({error.msg}); write one object a line"))
            continue
        if not isinstance(values, dict):
            problems.append(
                Problem(name, line, 1, "", f"{source.strip()[:40]!r} is not an object; write one object a line")
            )
            continue
        header.update(dict.fromkeys(values))
        rows.append(RawRow(values, line))
    if problems:
        raise ProblemsError(problems)
    for row in rows:
        row.problems.extend(
            (column, f"column {column!r} is missing in this line") for column in header if column not in row.values
        )
    return list(header), rows


def _parquet(path: Path, name: str) -> tuple[list[str], list[RawRow]]:
    try:
        from pyarrow import parquet  # noqa: PLC0415 -- an extra, loaded only when a Parquet file is read
    except ImportError:
        raise UsageError(f"{name}: reading Parquet needs an extra; install textassay[parquet]") from None
    if not path.exists():
        raise ProblemsError([Problem(name, 0, 0, "", "no such file; create it or correct the path")])
    table = parquet.read_table(path)
    return list(table.column_names), [RawRow(values, line) for line, values in enumerate(table.to_pylist(), 1)]


Reader = Callable[[Path, str], tuple[list[str], list[RawRow]]]

FORMATS: dict[str, Reader] = {
    ".csv": _csv,
    ".tsv": _tsv,
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".parquet": _parquet,
}
"""The reader for each file ending."""
