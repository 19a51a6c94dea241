"""A copy of a store that may be in use: always one SQLite file, which every command can open with `--db`."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from textassay.answers import copying
from textassay.answers.database import connect, migrate
from textassay.answers.schema import METADATA
from textassay.answers.study_store import existing_store
from textassay.answers.trouble import kind_of, reason
from textassay.errors import StoreError, UsageError
from textassay.study.store_address import file_address, is_file, path_of, public_address
from textassay.study.study import Study

_BUSY_SECONDS = 30


def backup_study(study: Study, to: Path, *, replace: bool = False) -> dict[str, int]:
    """Copy the study's answers as they are at one moment; returns the number of rows of each table.

    Args:
        study: The study, which may be served meanwhile.
        to: The file; it is there only if the copy is complete and sound.
        replace: Whether a file that is there already is replaced.

    Raises:
        UsageError: there are no answers yet, or the file is there already.
        StoreError: the store cannot be read, or the copy cannot be written.
    """
    with existing_store(study) as store:  # also upgrades it, and checks whose it is
        if store is None:
            raise UsageError(f"{public_address(study.store_url)}: no answers yet, so there is nothing to copy")
    if to.exists() and not replace:
        raise UsageError(f"{to} exists; give another file with --to, or add --replace")
    if is_file(study.store_url) and to.exists() and to.samefile(path_of(study.store_url)):
        raise UsageError(f"{to} is the study's own database; give another file with --to")
    with _unfinished(to) as path, _told(study, to):
        if is_file(study.store_url):
            _copy_file(path_of(study.store_url), path)
        else:
            _copy_tables(study.store_url, path)
        return _checked(path)


@contextmanager
def _unfinished(to: Path) -> Iterator[Path]:
    """A file beside the one that is wanted, for its owner only, which takes its name if all goes well."""
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{to.name}.", suffix=".part", dir=to.parent)
    except OSError as error:
        raise StoreError(f"{to}: cannot be written ({error.strerror}); check the folder and its permissions") from None
    os.close(handle)
    path = Path(name)
    try:
        yield path
        path.replace(to)
        _synchronise(to.parent)
    finally:
        for suffix in ("", "-wal", "-shm", "-journal"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)


def _synchronise(folder: Path) -> None:
    """See to it that the new name is on disk; Windows has no such call and does it by itself."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def _told(study: Study, to: Path) -> Iterator[None]:
    """Errors of the database as messages with a remedy."""
    try:
        yield
    except (sqlite3.Error, SQLAlchemyError) as error:
        place = f"{public_address(study.store_url)}: could not be copied to {to} ({reason(error)})"
        raise StoreError(
            f"{place}; {kind_of(error).remedy or 'check that there is enough space, and try again'}"
        ) from error


def _copy_file(source: Path, target: Path) -> None:
    with closing(sqlite3.connect(source, timeout=_BUSY_SECONDS)) as one, closing(sqlite3.connect(target)) as other:
        one.backup(other)  # all pages in one step: what a server writes meanwhile comes after the copy's moment
        other.execute("PRAGMA journal_mode=DELETE")  # so that nothing of the copy is in a second file


def _copy_tables(source: str, target: Path) -> None:
    with connect(source) as one, connect(file_address(target)) as other:
        migrate(other)
        snapshot = one.reader.connect().execution_options(isolation_level="REPEATABLE READ")
        with snapshot as reading, reading.begin(), other.writer.begin() as writing:
            copying.copy_rows(reading, writing)
            if copying.contents(reading) != copying.contents(writing):
                raise StoreError(f"{other.name}: the copy differs from the original; run the command again")
    with closing(sqlite3.connect(target)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")


def _checked(path: Path) -> dict[str, int]:
    """The number of rows of each table of a copy that is sound."""
    with closing(sqlite3.connect(path)) as connection:
        found = [row[0] for row in connection.execute("PRAGMA quick_check")]
        if found != ["ok"] or connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
            raise sqlite3.DatabaseError("database disk image is malformed")
        return {
            table.name: connection.execute(f"SELECT count(*) FROM {table.name}").fetchone()[0]  # noqa: S608 -- our names
            for table in METADATA.sorted_tables
        }
