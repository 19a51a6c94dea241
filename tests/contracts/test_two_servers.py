"""Two servers get the same participant's answers to the same pages at the same time: each page has one that counts."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from served_study import TIMES
from several_servers import address
from small_study import write_small_study

from textassay.answers.records import StoredAnswer
from textassay.answers.store import Store
from textassay.serve.server import ServerThread
from textassay.serve.session import Page, pages
from textassay.study.load import load_study
from textassay.study.planning import stored_plan
from textassay.study.study import Study

THREADS = 16
PEOPLE = 2


def trials_only(data: dict[str, Any]) -> None:
    data["participants"] = {"wanted": 6}
    data["questionnaire"], data["screening"] = [], {}
    data.pop("consent")
    block = data["blocks"][0]
    for key in ("instructions", "practice", "attention_checks"):
        block.pop(key)
    block["design"] = {"items_per_participant": 3}


def going_back(data: dict[str, Any]) -> None:
    trials_only(data)
    data["participants"]["may_go_back"] = True


@contextmanager
def in_threads(study: Study, url: str) -> Iterator[list[str]]:
    """Two servers with a store each; their addresses."""
    with ExitStack() as stack:
        stores = [stack.enter_context(Store.open(url)) for _ in range(2)]
        servers = [stack.enter_context(ServerThread(study, stored_plan(study), store=store)) for store in stores]
        yield [server.links.base for server in servers]


SERVER = """
import sys
from textassay.serve.server import run_server
from textassay.study.load import load_study
from textassay.study.planning import stored_plan
study = load_study(sys.argv[1], sys.argv[2])
run_server(study, stored_plan(study), on_ready=lambda links: print(links.base, flush=True))
"""


@contextmanager
def in_processes(study: Study, url: str) -> Iterator[list[str]]:
    """Two servers in processes of their own; their addresses."""
    command = [sys.executable, "-c", SERVER, str(study.directory), url]
    with ExitStack() as stack:
        running = [
            stack.enter_context(subprocess.Popen(command, env=os.environ, stdout=subprocess.PIPE, encoding="utf-8"))
            for _ in range(2)
        ]
        for process in running:
            stack.callback(process.kill)
        yield [process.stdout.readline().strip() for process in running if process.stdout is not None]


class Crowd:
    """Threads that send answers for the same participants to all servers at once."""

    def __init__(self, study: Study, url: str, bases: list[str], store: Store) -> None:
        self.study, self.bases, self.store = study, bases, store
        self.clients = [httpx.Client(verify=False) for _ in range(THREADS)]
        key = store.secret("join")
        self.tokens = [self.joined(f"{bases[number % len(bases)]}/join/{key}") for number in range(PEOPLE)]
        self.started = threading.Barrier(THREADS)
        self.acknowledged: list[tuple[str, str, Any]] = []
        self.statuses: list[int] = []

    def joined(self, link: str) -> str:
        return self.clients[0].post(link).headers["location"].removeprefix("/p/")

    def pages(self, token: str) -> tuple[Page, ...]:
        person = self.store.participant(token)
        assert person is not None
        return pages(self.study, stored_plan(self.study).slot(person.slot))

    def answer_all(self, number: int) -> None:
        """What one thread does: page after page of one participant, each at the same time as all other threads."""
        token, base = self.tokens[number % PEOPLE], self.bases[number // PEOPLE % len(self.bases)]
        for place, page in enumerate(self.pages(token)):
            self.started.wait(30)
            payload = {"ratings": {"clarity": 1 + number % 7, "fluency": number + place}}
            said = {"answer_id": str(uuid.uuid4()), "page": page.key, "payload": payload, "client": {}, **TIMES}
            reply = self.clients[number].post(f"{base}/p/{token}/answers", json=said)
            if reply.status_code == 503:  # too much has changed meanwhile: the browser sends it again
                reply = self.clients[number].post(f"{base}/p/{token}/answers", json=said)
            self.statuses.append(reply.status_code)
            if reply.status_code == 200:
                self.acknowledged.append((token, said["answer_id"], payload))

    def go(self) -> None:
        with ThreadPoolExecutor(THREADS) as threads:
            list(threads.map(self.answer_all, range(THREADS)))
        for client in self.clients:
            client.close()

    def stored(self, token: str) -> list[StoredAnswer]:
        person = self.store.participant(token)
        assert person is not None
        return [row for number, row in self.store.all_answers(revisions=True) if number == person.id]


def all_is_in_order(crowd: Crowd, *, may_go_back: bool) -> None:
    assert set(crowd.statuses) <= {200, 409}
    assert len(crowd.statuses) == THREADS * len(crowd.pages(crowd.tokens[0]))
    stored = {row.answer_id for token in crowd.tokens for row in crowd.stored(token)}
    assert [each for each in crowd.acknowledged if each[1] not in stored] == []
    assert len(stored) == len(crowd.acknowledged)  # the others were told that they do not count
    for token in crowd.tokens:
        rows = crowd.stored(token)
        for page in crowd.pages(token):
            revisions = sorted(row.revision for row in rows if row.page == page.key)
            assert revisions == list(range(revisions[0], revisions[-1] + 1))
            assert 0 in revisions
            assert may_go_back or revisions == [0]
        person = crowd.store.participant(token)
        assert person is not None
        assert person.status == "completed"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgres_database"))
    return address(tmp_path / "answers.db")


@pytest.mark.parametrize("may_go_back", [False, True])
def test_two_servers_store_one_answer_that_counts(url: str, tmp_path: Path, may_go_back: bool) -> None:
    study = load_study(write_small_study(tmp_path / "study", going_back if may_go_back else trials_only))
    stored_plan(study)
    with in_threads(study, url) as bases, Store.open(url) as store:
        crowd = Crowd(study, url, bases, store)
        crowd.go()
        all_is_in_order(crowd, may_go_back=may_go_back)


def test_two_processes_store_one_answer_that_counts(postgres_database: str, tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path / "study", trials_only))
    stored_plan(study)
    with Store.open(postgres_database) as store, in_processes(study, postgres_database) as bases:
        crowd = Crowd(study, postgres_database, bases, store)
        crowd.go()
        all_is_in_order(crowd, may_go_back=False)
