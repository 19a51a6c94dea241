"""Tables as data frames, for the rooms in which tables meet people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from textassay.tables.reader import read_table
from textassay.tables.schema import TableSchema

_DTYPES = {"text": "str", "number": "float64", "integer": "Int64", "boolean": "boolean", "time": "datetime64[us, UTC]"}


def to_frame(rows: Iterable[Mapping[str, Any]], schema: TableSchema) -> pd.DataFrame:
    """A data frame with the declared columns first (those that any row has), each of its declared type."""
    frame = pd.DataFrame.from_records([dict(row) for row in rows])
    required = [column.name for column in schema.columns if column.required]
    for name in required:
        if name not in frame:
            frame[name] = None
    declared = [column for column in schema.columns if column.name in frame]
    for column in declared:
        values = frame[column.name]
        frame[column.name] = (
            pd.to_datetime(values, utc=True) if column.kind == "time" else values.astype(_DTYPES[column.kind])
        )
    first = [column.name for column in declared]
    return frame[[*first, *(name for name in frame.columns if name not in first)]]


def read_frame(path: Path, schema: TableSchema, name: str | None = None) -> pd.DataFrame:
    """Read a table and check it; see `read_table`."""
    return to_frame((row.values for row in read_table(path, schema, name)), schema)
