"""The small study on a real server with a real store, and participants who speak HTTP with it."""

from __future__ import annotations

import html
import json
import re
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from small_study import write_small_study

from textassay.design.plan import Plan
from textassay.serve.join_limit import JoinLimit
from textassay.serve.server import ServerThread
from textassay.serve.session import Page, pages
from textassay.study.load import load_study
from textassay.study.planning import stored_plan
from textassay.study.study import Study

Change = Callable[[dict[str, Any]], None]
QUESTIONNAIRE = {"native": "yes", "age": "34", "job": "gardener", "email": "ada@letters.uni-koeln.de"}
TIMES = {"started_at": "2026-01-02T03:04:05.678Z", "answered_at": "2026-01-02T03:04:15.678Z", "rt_ms": 10000.0}


@dataclass
class Person:
    """Somebody who takes part."""

    served: Served
    client: httpx.Client
    token: str

    @property
    def base(self) -> str:
        return f"/p/{self.token}"

    @property
    def participant(self) -> Any:
        found = self.served.server.store.participant(self.token)
        assert found is not None
        return found

    @property
    def pages(self) -> tuple[Page, ...]:
        return pages(self.served.study, self.served.plan.slot(self.participant.slot))

    @property
    def answers(self) -> dict[str, Any]:
        return self.served.server.store.answers(self.participant.id)

    def open(self, path: str = "") -> httpx.Response:
        return self.client.get(self.base + path, follow_redirects=True)

    def key(self) -> str:
        """The key of the page that is due, read off the page."""
        data = re.search(r'data-page="([^"]*)"', self.open().text)
        assert data is not None
        return str(json.loads(html.unescape(data[1]))["key"])

    def send(self, page: str, payload: Any, **more: Any) -> httpx.Response:
        body = {"answer_id": str(uuid.uuid4()), "page": page, "payload": payload, "client": {}, **TIMES, **more}
        reply = self.client.post(f"{self.base}/answers", json=body)
        self.wait_for_the_verdict()
        return reply

    def wait_for_the_verdict(self) -> None:
        """Wait until the server has screened somebody who has answered all pages, which it does after its reply."""
        remembered = self.served.server.site.sessions.remembered(self.token)
        if remembered is not None and remembered.settling is not None:
            remembered.settling.result(10)

    def fitting(self, page: Page) -> dict[str, Any]:
        """An answer that nobody objects to."""
        if page.trial is None:
            return {"consent": {"agreed": True}, "questionnaire": self.questionnaire}.get(page.kind, {})
        criteria = getattr(self.served.study.block(page.block).settings, "criteria", ())
        ratings = {criterion.name: criterion.scale.low for criterion in criteria}
        clarity = 2 if page.trial.kind == "check" else 3 + page.number % 3
        return {"ratings": {**ratings, "clarity": clarity, "fluency": 10 + page.number}, "comment": " fine "}

    @property
    def questionnaire(self) -> dict[str, Any]:
        return {**QUESTIONNAIRE, "email": f"p{self.participant.code.replace('-', '')}@letters.uni-koeln.de"}

    def pass_pages(self, until: str | None = None) -> None:
        """Answer page after page, up to but without that key; all without one."""
        for page in self.pages:
            if page.key == until:
                return
            if page.key not in self.answers:
                reply = self.send(page.key, self.fitting(page))
                assert reply.status_code == 200, reply.text


@dataclass
class Served:
    """A study that is being served."""

    study: Study
    plan: Plan
    server: ServerThread
    clients: list[httpx.Client] = field(default_factory=list)

    def client(self, **options: Any) -> httpx.Client:
        # No certificates: the server speaks plain HTTP, and reading them takes longer than a page.
        self.clients.append(httpx.Client(base_url=self.server.links.base, verify=False, **options))
        return self.clients[-1]

    def join(self, client: httpx.Client | None = None, cohort: str = "", **parameters: str) -> Person:
        client = client or self.client()
        reply = client.post(self.server.links.join[cohort], params=parameters or None)
        assert reply.status_code == 303, reply.text
        return Person(self, client, reply.headers["location"].removeprefix("/p/"))

    def researcher(self) -> httpx.Client:
        client = self.client()
        assert client.get(self.server.links.board, follow_redirects=True).status_code == 200
        return client


@contextmanager
def serving(directory: Path, change: Change | None = None) -> Iterator[Served]:
    """Serve the small study, changed as wanted, from that directory."""
    study = load_study(write_small_study(directory, change))
    plan = stored_plan(study)
    with ServerThread(study, plan) as server:
        server.site.join_limit = JoinLimit(None)  # all who take part do so from this machine
        served = Served(study, plan, server)
        yield served
        for client in served.clients:
            client.close()
