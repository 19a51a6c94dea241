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
        records = ({column: _plain(row.get(column)) for column in columns} for row in rows)
        encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
        return (encode(each) + "\n" for each in records)
    raise UsageError(f"{path}: cannot write a table with this ending; use .csv, .tsv or .jsonl")


def _delimited(
    columns: Sequence[str], rows: Iterable[Mapping[str, Any]], delimiter: str, cell: Callable[[Any], str]
) -> Iterator[str]:
    for row in rows:
        get = row.get
        # Most cells are empty or texts that begin with a letter or digit, so no formulas: no call for those millions.
        cells = [
            ("" if value is None else value if type(value) is str and value[:1].isalnum() else cell(value))
            for value in map(get, columns)
        ]
        yield _line(cells, delimiter)


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
    bool: lambda truth: "true" if truth else "false",
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
