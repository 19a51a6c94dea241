"""CSV and TSV, with the place of every value."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from textassay.errors import Problem, ProblemsError
from textassay.tables.decode import read_text
from textassay.tables.raw import Place, RawRow, RawTable

_NAMES = {",": "commas", "\t": "tabs", ";": "semicolons"}


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
                    rows.append(_row(header, fields, line, delimiter))
    except csv.Error:
        places, fault = _scan(lines, begin, delimiter)
        message = f"{fault}; inside a value, write each quotation mark twice"
        raise ProblemsError([Problem(name, *places[-1], "", message)]) from None
    _check_delimiter(header, delimiter, Problem(name, header_line, 0, "", ""))
    return RawTable(header, rows, header_line, partial(_place, lines, delimiter))


@contextmanager
def _long_values(length: int) -> Iterator[None]:
    """Let the csv module read values as long as the file; its limit is one for the whole process."""
    limit = csv.field_size_limit()
    csv.field_size_limit(max(limit, length))
    try:
        yield
    finally:
        csv.field_size_limit(limit)


def _row(header: Sequence[str], fields: list[str], line: int, delimiter: str) -> RawRow:
    values = dict(zip(header, fields, strict=False))
    if len(fields) == len(header):
        return RawRow(values, line)
    remedy = f"put a value that contains {delimiter!r} in quotation marks"
    if len(fields) < len(header):
        remedy = "add the missing values, if only as empty ones"
    counted = f"{len(fields)} value{'s' if len(fields) != 1 else ''}"
    return RawRow(values, line, (("", f"{counted} where the header names {len(header)} columns; {remedy}"),))


def _check_delimiter(header: Sequence[str], delimiter: str, problem: Problem) -> None:
    """A header in one piece that holds another delimiter was written with that one."""
    other = next((mark for mark in ";\t," if len(header) == 1 and mark != delimiter and mark in header[0]), None)
    if other is not None:
        seen, wanted = _NAMES[other], _NAMES[delimiter]
        message = f"the values are separated by {seen}, not {wanted}; save the table with {wanted}"
        raise ProblemsError([Problem(problem.file, problem.line, 0, "", message)])


def _place(lines: Sequence[str], delimiter: str, line: int, index: int) -> Place:
    places, _ = _scan(lines, line, delimiter)
    return places[index] if index < len(places) else (line, 0)


def _scan(lines: Sequence[str], line: int, delimiter: str) -> tuple[list[Place], str]:
    """Where each value of the row that begins in this line stands, and what is wrong with the last one, if anything."""
    places = [(line, 1)]
    begins, quoted, inside = True, False, False
    for number in range(line, len(lines) + 1):
        for column, character in enumerate(lines[number - 1], 1):
            if begins:
                quoted = inside = character == '"'
            elif quoted and character == '"':
                inside = not inside
            elif quoted and not inside and character not in (delimiter, "\r", "\n"):
                return places, "text follows the quotation mark that closes this value"
            begins = character == delimiter and not inside
            if begins:
                places.append((number, column + 1))
        if not inside:
            return places, ""
    return places, "the quotation mark here is never closed; close it"
