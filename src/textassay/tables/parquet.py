"""Parquet, through an extra."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from textassay.errors import Problem, ProblemsError
from textassay.tables.raw import RawRow, RawTable


def read_parquet(path: Path, name: str) -> RawTable:
    """Read a Parquet file; lines are rows, counted from 1.

    Raises:
        ProblemsError: the extra is not installed, or the file is missing or no Parquet.
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
        raise ProblemsError([Problem(name, 0, 0, "", f"not a Parquet file ({reason}); write it anew")]) from None
    rows = [RawRow(values, line) for line, values in enumerate(table.to_pylist(), 1)]
    return RawTable(list(table.column_names), rows)
