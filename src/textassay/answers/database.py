"""The database: connections for reading and for writing, in SQLite or PostgreSQL, and the upgrade of its tables.

A writing transaction holds the database's single write lock from its first statement: `BEGIN IMMEDIATE` in SQLite, an
advisory lock in PostgreSQL. So the writers of several processes take turns, and what a writer has read is still true
when it writes. Only transactions that store nothing but answers and openings of pages share the lock in PostgreSQL:
their statements are right side by side, see `saving`.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import quote

import sqlalchemy
from sqlalchemy import URL, Connection, Engine, event
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from textassay.answers.schema import REVISION
from textassay.answers.trouble import DAMAGED, kind_of, reason
from textassay.errors import StoreError
from textassay.study.store_address import HOW, address_problem, is_file, path_of, public_address

_BUSY_MS = 30_000
_PATIENCE_MS = 5_000
"""How long to wait for readers to end before the log of changes is moved into the file."""
_PRAGMAS = (
    f"busy_timeout={_BUSY_MS}",  # first, since the next one may have to wait
    "journal_mode=WAL",
    "synchronous=FULL",
    "fullfsync=ON",  # macOS: without it the disk may delay the write
    "foreign_keys=ON",
    "cache_size=-8000",  # KiB: what participants answered lies scattered, since all answer at the same time
)
_ADVISORY_LOCK = 0x74657874  # any number, the same for all writers of one database
_DRIVERS = {"postgres": "postgresql+psycopg", "postgresql": "postgresql+psycopg"}
_SECONDS_TO_CONNECT = 10
_VERSION_TABLE = "alembic_version"


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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.dispose()

    def checkpoint(self) -> None:
        """Move what is in SQLite's log of changes into the file, so that a copy of the file alone is complete.

        As far as others who are reading allow; what they hold up is moved when the last of them closes.
        """
        if self.is_file:
            with suppress(SQLAlchemyError), self.reader.connect() as connection:
                connection.exec_driver_sql("PRAGMA busy_timeout=0")
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
                connection.exec_driver_sql(f"PRAGMA busy_timeout={_BUSY_MS}")

    def compact(self) -> bool:
        """Rewrite the tables, so that no file keeps what was deleted; other connections wait.

        A database server may have it in its log of changes, and in backups.

        Returns:
            Whether that is so already; if not, somebody has been reading all the time, and SQLite's files keep it
            until the last connection closes.
        """
        with self.reader.connect() as connection:
            if connection.dialect.name != "sqlite":
                connection.exec_driver_sql("VACUUM FULL participants, answers, openings, invitations")
                return True
            connection.exec_driver_sql("VACUUM")
            connection.exec_driver_sql(f"PRAGMA busy_timeout={_PATIENCE_MS}")
            busy = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").scalar()
            connection.exec_driver_sql(f"PRAGMA busy_timeout={_BUSY_MS}")
            return not busy

    def dispose(self) -> None:
        """Close all connections."""
        self.reader.dispose()
        self.writer.dispose()


def connect(address: str) -> Engines:
    """The connections to a database.

    Args:
        address: `sqlite:///path/to/answers.db` or `postgresql://user@host/database`.

    Raises:
        StoreError: it is not the address of a database that textassay supports.
    """
    url, name, in_file = _url(address), public_address(address), is_file(address)
    if in_file:
        _make_file(url, name)
    # A database server may have been restarted since the last use of a connection; and it may be unreachable.
    known = {"connect_timeout": _SECONDS_TO_CONNECT, "application_name": "textassay", **url.query}
    further: dict[str, Any] = {"pool_pre_ping": True, "connect_args": known}
    if in_file:
        further = {"creator": partial(_open_file, url)}
    try:
        reader = sqlalchemy.create_engine(url, isolation_level="AUTOCOMMIT", pool_size=8, max_overflow=32, **further)
        writer = sqlalchemy.create_engine(url, pool_size=1, max_overflow=0, **further)
    except ImportError:
        message = f"{name}: the driver for PostgreSQL is not installed; install textassay[postgres]"
        raise StoreError(message) from None
    for engine in (reader, writer) if in_file else ():
        event.listen(engine, "connect", _set_up_sqlite)
    if not in_file:
        event.listen(writer, "connect", _set_up_postgresql)
    event.listen(writer, "begin", _begin_sqlite if in_file else _begin_postgresql)
    return Engines(reader, writer, name)


def _url(address: str) -> URL:
    wrong = address_problem(address, may_hold_password=True)
    if wrong is not None:
        raise StoreError(wrong)
    try:
        url = sqlalchemy.make_url(address)
    except (ArgumentError, ValueError):  # a port that is no number
        raise StoreError(f"{public_address(address)}: not the address of a database; {HOW}") from None
    return url.set(drivername=_DRIVERS.get(url.drivername, url.drivername))


def exists(address: str) -> bool:
    """Whether there is a store at the address: a file, or a database with our tables.

    Raises:
        StoreError: the database cannot be reached.
    """
    if is_file(address):
        return path_of(address).exists()
    with connect(address) as engines:
        try:
            with engines.reader.connect() as connection:
                return bool(sqlalchemy.inspect(connection).has_table(_VERSION_TABLE))
        except SQLAlchemyError as error:
            raise _not_opened(engines, error) from error


def connections(address: str, application: str) -> list[str]:
    """From which machines programs of that name are connected to a PostgreSQL database."""
    query = (
        "SELECT coalesce(client_addr::text, 'local') FROM pg_stat_activity "
        "WHERE datname = current_database() AND application_name = %s"
    )
    with connect(address) as engines:
        try:
            with engines.reader.connect() as connection:
                return list(connection.exec_driver_sql(query, (application,)).scalars())
        except SQLAlchemyError as error:
            raise _not_opened(engines, error) from error


def _not_opened(engines: Engines, error: Exception) -> StoreError:
    remedy = kind_of(error).remedy or "is this the right database?"
    return StoreError(f"{engines.name}: cannot be opened ({reason(error)}); {remedy}")


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


def _open_file(url: URL) -> sqlite3.Connection:
    """Open a database file, but never make one: it may have been moved away since."""
    path = quote(str(Path(str(url.database)).absolute()))
    return sqlite3.connect(f"file:{path}?mode=rw", uri=True, check_same_thread=False)


def _set_up_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # the driver must not begin transactions on its own
    try:
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}").close()
    except BaseException:
        connection.close()  # no other code has it yet
        raise


def _set_up_postgresql(connection: Any, _record: object) -> None:
    """For the writer, whose statements find single rows, and see what others have committed before each of them.

    PostgreSQL keeps the plan that it made when the tables were empty, and would read the whole of them again and again.
    """
    connection.autocommit = True
    for setting in ("enable_seqscan = off", "enable_hashjoin = off", "enable_mergejoin = off"):
        connection.execute(f"SET {setting}")
    connection.execute("SET default_transaction_isolation = 'read committed'")
    connection.autocommit = False


def _begin_sqlite(connection: Connection) -> None:
    driver: Any = connection.connection.dbapi_connection
    try:
        driver.execute(_BEGIN)  # past SQLAlchemy, since every group of answers begins so
    except sqlite3.Error:
        connection.exec_driver_sql(_BEGIN)  # most likely fails again, with SQLAlchemy's error


_BEGIN = "BEGIN IMMEDIATE"


def _begin_postgresql(connection: Connection) -> None:
    connection.exec_driver_sql(_ALONE)


_ALONE = f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})"
_BESIDE_OTHERS = f"SELECT pg_advisory_xact_lock_shared({_ADVISORY_LOCK})"


@contextmanager
def beside_other_writers(connection: Connection) -> Iterator[Any]:
    """A transaction on a database server that shares the write lock with others like it; committed at the end.

    Past SQLAlchemy, and with few journeys to the server, since every group of answers is stored so.

    Args:
        connection: Of the writer, outside of a transaction. After an error, it is of no use any more.

    Yields:
        The driver's connection.
    """
    driver: Any = connection.connection.dbapi_connection
    driver.autocommit = True  # else the driver begins transactions itself, each with a journey of its own
    driver.execute(f"BEGIN; {_BESIDE_OTHERS}")
    yield driver
    driver.execute("COMMIT")
    driver.autocommit = False


@contextmanager
def between_writers(connection: Connection) -> Iterator[None]:
    """While the block runs, no writer is in the middle of a transaction; whatever was stored can be read.

    Args:
        connection: Of the reader. A file needs nothing of the kind, since there its writers take turns.
    """
    if connection.dialect.name == "sqlite":
        yield
        return
    connection.execution_options(isolation_level="READ COMMITTED")
    try:
        with connection.begin():
            connection.exec_driver_sql(_ALONE)
            yield
    finally:
        connection.execution_options(isolation_level="AUTOCOMMIT")


_ONE_AT_A_TIME = threading.Lock()
"""Alembic keeps its connection in a module variable, so two threads must not open stores at the same time."""


def migrate(engines: Engines, upto: str = "head") -> None:
    """Create the tables of a new database, or upgrade those of an old one; all steps or none.

    Args:
        engines: The database.
        upto: The last step; by default that of this release.

    Raises:
        StoreError: it was made by a newer release, or is not a database of textassay.
    """
    try:
        with _ONE_AT_A_TIME, engines.writer.begin() as connection:
            if _revisions(connection) != {REVISION}:
                from textassay.answers.upgrading import upgrade  # noqa: PLC0415 -- Alembic takes half of the start

                upgrade(connection, engines.name, upto)
    except (SQLAlchemyError, UnicodeDecodeError) as error:
        raise _not_opened(engines, error) from error


def schema_state(address: str) -> Literal["current", "older"]:
    """Whether an existing database has the tables of this release; it is read, checked for damage, and not upgraded.

    Raises:
        StoreError: it was made by a newer release, is damaged, or is not a database of textassay.
    """
    engines = connect(address)
    try:
        with _ONE_AT_A_TIME, engines.reader.connect() as connection:
            current = _revisions(connection)
            if current != {REVISION}:
                from textassay.answers.upgrading import refuse_newer  # noqa: PLC0415 -- as above

                refuse_newer(current, engines.name)
            if not current:
                raise StoreError(f"{engines.name}: not a database of textassay; is this the right file?")
            if connection.dialect.name == "sqlite":
                damage = connection.exec_driver_sql("PRAGMA quick_check").scalar()
                if damage != "ok":
                    raise StoreError(f"{engines.name}: damaged ({' '.join(str(damage).split())}); {DAMAGED.remedy}")
            return "current" if current == {REVISION} else "older"
    except SQLAlchemyError as error:
        raise _not_opened(engines, error) from error
    finally:
        engines.dispose()


def _revisions(connection: Connection) -> set[str]:
    """The last steps of the database's upgrade, as Alembic notes them; none of a new database."""
    if not sqlalchemy.inspect(connection).has_table(_VERSION_TABLE):
        return set()
    noted = sqlalchemy.table(_VERSION_TABLE, sqlalchemy.column("version_num"))
    return set(connection.execute(sqlalchemy.select(noted.columns.version_num)).scalars())
