"""People who take part in a study while its server is being killed, and their own ledger of what they were told.

Each client is a thread with a connection of its own. It joins, opens pages, answers them, sends some answers twice at
the same time and changes earlier ones, page after page. What had no reply is sent again, unchanged, as browsers do. The
ledger is checked against the database afterwards: an answer that was acknowledged must be there, once.
"""

from __future__ import annotations

import contextlib
import html
import json
import random
import re
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

import sqlalchemy

from textassay.answers.recruiting import token_hash

ITEMS = 12
STUDY = {
    "format": 1,
    "title": "A study whose server is killed",
    "tables": {"texts": "texts.csv"},
    "participants": {"wanted": 40, "when_full": "continue", "may_go_back": True, "joins_per_minute": None},
    "blocks": [
        {
            "task": "rating",
            "name": "clarity",
            "criteria": [{"name": "clarity", "question": "How clear is it?", "scale": {"from": 1, "to": 7}}],
        }
    ],
}
_PATIENCE = 20.0
"""Seconds after which a reply counts as missing."""
_AGAIN = 0.03


def write_study(directory: Path) -> Path:
    """A small study in which earlier answers may be changed, and in which anybody may join."""
    directory.mkdir(parents=True)
    (directory / "study.yaml").write_text(json.dumps(STUDY), encoding="utf-8")
    rows = [f"i{item},s{system},Text {item} of system {system}." for item in range(ITEMS) for system in range(2)]
    (directory / "texts.csv").write_text("\n".join(["item,system,text", *rows]) + "\n", encoding="utf-8")
    return directory


# --- the ledger ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sent:
    """An answer as a client sent it."""

    token: str
    page: int
    value: int


@dataclass
class Ledger:
    """What clients sent, and what they were told."""

    sent: dict[str, Sent] = field(default_factory=dict)
    """By the answer's id."""
    acknowledged: set[str] = field(default_factory=set)
    joined: set[str] = field(default_factory=set)
    """Tokens."""
    joins_without_reply: int = 0
    """Each of them may have made a participant whom nobody was told of."""
    retries: int = 0
    """Requests that had no reply and were sent again."""
    busy: Counter[str] = field(default_factory=Counter)
    """Replies 503 by kind of request: it is sent again."""
    no_advice: int = 0
    """Those of them without Retry-After."""
    unexpected: Counter[str] = field(default_factory=Counter)
    """Replies that no client should get."""
    pages: int = 0


@dataclass(frozen=True)
class Findings:
    """What the database holds, compared with the ledger."""

    acknowledged: int
    stored: int
    lost: Sequence[str]
    """Acknowledged, but not stored, or stored with another value, or replaced by an earlier answer."""
    doubled: Sequence[str]
    """Two rows for one answer, two current rows for a page, or revisions with gaps."""
    unknown: Sequence[str]
    """Answers that nobody sent."""
    ghosts: int
    """Participants whom nobody was told of."""
    ghosts_explained: int
    """Joins that had no reply; no more ghosts than that can be explained."""

    @property
    def fine(self) -> bool:
        """Whether nothing is wrong."""
        return not (self.lost or self.doubled or self.unknown or self.ghosts > self.ghosts_explained)


_ROWS = (
    "SELECT a.answer_id, p.token_hash, a.page, a.revision, a.payload "
    "FROM answers a JOIN participants p ON p.id = a.participant_id"
)


def compare(ledger: Ledger, url: str) -> Findings:
    """Compare the ledger with the database while no request is under way."""
    engine = sqlalchemy.create_engine(url)
    try:
        with engine.connect() as connection:
            rows = connection.execute(sqlalchemy.text(_ROWS)).all()
            people = connection.execute(sqlalchemy.text("SELECT token_hash FROM participants")).scalars().all()
    finally:
        engine.dispose()
    stored = {row[0]: row for row in rows}
    hashes = {token: token_hash(token) for token in ledger.joined}
    revisions: dict[tuple[str, str], list[tuple[int, str]]] = defaultdict(list)
    for answer, person, page, revision, _ in rows:
        revisions[person, page].append((revision, answer))
    return Findings(
        acknowledged=len(ledger.acknowledged),
        stored=len(rows),
        lost=[*_lost(ledger, stored, hashes), *_overwritten(ledger, revisions)],
        doubled=list(_doubled(Counter(row[0] for row in rows), revisions)),
        unknown=[answer for answer in stored if answer not in ledger.sent],
        ghosts=len(set(people) - set(hashes.values())),
        ghosts_explained=ledger.joins_without_reply,
    )


