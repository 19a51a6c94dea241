"""Tables to files: CSV by default, TSV or JSON lines by the file's ending; written completely or not at all."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from textassay.errors import UsageError
from textassay.formula_cells import marked

_DELIMITERS = {".csv": ",", ".tsv": "\t"}
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
    path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]], *, formulas: bool = False
) -> Iterator[str]:
    """The lines of the file that `write_table` writes, made one after the other.

    Raises:
        UsageError: the path has an ending that is not a format of tables.
    """
    suffix = path.suffix.lower()
    if suffix in _DELIMITERS:
        return _delimited(columns, rows, _DELIMITERS[suffix], _cell if formulas else _marked_cell)
    if suffix in (".jsonl", ".ndjson"):
        records = ({column: _plain(row.get(column)) for column in columns} for row in rows)
        return (json.dumps(each, ensure_ascii=False, allow_nan=False) + "\n" for each in records)
    raise UsageError(f"{path}: cannot write a table with this ending; use .csv, .tsv or .jsonl")


def _delimited(
    columns: Sequence[str], rows: Iterable[Mapping[str, Any]], delimiter: str, cell: Callable[[Any], str]
) -> Iterator[str]:
    yield _line([cell(str(column)) for column in columns], delimiter)
    for row in rows:
        yield _line([cell(row.get(column)) for column in columns], delimiter)


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
    quoted = [_quoted(cell, delimiter) for cell in cells]
    return ('""' if quoted == [""] else delimiter.join(quoted)) + "\n"


def _quoted(cell: str, delimiter: str) -> str:
    if delimiter in cell or '"' in cell or "\n" in cell or "\r" in cell:
        return '"' + cell.replace('"', '""') + '"'
    return cell


def _plain(value: Any) -> Any:
    """The value as JSON has it."""
    if type(value).__name__ in _NOTHING:
        return None
    if hasattr(value, "isoformat"):
        return value.isoformat()
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and math.isnan(value) else value


def _cell(value: Any) -> str:
    if type(value) is str:  # most are, and an export has millions
        return value
    value = _plain(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def _marked_cell(value: Any) -> str:
    cell = _cell(value)
    return str(marked(cell)) if isinstance(value, str) and not cell[:1].isalnum() else cell
