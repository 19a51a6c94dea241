"""Several processes serve one study; one that is killed is replaced, and all end together."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from served_study import TIMES
from small_study import write_small_study

from textassay.answers.store import Store
from textassay.errors import UsageError
from textassay.serve.server import run_server
from textassay.study.load import load_study
from textassay.study.planning import stored_plan


@pytest.fixture
def serving(tmp_path: Path, postgres_database: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server with two workers: its process and the link for participants."""
    study = write_small_study(tmp_path / "study", lambda data: data["participants"].update(wanted=60))
    command = [sys.executable, "-m", "textassay", "serve", str(study), "--port", "0", "--workers", "2"]
    environment = {**os.environ, "TEXTASSAY_DB": postgres_database}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment) as own:
        assert own.stdout is not None
        link = next(line for line in own.stdout if line.startswith("Participants"))
        try:
            yield own, link.split()[-1]
        finally:
            own.terminate()
            own.wait(20)


def two_children(process: int, without: int = 0) -> set[int]:
    """The workers of a server, as soon as there are two."""
    for _ in range(400):
        listed = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii")
        found = set(map(int, listed.split())) - {without}
        if len(found) == 2:
            return found
        time.sleep(0.05)
    raise AssertionError("there are not two workers")


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs Linux to find the workers")
def test_workers_share_participants_and_one_that_is_killed_is_replaced(
    serving: tuple[subprocess.Popen[str], str], postgres_database: str
) -> None:
    own, link = serving
    first = two_children(own.pid)

    def take_part(_: int) -> str:
        with httpx.Client(base_url=link, verify=False, timeout=30) as client:
            home = client.post(link).headers["location"]
        for answer, page in enumerate(("consent", "consent")):  # the second time from a connection of its own
            body = {"answer_id": str(uuid.uuid4()), "page": page, "payload": {"agreed": True}, "client": {}, **TIMES}
            with httpx.Client(verify=False, timeout=30) as client:
                reply = client.post(f"{re.sub('/join/.*', '', link)}{home}/answers", json=body)
            assert reply.status_code == (409 if answer else 200), reply.text
        return home.rpartition("/")[2]

    with ThreadPoolExecutor(6) as pool:
        tokens = list(pool.map(take_part, range(12)))
    with Store.open(postgres_database) as store:
        people = [store.participant(token) for token in tokens]
        assert sorted(person.slot for person in people if person) == list(range(1, 13))
        assert all(len(store.answers(person.id)) == 1 for person in people if person)
    killed = min(first)
    os.kill(killed, signal.SIGKILL)
    assert killed not in two_children(own.pid, without=killed)
    take_part(0)
    own.send_signal(signal.SIGTERM)
    assert own.wait(20) == 0


def test_several_workers_need_a_database_server(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path))
    with pytest.raises(UsageError, match="several workers cannot use one SQLite file; take the answers to PostgreSQL"):
        run_server(study, stored_plan(study), workers=2)
