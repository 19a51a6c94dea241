"""Who holds a slot and who gets the next one: the counts of the database against a plain count over all people."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import event, select, text

from textassay.answers import slots
from textassay.answers.records import Participant, Referral
from textassay.answers.schema import METADATA, cohort_uses, slot_uses
from textassay.answers.slots import Places, PlacesTaken, Reserved, StudyFull, vacancy
from textassay.answers.store import Store
from textassay.errors import StoreError

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    in_file = request.param == "sqlite"
    url = f"sqlite:///{(tmp_path / 'a.db').as_posix()}" if in_file else request.getfixturevalue("postgres_database")
    with Store.open(url) as opened:
        yield opened


def join(store: Store, now: datetime = NOON, wanted: int = 3, **more: Any) -> Participant:
    rules: dict[str, Any] = {"cohort": "", "release_after": HOUR, "margin": 0, **more}
    return store.join(range(1, wanted + 1), now=now, **rules)[0]


def counted(store: Store) -> dict[int, tuple[int, int]]:
    """What the database has counted: by slot, real participants who filled it and who hold it."""
    with store.reading() as connection:
        rows = connection.execute(select(slot_uses).where(~slot_uses.columns.simulated))
        return {row.slot: (row.filled, row.active) for row in rows}


# --- the bound on newcomers ------------------------------------------------------------------------------------------


def test_newcomers_start_while_fewer_are_in_progress_than_slots_are_unfilled(store: Store) -> None:
    assert [join(store).slot for _ in range(3)] == [1, 2, 3]
    with pytest.raises(PlacesTaken, match="all unfilled slots are held by participants in progress; try again later"):
        join(store)
    assert join(store, margin=1).slot == 1
    with pytest.raises(PlacesTaken):
        join(store, margin=1)
    assert join(store, margin=None).slot == 2  # invited
    assert join(store, again=True).slot == 3  # when_full: continue


def test_place_opens_when_somebody_stops_and_closes_when_somebody_completes(store: Store) -> None:
    first, second, _ = (join(store) for _ in range(3))
    store.finish(first.id, "withdrawn", NOON)
    assert join(store).slot == 1
    store.finish(second.id, "completed", NOON)
    with pytest.raises(PlacesTaken):
        join(store)  # two unfilled slots, two in progress
    store.set_valid(second.id, False)
    assert join(store).slot == 2


def test_place_opens_after_a_time_of_silence_and_closes_when_the_participant_is_back(store: Store) -> None:
    people = [join(store) for _ in range(3)]
    with pytest.raises(PlacesTaken):
        join(store, NOON + HOUR)
    later = NOON + HOUR + timedelta(microseconds=1)
    store.touch(people[0].id, NOON + MINUTE)
    assert join(store, later).slot == 2
    store.touch(people[1].id, later)  # back: four are in progress or about to be
    store.touch(people[2].id, later)
    with pytest.raises(PlacesTaken):
        join(store, later)


def test_every_slot_filled_is_another_matter_than_every_slot_taken(store: Store) -> None:
    for person in [join(store, wanted=1), join(store, wanted=1, margin=None)]:
        with pytest.raises((PlacesTaken, StudyFull)):
            join(store, wanted=1)
        store.finish(person.id, "completed", NOON)
    with pytest.raises(StudyFull, match="all slots are filled"):
        join(store, wanted=1)
    with pytest.raises(StudyFull):
        join(store, wanted=1, margin=None)
    assert join(store, wanted=1, again=True).slot == 1
    assert "cohort 'experts'" in str(StudyFull("experts"))
    assert "cohort 'experts'" in str(PlacesTaken("experts"))


def test_returning_people_are_always_let_in(store: Store) -> None:
    known = join(store, wanted=1, referral=Referral(token="mine"))
    with pytest.raises(PlacesTaken):
        join(store, wanted=1, referral=Referral(token="other"))
    assert join(store, wanted=1, referral=Referral(token="mine")).id == known.id


def test_simulated_people_keep_nobody_from_a_slot_and_nobody_keeps_them(store: Store) -> None:
    assert [join(store, simulated=True).slot for _ in range(4)] == [1, 2, 3, 1]
    assert [join(store).slot for _ in range(3)] == [1, 2, 3]
    with pytest.raises(PlacesTaken):
        join(store)
    assert join(store, simulated=True).slot == 2  # the place with the fewest of both kinds
    store.set_simulated(5)  # a rehearsal that says so later
    assert join(store).slot == 1


def test_vacancy_is_known_without_joining(store: Store) -> None:
    places = Places("", range(1, 3), HOUR, margin=0)
    assert store.recruiting.vacancy(places, NOON) == "free"
    first, second = (join(store, wanted=2) for _ in range(2))
    assert store.recruiting.vacancy(places, NOON) == "taken"
    assert store.recruiting.vacancy(places, NOON + HOUR + MINUTE) == "free"  # nobody has to join for that
    store.finish(first.id, "completed", NOON)
    store.finish(second.id, "completed", NOON)
    assert store.recruiting.vacancy(places, NOON) == "full"
    assert store.recruiting.vacancy(Places("", range(1, 3), HOUR, again=True), NOON) == "free"


# --- released slots --------------------------------------------------------------------------------------------------


def test_released_slot_is_assigned_again_until_the_participant_is_back(store: Store) -> None:
    first, _ = (join(store, wanted=2) for _ in range(2))
    released = store.release(first.code, NOON + MINUTE)
    assert (released.is_released, released.released_at, released.status) == (True, NOON + MINUTE, "active")
    assert join(store, NOON + MINUTE, wanted=2).slot == 1
    with pytest.raises(PlacesTaken):
        join(store, NOON + MINUTE, wanted=2)
    store.touch(first.id, NOON + 2 * MINUTE)
    assert not store.participants()[0].is_released
    assert counted(store) == {1: (0, 2), 2: (0, 1)}
    with pytest.raises(StoreError, match="no participant 'p-nobody'"):
        store.release("p-nobody", NOON)


def test_releasing_raises_the_version_and_changes_nobody_who_has_finished(store: Store) -> None:
    def versions() -> list[int]:
        with store.reading() as connection:
            return list(connection.execute(text("SELECT version FROM participants ORDER BY id")).scalars())

    first, second = (join(store) for _ in range(2))
    store.release(first.code, NOON - HOUR)  # a clock that was set back
    assert store.participants()[0].is_released
    assert versions() == [1, 0]
    store.finish(second.id, "completed", NOON)
    assert store.release(second.code, NOON).released_at is None
    assert versions() == [1, 1]


def test_rules_that_change_are_applied_to_all_who_are_in_progress(store: Store) -> None:
    """A server that was restarted with another `release_after_minutes`."""
    for _ in range(2):
        join(store, wanted=2)
    with pytest.raises(PlacesTaken):
        join(store, NOON + 30 * MINUTE, wanted=2)
    store.recruiting.look_again()
    assert join(store, NOON + 30 * MINUTE, wanted=2, release_after=20 * MINUTE).slot == 1


# --- any course of events --------------------------------------------------------------------------------------------

EVENTS = st.lists(
    st.tuples(
        st.sampled_from(["join", "invited", "again", "completes", "valid", "invalid", "withdraws", "seen", "released"]),
        st.integers(0, 50),
        st.integers(0, 40),
    ),
    max_size=40,
)


@dataclass
class Course:
    """A study in which things happen, with a plain count over all people beside that of the database."""

    store: Store
    numbers: range
    margin: int
    reserved: Reserved | None
    now: datetime = NOON

    def in_progress(self, person: Participant) -> bool:
        silent = self.now - person.last_seen_at
        kept = self.reserved is not None and person.slot % 2 == 0 and silent <= self.reserved.within
        return person.status == "active" and not person.is_released and (silent <= HOUR or kept)

    def expected(self, event: str) -> object:
        """The slot that a newcomer is to get, or why there is none."""
        people = self.store.participants()
        active = Counter(person.slot for person in people if self.in_progress(person))
        filled = Counter(person.slot for person in people if person.status == "completed" and person.valid)
        unfilled = sum(not filled[number] for number in self.numbers)
        if event != "again" and not unfilled:
            return StudyFull
        if event == "join" and active.total() >= unfilled + self.margin:
            return PlacesTaken
        return min(self.numbers, key=lambda number: (filled[number], active[number], number))

    def newcomer(self, event: str) -> object:
        """The slot that a newcomer gets, or why there is none."""
        rules = {"join": {"margin": self.margin}, "invited": {"margin": None}, "again": {"again": True}}[event]
        try:
            return join(self.store, self.now, len(self.numbers), reserved=self.reserved, **rules).slot
        except (StudyFull, PlacesTaken) as refused:
            return type(refused)

    def happens(self, event: str, person: Participant) -> None:
        if event == "released":
            self.store.release(person.code, self.now)
        elif event in ("valid", "invalid"):
            self.store.set_valid(person.id, event == "valid")
        elif person.status == "active" and event == "seen":
            self.store.touch(person.id, self.now)
        elif person.status == "active":
            self.store.finish(person.id, "withdrawn" if event == "withdraws" else "completed", self.now)


@given(events=EVENTS, wanted=st.integers(1, 4), margin=st.integers(0, 2), sittings=st.booleans())
def test_any_course_of_events(events: list[tuple[str, int, int]], wanted: int, margin: int, sittings: bool) -> None:
    """Newcomers start while fewer are in progress than slots are unfilled, plus the margin, in the least-used slot."""
    reserved = Reserved(lambda slot, answered: slot % 2 == 0 and answered == 0, 3 * HOUR) if sittings else None
    with tempfile.TemporaryDirectory() as folder, Store.open(f"sqlite:///{folder}/answers.db") as store:
        course = Course(store, range(1, wanted + 1), margin, reserved)
        for event, who, minutes in events:
            course.now += minutes * MINUTE
            people = store.participants()
            if event in ("join", "invited", "again"):
                expected = course.expected(event)
                assert course.newcomer(event) == expected
            elif people:
                course.happens(event, people[who % len(people)])
        places = Places("", course.numbers, HOUR, reserved)
        store.writer.submit(partial(vacancy, places=places, now=course.now)).result()  # looks at all who are due
        for number, uses in counted(store).items():
            on = [person for person in store.participants() if person.slot == number]
            filled = sum(person.status == "completed" and person.valid for person in on)
            assert uses == (filled, sum(map(course.in_progress, on)))


def test_counts_of_a_cohort_add_up(store: Store) -> None:
    people = [join(store, wanted=4) for _ in range(4)]
    store.finish(people[0].id, "completed", NOON)
    store.finish(join(store, margin=None, again=True, wanted=4).id, "completed", NOON)
    store.release(people[3].code, NOON)
    store.join([5, 6], cohort="other", now=NOON, release_after=HOUR)
    with store.reading() as connection:
        rows = connection.execute(select(cohort_uses).order_by(cohort_uses.columns.cohort)).all()
    assert [tuple(row) for row in rows] == [("", 4, 2, 2), ("other", 2, 0, 1)]


# --- the cost --------------------------------------------------------------------------------------------------------


def test_no_statement_of_joining_reads_everybody(store: Store) -> None:
    """The planner finds what it needs in an index, so that the time does not grow with the participants."""
    join(store)
    values = {"cohort": "", "simulated": False, "now": NOON, "first": 1, "last": 3}
    with store.reading() as connection:
        on_file = connection.dialect.name == "sqlite"
        if not on_file:
            connection.execute(text("SET enable_seqscan = off"))  # which is quicker for the few rows of a test
        explain = "EXPLAIN QUERY PLAN " if on_file else "EXPLAIN "
        event.listen(
            connection, "before_cursor_execute", lambda _, __, sql, given, *___: (explain + sql, given), retval=True
        )
        plans = [
            " ".join(str(row[-1]) for row in connection.execute(statement, values).cursor.fetchall())
            for statement in (slots.DUE, slots.USES, slots.LEAST_USED)
        ]
    due, uses, least = plans
    assert "ix_participants_cohort_held_until" in due
    assert "cohort_uses" in uses
    assert "ix_slot_uses_cohort_simulated_filled_active_slot" in least
    for plan in plans:
        assert "SCAN p" not in plan
        assert "SCAN s" not in plan
        assert "Seq Scan" not in plan
        assert "TEMP B-TREE" not in plan
        assert "Sort" not in plan


def test_tables_that_the_database_counts_are_marked() -> None:
    marked = {table.name for table in METADATA.tables.values() if table.info.get("counted")}
    assert marked == {"slot_uses", "cohort_uses"}
