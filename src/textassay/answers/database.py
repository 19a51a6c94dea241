"""The database: connections for reading and for writing, in SQLite or PostgreSQL, and the upgrade of its tables.

A writing transaction holds the database's single write lock from its first statement: `BEGIN IMMEDIATE` in SQLite, an
advisory lock in PostgreSQL. So the writers of several processes take turns, and what a writer has read is still true
when it writes.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import sqlalchemy
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, Engine, event
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from textassay.errors import StoreError

_BUSY_MS = 30_000
_PRAGMAS = (
    f"busy_timeout={_BUSY_MS}",  # first, since the next one may have to wait
    "journal_mode=WAL",
    "synchronous=FULL",
    "fullfsync=ON",  # macOS: without it the disk may delay the write
    "foreign_keys=ON",
)
_ADVISORY_LOCK = 0x74657874  # any number, the same for all writers of one database
_DRIVERS = {"postgres": "postgresql+psycopg", "postgresql": "postgresql+psycopg"}


@dataclass(frozen=True)
class Engines:
    """The connections of a store to its database."""

    reader: Engine
    """For reading only: each statement sees what was committed before it."""
    writer: Engine
    """One connection, whose transactions hold the write lock."""
    name: str
    """The address without its password, for messages."""

    @property
    def is_file(self) -> bool:
        """Whether it is a file of this machine, not a database server."""
        return self.reader.dialect.name == "sqlite"

    def dispose(self) -> None:
        """Close all connections."""
        self.reader.dispose()
        self.writer.dispose()


def connect(address: str) -> Engines:
    """The connections to a database.

    Args:
        address: `sqlite:///path/to/answers.db` or `postgresql://user:password@host/database`.

    Raises:
        StoreError: it is not the address of a database that textassay supports.
    """
    url = _url(address)
    name = url.render_as_string(hide_password=True)
    is_file = url.get_backend_name() == "sqlite"
    if is_file:
        _make_file(url, name)
    try:
        # A database server may have been restarted since the last use of a connection.
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


def reason(error: BaseException) -> str:
    """The database's own error message in one line, without the statement and its values."""
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
        raise StoreError(f"{url.drivername!r} is not a supported database; {hint}") from None
    except ArgumentError:
        raise StoreError(f"not the address of a database; {hint}") from None
    if backend not in ("sqlite", "postgresql"):
        raise StoreError(f"{backend!r} is not a supported database; {hint}")
    if backend == "sqlite" and url.database in (None, "", ":memory:"):
        raise StoreError("a database in memory would lose the answers; give the path of a file")
    return url


def _make_file(url: URL, name: str) -> None:
    """Create a new database file that only its owner can read: it contains secrets of links and all answers."""
    path = Path(str(url.database))
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        reason = error.strerror or str(error)
        raise StoreError(f"{name}: cannot be created ({reason}); check the folder and its permissions") from None


def _set_up_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # the driver must not begin transactions on its own
    try:
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}").close()
    except BaseException:
        connection.close()  # no other code has it yet
        raise


def _begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _begin_postgresql(connection: Connection) -> None:
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})")


_SCRIPTS = "textassay.answers:migrations"
_ONE_AT_A_TIME = threading.Lock()
"""Alembic keeps its connection in a module variable, so two threads must not open stores at the same time."""


def migrate(engines: Engines) -> None:
    """Create the tables of a new database, or upgrade those of an old one; all steps or none.

    Raises:
        StoreError: it was made by a newer release, or is not a database of textassay.
    """
    try:
        with _ONE_AT_A_TIME, engines.writer.begin() as connection:
            config = _config(connection)
            scripts = ScriptDirectory.from_config(config)
            current = set(MigrationContext.configure(connection).get_current_heads())
            _refuse_newer(current, scripts, engines.name)
            if current != set(scripts.get_heads()):
                command.upgrade(config, "head")
    except SQLAlchemyError as error:
        raise StoreError(f"{engines.name}: cannot be opened ({reason(error)}); is this the right database?") from error


def schema_state(address: str) -> Literal["current", "older"]:
    """Whether an existing database has the tables of this release; it is read, checked for damage, and not upgraded.

    Raises:
        StoreError: it was made by a newer release, is damaged, or is not a database of textassay.
    """
    engines = connect(address)
    try:
        with _ONE_AT_A_TIME, engines.reader.connect() as connection:
            scripts = ScriptDirectory.from_config(_config(connection))
            current = set(MigrationContext.configure(connection).get_current_heads())
            _refuse_newer(current, scripts, engines.name)
            if not current:
                raise StoreError(f"{engines.name}: not a database of textassay; is this the right file?")
            if connection.dialect.name == "sqlite":
                damage = connection.exec_driver_sql("PRAGMA quick_check").scalar()
                if damage != "ok":
                    raise StoreError(f"{engines.name}: damaged ({damage}); restore it from a copy")
            return "current" if current == set(scripts.get_heads()) else "older"
    except SQLAlchemyError as error:
        raise StoreError(f"{engines.name}: cannot be opened ({reason(error)}); is this the right database?") from error
    finally:
        engines.dispose()


def _config(connection: Connection) -> Config:
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", _SCRIPTS)
    config.set_main_option("path_separator", "os")
    return config


def _refuse_newer(current: set[str], scripts: ScriptDirectory, name: str) -> None:
    unknown = current - {script.revision for script in scripts.walk_revisions()}
    if unknown:
        revisions = ", ".join(sorted(unknown))
        message = (
            f"{name}: made by a newer release (schema {revisions}); install that release of textassay or a later one"
        )
        raise StoreError(message)
