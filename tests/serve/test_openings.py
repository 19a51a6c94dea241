"""When pages were opened: stored together, before the answer, and without harm to anybody."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from textassay.answers.records import NewAnswer, Participant
from textassay.answers.store import Store
from textassay.design.plan import Slot
from textassay.serve import openings
from textassay.serve.openings import Openings

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    url = f"sqlite:///{(tmp_path / 'answers.db').as_posix()}"
    if request.param == "postgresql":
        url = str(request.getfixturevalue("postgres_database"))
    with Store.open(url) as opened:
        yield opened


def joined(store: Store) -> Participant:
    return store.join([Slot(1, "", ())], cohort="", now=NOON, release_after=timedelta(minutes=30))[0]


def opened_at(store: Store, person: Participant, page: str = "one") -> datetime | None:
    """When a page was opened, as an answer to it tells."""
    return store.save(person.id, NewAnswer(f"{person.code} {page}", page, {}, None, NOON)).opened_at


def test_openings_are_stored_by_themselves_and_together(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    people = [joined(store) for _ in range(3)]
    monkeypatch.setattr(openings, "SECONDS", 0.02)

    async def open_pages() -> None:
        kept = Openings(store)
        for person in people:
            kept.note(person, "one", NOON)
        kept.note(people[0], "one", NOON + timedelta(seconds=9))  # of several times the first is kept
        await asyncio.sleep(0.2)
        while kept._storing:
            await asyncio.sleep(0.01)

    asyncio.run(open_pages())
    assert [opened_at(store, person) for person in people] == [NOON] * 3


def test_what_waits_is_stored_before_an_answer_and_when_the_server_stops(store: Store) -> None:
    person = joined(store)

    async def open_pages() -> Openings:
        kept = Openings(store)
        kept.note(person, "one", NOON)
        kept.store_now()
        saved = store.asynchronously(store.save, person.id, NewAnswer("a", "one", {}, None, NOON))
        assert (await saved).opened_at == NOON
        kept.note(person, "two", NOON)
        return kept

    kept = asyncio.run(open_pages())
    kept.close()
    assert opened_at(store, person, "two") == NOON


def test_those_who_are_gone_are_passed_over_and_leave_nothing_to_their_heirs(store: Store) -> None:
    there, gone = joined(store), joined(store)
    store.set_simulated(gone.id)
    store.remove_simulated()
    heir = joined(store)
    if heir.id != gone.id:  # PostgreSQL gives no number twice
        store.opened_pages([(gone, "one", NOON)])
    store.opened_pages([(gone, "one", NOON), (there, "one", NOON)])
    assert opened_at(store, there) == NOON
    assert opened_at(store, heir) is None


def test_trouble_is_logged_and_harms_nobody(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    person = joined(store)

    async def open_page() -> None:
        kept = Openings(store)
        kept.note(person, "one", NOON)
        store.writer.close()
        kept.store_now()
        await asyncio.sleep(0)

    with caplog.at_level(logging.WARNING):
        asyncio.run(open_page())
    (record,) = caplog.records
    assert record.getMessage().startswith("when pages were opened could not be stored: ")
    assert "the store is closed" in record.getMessage()
