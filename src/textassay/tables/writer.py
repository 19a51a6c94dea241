"""Tables to files: CSV by default, TSV or JSON lines by the file's ending; written whole or not at all."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from textassay.errors import UsageError

_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_NOTHING = {"NAType", "NaTType"}
"""What pandas has for a value that is missing; known by name, for the web server does without pandas."""


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows under the given columns; the ending of the path says in which format.

    A value that is missing or undefined becomes an empty cell, or null in JSON lines.
    """
    write_text(path, "".join(table_lines(path, columns, rows)))


def table_lines(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The lines of the file that `write_table` writes, made one after the other.

    Raises:
        UsageError: the path has the ending of no format.
    """
    suffix = path.suffix.lower()
    if suffix in _DELIMITERS:
        return _delimited(columns, rows, _DELIMITERS[suffix])
    if suffix in (".jsonl", ".ndjson"):
        records = ({column: _plain(row.get(column)) for column in columns} for row in rows)
        return (json.dumps(each, ensure_ascii=False, allow_nan=False) + "\n" for each in records)
    raise UsageError(f"{path}: cannot write a table with this ending; use .csv, .tsv or .jsonl")


def _delimited(columns: Sequence[str], rows: Iterable[Mapping[str, Any]], delimiter: str) -> Iterator[str]:
    yield _line([str(column) for column in columns], delimiter)
    for row in rows:
        yield _line([_cell(row.get(column)) for column in columns], delimiter)


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all: to a neighbour first, then, once that is on disk, in its place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    neighbour = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with neighbour.open("w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        neighbour.replace(path)
    except BaseException:
        with suppress(OSError):
            neighbour.unlink(missing_ok=True)
        raise


def _line(cells: Sequence[str], delimiter: str) -> str:
    # Not csv.writer: which characters it quotes has changed between releases of Python.
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
