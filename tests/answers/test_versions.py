"""Those who ask at the same time share a question; nobody gets the reply to one that was asked before."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from textassay.answers.records import Participant
from textassay.answers.store import Store
from textassay.answers.versions import FileVersions, GroupedVersions
from textassay.design.plan import Slot

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def joined(store: Store, number: int) -> list[Participant]:
    slots = [Slot(1, "", ())]
    return [
        store.join(slots, cohort="", now=NOON, release_after=timedelta(hours=1), again=True)[0] for _ in range(number)
    ]


class Asked:
    """A database that replies when it is told to."""

    def __init__(self) -> None:
        self.questions: list[list[str]] = []
        self.version = 0
        self.replies = asyncio.Semaphore(0)

    async def __call__(self, people: Sequence[Participant]) -> Mapping[str, int]:
        self.questions.append([person.code for person in people])
        version = self.version
        await self.replies.acquire()
        if version < 0:
            raise OSError("gone")
        return {person.code: version for person in people}


async def turns() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def test_questions_under_way_are_not_joined(store: Store) -> None:
    first, second, third = joined(store, 3)

    async def talk() -> None:
        asked = Asked()
        versions = GroupedVersions(asked)
        early = [asyncio.ensure_future(versions.now(person)) for person in (first, second)]
        await turns()
        asked.version = 1  # an answer is stored while the first question is under way
        late = [asyncio.ensure_future(versions.now(person)) for person in (first, third, first)]
        await turns()
        assert asked.questions == [[first.code, second.code]]
        asked.replies.release()
        await turns()
        assert [each.result() for each in early] == [0, 0]
        assert asked.questions[1:] == [[first.code, third.code, first.code]]
        asked.replies.release()
        assert await asyncio.gather(*late) == [1, 1, 1]

    asyncio.run(talk())


def test_trouble_is_told_to_all_and_then_forgotten(store: Store) -> None:
    first, second = joined(store, 2)

    async def talk() -> None:
        asked = Asked()
        asked.version = -1
        versions = GroupedVersions(asked)
        asking = [asyncio.ensure_future(versions.now(person)) for person in (first, second, first)]
        await turns()
        asking[1].cancel()  # a browser that was closed
        await turns()
        asked.replies.release()
        outcomes = await asyncio.gather(*asking, return_exceptions=True)
        assert [type(outcome) for outcome in outcomes] == [OSError, asyncio.CancelledError, OSError]
        asked.version = 3
        asked.replies.release()
        assert await versions.now(first) == 3

    asyncio.run(talk())


def check(store: Store) -> None:
    first, second = joined(store, 2)
    unknown = Participant(**{**vars_of(first), "code": "p-unknown"})

    async def talk() -> list[int | None]:
        return await asyncio.gather(*map(store.version_now, (first, second, unknown)))

    before = asyncio.run(talk())
    assert before == [first.version, second.version, None]
    store.finish(first.id, "withdrawn", NOON)
    after = asyncio.run(talk())  # another event loop
    assert after[0] != before[0]
    assert after[1:] == before[1:]


def vars_of(person: Participant) -> dict[str, Any]:
    return {name: getattr(person, name) for name in person.__dataclass_fields__}


def test_a_file_is_asked_at_once(store: Store) -> None:
    assert isinstance(store._versions, FileVersions)
    check(store)


@pytest.mark.postgres
def test_a_database_server_is_asked_for_many(postgres_database: str) -> None:
    with Store.open(postgres_database) as store:
        assert isinstance(store._versions, GroupedVersions)
        check(store)
