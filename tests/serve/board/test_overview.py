"""Counts on the board."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_study import write_csv, write_small_study
from task_studies import write_task_study

from textassay.answers.records import Participant, Status
from textassay.design.plan import Plan, Slot, Trial
from textassay.serve.board.overview import Conditions, PageKinds, Standings, median_minutes, slot_states
from textassay.serve.board.progress import PageTimes, ParticipantProgress
from textassay.serve.board.state import drop_outs
from textassay.serve.session import Page
from textassay.study.load import load_study
from textassay.study.planning import draw_plan, stored_plan
from textassay.study.study import Study

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
SLOTS = {1: "", 2: ""}
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
    2: ParticipantProgress({"consent": 1.0, "k1": 1.0, "k2": 1.0}),
    5: ParticipantProgress({"consent": 1.0, "k1": 1.0}),
    8: ParticipantProgress({"consent": 1.0, "k1": 1.0, "k2": 1.0, "k3": 1.0}),
}
STOOD = {each.id: STANDINGS.of(each, MARKS.get(each.id, ParticipantProgress()).pages) for each in PEOPLE}


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
    found = drop_outs(PEOPLE, STOOD, MARKS, lambda _slot: PAGES)
    # 2 is silent before k3, 5 withdrew before k2; 7 never agreed, and 8 had passed everything
    assert [(stop.page, stop.people) for stop in found] == [("k3", 1), ("k2", 1)]


@pytest.mark.parametrize("people", [[], PEOPLE[:1]])
def test_nobody_has_stopped(people: list[Participant]) -> None:
    assert drop_outs(people, STOOD, {}, lambda _slot: PAGES) == []


NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
TRIALS = (
    Trial("b-p1", "b", "practice", 1, "p1"),
    Trial("b-1", "b", "main", 1, "i1", ("s",)),
    Trial("b-2", "b", "check", 2, "check-1"),
    Trial("a-1", "a", "main", 1, "i1", ("s",)),
)
KINDS = PageKinds(Plan((Slot(1, "", TRIALS),), "digest"))


def page_times(passed: list[dict[str, float | None]]) -> PageTimes:
    keys = [*dict.fromkeys(key for pages in passed for key in pages)]
    every = [(keys.index(key), time) for pages in passed for key, time in pages.items()]
    pages, times = [page for page, _ in every], [time for _, time in every]
    return PageTimes(keys, np.array(pages, dtype=np.int32), np.array(times, dtype=np.float64))  # no time becomes nan


def test_kinds_of_pages_in_the_order_in_which_they_are_met() -> None:
    passed: list[dict[str, float | None]] = [
        {"consent": 1000.0, "questionnaire": 2000.0, "instructions:b": 500.0, "b-p1": 10.0, "b-1": 3000.0,
         "b-2": 5000.0, "break:b:1": 100.0, "a-1": 7000.0},
        {"consent": 3000.0, "questionnaire": None, "b-1": 4000.0, "break:b:2": 300.0},
    ]  # fmt: skip
    times = KINDS.times(page_times(passed))
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
    assert KINDS.times(page_times([])) == []
    assert KINDS.times(page_times([{"consent": None}])) == []


@pytest.mark.parametrize(("minutes", "expected"), [([], None), ([9], 9), ([9, 30, 11], 11), ([9, 11], 10)])
def test_whole_participations(minutes: list[int], expected: float | None) -> None:
    people = [
        Participant(number, "", "", 1, "completed", True, True, NOON, NOON, NOON + timedelta(minutes=took))
        for number, took in enumerate(minutes)
    ]
    at_work = Participant(99, "", "", 1, "active", True, False, NOON, NOON)
    assert median_minutes([*people, at_work]) == expected


# --- Progress by condition is counted on the plan itself ------------------------------------------------------------


@pytest.fixture
def small(tmp_path: Path) -> tuple[Study, Plan]:
    study = load_study(write_small_study(tmp_path))
    return study, stored_plan(study)


def test_nothing_is_answered_yet(small: tuple[Study, Plan]) -> None:
    states = Conditions(*small).states(set(), [])
    assert [state.condition for state in states] == list(small[0].systems)
    for state in states:
        # 6 slots see each of 6 items in one of 3 systems: 12 trials a system, 2 for each item
        assert (state.planned, state.fewest_planned, state.most_planned) == (12, 2, 2)
        assert (state.answered, state.under_way, state.fewest, state.most) == (0, 0, 0, 0)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_counts_agree_with_counting_by_hand(small: tuple[Study, Plan], data: Any) -> None:
    study, plan = small
    numbers = [slot.number for slot in plan.slots]
    completed = data.draw(st.sets(st.sampled_from(numbers)))
    worker = data.draw(st.sampled_from(numbers))
    trials = plan.slot(worker).trials
    passed = {trial.key for trial in trials[: data.draw(st.integers(0, len(trials)))]}
    conditions = Conditions(study, plan)
    conditions.states(data.draw(st.sets(st.sampled_from(numbers))), [])  # what was so before makes no difference
    for state in conditions.states(completed, [(worker, passed)]):
        shown = [
            [
                trial
                for trial in plan.slot(number).trials
                if trial.kind == "main" and trial.systems == (state.condition,)
            ]
            for number in sorted(completed)
        ]
        by_item = {item: sum(trial.item == item for slot in shown for trial in slot) for item in study.items_in_order}
        assert state.answered == sum(by_item.values())
        assert (state.fewest, state.most) == (min(by_item.values()), max(by_item.values()))
        own = [trial for trial in trials if trial.kind == "main" and trial.systems == (state.condition,)]
        assert state.under_way == sum(trial.key in passed for trial in own)


def test_full_study_has_all_that_was_planned(small: tuple[Study, Plan]) -> None:
    study, plan = small
    for state in Conditions(study, plan).states({slot.number for slot in plan.slots}, []):
        assert (state.answered, state.fewest, state.most) == (12, 2, 2)


def test_cohorts_and_pairs_are_told_apart(tmp_path: Path) -> None:
    def cohorts(data: dict[str, Any]) -> None:
        data["participants"] = {"cohorts": [{"name": "lay", "wanted": 2}, {"name": "expert", "wanted": 3}]}

    study = load_study(write_task_study("preference", tmp_path, cohorts))
    plan = stored_plan(study)
    states = Conditions(study, plan).states({1}, [])
    block = study.blocks[0]
    pairs = [" – ".join(pair) for pair in block.task.conditions()]
    assert [state.condition for state in states if state.cohort == "expert"] == pairs
    assert {state.cohort for state in states} == {"lay", "expert"}
    main = [trial for trial in plan.slot(1).trials if trial.kind == "main"]
    assert sum(state.answered for state in states if state.cohort == "lay") == len(main)
    assert sum(state.answered for state in states if state.cohort == "expert") == 0


def test_who_completed_and_withdrew_had_agreed() -> None:
    assert STANDINGS.of(person(1, 1, "withdrawn", completed_at=NOW), set()) == "withdrawn"
    assert STANDINGS.of(person(1, 1, "withdrawn"), set()) == "no_consent"


def test_conditions_are_listed_as_the_tables_name_the_systems(tmp_path: Path) -> None:
    write_small_study(tmp_path)
    rows = [(f"i{item}", system, "A text.") for item in range(1, 7) for system in ("template", "neural", "human")]
    write_csv(tmp_path / "texts.csv", ("item", "system", "text"), rows)
    study = load_study(tmp_path)
    states = Conditions(study, draw_plan(study)).states(set(), [])
    assert [state.condition for state in states] == ["template", "neural", "human"]
