"""Connections to the database: one engine for reading, one for the writer, the same for SQLite and PostgreSQL.

A writing transaction holds the database's one write lock from its first statement on: `BEGIN IMMEDIATE` in SQLite, an
advisory lock in PostgreSQL. So writers of several processes come one after the other, and what a writer has read
still holds when it writes.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy
from sqlalchemy import URL, Connection, Engine, event
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from textassay.errors import StoreError

_BUSY_MS = 30_000
_PRAGMAS = (
    f"busy_timeout={_BUSY_MS}",  # first, for the next one may have to wait
    "journal_mode=WAL",
    "synchronous=FULL",
    "fullfsync=ON",  # macOS: without it the disk may keep what it was told to write
    "foreign_keys=ON",
)
_ADVISORY_LOCK = 0x74657874  # any number, the same for all writers of one database
_DRIVERS = {"postgres": "postgresql+psycopg", "postgresql": "postgresql+psycopg"}


@dataclass(frozen=True)
class Engines:
    """How a store reaches its database."""

    reader: Engine
    """Each statement sees what was committed before it; nothing is ever written through this one."""
    writer: Engine
    """One connection, whose transactions hold the write lock."""
    name: str
    """The address without its password, for messages."""

    def dispose(self) -> None:
        """Close all connections."""
        self.reader.dispose()
        self.writer.dispose()


def engines(address: str) -> Engines:
    """The engines of a database.

    Args:
        address: `sqlite:///path/to/answers.db` or `postgresql://user:password@host/database`.

    Raises:
        StoreError: the address cannot be one.
    """
    url = _url(address)
    name = url.render_as_string(hide_password=True)
    is_file = url.get_backend_name() == "sqlite"
    if is_file:
        _make_file(url, name)
    try:
        # A database server may have gone and come back since the last use of a connection; a file cannot.
        ask_first = not is_file
        reader = sqlalchemy.create_engine(
            url, isolation_level="AUTOCOMMIT", pool_size=8, max_overflow=32, pool_pre_ping=ask_first
        )
        writer = sqlalchemy.create_engine(url, pool_size=1, max_overflow=0, pool_pre_ping=ask_first)
    except ImportError:
        message = f"{name}: the driver for PostgreSQL is not installed; install textassay[postgres]"
        raise StoreError(message) from None
    for engine in (reader, writer) if is_file else ():
        event.listen(engine, "connect", _set_up_sqlite)
    event.listen(writer, "begin", _begin_sqlite if is_file else _begin_postgresql)
    return Engines(reader, writer, name)


def reason(error: SQLAlchemyError) -> str:
    """The database's own words in one line, without the statement and its values."""
    original = getattr(error, "orig", None)
    return str(original or error).strip().splitlines()[0]


def _url(address: str) -> URL:
    hint = "write sqlite:///path/to/answers.db or postgresql://user:password@host/database"
    try:
        url = sqlalchemy.make_url(address)
        url = url.set(drivername=_DRIVERS.get(url.drivername, url.drivername))
        backend = url.get_backend_name()
        url.get_dialect()
    except NoSuchModuleError:
        raise StoreError(f"{url.drivername!r} is no database that textassay knows; {hint}") from None
    except ArgumentError:
        raise StoreError(f"not the address of a database; {hint}") from None
    if backend not in ("sqlite", "postgresql"):
        raise StoreError(f"{backend!r} is no database that textassay knows; {hint}")
    if backend == "sqlite" and url.database in (None, "", ":memory:"):
        raise StoreError("a database in memory would lose the answers; give the path of a file")
    return url


def _make_file(url: URL, name: str) -> None:
    """Make a new database file readable for its owner only: it holds links' secrets and what people answered."""
    path = Path(str(url.database))
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        reason = error.strerror or str(error)
        raise StoreError(f"{name}: cannot be created ({reason}); check the folder and its permissions") from None


def _set_up_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # the driver is not to begin transactions by itself
    try:
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}").close()
    except BaseException:
        connection.close()  # nobody else has it yet
        raise


def _begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _begin_postgresql(connection: Connection) -> None:
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})")
