"""Which server of a study is running: a small file beside its store says where, and the server itself is asked.

A server that was killed leaves the file behind, and its port may be another program's by now. So what the file says
counts only if a server answers there that gives the same key as the file.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

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
            path.unlink(missing_ok=True)


def running_server(study: Study) -> RunningServer | None:
    """The server of the study in this directory, if one answers."""
    stored = _stored(study)
    if stored is None or Path(stored.directory) != study.directory.resolve() or not _answers(stored):
        return None
    return stored


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
