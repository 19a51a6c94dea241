"""All rows of a store copied into another one, of the same kind or not, and compared."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, Select, Table, delete, func, insert, select

from textassay.answers.schema import METADATA, settings

_PORTION = 1000
_BYTES = 16
_MODULUS = 1 << 8 * _BYTES


@dataclass(frozen=True)
class TableContents:
    """What a table holds, as far as needed to tell whether another one holds the same."""

    rows: int
    digest: str
    """Of all rows, in whatever order: two kinds of database sort texts differently."""


def copy_rows(source: Connection, target: Connection, without: Sequence[str] = ()) -> None:
    """Copy every row of every table, with its number; what the target held before is removed.

    Args:
        source: A connection in a transaction, so that all tables are of one moment.
        target: One in a transaction that is rolled back if anything fails.
        without: Names of settings that are about the source itself.
    """
    for table in reversed(METADATA.sorted_tables):
        target.execute(delete(table))
    for table in METADATA.sorted_tables:
        names = table.columns.keys()
        for portion in _portions(source, table, without):
            target.execute(insert(table), [dict(zip(names, row, strict=True)) for row in portion])
        if target.dialect.name == "postgresql" and "id" in table.columns:
            # Rows that came with their numbers do not move the sequence that the next one is taken from.
            sequence, last = func.pg_get_serial_sequence(table.name, "id"), func.max(table.columns.id)
            target.execute(select(func.setval(sequence, func.coalesce(last, 1), last.is_not(None))))


def contents(connection: Connection, without: Sequence[str] = ()) -> dict[str, TableContents]:
    """What each table holds; see `copy_rows`."""
    return {table.name: _contents(connection, table, without) for table in METADATA.sorted_tables}


def _contents(connection: Connection, table: Table, without: Sequence[str]) -> TableContents:
    count = total = 0
    for portion in _portions(connection, table, without):
        count += len(portion)
        for row in portion:
            total += int.from_bytes(hashlib.blake2b(repr(tuple(row)).encode(), digest_size=_BYTES).digest())
    return TableContents(count, f"{total % _MODULUS:0{2 * _BYTES}x}")


def _portions(connection: Connection, table: Table, without: Sequence[str]) -> Iterator[Sequence[Row[Any]]]:
    rows: Select[Any] = select(table)
    if table is settings:
        rows = rows.where(settings.columns.name.not_in(without))
    return connection.execute(rows, execution_options={"yield_per": _PORTION}).partitions()
