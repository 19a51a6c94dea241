"""Which server of a study is running: a small file beside its store says where, and the server itself is asked.

A server that was killed leaves the file behind, and its port may be another program's by now. So what the file says
counts only if a server answers there that gives the same key as the file.

Only one server may use an SQLite file: it holds a lock of the operating system, which ends with its process, however
that ends. A PostgreSQL database may be used by several, and lists their connections.
"""

from __future__ import annotations

import errno
import hashlib
import http.client
import json
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from textassay.answers.database import connections
from textassay.errors import StoreError, UsageError
from textassay.study.store_address import is_file, path_of, public_address
from textassay.study.study import Study

FILE = "server.json"
_SECONDS = 2.0
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 -- where a server that listens everywhere is reached


@dataclass(frozen=True)
class RunningServer:
    """A server as its file describes it."""

    base: str
    """Address in links, without a slash at the end."""
    host: str
    """Address that it listens on."""
    port: int
    pid: int
    """Its process."""
    directory: str
    """The study directory: a copy of it has the file too, but not the server."""
    key: str
    """What the server answers; see `server_key`."""


def server_key(secret: str) -> str:
    """What a server says of which study it serves; nothing can be worked out from it."""
    return hashlib.sha256(f"textassay server {secret}".encode()).hexdigest()[:16]


@contextmanager
def announced(study: Study, base: str, address: tuple[str, int], key: str) -> Iterator[None]:
    """While the block runs, the file in the study directory says where the server is."""
    path = study.directory / FILE
    host, port = address
    own = RunningServer(base, host, port, os.getpid(), str(study.directory.resolve()), key)
    with suppress(OSError):  # where the directory is read-only, other commands have to be told the address
        path.write_text(json.dumps(asdict(own), indent=1) + "\n", encoding="utf-8")
    try:
        yield
    finally:
        if _stored(study) == own:
            with suppress(OSError):  # a file that stays is recognised as outdated
                path.unlink()


def running_server(study: Study) -> RunningServer | None:
    """The server of the study in this directory, if one answers."""
    stored = _stored(study)
    if stored is None or Path(stored.directory) != study.directory.resolve() or not _answers(stored):
        return None
    return stored


APPLICATION = "textassay serve"
"""What PostgreSQL calls the connections of a server."""
_LOCKED_BYTE = 1 << 30
"""On Windows a locked part of a file cannot be read by others, so one is locked that is not there."""


def serving_address(study: Study) -> str:
    """The address of the study's store for its server, by which PostgreSQL knows that it is one."""
    if is_file(study.store_url):
        return study.store_url
    return f"{study.store_url}{'&' if '?' in study.store_url else '?'}application_name={APPLICATION.replace(' ', '+')}"


@contextmanager
def only_server(study: Study) -> Iterator[None]:
    """While the block runs, no other server can use the study's SQLite file; PostgreSQL is shared by several.

    Raises:
        UsageError: another server uses it.
        StoreError: the folder of the file cannot be written to.
    """
    if not is_file(study.store_url):
        yield
        return
    database = path_of(study.store_url)
    path = database.with_name(f"{database.name}.lock")
    try:
        file = path.open("ab")
    except OSError as error:
        remedy = "check the folder and its permissions"
        raise StoreError(f"{path}: cannot be created ({error.strerror or error}); {remedy}") from None
    with file:
        if not _locked(file):
            raise UsageError(_already_served(study))
        yield


@contextmanager
def not_served(study: Study) -> Iterator[None]:
    """While the block runs, no server uses the study's answers; none can start if they are in an SQLite file.

    Raises:
        UsageError: one does.
    """
    where = public_address(study.store_url)
    refusal = UsageError(f"{where}: a server is using these answers; stop it first, on every machine that serves them")
    with ExitStack() as stack:
        try:
            stack.enter_context(only_server(study))
        except UsageError:
            raise refusal from None
        if not is_file(study.store_url) and connections(study.store_url, APPLICATION):
            raise refusal
        yield


def _already_served(study: Study) -> str:
    other = running_server(study)
    where = f" at {other.base} (process {other.pid})" if other is not None else ""
    remedy = "stop that server, or move the answers to PostgreSQL, which several servers can share"
    return f"this study is already being served{where}, and its answers are in one SQLite file; {remedy}"


def _locked(file: IO[bytes]) -> bool:
    """Lock the file until it is closed; whether nobody else had locked it."""
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415 -- each system has its own

            file.seek(_LOCKED_BYTE)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        # Some file systems of other machines have no locks; a server there must not be refused for that.
        return error.errno not in (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
    return True


def _stored(study: Study) -> RunningServer | None:
    try:
        return RunningServer(**json.loads((study.directory / FILE).read_bytes()))
    except (OSError, ValueError, TypeError):
        return None


def _answers(server: RunningServer) -> bool:
    host = _EVERYWHERE.get(server.host, server.host)
    connection = http.client.HTTPConnection(host, server.port, timeout=_SECONDS)
    try:
        connection.request("GET", "/health")
        said = json.loads(connection.getresponse().read(1000))
        return isinstance(said, dict) and said.get("key") == server.key
    except (OSError, ValueError, http.client.HTTPException):
        return False
    finally:
        connection.close()