def _lost(ledger: Ledger, stored: Mapping[str, Any], hashes: Mapping[str, str]) -> Iterator[str]:
    for answer in ledger.acknowledged:
        sent, row = ledger.sent[answer], stored.get(answer)
        if row is None:
            yield f"{answer} is not stored"
        elif row[1] != hashes[sent.token] or json.loads(row[4]) != {"ratings": {"clarity": sent.value}}:
            yield f"{answer} is stored as {row}"


def _overwritten(ledger: Ledger, revisions: Mapping[tuple[str, str], list[tuple[int, str]]]) -> Iterator[str]:
    """Pages whose current answer was sent before one that was acknowledged; ids are in the order of sending."""
    place = {answer: number for number, answer in enumerate(ledger.sent)}
    for (_, page), found in revisions.items():
        own = [answer for _, answer in found if answer in place]
        done = [answer for answer in own if answer in ledger.acknowledged]
        current = max(found)[1]
        if done and current in place and place[current] < max(place[answer] for answer in done):
            yield f"{current}, the current answer to {page}, was given before an acknowledged one"


def _doubled(ids: Counter[str], revisions: Mapping[tuple[str, str], list[tuple[int, str]]]) -> Iterator[str]:
    yield from (f"{answer} is stored {times} times" for answer, times in ids.items() if times > 1)
    for (_, page), found in revisions.items():
        numbers = sorted(revision for revision, _ in found)
        if numbers != list(range(numbers[0], numbers[0] + len(numbers))) or 0 not in numbers:
            yield f"{page} has the revisions {numbers}"


# --- the clients -----------------------------------------------------------------------------------------------------


class StoppedError(Exception):
    """The crowd goes home."""


class Crowd:
    """Clients at work; a context manager that sends them home at the end."""

    def __init__(self, port: int, join: str, ledger: Ledger, *, clients: int = 16, seed: int = 1) -> None:
        """Args: port of the server; path of the link to join; the ledger; how many clients; seed of what they do."""
        self.port, self.join, self.ledger = port, join, ledger
        self.lock = threading.Lock()
        self.go_on = threading.Event()
        """Cleared while the server is down: nobody asks anything until it is set again."""
        self.stopped = False
        self.in_flight = 0
        self._threads = [
            threading.Thread(target=Client(self, random.Random(f"{seed} {number}")).run, daemon=True)
            for number in range(clients)
        ]

    def __enter__(self) -> Crowd:
        self.go_on.set()
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopped = True
        self.go_on.set()
        for thread in self._threads:
            thread.join(_PATIENCE)

    def hold(self) -> None:
        """Nobody sends anything more; returns when all replies that are still coming have come."""
        self.go_on.clear()
        end = time.monotonic() + _PATIENCE
        while self.in_flight and time.monotonic() < end:
            time.sleep(0.005)

    def wait_until_busy(self, requests: int, answers: int, seconds: float = 120) -> int:
        """Wait until so many more answers are acknowledged and so many requests in flight; returns how many there are.

        From then on nobody sends anything more, so that what is sent can be told from what is lost.
        """
        end, wanted = time.monotonic() + seconds, len(self.ledger.acknowledged) + answers
        while time.monotonic() < end:
            if len(self.ledger.acknowledged) >= wanted:
                with self.lock:
                    if self.in_flight >= requests:
                        self.go_on.clear()
                        return self.in_flight
            time.sleep(0.001)
        raise RuntimeError(
            f"within {seconds:g} seconds {len(self.ledger.acknowledged) - wanted + answers} answers were acknowledged, "
            f"{self.in_flight} requests are in flight; replies: {dict(self.ledger.unexpected)}"
        )


