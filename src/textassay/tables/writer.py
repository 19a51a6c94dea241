"""Tables to files: CSV by default, TSV or JSON lines by the file's ending; written completely or not at all."""

from __future__ import annotations

import itertools
import json
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from textassay.errors import UsageError
from textassay.formula_cells import marked

_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_PLAIN = frozenset({str, int, bool, dict, type(None)})
"""Types whose values JSON has as they are; an export has millions of them."""
_TEXTS = frozenset({str, type(None)})
_ROWS_AT_ONCE, _CHARACTERS_AT_ONCE = 250, 50_000
_FEW = 4
"""Distinct texts of a column, up to which each is made into a cell once."""
_NOTHING = {"NAType", "NaTType"}
"""pandas' types for a missing value, recognised by name because the web server does not import pandas."""


def write_table(
    path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]], *, formulas: bool = False
) -> None:
    """Write rows under the given columns; the ending of the path says in which format.

    A value that is missing or undefined becomes an empty cell, or null in JSON lines. A text that a spreadsheet would
    take for a formula gets a mark in CSV and TSV, which the reader removes; see `formula_cells.py`. With `formulas` it
    is written as it is: in tables of the researcher's own texts, which other programs read, too.
    """
    write_lines(path, table_lines(path, columns, rows, formulas=formulas))


def table_lines(
    path: Path,
    columns: Sequence[str],
    rows: Iterable[Mapping[str, Any]],
    *,
    header: bool = True,
    formulas: bool = False,
) -> Iterator[str]:
    """The lines of the file that `write_table` writes, made one after the other; where asked for, without the first.

    Raises:
        UsageError: the path has an ending that is not a format of tables.
    """
    suffix = path.suffix.lower()
    if suffix in _DELIMITERS:
        delimiter, cell = _DELIMITERS[suffix], _cell if formulas else _marked_cell
        lines = _delimited(columns, rows, delimiter, cell)
        return itertools.chain([_line([cell(str(each)) for each in columns], delimiter)], lines) if header else lines
    if suffix in (".jsonl", ".ndjson"):
        return _json_lines([*columns], rows)
    raise UsageError(f"{path}: cannot write a table with this ending; use .csv, .tsv or .jsonl")


def _delimited(
    columns: Sequence[str], rows: Iterable[Mapping[str, Any]], delimiter: str, cell: Callable[[Any], str]
) -> Iterator[str]:
    """The lines of some rows at a time, column by column: an export has millions of cells, mostly alike in a column."""
    given, at_once = iter(rows), 1
    while some := [*itertools.islice(given, at_once)]:
        every = zip(*([*map(row.get, columns)] for row in some), strict=True)
        cells = [_column(values, cell) for values in every]
        lines = [*map(delimiter.join, zip(*cells, strict=True))]
        text = "\n".join(lines)
        at_once = max(1, min(_ROWS_AT_ONCE, _CHARACTERS_AT_ONCE * len(lines) // (len(text) + 1)))
        # Only what has to be in quotation marks adds one of these characters.
        plain = len(columns) > 1 and text.count(delimiter) == len(lines) * (len(columns) - 1)
        if plain and text.count("\n") == len(lines) - 1 and '"' not in text and "\r" not in text:
            yield from [f"{line}\n" for line in lines]
        else:
            yield from [_line(each, delimiter) for each in zip(*cells, strict=True)]


def _json_lines(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False).encode
    for row in rows:
        yield encode({column: _plain(row.get(column)) for column in columns}) + "\n"


def _column(values: Sequence[Any], cell: Callable[[Any], str]) -> Sequence[str]:
    """The cells of a column; where values are few, each is made once."""
    kinds = {*map(type, values)}
    if kinds == {type(None)}:
        return [""] * len(values)
    if len(kinds) == 1 and (convert := _CELLS.get(*kinds)):
        return [*map(convert, values)]
    if kinds <= _TEXTS:
        distinct = {*values}
        if len(distinct) <= _FEW:
            cells = {value: "" if value is None else cell(value) for value in distinct}
            return [*map(cells.__getitem__, values)]
        # Texts that begin with a letter or digit are no formulas.
        return [("" if value is None else value if value[:1].isalnum() else cell(value)) for value in values]
    return [("" if value is None else cell(value)) for value in values]


def write_text(path: Path, text: str) -> None:
    """Write a file completely or not at all; see `write_lines`."""
    write_lines(path, (text,))


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write a file completely or not at all: to a temporary file first, which replaces it once it is on disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("w", encoding="utf-8", newline="") as file:
            file.writelines(lines)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def _line(cells: Sequence[str], delimiter: str) -> str:
    # Not csv.writer: the characters that it quotes differ between releases of Python.
    line = delimiter.join(cells)
    if line.count(delimiter) >= len(cells) or '"' in line or "\n" in line or "\r" in line:
        line = delimiter.join([_quoted(cell, delimiter) for cell in cells])
    return (line if line or len(cells) != 1 else '""') + "\n"


def _quoted(cell: str, delimiter: str) -> str:
    if delimiter in cell or '"' in cell or "\n" in cell or "\r" in cell:
        return '"' + cell.replace('"', '""') + '"'
    return cell


def _plain(value: Any) -> Any:
    """The value as JSON has it."""
    if type(value) in _PLAIN:
        return value
    if type(value).__name__ in _NOTHING:
        return None
    if hasattr(value, "isoformat"):
        return value.isoformat()
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and math.isnan(value) else value


_CELLS: Mapping[type, Callable[[Any], str]] = {
    int: str,
    float: lambda number: "" if math.isnan(number) else str(number),
    bool: {True: "true", False: "false"}.__getitem__,
    datetime: datetime.isoformat,
}
"""The cells of most types, without asking what else a value may be."""


def _cell(value: Any) -> str:
    convert = _CELLS.get(type(value))
    if convert is not None:
        return convert(value)
    value = _plain(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def _marked_cell(value: Any) -> str:
    cell = _cell(value)
    return str(marked(cell)) if isinstance(value, str) and not cell[:1].isalnum() else cell
