"""Progress by condition is counted on the plan itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_study import write_small_study
from task_studies import write_task_study

from textassay.design.plan import Plan
from textassay.serve.board.conditions import Conditions
from textassay.study.load import load_study
from textassay.study.planning import stored_plan
from textassay.study.study import Study


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


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
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
