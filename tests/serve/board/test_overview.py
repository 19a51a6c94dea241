"""Counts on the board."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from textassay.answers.records import Participant, Status
from textassay.design.plan import Slot
from textassay.serve.board.overview import Standings, slot_states, stops
from textassay.serve.board.tally import Marks
from textassay.serve.session import Page

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
SLOTS = [Slot(1, "", ()), Slot(2, "", ())]
PAGES = tuple(Page(place, f"k{place}", "trial") for place in (1, 2, 3))
STANDINGS = Standings(NOW, timedelta(minutes=30), asks_consent=True)


def person(number: int, slot: int, status: Status, *, minutes: int = 0, **more: Any) -> Participant:
    seen = NOW - timedelta(minutes=minutes)
    more = {"valid": True, "counted": False, "started_at": seen, "last_seen_at": seen, **more}
    return Participant(number, f"p-{number}", "", slot, status, **more)


PEOPLE = [
    person(1, 1, "active", minutes=30),
    person(2, 1, "active", minutes=31),
    person(3, 2, "completed"),
    person(4, 2, "completed", valid=False),
    person(5, 1, "withdrawn"),
    person(6, 1, "excluded"),
    person(7, 1, "withdrawn"),
    person(8, 2, "withdrawn", completed_at=NOW),
]
MARKS = {
    2: Marks({"consent": 1.0, "k1": 1.0, "k2": 1.0}),
    5: Marks({"consent": 1.0, "k1": 1.0}),
    8: Marks({"consent": 1.0, "k1": 1.0, "k2": 1.0, "k3": 1.0}),
}
STOOD = {each.id: STANDINGS.of(each, MARKS.get(each.id, Marks()).pages) for each in PEOPLE}


def test_silent_left_out_and_unwilling_people_are_told_apart() -> None:
    assert list(STOOD.values()) == [
        "active", "silent", "completed", "left_out", "withdrawn", "excluded", "no_consent", "withdrawn",
    ]  # fmt: skip


def test_where_no_consent_is_asked_for_nobody_refuses_it() -> None:
    standings = Standings(NOW, timedelta(minutes=30), asks_consent=False)
    assert standings.of(PEOPLE[6], ()) == "withdrawn"


def test_slots() -> None:
    first, second = slot_states(SLOTS, PEOPLE, STOOD)
    assert (first.filled, first.active, first.withdrawn, first.excluded) == (False, 1, 2, 1)
    assert (second.filled, second.completed, second.left_out, second.withdrawn) == (True, 1, 1, 1)


def test_stops_are_those_of_who_went_on_the_way() -> None:
    found = stops(PEOPLE, STOOD, MARKS, lambda _slot: PAGES)
    # 2 is silent before k3, 5 withdrew before k2; 7 never agreed, and 8 had passed everything
    assert [(stop.page, stop.people) for stop in found] == [("k3", 1), ("k2", 1)]


@pytest.mark.parametrize("people", [[], PEOPLE[:1]])
def test_nobody_has_stopped(people: list[Participant]) -> None:
    assert stops(people, STOOD, {}, lambda _slot: PAGES) == []
