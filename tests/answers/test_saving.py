"""Each condition under which an answer is stored, on SQLite and on a real PostgreSQL alike."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from textassay.answers.records import Participant, StoredAnswer
from textassay.answers.saving import DueAnswer
from textassay.answers.store import Store
from textassay.design.plan import Slot

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
SLOTS = [Slot(1, "", ())]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    url = f"sqlite:///{(tmp_path / 'answers.db').as_posix()}"
    if request.param == "postgresql":
        url = str(request.getfixturevalue("postgres_database"))
    with Store.open(url) as opened:
        yield opened


@pytest.fixture
def person(store: Store) -> Participant:
    return joined(store)[0]


def joined(store: Store) -> tuple[Participant, str]:
    return store.join(SLOTS, cohort="", now=NOON, release_after=timedelta(minutes=30))


def due(person: Participant, answer_id: str, page: str = "one", previous: str = "", **more: Any) -> DueAnswer:
    values: dict[str, Any] = {
        "payload": '{"a":1}',
        "client": "{}",
        "started_at": NOON,
        "answered_at": NOON,
        "received_at": NOON + timedelta(minutes=1),
        "before": "",
    }
    return DueAnswer(person.id, person.code, page, previous, answer_id=answer_id, **{**values, **more})


def save(store: Store, *answers: DueAnswer) -> list[bool]:
    """Save answers that an event loop hands over together."""

    async def all_at_once() -> list[bool]:
        return list(await asyncio.gather(*(store.save_due(answer) for answer in answers)))

    return asyncio.run(all_at_once())


def rows(store: Store) -> list[tuple[int, str, str, int]]:
    return [(who, row.page, row.answer_id, row.revision) for who, row in store.all_answers(revisions=True)]


def test_answer_is_stored_as_it_is_given(store: Store, person: Participant) -> None:
    given = due(person, "a", rt_ms=12.5, client='{"hidden":2}', received_at=NOON + timedelta(microseconds=7))
    bare = due(person, "b", "two", "one", started_at=None, rt_ms=None)
    assert save(store, given, bare) == [True, True]
    stored = store.answers(person.id)
    assert stored["one"] == StoredAnswer(
        "a", "one", {"a": 1}, NOON, NOON, 12.5, {"hidden": 2}, 0, NOON + timedelta(microseconds=7)
    )
    assert (stored["two"].started_at, stored["two"].rt_ms) == (None, None)
    (now,) = store.participants()
    assert (now.last_seen_at, now.version - person.version) == (NOON + timedelta(minutes=1), 2)


@pytest.mark.parametrize("status", ["completed", "excluded", "withdrawn"])
def test_only_those_who_are_in_progress_answer(store: Store, person: Participant, status: Any) -> None:
    store.finish(person.id, status, NOON)
    version = store.versions([person])
    assert save(store, due(person, "a")) == [False]
    assert rows(store) == []
    assert store.versions([person]) == version  # nothing has happened, so nobody has to read again


def test_page_before_must_be_answered(store: Store, person: Participant) -> None:
    assert save(store, due(person, "b", "two", "one")) == [False]
    assert rows(store) == []
    # within one group the answer that comes first counts already
    assert save(store, due(person, "a", "one"), due(person, "b", "two", "one")) == [True, True]


def test_answers_of_others_do_not_open_the_next_page(store: Store, person: Participant) -> None:
    other = joined(store)[0]
    assert save(store, due(other, "a", "one"), due(person, "b", "two", "one")) == [True, False]
    assert rows(store) == [(other.id, "one", "a", 0)]


def test_first_answer_to_a_page_stays_the_only_first_one(store: Store, person: Participant) -> None:
    assert save(store, due(person, "a"), due(person, "b"), due(person, "c")) == [True, False, False]
    assert save(store, due(person, "d")) == [False]
    assert rows(store) == [(person.id, "one", "a", 0)]


def test_change_must_know_the_answer_that_counts(store: Store, person: Participant) -> None:
    assert save(store, due(person, "a")) == [True]
    assert save(store, due(person, "b", before="x"), due(person, "c", "two", "one", before="a")) == [False, False]
    assert save(store, due(person, "b", before="a"), due(person, "c", before="a")) == [True, False]
    assert save(store, due(person, "c", before="b")) == [True]
    assert rows(store) == [(person.id, "one", name, place) for place, name in enumerate("abc")]


def test_late_answer_goes_below_and_must_know_the_one_that_counts(store: Store, person: Participant) -> None:
    assert save(store, due(person, "a")) == [True]
    assert save(store, due(person, "l", before="x", late=True)) == [False]
    assert save(store, due(person, "l", before="a", late=True)) == [True]
    assert save(store, due(person, "m", before="a", late=True)) == [True]
    assert save(store, due(person, "b", before="a")) == [True]
    assert [(name, place) for _, _, name, place in rows(store)] == [("a", 0), ("l", -1), ("m", -2), ("b", 1)]
    latest = store.latest(person.id, "one")
    assert latest is not None
    assert latest.answer_id == "b"


def test_an_id_is_taken_once_by_whomever(store: Store, person: Participant) -> None:
    other = joined(store)[0]
    assert save(store, due(person, "a"), due(other, "a")) == [True, False]
    assert save(store, due(person, "a", "two", "one"), due(person, "a", before="a")) == [False, False]
    assert rows(store) == [(person.id, "one", "a", 0)]


def test_number_that_is_given_again_takes_no_answer_of_the_one_who_had_it(store: Store) -> None:
    gone = joined(store)[0]
    store.set_simulated(gone.id)
    assert store.remove_simulated().participants == 1
    heir = joined(store)[0]
    assert save(store, due(gone, "a")) == [False]  # whether or not the number is the same
    old_code = due(heir, "b")._replace(code=gone.code)
    assert save(store, old_code) == [False]
    assert rows(store) == []
    assert save(store, due(heir, "c")) == [True]


def test_kinds_of_answers_share_a_group_and_each_gets_its_own_result(store: Store) -> None:
    people = [joined(store)[0] for _ in range(3)]
    assert save(store, *(due(each, f"first {each.id}") for each in people)) == [True] * 3
    one, two, three = people
    assert save(
        store,
        due(one, "change", before=f"first {one.id}"),
        due(two, "no", before="x"),
        due(three, "next", "two", "one"),
        due(two, "late", before=f"first {two.id}", late=True),
        due(three, "again", "two", "one"),
    ) == [True, False, True, True, False]
    assert {(who, name) for who, _, name, _ in rows(store)[3:]} == {
        (one.id, "change"),
        (two.id, "late"),
        (three.id, "next"),
    }


def test_the_last_activity_never_goes_back(store: Store, person: Participant) -> None:
    later = NOON + timedelta(hours=1)
    save(store, due(person, "a", received_at=later), due(person, "b", "two", "one", received_at=NOON))
    assert store.participants()[0].last_seen_at == later


def test_connection_that_a_database_server_has_ended_costs_no_answer(postgres_database: str) -> None:
    with Store.open(postgres_database) as store, Store.open(postgres_database) as other:
        person = joined(store)[0]
        assert save(store, due(person, "a", "one")) == [True]
        with other.reading() as connection:  # as a restart does: all connections but this one
            connection.exec_driver_sql(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        assert save(store, due(person, "b", "two", "one"), due(person, "c", "three", "two")) == [True, True]
        assert [(name, place) for _, _, name, place in rows(store)] == [("a", 0), ("b", 0), ("c", 0)]
