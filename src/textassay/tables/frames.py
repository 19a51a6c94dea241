"""Tables as data frames, for the packages that analyse them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from textassay.tables.reader import read_table
from textassay.tables.schema import Kind, TableSchema

_DTYPES: Mapping[Kind, Any] = {"number": "float64", "integer": "Int64", "boolean": "boolean"}


def to_frame(rows: Iterable[Mapping[str, Any]], schema: TableSchema) -> pd.DataFrame:
    """A data frame with the declared columns first, each of its declared type.

    Optional columns are there if any row has them; in a table without rows, all of them are.
    """
    frame = pd.DataFrame.from_records([dict(row) for row in rows])
    without_rows = len(frame) == 0
    for column in schema.columns:
        if (column.required or without_rows) and column.name not in frame:
            frame[column.name] = None
    declared = [column for column in schema.columns if column.name in frame]
    for column in declared:
        frame[column.name] = _typed(frame[column.name], column.kind)
    first = [column.name for column in declared]
    return frame[[*first, *(name for name in frame.columns if name not in first)]]


def read_frame(path: Path, schema: TableSchema, name: str | None = None) -> pd.DataFrame:
    """Read a table and check it; see `read_table`."""
    return to_frame((row.values for row in read_table(path, schema, name)), schema)


def _typed(values: pd.Series[Any], kind: Kind) -> pd.Series[Any]:
    if kind == "time":
        return pd.to_datetime(values, utc=True)
    if kind == "text":
        # astype("str") alone makes the text "None" of nothing, in pandas before 3.
        texts = values.map(str, na_action="ignore")
        return texts.astype("str" if int(pd.__version__.partition(".")[0]) > 2 else "object")
    return values.astype(_DTYPES[kind])


def rows_of_block(
    table: pd.DataFrame, block: str, *, criteria: Collection[str] | None = None, without: Collection[str] = ()
) -> pd.DataFrame:
    """The rows of a block; those that name no block, as in a table collected elsewhere, may be of any.

    Args:
        table: Answers.
        block: The block's name.
        criteria: The block's criteria, which tell its rows too; all if not given.
        without: Participants whose answers do not count.
    """
    own = pd.Series(data=True, index=table.index, dtype=bool)
    if "block" in table:
        own &= table["block"].fillna("").astype(str).isin(["", block])
    if criteria is not None:
        own &= table["criterion"].isin(list(criteria))
    if without:
        own &= ~table["participant"].isin(list(without))
    return table[own]
