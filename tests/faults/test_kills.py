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
from collections.abc import Iterator
from pathlib import Path

import pytest
from _fault_clients import Crowd, Ledger, compare, path_of, write_study
from _fault_servers import free_port

FORKING = Path(__file__).parents[1] / "support" / "forking_server.py"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal that cannot be caught")


class ForkingServer:
    """A server of one study that starts within a moment, on any database."""

    def __init__(self, directory: Path) -> None:
        self.directory, self.port = directory, free_port()
        command = [sys.executable, str(FORKING), str(directory), str(self.port)]
        self.parent = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        self.process = 0

    def start(self, address: str) -> str:
        """The link for participants."""
        assert self.parent.stdin is not None
        self.parent.stdin.write(f"{address}\n")
        self.parent.stdin.flush()
        said = self.line().split()
        assert len(said) == 2, "the server did not start"
        self.process = int(said[0])
        return said[1]

    def kill(self) -> None:
        os.kill(self.process, signal.SIGKILL)
        assert self.line() == "ended\n"

    def line(self) -> str:
        assert self.parent.stdout is not None
        return self.parent.stdout.readline()

    def close(self) -> None:
        assert self.parent.stdin is not None
        assert self.parent.stdout is not None
        self.parent.stdin.close()
        self.parent.wait(20)
        self.parent.stdout.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkingServer]:
    forking = ForkingServer(write_study(tmp_path_factory.mktemp("kills") / "study"))
    yield forking
    forking.close()


def kill_under_load(server: ForkingServer, address: str, times: int) -> None:
    """Kill the server so many times with at least 10 requests in flight; compare the ledger after each restart."""
    ledger, chance = Ledger(), random.Random(times)
    link = server.start(address)
    try:
        with Crowd(server.port, path_of(link), ledger) as crowd:
            for _ in range(times):
                assert crowd.wait_until_busy(10, chance.randint(1, 12)) >= 10
                time.sleep(chance.uniform(0, 0.004))
                server.kill()
                crowd.hold()
                assert server.start(address) == link
                found = compare(ledger, address)
                assert found.fine, found
                crowd.go_on.set()
    finally:
        server.kill()
    found = compare(ledger, address)
    assert found.fine, found
    assert not ledger.unexpected
    assert ledger.retries >= times  # what was in flight had no reply
    assert found.acknowledged >= times


def test_fifteen_kills_on_sqlite_lose_and_double_nothing(server: ForkingServer) -> None:
    kill_under_load(server, f"sqlite:///{server.directory / 'answers.db'}", 15)


def test_five_kills_on_postgresql_lose_and_double_nothing(server: ForkingServer, postgres_database: str) -> None:
    kill_under_load(server, postgres_database, 5)
