"""What the server remembers of participants, and how it notices that it is out of date."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from several_servers import Servers, address, body, several_servers
from small_study import write_small_study

from textassay.answers.records import Participant
from textassay.answers.store import Store
from textassay.design.plan import Slot
from textassay.serve.session import Answered
from textassay.serve.session_cache import Session, SessionCache
from textassay.study.load import load_study
from textassay.study.planning import stored_plan

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Remembering:
    """SessionCache over a real store, and which participants were read from it."""

    def __init__(self, url: str, most: int) -> None:
        self.store = Store.open(url)
        self.read: list[str] = []
        self.sessions = SessionCache(self.store, self.load, most)
        slots = [Slot(1, "", ())]
        joined = [self.store.join(slots, cohort="", now=NOON, release_after=timedelta(minutes=30)) for _ in range(3)]
        self.people, self.tokens = [person for person, _ in joined], [token for _, token in joined]

    def load(self, token: str) -> Session | None:
        self.read.append(token)
        person = self.store.participant(token)
        return None if person is None else Session(person, Answered(0))

    def current(self, token: str) -> Participant | None:
        """The participant, as the sessions have it now."""
        found = asyncio.run(self.sessions.current(token))
        return None if found is None else found.participant


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def remembering(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Remembering]:
    is_file = request.param == "sqlite"
    url = address(tmp_path / "answers.db") if is_file else str(request.getfixturevalue("postgres_database"))
    made = Remembering(url, most=2)
    yield made
    made.store.close()


def test_those_not_seen_for_longest_are_forgotten_first(remembering: Remembering) -> None:
    first, second, third = remembering.tokens
    for token in (first, second, first, third, first):
        assert remembering.current(token) is not None
    assert remembering.read == [first, second, third]
    assert remembering.sessions.remembered(second) is None
    assert remembering.sessions.remembered(first) is not None
    assert remembering.current(second) is not None
    assert remembering.read == [first, second, third, second]


def test_nobody_is_remembered_who_is_not_there(remembering: Remembering) -> None:
    assert remembering.current("nobody") is None
    assert remembering.sessions.remembered("nobody") is None
    token = remembering.tokens[0]
    assert remembering.current(token) == remembering.people[0]
    remembering.store.set_simulated(remembering.people[0].id)
    remembering.store.remove_simulated()
    assert remembering.current(token) is None
    assert remembering.sessions.remembered(token) is None


def test_every_change_by_another_process_is_noticed(remembering: Remembering) -> None:
    person, token = remembering.people[0], remembering.tokens[0]
    store = remembering.store
    changes: list[Any] = [
        lambda: store.set_valid(person.id, False),
        lambda: store.finish(person.id, "completed", NOON),
        lambda: store.finish(person.id, "withdrawn", NOON),
        lambda: store.set_simulated(person.id),
    ]
    assert remembering.current(token) == person
    for change in changes:
        assert remembering.current(token) == store.participant(token)
        change()
        assert remembering.current(token) == store.participant(token)
    assert remembering.read == [token] * (1 + len(changes))


# --- ends that come at the same time --------------------------------------------------------------------------------


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Servers]:
    def trials_only(data: dict[str, Any]) -> None:
        data["participants"] = {"wanted": 6}
        data["questionnaire"], data["screening"] = [], {}
        for key in ("instructions", "practice", "attention_checks"):
            data["blocks"][0].pop(key)
        data["blocks"][0]["design"] = {"items_per_participant": 3}

    study = load_study(write_small_study(tmp_path / "study", trials_only))
    with several_servers(study, stored_plan(study), study.store_url, number=1) as made:
        yield made


def answer_all(servers: Servers, token: str) -> None:
    """Store answers to all pages, as a server does that is interrupted before it notices the end."""
    person = servers.facts(token).person
    assert person is not None
    for page in servers.sites[0].pages(person.slot):
        ratings = {"ratings": {"clarity": 2, "fluency": 11}, "comment": ""}
        said = body(page.key, {"agreed": True} if page.kind == "consent" else ratings)
        assert servers.run(servers.ask(0, "POST", f"/p/{token}/answers", json=said)).status_code == 200


@pytest.mark.parametrize("removed", [False, True])
def test_who_withdraws_while_the_end_is_noticed_has_withdrawn(
    servers: Servers, monkeypatch: pytest.MonkeyPatch, removed: bool
) -> None:
    token, site = servers.join(), servers.sites[0]
    store, read = site.store, site.store.participation
    with monkeypatch.context() as interrupted:
        interrupted.setattr(type(site), "settle", _not_yet)
        answer_all(servers, token)
    monkeypatch.setattr(type(site), "settle", _not_yet)

    def then_ended(token: str) -> Any:
        """Another process ends the participation right after this one has read it."""
        found = read(token)
        assert found is not None
        if found.participant.status == "active":
            if removed:
                _remove(servers, found.participant)
            else:
                servers.outside.finish(found.participant.id, "withdrawn", NOON)
        return found

    monkeypatch.setattr(store, "participation", then_ended)
    reply = servers.run(servers.ask(0, "GET", f"/p/{token}"))
    assert reply.status_code == (404 if removed else 200)
    if not removed:
        assert "completion code" not in reply.text
        assert servers.facts(token).person.status == "withdrawn"  # type: ignore[union-attr]


async def _not_yet(*_: Any) -> None:
    pass


def _remove(servers: Servers, person: Participant) -> None:
    with servers.outside.writer._engine.begin() as connection:
        for table, column in (("answers", "participant_id"), ("openings", "participant_id"), ("participants", "id")):
            connection.exec_driver_sql(f"DELETE FROM {table} WHERE {column} = ?", (person.id,))


@pytest.mark.parametrize("status", ["excluded", "removed"])
def test_withdrawing_after_another_end_says_what_has_happened(
    servers: Servers, monkeypatch: pytest.MonkeyPatch, status: Any
) -> None:
    token, site = servers.join(), servers.sites[0]
    now = site.store.version_now

    async def then_ended(person: Participant) -> int | None:
        found = await now(person)
        if status == "removed":
            _remove(servers, person)
        else:
            servers.outside.finish(person.id, status, NOON)
        return found

    servers.run(servers.ask(0, "GET", f"/p/{token}/1"))  # so that the server remembers the participant
    monkeypatch.setattr(site.store, "version_now", then_ended)
    reply = servers.run(servers.ask(0, "POST", f"/p/{token}/withdraw"))
    assert (reply.status_code, reply.headers["location"]) == (303, f"/p/{token}")
    found = servers.facts(token).person
    assert (found.status if found else "removed") == status


def status(servers: Servers, token: str) -> str:
    person = servers.facts(token).person
    assert person is not None
    return person.status


def test_last_answer_is_acknowledged_before_the_verdict_and_the_last_page_waits_for_it(
    servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, site = servers.join(), servers.sites[0]
    may_go_on, complete = threading.Event(), site._completed

    def slowly(person: Participant) -> Participant:
        assert may_go_on.wait(10)
        return complete(person)

    monkeypatch.setattr(site, "_completed", slowly)

    async def answer_and_look() -> None:
        person = servers.facts(token).person
        assert person is not None
        for page in site.pages(person.slot):
            said = body(page.key, {"ratings": {"clarity": 2, "fluency": 11}, "comment": ""})
            said = body(page.key, {"agreed": True}) if page.kind == "consent" else said
            reply = await servers.ask_only(0, "POST", f"/p/{token}/answers", json=said)
            assert reply.status_code == 200
        assert status(servers, token) == "active"
        end = asyncio.ensure_future(servers.ask_only(0, "GET", f"/p/{token}"))
        await asyncio.sleep(0.05)
        assert not end.done()
        may_go_on.set()
        assert (await end).status_code == 200
        assert status(servers, token) == "completed"

    servers.run(answer_and_look())


def test_verdicts_that_are_under_way_are_stored_when_the_server_stops(servers: Servers) -> None:
    tokens, site = [servers.join() for _ in range(4)], servers.sites[0]
    for token in tokens:
        answer_all(servers, token)
    site.close()
    assert {status(servers, token) for token in tokens} == {"completed"}


def test_next_server_completes_those_whom_the_last_one_could_not(
    servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    done, begun, site = servers.join(), servers.join(), servers.sites[0]
    with monkeypatch.context() as interrupted:
        interrupted.setattr(type(site), "settle", _not_yet)
        answer_all(servers, done)
    assert status(servers, done) == "active"
    site.resume()
    site.close()  # waits
    assert (status(servers, done), status(servers, begun)) == ("completed", "active")
