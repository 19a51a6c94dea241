"""A database that cannot be read or written: what is wrong, what to do, and since when."""

from __future__ import annotations

import logging
import os
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
    """What the database says then."""
    remedy: str


_OTHER = TroubleKind("failing", (), "see what the database says, and try again")
MOVED = TroubleKind(
    "moved away",
    ("moved away",),
    "put the file back where it was, or stop the server and start it where the file is now",
)
KINDS = (
    MOVED,
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
    TroubleKind(
        "damaged",
        ("malformed", "disk i/o error", "invalid page", "database corruption"),
        "stop the server, keep a copy of the file, and write out what is readable with 'textassay rescue', "
        "or restore a backup",
    ),
    TroubleKind(
        "not a database",
        ("not a database",),
        "is this the right database? If it is, it is damaged: write out what is readable with 'textassay rescue'",
    ),
    TroubleKind(
        "busy", ("database is locked", "database table is locked"), "close the program that holds the database locked"
    ),
    TroubleKind(
        "unreachable",
        (
            "connection",
            "could not connect",
            "unable to open",
            "shutting down",
            "starting up",
            "server closed",
            "timeout",
        ),
        "check that the database is there and can be written, and that its server is running",
    ),
)


def kind_of(reason: str) -> TroubleKind:
    """The kind of trouble from what the database says.

    >>> kind_of("database or disk is full").name
    'disk full'
    """
    said = reason.lower()
    return next((kind for kind in KINDS if any(sign in said for sign in kind.signs)), _OTHER)


class StoreTroubleError(StoreError):
    """The database itself fails; the same may work later."""

    def __init__(self, name: str, what: str, reason: str) -> None:
        """Args: the database; `read` or `written`; what the database says."""
        self.kind = kind_of(reason)
        super().__init__(f"{name}: could not be {what} ({reason}); {self.kind.remedy}")


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
        if before is None or before.kind != error.kind:
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
