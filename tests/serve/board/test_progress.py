"""Progress of participants, as the board reads it from the journal, is never out of date."""

from __future__ import annotations

import asyncio
import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from textassay.answers.records import NewAnswer
from textassay.answers.saving import DueAnswer
from textassay.answers.store import Store
from textassay.design.plan import Slot
from textassay.serve.board.progress import ParticipantProgress, ProgressTracker

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
SLOTS = [Slot(1, "", ())]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(f"sqlite:///{(tmp_path / 'answers.db').as_posix()}") as opened:
        yield opened


def addresses(answers: Any) -> set[str]:
    return {answers["email"]} if "email" in answers else set()


def join(store: Store) -> int:
    return store.join(SLOTS, cohort="", now=NOON, release_after=timedelta(hours=1), again=True)[0].id


class Sender:
    def __init__(self, store: Store) -> None:
        self.store, self.sent = store, 0

    def __call__(
        self,
        who: int,
        page: str,
        rt_ms: float | None = 1.0,
        payload: Any = None,
        minutes: float = 0,
    ) -> None:
        self.sent += 1
        new = NewAnswer(str(uuid.uuid4()), page, payload or {}, None, NOON, rt_ms)
        self.store.save(who, new, now=NOON + timedelta(minutes=minutes))


def seen(tally: ProgressTracker) -> dict[int, ParticipantProgress]:
    with tally.current() as marks:
        return {who: ParticipantProgress(dict(each.pages), each.emails, each.last) for who, each in marks.items()}


def test_later_looks_add_what_is_new(store: Store) -> None:
    tally, send = ProgressTracker(store.journal, addresses), Sender(store)
    first, second = join(store), join(store)
    assert seen(tally) == {}
    send(first, "consent", 5.0)
    send(second, "questionnaire", None, {"email": "x"})
    assert seen(tally) == {
        first: ParticipantProgress({"consent": 5.0}, frozenset(), 1),
        second: ParticipantProgress({"questionnaire": None}, frozenset({"x"}), 2),
    }
    send(first, "consent", 7.0)  # changed
    send(second, "questionnaire", 3.0, {"email": "y"})
    assert seen(tally) == {
        first: ParticipantProgress({"consent": 7.0}, frozenset(), 3),
        second: ParticipantProgress({"questionnaire": 3.0}, frozenset({"y"}), 4),
    }


def send_late(store: Store, who: int, page: str, rt_ms: float) -> None:
    """An answer that was given before the one that counts."""
    counts = store.latest(who, page)
    person = next(each for each in store.participants() if each.id == who)
    assert counts is not None
    late = DueAnswer(
        who, person.code, page, "", counts.answer_id, str(uuid.uuid4()), "{}", "{}", None, NOON, NOON, rt_ms, late=True
    )

    async def send() -> bool:
        return await store.save_due(late)

    assert asyncio.run(send())


def test_only_what_is_new_is_read(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    tally, send = ProgressTracker(store.journal, addresses), Sender(store)
    who = join(store)
    send(who, "k1")
    seen(tally)
    asked: list[int] = []
    entries = store.journal.entries
    monkeypatch.setattr(store.journal, "entries", lambda after, upto: (asked.append(after), entries(after, upto))[1])
    seen(tally)
    assert asked == []  # nothing is new, so nothing is read
    send(who, "k2")
    seen(tally)
    assert asked == [1]
    # one that came late changes nothing, and is no reason to read everything again
    send_late(store, who, "k1", 9.0)
    assert seen(tally) == {who: ParticipantProgress({"k1": 1.0, "k2": 1.0}, frozenset(), 2)}
    seen(tally)
    assert asked == [1, 2]


def test_times_are_those_of_latest_answers(store: Store) -> None:
    tally, send = ProgressTracker(store.journal, None), Sender(store)
    first, second, third = join(store), join(store), join(store)
    for who, page, rt_ms in (
        (third, "k2", 9.0), (first, "k2", 5.25), (first, "k1", None), (second, "k1", 3.0), (first, "k2", 4.5),
    ):  # fmt: skip
        send(who, page, rt_ms)
    with tally.current() as progress:
        found = tally.times({first, second})
        assert {page: progress[first].pages[page] for page in ("k1", "k2")} == {"k1": None, "k2": 4.5}
        assert (len(progress[first].pages), "k3" in progress[first].pages) == (2, False)
    times = zip(map(found.keys.__getitem__, found.pages), found.milliseconds.tolist(), strict=True)
    assert sorted(map(str, times)) == ["('k1', 3.0)", "('k1', nan)", "('k2', 4.5)"]


def test_last_hour(store: Store) -> None:
    tally, send = ProgressTracker(store.journal, addresses), Sender(store)
    who = join(store)
    for minutes in (0, 30, 59, 60, 61):
        send(who, f"k{minutes}", minutes=minutes)
    with tally.current():
        assert tally.in_the_last_hour(NOON + timedelta(minutes=90)) == 4  # exactly an hour ago still counts
        assert tally.in_the_last_hour(NOON + timedelta(minutes=121)) == 1
        assert tally.in_the_last_hour(NOON + timedelta(minutes=122)) == 0


def test_answers_that_another_program_deleted_are_noticed(store: Store, tmp_path: Path) -> None:
    tally, send = ProgressTracker(store.journal, addresses), Sender(store)
    first, second = join(store), join(store)
    for who in (first, second, first):
        send(who, f"k{send.sent}")
    seen(tally)
    with closing(sqlite3.connect(tmp_path / "answers.db")) as connection, connection:
        connection.execute("DELETE FROM answers WHERE participant_id = ?", (first,))
    assert seen(tally) == {second: ParticipantProgress({"k1": 1.0}, frozenset(), 2)}
    # also where new answers hide that some are missing, for SQLite gives the last number out again
    with closing(sqlite3.connect(tmp_path / "answers.db")) as connection, connection:
        connection.execute("DELETE FROM answers")
    send(first, "k8")
    send(first, "k9")
    assert seen(tally) == {first: ParticipantProgress({"k8": 1.0, "k9": 1.0}, frozenset(), 2)}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from(["k1", "k2", "k3"]), st.booleans()), max_size=15))
def test_looking_often_or_once_gives_the_same(store: Store, answers: list[tuple[int, str, bool]]) -> None:
    people = [join(store) for _ in range(3)]
    often, send = ProgressTracker(store.journal, addresses), Sender(store)
    send.sent = store.journal.extent().answers  # the same store serves all examples
    for who, page, look in answers:
        send(people[who], page, float(send.sent))
        if look:
            seen(often)
    assert seen(often) == seen(ProgressTracker(store.journal, addresses))
