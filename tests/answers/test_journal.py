"""Reading all answers in portions gives what reading them at once gives."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from textassay.answers import journal
from textassay.answers.journal import Extent
from textassay.answers.records import NewAnswer, Participant
from textassay.answers.store import Store
from textassay.design.plan import Slot

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_empty_store_reaches_nowhere(store: Any) -> None:
    assert store.journal.extent() == Extent(0, 0)
    assert list(store.journal.entries()) == []
    assert list(store.journal.revisions(10)) == []


@pytest.fixture
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_ENTRIES", "_REVISIONS"):
        monkeypatch.setattr(journal, name, getattr(journal, name).limit(4))
    monkeypatch.setattr(journal, "_PORTION", 4)


def test_portions_leave_nothing_out_and_repeat_nothing(
    store: Any, taken: list[Participant], small_portions: None
) -> None:
    every = list(store.all_answers(revisions=True))
    extent = store.journal.extent()
    assert extent.answers == len(every) > 20
    assert list(store.journal.revisions(extent.last)) == every
    notes = list(store.journal.entries())
    assert [(note.participant_id, note.page, note.rt_ms, note.received_at) for note in notes] == [
        (number, answer.page, answer.rt_ms, answer.received_at) for number, answer in every
    ]
    assert notes[-1].number == extent.last


def test_notes_hold_the_questionnaire_and_no_other_answer(store: Any, taken: list[Participant]) -> None:
    notes = list(store.journal.entries())
    assert {note.page for note in notes if note.questionnaire is not None} == {"questionnaire"}
    given = [note.questionnaire for note in notes if note.page == "questionnaire"]
    assert [answers["native"] for answers in given if answers] == ["yes"] * 3


def test_whoever_has_read_asks_for_the_rest(store: Any, takers: Any, taken: list[Participant]) -> None:
    before = store.journal.extent()
    takers.send(taken[1], "quality-7", {"ratings": {}})
    (note,) = store.journal.entries(after=before.last)
    assert (note.participant_id, note.page) == (taken[1].id, "quality-7")
    assert store.journal.extent().answers == before.answers + 1
    # and what was there before can still be read as it was
    assert len(list(store.journal.revisions(before.last))) == before.answers
    assert "quality-7" not in store.answers(taken[1].id, upto=before.last)
    assert "quality-7" in store.answers(taken[1].id)


@pytest.mark.postgres
def test_postgresql_tells_the_same(postgres_database: str) -> None:
    slots = [Slot(1, "", ())]
    with Store.open(postgres_database) as store:
        person, _ = store.join(slots, cohort="", now=NOON, release_after=timedelta(hours=1))
        for number, page in enumerate(("consent", "questionnaire", "k1", "k1")):
            store.save(person.id, NewAnswer(f"a{number}", page, {"n": number}, None, NOON, 1.5), now=NOON)
        notes = list(store.journal.entries())
        assert [(note.page, note.rt_ms, note.received_at, note.questionnaire) for note in notes] == [
            ("consent", 1.5, NOON, None), ("questionnaire", 1.5, NOON, {"n": 1}), ("k1", 1.5, NOON, None),
            ("k1", 1.5, NOON, None),
        ]  # fmt: skip
        extent = store.journal.extent()
        assert extent == Extent(4, notes[-1].number)
        assert list(store.journal.revisions(extent.last)) == list(store.all_answers(revisions=True))
        assert store.answers(person.id, upto=notes[2].number)["k1"].payload == {"n": 2}


def test_earlier_moment_knows_the_earlier_revision(store: Any, takers: Any, taken: list[Participant]) -> None:
    before = store.journal.extent().last
    trial = takers.plan.slot(taken[0].slot).trials[0]
    takers.rate(taken[0], trial, 7)
    assert store.answers(taken[0].id, upto=before)[trial.key].payload["ratings"]["clarity"] == 3
    assert store.answers(taken[0].id)[trial.key].payload["ratings"]["clarity"] == 7
