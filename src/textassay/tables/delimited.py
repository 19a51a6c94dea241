"""CSV and TSV: tables whose values are separated by a delimiter, as people and spreadsheets write them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path

from textassay.errors import Problem, ProblemsError
from textassay.formula_cells import MARK, unmarked
from textassay.tables.raw_table import Cells, Place, RawRow, RawTable, merged_header, trimmed
from textassay.tables.text_files import decode_table, read_bytes

_DELIMITERS = ",;\t"
_LOOKED_AT = 20
"""Rows by which the delimiter is recognised."""


def read_delimited(path: Path, name: str, *, delimiter: str) -> RawTable:
    """Read a table whose values are separated by a delimiter and quoted with double quotation marks.

    Another delimiter is recognised: a spreadsheet in German writes semicolons into a file that it calls .csv. So is
    UTF-16 with its mark, and a first line `sep=;`. Columns at the end without name and values are left out. Cells that
    were marked because they begin like a formula are read without the mark; see `formula_cells.py`.

    Raises:
        ProblemsError: the file cannot be read, or its quotation marks do not pair up.
    """
    text = decode_table(read_bytes(path, name), name)
    # The csv module's notion of a line, and not str.splitlines(), which also breaks at form feeds and the like.
    lines = list(io.StringIO(text, newline=""))
    first = 1
    if lines and lines[0][:4].lower() == "sep=" and lines[0][4:].strip(" \r\n") in tuple(_DELIMITERS):
        delimiter, first = lines[0][4:5], 2
    else:
        delimiter = _delimiter_of(lines, delimiter)
    header: list[str] = []
    header_line, begin = 0, first
    rows: list[Cells] = []
    has_marks = MARK in text
    reader = csv.reader(lines[first - 1 :], delimiter=delimiter, strict=True)
    try:
        with _long_values(len(text)):
            for row in reader:
                fields = [unmarked(cell) for cell in row] if has_marks else row
                line, begin = begin, reader.line_num + first
                if not header:
                    header, header_line = fields, line
                elif fields and not (len(fields) == 1 < len(header) and not fields[0].strip()):
                    rows.append((line, fields))
    except csv.Error:
        places, fault = _scan(lines, begin, delimiter)
        raise ProblemsError([Problem(name, *places[-1], "", fault)]) from None
    header, rows = trimmed(header, rows)
    raw = [_delimited_row(header, fields, line, delimiter) for line, fields in rows]
    one_header = merged_header(header, rows[0][1]) if rows else ()
    return RawTable(header, raw, header_line, partial(_place, lines, delimiter), one_header)


def _delimiter_of(lines: Sequence[str], expected: str) -> str:
    """The delimiter that gives the first rows equally many values; the expected one where it does so too."""
    widths = {mark: _widths(lines, mark) for mark in (expected, *_DELIMITERS.replace(expected, ""))}
    even = [mark for mark, each in widths.items() if len(set(each)) == 1 and each[0] > 1]
    several = [mark for mark, each in widths.items() if each and each[0] > 1]
    return next(iter((*even, *several)), expected)


def _widths(lines: Sequence[str], delimiter: str) -> list[int]:
    """How many values each of the first rows has."""
    with _long_values(sum(map(len, lines))):
        try:
            rows = islice(csv.reader(lines, delimiter=delimiter), _LOOKED_AT)
            return [len(row) for row in rows if any(cell.strip() for cell in row)]
        except csv.Error:
            return []


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
    columns = f"{len(header)} column{'s' if len(header) != 1 else ''}"
    return RawRow(values, line, (("", f"{counted}, but the header has {columns}; {remedy}"),))


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
                return places, _mark_inside(lines[number - 1], column - 1, delimiter)
            begins = character == delimiter and not inside
            if begins:
                places.append((number, column + 1))
        if not inside:
            return places, ""
    return places, f"the quotation mark here is never closed; close it; {_TWICE}"


_TWICE = "inside a value, write each quotation mark twice"


def _mark_inside(line: str, place: int, delimiter: str) -> str:
    """What is wrong with a quotation mark after which the value goes on, at this place of the line."""
    if line[: place - 1].endswith("\\"):
        return 'a quotation mark in this value is written \\"; in such tables it is written twice: ""'
    wanted = "a tab" if delimiter == "\t" else f"{delimiter!r}"
    return f"{line[place]!r} follows the closing quotation mark of this value instead of {wanted}; {_TWICE}"
