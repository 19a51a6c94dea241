"""A real server is killed again and again while people are at work; nothing that was acknowledged is lost or doubled.

`python3 run.py bench faults` does the same with `textassay serve` itself: 200 times on SQLite, 60 on PostgreSQL.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from _fault_clients import Crowd, Ledger, compare, path_of, write_study
from _fault_servers import free_port

FORKING = Path(__file__).parents[1] / "support" / "forking_server.py"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal that cannot be caught")


@contextmanager
def forking_server(directory: Path, url: str | None) -> Iterator[tuple[int, Callable[[], tuple[int, str]]]]:
    """Its port, and a function that starts it again and returns the process and the link."""
    port = free_port()
    command = [sys.executable, str(FORKING), str(directory), str(port), *([url] if url else [])]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        started: list[int] = []

        def start() -> tuple[int, str]:
            if started:
                assert process.stdout.readline() == "ended\n"
            process.stdin.write("start\n")
            process.stdin.flush()
            said = process.stdout.readline().split()
            assert said, "the server did not start"
            started.append(int(said[0]))
            return int(said[0]), said[1]

        try:
            yield port, start
        finally:
            if started:
                os.kill(started[-1], signal.SIGKILL)
            process.stdin.close()


def killed_under_load(directory: Path, times: int, url: str | None = None) -> Ledger:
    """Kill the server so many times with at least 10 requests in flight; compares the ledger after each restart."""
    ledger, chance = Ledger(), random.Random(times)
    address = url or f"sqlite:///{directory / 'answers.db'}"
    with forking_server(directory, url) as (port, start):
        server, link = start()
        with Crowd(port, path_of(link), ledger) as crowd:
            for _ in range(times):
                assert crowd.wait_until_busy(10, chance.randint(1, 12)) >= 10
                time.sleep(chance.uniform(0, 0.004))
                os.kill(server, signal.SIGKILL)
                crowd.hold()
                server, again = start()
                assert again == link
                found = compare(ledger, address)
                assert found.fine, found
                crowd.go_on.set()
        found = compare(ledger, address)
        assert found.fine, found
    assert not ledger.unexpected
    assert ledger.retries >= times  # what was in flight had no reply
    assert found.acknowledged >= times
    return ledger


def test_fifteen_kills_on_sqlite_lose_and_double_nothing(tmp_path: Path) -> None:
    killed_under_load(write_study(tmp_path / "study"), 15)


def test_five_kills_on_postgresql_lose_and_double_nothing(tmp_path: Path, postgres_database: str) -> None:
    killed_under_load(write_study(tmp_path / "study"), 5, postgres_database)
