"""Median times of kinds of pages, and of whole participations."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from textassay.answers.records import Participant
from textassay.design.plan import Plan, Slot, Trial
from textassay.serve.board.times import PageKinds, median_minutes

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
TRIALS = (
    Trial("b-p1", "b", "practice", 1, "p1"),
    Trial("b-1", "b", "main", 1, "i1", ("s",)),
    Trial("b-2", "b", "check", 2, "check-1"),
    Trial("a-1", "a", "main", 1, "i1", ("s",)),
)
KINDS = PageKinds(Plan((Slot(1, "", TRIALS),), "digest"))


def test_kinds_of_pages_in_the_order_in_which_they_are_met() -> None:
    passed = [
        {"consent": 1000.0, "questionnaire": 2000.0, "instructions:b": 500.0, "b-p1": 10.0, "b-1": 3000.0,
         "b-2": 5000.0, "break:b:1": 100.0, "a-1": 7000.0},
        {"consent": 3000.0, "questionnaire": None, "b-1": 4000.0, "break:b:2": 300.0},
    ]  # fmt: skip
    times = KINDS.times(passed)
    assert [(each.what, each.block, each.answers, each.median_seconds) for each in times] == [
        ("consent", "", 2, 2.0),  # the mean of 1 and 3
        ("questionnaire", "", 1, 2.0),  # one has no time
        ("instructions", "b", 1, 0.5),
        ("practice", "b", 1, 0.01),
        ("trial", "b", 3, 4.0),  # of 3, 4 and 5
        ("break", "b", 2, 0.2),
        ("trial", "a", 1, 7.0),
    ]


def test_nobody_has_answered() -> None:
    assert KINDS.times([]) == []
    assert KINDS.times([{"consent": None}]) == []


@pytest.mark.parametrize(("minutes", "expected"), [([], None), ([9], 9), ([9, 30, 11], 11), ([9, 11], 10)])
def test_whole_participations(minutes: list[int], expected: float | None) -> None:
    people = [
        Participant(number, "", "", 1, "completed", True, True, NOON, NOON, NOON + timedelta(minutes=took))
        for number, took in enumerate(minutes)
    ]
    at_work = Participant(99, "", "", 1, "active", True, False, NOON, NOON)
    assert median_minutes([*people, at_work]) == expected
