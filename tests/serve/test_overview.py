"""Counts on the board."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from textassay.answers.records import Participant, Status, StoredAnswer
from textassay.design.plan import Slot
from textassay.serve.overview import overview
from textassay.serve.session import Page

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
SLOTS = [Slot(1, "", ()), Slot(2, "", ())]
PAGES = {number: tuple(Page(place, f"k{place}", "trial") for place in (1, 2, 3)) for number in (1, 2)}


def person(number: int, slot: int, status: Status, *, minutes: int = 0, valid: bool = True) -> Participant:
    seen = NOW - timedelta(minutes=minutes)
    return Participant(number, f"p-{number}", "", slot, status, valid, False, seen, seen)


def answered(number: int, page: str, minutes: int) -> tuple[int, StoredAnswer]:
    at = NOW - timedelta(minutes=minutes)
    return number, StoredAnswer(f"{number}{page}", page, {}, None, at, None, {}, 0, at)


def counted(people: list[Participant], answers: list[tuple[int, StoredAnswer]]) -> Any:
    return overview(SLOTS, PAGES, people, answers, NOW, timedelta(minutes=30))


def test_silent_people_are_told_from_active_ones_and_left_out_from_completed_ones() -> None:
    people = [
        person(1, 1, "active", minutes=29),
        person(2, 1, "active", minutes=31),
        person(3, 2, "completed"),
        person(4, 2, "completed", valid=False),
        person(5, 1, "withdrawn"),
        person(6, 1, "excluded"),
    ]
    state = counted(people, [answered(2, "k1", 61), answered(2, "k2", 60), answered(5, "k1", 1)])
    assert state.statuses == {"active": 1, "completed": 1, "withdrawn": 1, "excluded": 1}
    assert (state.silent, state.left_out, state.filled, state.wanted) == (1, 1, 1, 2)
    assert state.answers_last_hour == 2
    assert [(stop.page, stop.people) for stop in state.stops] == [("k3", 1), ("k2", 1)]
    first, second = state.slots
    assert (first.filled, first.active, first.withdrawn, first.excluded) == (False, 1, 1, 1)
    assert (second.filled, second.completed, second.left_out) == (True, 1, 1)


def test_empty_study() -> None:
    state = counted([], [])
    assert (state.filled, state.silent, state.stops) == (0, 0, [])
