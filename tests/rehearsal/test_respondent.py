from __future__ import annotations

from typing import Any

import pytest
from small_study import write_small_study

from textassay.design.plan import Slot
from textassay.rehearsal.people import Behaviour, SimulatedPerson
from textassay.rehearsal.respondent import Respondent
from textassay.study.load import load_study
from textassay.study.planning import draw_plan
from textassay.study.study import Study
from textassay.tasks.contract import SimulatedResponse


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return load_study(write_small_study(tmp_path_factory.mktemp("small")))


@pytest.fixture(scope="module")
def slots(study: Study) -> tuple[Slot, ...]:
    return draw_plan(study).slots


def answers(study: Study, slot: Slot, behaviour: Behaviour, number: int = 1) -> dict[str, SimulatedResponse]:
    respondent = Respondent(study, SimulatedPerson(number, behaviour, {}, None, 1.0), slot)
    return {trial.key: respondent.respond(trial) for trial in slot.trials}


def checks_passed(study: Study, slot: Slot, given: dict[str, SimulatedResponse]) -> list[bool]:
    block = study.blocks[0]
    return [
        block.task.passed_attention_check(block.task.rows(trial, given[trial.key].payload))
        for trial in slot.trials
        if trial.kind == "check"
    ]


def test_ordinary_people_answer_as_the_task_plays_them(study: Study, slots: Any) -> None:
    given = answers(study, slots[0], Behaviour.ORDINARY)
    assert checks_passed(study, slots[0], given) == [True]
    assert len({str(each.payload) for each in given.values()}) > 3
    assert min(each.rt_ms for each in given.values()) > 1000


def test_constant_people_give_one_answer_to_all(study: Study, slots: Any) -> None:
    given = answers(study, slots[0], Behaviour.CONSTANT)
    assert len({str(each.payload) for each in given.values()}) == 1
    assert len({each.rt_ms for each in given.values()}) == len(given)


def test_fast_people_are_fast_and_otherwise_ordinary(study: Study, slots: Any) -> None:
    fast, ordinary = (answers(study, slots[0], behaviour) for behaviour in (Behaviour.TOO_FAST, Behaviour.ORDINARY))
    assert all(200 <= each.rt_ms <= 700 for each in fast.values())
    assert len({each.rt_ms for each in fast.values()}) == len(fast)
    assert [each.payload for each in fast.values()] == [each.payload for each in ordinary.values()]


@pytest.mark.parametrize("number", range(1, 21))
def test_inattentive_people_fail_every_check_and_nothing_else(study: Study, slots: Any, number: int) -> None:
    slot = slots[number % len(slots)]
    blind, ordinary = (
        answers(study, slot, behaviour, number) for behaviour in (Behaviour.INATTENTIVE, Behaviour.ORDINARY)
    )
    assert checks_passed(study, slot, blind) == [False]
    assert [key for key in blind if blind[key].payload != ordinary[key].payload] == [
        trial.key for trial in slot.trials if trial.kind == "check"
    ]


@pytest.mark.parametrize("behaviour", Behaviour)
def test_every_answer_is_accepted_by_its_task(study: Study, slots: Any, behaviour: Behaviour) -> None:
    for number, slot in enumerate(slots, 1):
        given = answers(study, slot, behaviour, number)
        for trial in slot.trials:
            block = study.block(trial.block)
            assert block.task.read(trial, given[trial.key].payload)
