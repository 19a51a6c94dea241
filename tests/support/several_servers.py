"""Several servers of one study on one database that share nothing in memory, asked without a network."""

from __future__ import annotations

import asyncio
import html
import json
import re
import uuid
from collections.abc import Awaitable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import httpx

from textassay.answers import statements as sql
from textassay.answers.records import Participant, StoredAnswer
from textassay.answers.schema import answers
from textassay.answers.store import Store
from textassay.serve.app import create_app
from textassay.serve.session import Page
from textassay.serve.session_cache import SessionCache
from textassay.serve.site import Site
from textassay.study.study import Study

T = TypeVar("T")
TIMES = {"started_at": "2026-01-02T03:04:05.678Z", "answered_at": "2026-01-02T03:04:15.678Z", "rt_ms": 10000.0}


@dataclass(frozen=True)
class Facts:
    """What the store holds of one participant; nothing where there is no such participant."""

    person: Participant | None
    rows: tuple[StoredAnswer, ...] = ()
    """All revisions of all answers in the order in which they were stored."""

    def counting(self, page: str) -> StoredAnswer | None:
        return max((row for row in self.rows if row.page == page), key=lambda row: row.revision, default=None)

    def row(self, answer_id: str) -> StoredAnswer | None:
        return next((row for row in self.rows if row.answer_id == answer_id), None)

    def due(self, pages: Iterable[Page]) -> Page | None:
        answered = {row.page for row in self.rows}
        return next((page for page in pages if page.key not in answered), None)


class Servers:
    """The servers, a clock that they share, and a store of its own for looking and for interfering."""

    def __init__(self, study: Study, plan: Any, stores: list[Store], outside: Store) -> None:
        self.study, self.plan, self.outside = study, plan, outside
        self.now = datetime(2026, 5, 1, 12, tzinfo=UTC)
        self.sites = [Site(study, plan, store, lambda: self.now) for store in stores]
        self._runner = asyncio.Runner()
        self._clients = [
            httpx.AsyncClient(transport=httpx.ASGITransport(create_app(site)), base_url="http://here")
            for site in self.sites
        ]

    def remember_only(self, most: int, server: int) -> None:
        """Let a server remember few participants, so that it forgets and reads again all the time."""
        site = self.sites[server]
        site.sessions = SessionCache(site.store, site._load, most)

    def wait(self, hours: float) -> None:
        self.now += timedelta(hours=hours)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(work)

    def together(self, work: Iterable[Awaitable[T]]) -> list[T]:
        async def all_of_it() -> list[T]:
            return list(await asyncio.gather(*work))

        return self.run(all_of_it())

    async def ask(self, server: int, method: str, path: str, **more: Any) -> httpx.Response:
        """Send a request; returns after the verdict on somebody who has answered all pages, which is found later."""
        reply = await self.ask_only(server, method, path, **more)
        for token in path.split("/")[2:3]:
            remembered = self.sites[server % len(self.sites)].sessions.remembered(token)
            if remembered is not None and remembered.settling is not None:
                await asyncio.wrap_future(remembered.settling)
        return reply

    async def ask_only(self, server: int, method: str, path: str, **more: Any) -> httpx.Response:
        """Send a request."""
        return await self._clients[server].request(method, path, **more)

    async def elsewhere(self, what: Any, *args: Any) -> Any:
        """Change the store past the servers, as another process does, while they go on."""
        return await asyncio.to_thread(what, *args)

    def join(self, server: int = 0, cohort: str = "") -> str:
        reply = self.run(self.ask(server, "POST", self.sites[server].join_path(cohort)))
        assert reply.status_code == 303, reply.text
        return reply.headers["location"].removeprefix("/p/")

    def facts(self, token: str) -> Facts:
        person = self.outside.participant(token)
        if person is None:
            return Facts(None)
        own = sql.ANSWERS.where(answers.c.participant_id == person.id).order_by(answers.c.id)
        with self.outside.reading() as connection:
            return Facts(person, tuple(map(sql.to_answer, connection.execute(own))))

    def close(self) -> None:
        for client in self._clients:
            self.run(client.aclose())
        self._runner.close()
        for site in self.sites:
            site.close()


@contextmanager
def several_servers(study: Study, plan: Any, url: str, number: int = 2) -> Iterator[Servers]:
    """Servers of the study on the database at that address, which share nothing in memory."""
    stores = [Store.open(url) for _ in range(number + 1)]
    servers = Servers(study, plan, stores[:-1], stores[-1])
    try:
        yield servers
    finally:
        servers.close()
        for store in stores:
            store.close()


def body(page: str, payload: Any, answer_id: str | None = None, **more: Any) -> dict[str, Any]:
    """What a browser sends."""
    return {"answer_id": answer_id or str(uuid.uuid4()), "page": page, "payload": payload, **TIMES, **more}


def page_data(text: str) -> dict[str, Any] | None:
    """What a page tells its script; nothing where there is nothing to answer."""
    found = re.search(r'data-page="([^"]*)"', text)
    return None if found is None else json.loads(html.unescape(found[1]))


def address(path: Path) -> str:
    """The address of a database file."""
    return f"sqlite:///{path.as_posix()}"
