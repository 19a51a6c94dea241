"""Tables to files: CSV by default, TSV or JSON lines by the file's ending; written whole or not at all."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from textassay.errors import UsageError


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows under the given columns; the ending of the path says in which format."""
    suffix = path.suffix.lower()
    if suffix in (".csv", ".tsv"):
        buffer = io.StringIO(newline="")
        writer = csv.writer(buffer, delimiter="," if suffix == ".csv" else "\t", lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([_cell(row.get(column)) for column in columns] for row in rows)
        write_text(path, buffer.getvalue())
    elif suffix in (".jsonl", ".ndjson"):
        lines = (
            json.dumps({column: _plain(row.get(column)) for column in columns}, ensure_ascii=False) for row in rows
        )
        write_text(path, "".join(f"{line}\n" for line in lines))
    else:
        raise UsageError(f"{path}: cannot write a table with this ending; use .csv, .tsv or .jsonl")


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all: to a neighbour first, then in its place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    neighbour = path.with_name(f".{path.name}.{os.getpid()}.part")
    neighbour.write_text(text, encoding="utf-8", newline="")
    neighbour.replace(path)


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else _plain(value)
