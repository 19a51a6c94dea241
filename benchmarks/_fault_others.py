"""Faults other than kills: what clients see during each, and whether anything is missing afterwards."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

from _fault_clients import Crowd, Findings, Ledger, compare, write_study
from _fault_servers import Served, postgres

from textassay import pipeline, ready_studies
from textassay.answers.records import NewAnswer
from textassay.serve.clock import resumed_clock
from textassay.serve.server import ServerThread
from textassay.serve.visiting import time_limit

FAULT_SECONDS, STOPPED_SECONDS = 4.0, 10.0
_SMALL = "6m"
_WAIT = 5


@dataclass(frozen=True)
class Observation:
    """What was seen of one fault."""

    fault: str
    seen: str
    fine: bool
    """Whether it is as it should be."""

    def __str__(self) -> str:
        return f"{self.fault}: {self.seen}{'' if self.fine else '  <-- not as it should be'}"


class CannotMakeError(Exception):
    """The fault cannot be made on this machine."""


def observations(folder: Path) -> Iterator[Observation]:
    """Make every fault that can be made here."""
    for fault in FAULTS:
        name = fault.__name__.replace("_", " ")
        place = folder / fault.__name__
        place.mkdir()
        try:
            yield fault(name, place)
        except CannotMakeError as reason:
            yield Observation(name, f"not tried: {reason}", fine=True)
        except RuntimeError as problem:
            yield Observation(name, f"the server is of no use afterwards: {problem}", fine=False)


# --- with people at work -------------------------------------------------------------------------------------------


def _during(name: str, served: Served, break_it: Callable[[], None], heal: Callable[[], None]) -> Observation:
    """Break something while people are at work, look what they are told, heal it, and look what is there."""
    ledger = Ledger()
    with Crowd(served.port, served.join_path(), ledger) as crowd:
        crowd.wait_until_busy(1, 50)
        crowd.go_on.set()
        break_it()
        time.sleep(0.5)
        before, busy = len(ledger.acknowledged), ledger.busy.copy()
        time.sleep(FAULT_SECONDS)
        health = served.health() or {"http": "no reply"}
        meanwhile, told = len(ledger.acknowledged) - before, ledger.busy - busy
        odd = ledger.unexpected.copy()
        heal()
        healed, began = len(ledger.acknowledged), time.monotonic()
        crowd.wait_until_busy(1, 50, seconds=60)
        back = time.monotonic() - began
        crowd.hold()
        later = ledger.unexpected - odd
        found = compare(ledger, served.url)
    log = served.log.read_text(encoding="utf-8").splitlines()
    seen = [
        f"during it {meanwhile} answers acknowledged, told to try again: {_counts(told)}",
        f"other replies: {_counts(odd)}",
        f"/health: {health.get('http')} {health.get('status', '')}".rstrip(),
        f"50 answers within {back:.1f} s after its end ({healed} before), other replies then: {_counts(later)}",
        _compared(found),
        f"{len(log)} lines in the log",
    ]
    if ledger.no_advice:
        seen.append(f"{ledger.no_advice} times without Retry-After")
    reported = meanwhile > 0 or (bool(told) and health.get("status") != "ok" and bool(log))
    return Observation(
        name, "; ".join(seen), found.fine and not odd and not later and not ledger.no_advice and reported
    )


def _counts(counter: Counter[str]) -> str:
    return ", ".join(f"{times} × {what}" for what, times in sorted(counter.items())) or "none"


def _compared(found: Findings) -> str:
    ghosts = f", {found.ghosts} ghosts ({found.ghosts_explained} explained)" if found.ghosts else ""
    return f"{found.acknowledged} acknowledged, {len(found.lost)} lost, {len(found.doubled)} doubled{ghosts}"


def full_disk(name: str, folder: Path) -> Observation:
    """Fill a small file system to the last byte; then delete the filling."""
    with _small_disk(folder) as disk, Served(write_study(disk / "study")) as served:
        filling = disk / "filling"
        return _during(name, served, lambda: _fill(filling), filling.unlink)


def read_only_disk(name: str, folder: Path) -> Observation:
    """Start on a file system that may only be read; where files are open, the system refuses to change it."""
    with _small_disk(folder) as disk:
        served = Served(write_study(disk / "study"))
        with served:
            pass
        _mounted("-o", "remount,ro", str(disk))
        try:
            done = subprocess.run(served.command, capture_output=True, text=True, timeout=60, check=False)
        except subprocess.TimeoutExpired:
            return Observation(name, "the server starts, though nothing can be stored", fine=False)
    lines = done.stderr.strip().splitlines() or [""]
    told = lines[-1].replace(f"{folder}/", "")
    fine = done.returncode in (1, 2) and "Traceback" not in done.stderr
    return Observation(name, f"the server ends with {done.returncode} and {len(lines)} lines: {told}", fine)


def database_moved_away(name: str, folder: Path) -> Observation:
    """Move the file away, and back."""
    with Served(write_study(folder / "study")) as served:
        file, away = folder / "study" / "answers.db", folder / "study" / "elsewhere.db"
        return _during(name, served, lambda: _move(file, away), lambda: _move(away, file))


def database_deleted(name: str, folder: Path) -> Observation:
    """Delete the file: nothing may be acknowledged any more."""
    with Served(write_study(folder / "study")) as served:
        ledger = Ledger()
        with Crowd(served.port, served.join_path(), ledger) as crowd:
            crowd.wait_until_busy(1, 50)
            crowd.hold()
            (folder / "study" / "answers.db").unlink()
            time.sleep(1)
            before = len(ledger.acknowledged)
            crowd.go_on.set()
            time.sleep(FAULT_SECONDS)
            meanwhile, health = len(ledger.acknowledged) - before, served.health() or {"http": "no reply"}
    seen = f"{meanwhile} answers acknowledged into the void, told to try again: {_counts(ledger.busy)}"
    seen += f"; other replies: {_counts(ledger.unexpected)}; /health: {health.get('http')} {health.get('status', '')}"
    return Observation(name, seen, fine=not meanwhile and not ledger.unexpected)


def database_server_killed(name: str, folder: Path) -> Observation:
    """Kill PostgreSQL, not the server, and start it again."""
    with postgres() as database, Served(write_study(folder / "study"), database.new_database("alone")) as served:
        return _during(name, served, database.kill, database.start)


def stopped_for_10_seconds(name: str, folder: Path) -> Observation:
    """SIGSTOP, then SIGCONT: replies come late, nothing else."""
    with Served(write_study(folder / "study")) as served:
        ledger = Ledger()
        with Crowd(served.port, served.join_path(), ledger) as crowd:
            crowd.wait_until_busy(10, 30)
            crowd.go_on.set()
            os.kill(served.pid, signal.SIGSTOP)
            time.sleep(STOPPED_SECONDS)
            os.kill(served.pid, signal.SIGCONT)
            crowd.wait_until_busy(1, 50)
            crowd.hold()
            found = compare(ledger, served.url)
    seen = f"{_compared(found)}; other replies: {_counts(ledger.unexpected)}; {ledger.retries} requests were sent again"
    return Observation(name, seen, found.fine and not ledger.unexpected)


# --- signals -------------------------------------------------------------------------------------------------------


def ended_by_sigterm(name: str, folder: Path) -> Observation:
    """As systemd and containers do."""
    return _ended(name, folder, signal.SIGTERM)


def ended_by_sigint(name: str, folder: Path) -> Observation:
    """As Ctrl-C does."""
    return _ended(name, folder, signal.SIGINT)


def ended_by_sigkill(name: str, folder: Path) -> Observation:
    """Nobody can close the store: a copy of the file alone may lack what is in the log of changes."""
    return _ended(name, folder, signal.SIGKILL)


def _ended(name: str, folder: Path, number: signal.Signals) -> Observation:
    ledger = Ledger()
    with Served(write_study(folder / "study")) as served, Crowd(served.port, served.join_path(), ledger) as crowd:
        crowd.wait_until_busy(10, 100)
        began = time.monotonic()
        code = served.end(number)
        took = time.monotonic() - began
        crowd.hold()
        alone = folder / "alone.db"
        shutil.copy(folder / "study" / "answers.db", alone)
        try:
            in_copy = len(ledger.acknowledged) - len(compare(ledger, f"sqlite:///{alone}").lost)
        except Exception as problem:
            in_copy = str(problem).splitlines()[0]
        left = [path.name for path in (folder / "study").glob("answers.db-*")]
        found = compare(ledger, served.url)
    seen = f"ended with {code} after {took:.1f} s; {_compared(found)}; a copy of answers.db alone has {in_copy}"
    complete = in_copy == len(ledger.acknowledged) or number == signal.SIGKILL
    return Observation(name, f"{seen}; left beside it: {', '.join(left) or 'nothing'}", found.fine and complete)


# --- the clock -----------------------------------------------------------------------------------------------------


def clock_set_back(name: str, folder: Path) -> Observation:
    """A trial with a time limit, opened before a restart; afterwards the server's clock is an hour back."""
    study = pipeline.load(ready_studies.copy("decision", folder / "study"))
    plan = pipeline.plan(study)
    start = datetime.now(UTC)
    with ServerThread(study, plan) as server:
        token = _joined(server)
        person = server.store.participant(token)
        assert person is not None
        pages = server.site.pages(person.slot)
        timed = next(page for page in pages if time_limit(server.site, page) is not None)
        for page in pages[: timed.number - 1]:
            server.store.save(person.id, NewAnswer(str(uuid4()), page.key, {}, start, start))
        first = _remaining(server, f"/p/{token}/{timed.number}")
        time.sleep(_WAIT)
    # Stopped: nothing was stored since the page was opened.
    with ServerThread(study, plan) as server:
        server.site.clock = resumed_clock(server.store, lambda: datetime.now(UTC) - timedelta(hours=1))
        back = _remaining(server, f"/p/{token}/{timed.number}")
    seen = f"of {first:g} s there are {back:g} s left {_WAIT} s later, after the clock was set back by an hour"
    return Observation(name, seen, fine=back <= first - _WAIT)


