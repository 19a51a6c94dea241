"""A database that cannot be read or written: what is wrong, what to do, and since when."""

from __future__ import annotations

import logging
import os
import re
import threading
from dataclasses import dataclass
from pathlib import Path

from textassay.errors import StoreError

LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class TroubleKind:
    """One way in which a database fails."""

    name: str
    """In two or three words; the server tells them to everybody."""
    signs: tuple[str, ...]
    """What the database says then, as regular expressions."""
    remedy: str


_OTHER = TroubleKind("failing", (), "")
_RESCUE = (
    "'textassay rescue' writes out what is readable; a copy made by 'textassay backup' can be used in its place, once "
    "the files beside it that end in -wal and -shm are moved away, too"
)
DAMAGED = TroubleKind(
    "damaged",
    ("malformed", "could not decode", "invalid page", "database corruption"),
    f"the file is damaged: {_RESCUE}",
)
_AWAY = "unreachable"
KINDS = (
    TroubleKind(
        "moved away",
        ("moved away",),
        "put the file back where it was, or stop the server and start it where the file is now",
    ),
    TroubleKind(
        "disk full",
        ("disk is full", "no space left", "disk full"),
        "free some space on the disk that holds the database",
    ),
    TroubleKind(
        "read-only",
        ("readonly database", "read-only"),
        "make the database and its folder writable for the user who runs textassay",
    ),
    DAMAGED,
    TroubleKind(
        "disk error",
        ("disk i/o error", "input/output error"),
        "the disk fails, or can no longer be written: look into the log of the system; if the file is damaged, "
        "'textassay rescue' writes out what is readable",
    ),
    TroubleKind("not a database", ("not a database",), f"it is another kind of file, or damaged: {_RESCUE}"),
    TroubleKind("busy", ("is locked",), "close the program that holds the database locked"),
    TroubleKind(
        _AWAY,
        ("no password supplied",),
        "set PGPASSWORD, keep the password in ~/.pgpass, or name a service in the address",
    ),
    TroubleKind(
        _AWAY,
        ("password authentication failed",),
        "correct the user in the address, or the password in PGPASSWORD or ~/.pgpass",
    ),
    TroubleKind(
        _AWAY,
        (r'database ".*" does not exist',),
        "create it, for example with 'createdb', or correct the address",
    ),
    TroubleKind(
        _AWAY,
        (r'role ".*" does not exist',),
        "correct the user in the address, or create it with 'createuser'",
    ),
    TroubleKind(
        _AWAY,
        ("definition of service",),
        "correct the name in the address, or add it to ~/.pg_service.conf",
    ),
    TroubleKind(_AWAY, ("could not translate host name", "failed to resolve host"), "correct the host in the address"),
    TroubleKind(
        _AWAY,
        ("timeout",),
        "check that this machine may connect to that host, and that its PostgreSQL is running",
    ),
    TroubleKind(
        _AWAY,
        ("connection refused", "no such file or directory"),
        "start PostgreSQL, or correct host and port in the address",
    ),
    TroubleKind(
        _AWAY,
        ("connect", "unable to open", "shutting down", "starting up", "server closed"),
        "check that the database is there and can be written, and that its server is running",
    ),
)


def reason(error: BaseException) -> str:
    """The database's own error message in one line, without the statement and its values."""
    original = getattr(error, "orig", None)
    return str(original or error).strip().splitlines()[0]


def kind_of(error: BaseException) -> TroubleKind:
    """The kind of trouble from what the database says; one without a remedy if nobody knows it.

    >>> kind_of(OSError("database or disk is full")).name
    'disk full'
    """
    if isinstance(error, (ValueError, TypeError)):  # a value that is not of its column's kind
        return DAMAGED
    said = reason(error).lower()
    return next((kind for kind in KINDS if any(re.search(sign, said) for sign in kind.signs)), _OTHER)


class StoreTroubleError(StoreError):
    """The database itself fails; the same may work later."""

    def __init__(self, name: str, what: str, error: BaseException) -> None:
        """Args: the database; `read` or `written`; what it raised."""
        self.kind = kind_of(error)
        super().__init__(f"{name}: could not be {what} ({reason(error)}); {self.kind.remedy or 'try again'}")


class TroubleWatch:
    """Whether the last writes have failed: one line in the log when it begins, and one when it is over."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._current: StoreTroubleError | None = None

    @property
    def current(self) -> StoreTroubleError | None:
        """What is wrong now; None if the last write succeeded."""
        return self._current

    def failed(self, error: StoreTroubleError) -> None:
        """A write has failed."""
        with self._lock:
            before, self._current = self._current, error
        if before is None or before.kind.name != error.kind.name:
            LOG.error("%s. Answers are kept in the browsers and sent again until they are stored.", error)

    def worked(self) -> None:
        """A write has succeeded."""
        if self._current is None:
            return
        with self._lock:
            self._current = None
        LOG.warning("The database can be written again.")


class FileIdentity:
    """Notices that the files of a database were moved away or replaced: what is written then is lost to its readers."""

    def __init__(self, path: Path) -> None:
        self._file, self._journal = path, path.with_name(f"{path.name}-wal")
        self._first: tuple[int, int] | None = None
        self._first_journal: tuple[int, int] | None = None

    def reopened(self) -> None:
        """The connection is a new one, which may have made a new journal."""
        self._first_journal = None

    def check(self) -> None:
        """Compare with the first time.

        Raises:
            OSError: a file is gone, or is another one.
        """
        file, journal = _identity(self._file), _identity(self._journal)
        self._first, self._first_journal = self._first or file, self._first_journal or journal
        if (file, journal) != (self._first, self._first_journal):
            raise OSError("the database file was moved away or replaced while it was open")


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)  # noqa: PTH116 -- with every group of answers, so it should be quick
    except OSError:
        return None
    return found.st_dev, found.st_ino
