"""Reading all answers in portions gives what reading them at once gives."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import delete

from textassay.answers import journal
from textassay.answers.journal import Extent, JournalEntries
from textassay.answers.records import NewAnswer, Participant, StoredAnswer
from textassay.answers.revision_lines import revision_lines
from textassay.answers.schema import answers
from textassay.answers.store import Store
from textassay.design.plan import Slot

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


Entry = tuple[int, int, str, float | None]
"""Number, participant, page, milliseconds."""


def entries(store: Store, after: int = 0) -> list[Entry]:
    upto = store.journal.extent().last
    return [entry for portion in store.journal.entries(after, upto) for entry in as_rows(portion)]


def as_rows(portion: JournalEntries) -> Iterator[Entry]:
    times = (None if math.isnan(time) else time for time in portion.milliseconds.tolist())
    return zip(portion.numbers.tolist(), portion.participants.tolist(), portion.pages, times, strict=True)


def fields(answer: StoredAnswer) -> dict[str, Any]:
    return {field.name: getattr(answer, field.name) for field in dataclasses.fields(StoredAnswer)}


def written(store: Store, upto: int) -> list[dict[str, Any]]:
    """What an export writes of all answers, with numbers for the codes of participants."""
    codes = {person.id: str(person.id) for person in store.participants()}
    return [json.loads(line) for line in revision_lines(store.journal.revisions(upto), codes, personal=True)]


def records(answers: Iterable[tuple[int, StoredAnswer]]) -> list[dict[str, Any]]:
    """The same, from answers that were read in another way."""

    def plain(value: Any) -> Any:
        return value.isoformat() if isinstance(value, datetime) else value

    return [
        {"participant": str(number), **{name: plain(value) for name, value in fields(answer).items()}}
        for number, answer in answers
    ]


def test_empty_store_reaches_nowhere(store: Any) -> None:
    assert store.journal.extent() == Extent(0, 0)
    assert entries(store) == []
    assert written(store, 10) == []


@pytest.fixture
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "_REVISIONS", journal._REVISIONS.limit(4))
    for name in ("_PORTION", "_ENTRIES_AT_ONCE"):
        monkeypatch.setattr(journal, name, 4)


def test_portions_leave_nothing_out_and_repeat_nothing(
    store: Any, taken: list[Participant], small_portions: None
) -> None:
    every = list(store.all_answers(revisions=True))
    extent = store.journal.extent()
    assert extent.answers == len(every) > 20
    assert written(store, extent.last) == records(every)
    notes = entries(store)
    assert [(participant, page, rt_ms) for _, participant, page, rt_ms in notes] == [
        (number, answer.page, answer.rt_ms) for number, answer in every
    ]
    assert notes[-1][0] == extent.last


def test_payloads_of_some_answers(store: Any, taken: list[Participant], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "_PAYLOADS_AT_ONCE", 2)
    wanted = [number for number, _, page, _ in entries(store) if page == journal.QUESTIONNAIRE]
    found = store.journal.payloads([*wanted, 10_000])  # the last one is not there
    assert [*found] == wanted
    assert [json.loads(answers)["native"] for answers in found.values()] == ["yes"] * 3


def test_entries_without_and_with_gaps_in_their_numbers() -> None:
    columns = ("7\x1f8\x1f9", "k1\x1fk2\x1f", "1500\x1f-1\x1f0")
    found = JournalEntries.read((4, 6, 3, *columns))
    assert [*as_rows(found)] == [(4, 7, "k1", 1.5), (5, 8, "k2", None), (6, 9, journal.LATE, 0.0)]
    assert [*as_rows(found.counting())] == [(4, 7, "k1", 1.5), (5, 8, "k2", None)]
    found = JournalEntries.read((4, 9, 3, *columns, "4\x1f7\x1f9"))
    assert [*as_rows(found)] == [(4, 7, "k1", 1.5), (7, 8, "k2", None), (9, 9, journal.LATE, 0.0)]


def test_answers_that_were_deleted_leave_gaps(store: Any, taken: list[Participant], small_portions: None) -> None:
    before = entries(store)
    first, inside, whole = before[0][0], before[9][0], [before[place][0] for place in range(12, 20)]
    gone = delete(answers).where(answers.columns.id.in_([first, inside, *whole]))
    store.writer.submit(lambda connection: connection.execute(gone).rowcount).result(10)
    assert entries(store) == [each for each in before if each[0] not in {first, inside, *whole}]


def test_whoever_has_read_asks_for_the_rest(store: Any, takers: Any, taken: list[Participant]) -> None:
    before = store.journal.extent()
    takers.send(taken[1], "quality-7", {"ratings": {}})
    (note,) = entries(store, after=before.last)
    assert note[1:3] == (taken[1].id, "quality-7")
    assert store.journal.extent().answers == before.answers + 1
    # and what was there before can still be read as it was
    assert len(written(store, before.last)) == before.answers
    assert "quality-7" not in store.answers(taken[1].id, upto=before.last)
    assert "quality-7" in store.answers(taken[1].id)


@pytest.mark.postgres
def test_postgresql_tells_the_same(postgres_database: str) -> None:
    slots = [Slot(1, "", ())]
    with Store.open(postgres_database) as store:
        person, _ = store.join(slots, cohort="", now=NOON, release_after=timedelta(hours=1))
        for number, page in enumerate(("consent", "questionnaire", "k1", "k1")):
            rt_ms = None if page == "questionnaire" else 1.5
            store.save(person.id, NewAnswer(f"a{number}", page, {"n": number}, None, NOON, rt_ms), now=NOON)
        notes = entries(store)
        assert notes == [
            (1, person.id, "consent", 1.5), (2, person.id, "questionnaire", None),
            (3, person.id, "k1", 1.5), (4, person.id, "k1", 1.5),
        ]  # fmt: skip
        assert store.journal.payloads([2]) == {2: '{"n":1}'}
        assert [store.journal.received_since(NOON + timedelta(seconds=late), 4) for late in (0, 1)] == [4, 0]
        extent = store.journal.extent()
        assert extent == Extent(4, notes[-1][0])
        every = list(store.all_answers(revisions=True))
        assert written(store, extent.last) == records(every)
        assert store.journal.sizes(extent.last).keys() == {person.id}
        latest = store.journal.latest([person.id], extent.last)[person.id]
        assert {page: fields(answer) for page, answer in latest.items()} == {
            answer.page: fields(answer) for _, answer in every
        }
        assert store.answers(person.id, upto=notes[2][0])["k1"].payload == {"n": 2}


def test_latest_answers_of_several_people_are_those_of_each(store: Any, taken: list[Participant]) -> None:
    upto = store.journal.extent().last
    together = store.journal.latest([person.id for person in taken], upto)
    for person in taken:
        alone = store.answers(person.id, upto=upto)
        assert {page: fields(answer) for page, answer in together[person.id].items()} == {
            page: fields(answer) for page, answer in alone.items()
        }
    assert sum(store.journal.sizes(upto).values()) > 100


def test_earlier_moment_knows_the_earlier_revision(store: Any, takers: Any, taken: list[Participant]) -> None:
    before = store.journal.extent().last
    trial = takers.plan.slot(taken[0].slot).trials[0]
    takers.rate(taken[0], trial, 7)
    assert store.answers(taken[0].id, upto=before)[trial.key].payload["ratings"]["clarity"] == 3
    assert store.answers(taken[0].id)[trial.key].payload["ratings"]["clarity"] == 7