def _joined(server: ServerThread) -> str:
    address = urlsplit(server.links.join[""])
    connection = HTTPConnection("127.0.0.1", address.port or 80)
    connection.request("POST", address.path)
    return connection.getresponse().headers["location"].removeprefix("/p/")


def _remaining(server: ServerThread, path: str) -> float:
    connection = HTTPConnection("127.0.0.1", urlsplit(server.links.base).port or 80)
    connection.request("GET", path)
    data = re.search(r'data-page="([^"]*)"', connection.getresponse().read().decode())
    connection.close()
    assert data is not None
    return float(json.loads(html.unescape(data[1]))["limit"]["remaining"])


# --- what makes them -----------------------------------------------------------------------------------------------


@contextmanager
def _small_disk(folder: Path) -> Iterator[Path]:
    """A file system of a few MB."""
    disk = folder / "disk"
    disk.mkdir()
    _mounted("-t", "tmpfs", "-o", f"size={_SMALL}", "tmpfs", str(disk))
    try:
        yield disk
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=False)


def _mounted(*arguments: str) -> None:
    try:
        done = subprocess.run(["mount", *arguments], capture_output=True, text=True, check=False)
    except OSError as problem:
        raise CannotMakeError(f"no file system can be mounted here ({problem})") from None
    if done.returncode:
        raise CannotMakeError(f"no file system can be mounted here ({done.stderr.strip()})")


def _fill(path: Path) -> None:
    with suppress(OSError), path.open("wb", buffering=0) as file:
        for size in (65536, 4096, 1):
            with suppress(OSError):
                while file.write(b"0" * size):
                    pass


def _move(source: Path, target: Path) -> None:
    source.rename(target)


FAULTS = (
    full_disk, read_only_disk, database_moved_away, database_deleted, database_server_killed, stopped_for_10_seconds,
    ended_by_sigterm, ended_by_sigint, ended_by_sigkill, clock_set_back,
)  # fmt: skip
