"""What depends on the clock, the connection or the plan: slots that open again, cookies, the estimated duration."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from small_study import write_small_study

from textassay.answers.store import Store
from textassay.serve.app import create_app
from textassay.serve.site import Site
from textassay.study.load import load_study
from textassay.study.planning import draw_plan

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def wait(self, **time: float) -> None:
        self.now += timedelta(**time)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def site(tmp_path: Path, clock: Clock) -> Iterator[Site]:
    study = load_study(write_small_study(tmp_path))
    with Store.open(study.store_url) as store:
        yield Site(study, draw_plan(study), store, clock)


@pytest.fixture
def ask(site: Site) -> Callable[..., httpx.Response]:
    """Send a request to the study, without a network."""

    def call(method: str, path: str, **more: Any) -> httpx.Response:
        async def send() -> httpx.Response:
            transport = httpx.ASGITransport(create_app(site))
            async with httpx.AsyncClient(transport=transport, base_url=more.pop("base", "http://here")) as client:
                return await client.request(method, path, **more)

        return asyncio.run(send())

    return call


def test_slot_of_a_silent_participant_opens_after_the_minutes_of_the_study(
    site: Site, ask: Callable[..., httpx.Response], clock: Clock
) -> None:
    def slot_of_next() -> int:
        token = ask("POST", site.join_path("")).headers["location"].removeprefix("/p/")
        person = site.store.participant(token)
        assert person is not None
        return person.slot

    assert slot_of_next() == 1
    clock.wait(minutes=29)  # the study says 30
    assert slot_of_next() == 2
    clock.wait(minutes=2)
    assert slot_of_next() == 1


def test_looking_at_a_page_keeps_the_slot_but_is_stored_once_a_minute(
    site: Site, ask: Callable[..., httpx.Response], clock: Clock
) -> None:
    path = ask("POST", site.join_path("")).headers["location"]

    def seen() -> timedelta:
        return site.store.participants()[0].last_seen_at - NOON

    clock.wait(seconds=60)
    assert ask("GET", f"{path}/1").status_code == 200
    assert seen() == timedelta(0)
    clock.wait(seconds=1)
    assert ask("GET", f"{path}/1").status_code == 200
    for _ in range(100):  # nobody waits for it
        if seen():
            break
        time.sleep(0.02)
    assert seen() == timedelta(seconds=61)


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("purpose", ["join", "board"])
def test_cookies_are_for_this_server_alone(
    site: Site, ask: Callable[..., httpx.Response], scheme: str, purpose: str
) -> None:
    asked = ("POST", site.join_path("")) if purpose == "join" else ("GET", site.board_path())
    cookie = ask(*asked, base=f"{scheme}://here").headers["set-cookie"]
    name, *parts = [part.strip().lower() for part in cookie.split(";")]
    assert name.startswith(f"{site.cookie(purpose)}=")
    sixty_days = 60 * 24 * 60 * 60
    expected = {
        "join": {"httponly", f"max-age={sixty_days}", "path=/join", "samesite=lax"},
        "board": {"httponly", "path=/", "samesite=strict"},
    }[purpose]
    assert {*parts} == expected | ({"secure"} if scheme == "https" else set())


def test_cookies_of_two_studies_have_different_names(site: Site, tmp_path: Path) -> None:
    with Store.open(f"sqlite:///{(tmp_path / 'other.db').as_posix()}") as store:
        other = Site(site.study, site.plan, store)
        assert other.cookie("join") != site.cookie("join")
        assert len({site.cookie("join"), site.cookie("board")}) == 2


@pytest.mark.parametrize(
    ("exact", "told"), [(0.2, 1), (1.01, 2), (9.5, 10), (10, 10), (10.1, 15), (15, 15), (15.2, 20)]
)
def test_duration_is_rounded_up_and_above_ten_to_fives(
    site: Site, monkeypatch: pytest.MonkeyPatch, exact: float, told: int
) -> None:
    monkeypatch.setattr("textassay.serve.site.minutes", lambda _study, _slot: exact)
    assert site.minutes("") == told


def test_duration_is_that_of_the_first_slot_of_the_cohort(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("textassay.serve.site.minutes", lambda _study, slot: slot.number)
    assert site.minutes("") == 1


@pytest.mark.parametrize(
    ("method", "path", "status", "title"),
    [
        ("GET", "/nowhere", 404, "not_found.title"),
        ("PUT", "/health", 405, "refused.title"),
        ("GET", "/board/status.json", 404, "not_found.title"),
    ],
)
def test_errors_are_told_in_words_with_their_status(
    site: Site, ask: Callable[..., httpx.Response], method: str, path: str, status: int, title: str
) -> None:
    reply = ask(method, path)
    assert reply.status_code == status
    assert site.messages(title) in reply.text
    assert (reply.headers.get("allow") is not None) == (status == 405)
    assert reply.headers["cache-control"] == "no-store"


def test_fault_of_the_server_is_told_as_such(
    site: Site, monkeypatch: pytest.MonkeyPatch, ask: Callable[..., httpx.Response]
) -> None:
    def broken(_cohort: str) -> int:
        raise RuntimeError

    monkeypatch.setattr(site, "minutes", broken)
    app = create_app(site)
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)

    async def send() -> httpx.Response:
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            return await client.get(site.join_path(""))

    reply = asyncio.run(send())
    assert reply.status_code == 500
    assert site.messages("server_error.title") in reply.text


def test_who_was_excluded_cannot_withdraw(site: Site, ask: Callable[..., httpx.Response]) -> None:
    path = ask("POST", site.join_path("")).headers["location"]
    site.store.finish(1, "excluded", NOON)
    assert ask("GET", f"{path}/withdraw").headers["location"] == path
    assert ask("POST", f"{path}/withdraw").headers["location"] == path
    assert site.store.participants()[0].status == "excluded"


def test_invitation_into_a_cohort_that_is_gone_leads_nowhere(site: Site, ask: Callable[..., httpx.Response]) -> None:
    site.store.recruiting.invite(["Ada"], cohort="experts", now=NOON)
    path = f"/p/{site.store.recruiting.token_of_invited('Ada')}"
    assert [ask(method, path).status_code for method in ("GET", "POST")] == [404, 404]
