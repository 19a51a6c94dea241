"""All answers of a study moved to another database: from SQLite to PostgreSQL, or back.

The order of steps makes it safe to interrupt at any moment. The source is locked against writers throughout. The target
gets all rows in one transaction, with a note that the move is not finished, which keeps commands from using it. Then
the source is marked as moved, which keeps commands from using that one, and the note is removed. Running the same
command again finishes what was interrupted.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select
from sqlalchemy.exc import SQLAlchemyError

from textassay.answers import copying
from textassay.answers.database import Engines, connect, migrate
from textassay.answers.schema import METADATA, answers, invitations, participants
from textassay.answers.study_store import (
    ARRIVING,
    MOVED,
    has_store,
    refuse_foreign,
    refuse_moved,
    remove_setting,
    store_setting,
    stored_settings,
)
from textassay.answers.trouble import kind_of, reason
from textassay.errors import StoreError, UsageError
from textassay.study.store_address import is_file, path_of, public_address, settled_address
from textassay.study.study import Study

_MARKS = (MOVED, ARRIVING)


@dataclass(frozen=True)
class MovedStore:
    """What was moved, and where to."""

    to: str
    """The new address, as it can be written into a study file."""
    rows: dict[str, int]
    """Number of rows of each table."""


def move_study(study: Study, to: str, *, now: datetime) -> MovedStore:
    """Copy all answers, compare both sides row by row, and mark the old database; no server may be running.

    Args:
        study: The study; it is left as it is, so its file has to name the new address.
        to: Address of the new database.
        now: The time.

    Raises:
        UsageError: there is nothing to move, or the target has answers already.
        StoreError: one of the two cannot be opened, or they differ afterwards; then the target is left empty. Or
            everything was moved there before.
    """
    to = settled_address(to, Path.cwd())
    if _same_place(study.store_url, to):
        raise UsageError(f"{public_address(to)}: the answers are there already; give another address with --to")
    if not has_store(study):
        raise UsageError(f"{public_address(study.store_url)}: no answers yet; just write the new address under 'store'")
    with connect(study.store_url) as source, connect(to) as target:
        migrate(source)
        migrate(target)
        try:
            return _move(study, source, target, public_address(to), now)
        except SQLAlchemyError as error:
            told = f"{source.name}: could not be moved to {target.name} ({reason(error)})"
            raise StoreError(
                f"{told}; {kind_of(error).remedy or 'nothing is lost: run the same command again'}"
            ) from error


def _move(study: Study, source: Engines, target: Engines, to: str, now: datetime) -> MovedStore:
    with source.writer.begin() as reading:
        _keep_writers_out(reading)
        known = stored_settings(reading)
        if MOVED in known and known[MOVED]["to"] != to:
            refuse_moved(known, source.name)
        refuse_foreign(known, study, source.name, reading)
        wanted = copying.contents(reading, _MARKS)
        with target.writer.begin() as writing:
            if MOVED in known and _is_complete(writing):
                refuse_moved(known, source.name)  # done already; collecting may have gone on there
            _fill(reading, writing, target.name, {"from": source.name, "at": _day(now)})
            if copying.contents(writing, _MARKS) != wanted:
                raise StoreError(f"{target.name}: the rows differ from those of {source.name}; nothing was moved")
        if MOVED not in known:
            store_setting(reading, MOVED, {"to": to, "at": _day(now)})
    with target.writer.begin() as writing:
        remove_setting(writing, ARRIVING)
    return MovedStore(to, {name: table.rows for name, table in wanted.items()})


def _fill(source: Connection, target: Connection, name: str, note: dict[str, Any]) -> None:
    """Copy all rows; what an earlier attempt has left, which nobody can have used, is replaced."""
    there = stored_settings(target)
    if there.get(ARRIVING, {}).get("from") != note["from"]:
        refuse_moved(there, name)
        if _has_rows(target):
            raise UsageError(f"{name}: has answers already; give an empty database, or rename the file")
    copying.copy_rows(source, target, _MARKS)
    store_setting(target, ARRIVING, note)


def _is_complete(target: Connection) -> bool:
    """Whether an earlier move into it came to its end."""
    return ARRIVING not in stored_settings(target) and _has_rows(target)


def _has_rows(target: Connection) -> bool:
    return any(target.execute(select(table).limit(1)).first() for table in (participants, answers, invitations))


def _keep_writers_out(connection: Connection) -> None:
    """SQLite has done so with the beginning of the transaction."""
    if connection.dialect.name == "postgresql":
        tables = ", ".join(table.name for table in METADATA.sorted_tables)
        connection.exec_driver_sql(f"LOCK TABLE {tables} IN SHARE ROW EXCLUSIVE MODE")


def _same_place(one: str, other: str) -> bool:
    if is_file(one) and is_file(other):
        return path_of(one).resolve() == path_of(other).resolve()
    return public_address(one) == public_address(other)


def _day(now: datetime) -> str:
    return f"{now:%Y-%m-%d at %H:%M} UTC"