class Client:
    """One person after the other, over one connection."""

    def __init__(self, crowd: Crowd, chance: random.Random) -> None:
        self.crowd, self.chance, self.ledger = crowd, chance, crowd.ledger
        self._connection = self._new_connection()
        self._second = self._new_connection()

    def run(self) -> None:
        """Take part again and again."""
        with contextlib.suppress(StoppedError):
            while True:
                self._take_part()
        self._connection.close()
        self._second.close()

    def _take_part(self) -> None:
        token = self._joined()
        if token is None:
            time.sleep(_AGAIN)
            return
        values: dict[int, int] = {}
        for number in range(1, ITEMS + 1):
            if not self._answer(token, number, values):
                return
            if number < ITEMS and self.chance.random() < 0.3:
                self._answer(token, self.chance.randint(1, number), values)

    def _joined(self) -> str | None:
        shown = self._ask("GET", self.crowd.join)
        form = re.search(r'<form method="post" action="([^"]*)"(.*?)</form>', shown[2], re.DOTALL)
        if shown[0] != 200 or form is None:
            return self._unexpected("join page", shown)
        hidden = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', form[2]))
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        before = self.ledger.retries
        reply = self._ask("POST", html.unescape(form[1]), urlencode(hidden), headers, joins=True)
        if reply[0] != 303:
            return self._unexpected(f"join, {self.ledger.retries - before} retries", reply)
        token = reply[1].removeprefix("/p/")
        with self.crowd.lock:
            self.ledger.joined.add(token)
        return token

    def _answer(self, token: str, number: int, values: dict[int, int]) -> bool:
        """Open a page and answer it, or change the answer; whether it worked."""
        shown = self._ask("GET", f"/p/{token}/{number}")
        data = re.search(r'data-page="([^"]*)"', shown[2])
        if shown[0] != 200 or data is None:
            self._unexpected("page", shown)
            return False
        page = json.loads(html.unescape(data[1]))
        value = self.chance.choice([each for each in range(1, 8) if each != values.get(number)])
        answer = str(uuid4())
        body = {
            "answer_id": answer,
            "page": page["key"],
            "replaces": page["answer_id"],
            "payload": {"ratings": {"clarity": value}},
            "started_at": "2026-01-01T12:00:00Z",
            "answered_at": "2026-01-01T12:00:09Z",
            "rt_ms": 9000.5,
        }
        with self.crowd.lock:
            self.ledger.pages += 1
            self.ledger.sent[answer] = Sent(token, number, value)
        twice = self.chance.random() < 0.2
        reply = self._ask(
            "POST", f"/p/{token}/answers", json.dumps(body), {"Content-Type": "application/json"}, twice=twice
        )
        if reply[0] != 200:
            self._unexpected("answer", reply)
            return False
        with self.crowd.lock:
            self.ledger.acknowledged.add(answer)
        values[number] = value
        return True

    def _unexpected(self, what: str, reply: tuple[int, str, str]) -> None:
        with self.crowd.lock:
            self.ledger.unexpected[f"{what}: {reply[0]}"] += 1

    def _ask(
        self,
        method: str,
        path: str,
        body: str = "",
        headers: Mapping[str, str] | None = None,
        *,
        joins: bool = False,
        twice: bool = False,
    ) -> tuple[int, str, str]:
        """Send a request until it has a reply other than 503: status, address it leads to, and body.

        Args:
            method: Of HTTP.
            path: What is asked for.
            body: What is sent.
            headers: Of the request.
            joins: Whether it makes a participant.
            twice: Whether it is sent over a second connection at the same time.
        """
        while True:
            self.crowd.go_on.wait()
            if self.crowd.stopped:
                raise StoppedError
            with self.crowd.lock:
                self.crowd.in_flight += 1
            try:
                if twice:
                    self._second.request(method, path, body, headers or {})
                self._connection.request(method, path, body, headers or {})
                reply = _read(self._connection.getresponse())
                if twice:
                    _read(self._second.getresponse())
            except (OSError, HTTPException):
                self._connect_again(joins=joins)
                continue
            finally:
                with self.crowd.lock:
                    self.crowd.in_flight -= 1
            if reply[0] == 503:
                with self.crowd.lock:
                    self.ledger.busy["join" if "/join/" in path else "page" if method == "GET" else "answer"] += 1
                    self.ledger.no_advice += not reply[1]
                time.sleep(_AGAIN)
                continue
            return reply

    def _connect_again(self, *, joins: bool) -> None:
        with self.crowd.lock:
            self.ledger.retries += 1
            self.ledger.joins_without_reply += joins
        self._connection.close()
        self._second.close()
        time.sleep(_AGAIN)

    def _new_connection(self) -> HTTPConnection:
        return HTTPConnection("127.0.0.1", self.crowd.port, timeout=_PATIENCE)


def _read(response: HTTPResponse) -> tuple[int, str, str]:
    body = response.read().decode()
    return response.status, response.headers.get("location" if response.status != 503 else "retry-after", ""), body


def path_of(link: str) -> str:
    """The path of an address."""
    parts = urlsplit(link)
    return parts.path + (f"?{parts.query}" if parts.query else "")
