"""Checks that hold for each of several keys, and their limits; the words of each are in `test_load_wrong_files`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import pytest
from small_study import write_small_study

from textassay.errors import StudyError
from textassay.study.checks import finish_problems, questionnaire_problems
from textassay.study.load import load_study
from textassay.study.model import Finish, NumberField, Outcome, Participants, ReturnCodes

OTHER_OUTCOMES = [outcome for outcome in get_args(Outcome) if outcome != "completed"]


@pytest.mark.parametrize("outcome", OTHER_OUTCOMES)
@pytest.mark.parametrize("completed", [{"completion_code": "A1"}, {"codes": {"completed": "A1"}}])
def test_no_other_outcome_may_have_the_code_of_completion(outcome: str, completed: dict[str, Any]) -> None:
    codes = {**completed.get("codes", {}), outcome: "A1"}
    finish = Finish.model_validate({**completed, "codes": codes})
    ((path, message),) = finish_problems(finish, Participants(wanted=1))
    assert path == ("finish", "codes", outcome)
    assert "also the code for 'completed'" in message


def test_other_outcomes_may_share_a_code() -> None:
    codes = ReturnCodes(completed="A1", **dict.fromkeys(OTHER_OUTCOMES, "B2"))
    assert list(finish_problems(Finish(codes=codes), Participants(wanted=1))) == []
    assert list(finish_problems(Finish(), Participants(wanted=1))) == []


@pytest.mark.parametrize(
    ("limits", "wrong"),
    [
        ({"min": 5, "max": 5}, None),
        ({"min": 6, "max": 5}, "max"),
        ({"max": 65, "exclude_below": 65}, None),
        ({"max": 65, "exclude_below": 66}, "exclude_below"),
        ({"min": 18, "exclude_above": 18}, None),
        ({"min": 18, "exclude_above": 17}, "exclude_above"),
    ],
)
def test_limits_of_a_number(limits: dict[str, Any], wrong: str | None) -> None:
    field = NumberField.model_validate({"name": "age", "type": "number", "question": "Your age?", **limits})
    found = [path for path, _ in questionnaire_problems([field])]
    assert found == ([("questionnaire", 0, wrong)] if wrong else [])


def test_half_of_the_trials_can_be_repeated_and_no_more(tmp_path: Path) -> None:
    def repeats(number: int) -> Any:
        return lambda data: data["blocks"][0].setdefault("design", {}).update(repeats=number)

    study = load_study(write_small_study(tmp_path / "as it is"))
    half = study.blocks[0].task.trials_per_participant() // 2
    load_study(write_small_study(tmp_path / "half", repeats(half)))
    with pytest.raises(StudyError, match=f"got {half + 1}, but at most half of the"):
        load_study(write_small_study(tmp_path / "more", repeats(half + 1)))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"clarity": "small"}, "clarity: a number is needed, got 'small'; write one instead"),
        ({"clarity": -0.5}, "clarity: got -0.5; it must be more than 0"),
        ({"clarity": 0}, "clarity: got 0; it must be more than 0"),
        ({"clarty": 0.5}, "clarty: there is no criterion or measure 'clarty'; did you mean 'clarity'?"),
    ],
)
def test_smallest_differences_are_numbers_above_0_of_criteria_that_there_are(
    tmp_path: Path, given: dict[str, object], said: str
) -> None:
    with pytest.raises(StudyError, match=re.escape(f"analysis.smallest_difference.{said}")):
        load_study(write_small_study(tmp_path, lambda data: data.update(analysis={"smallest_difference": given})))


def test_a_smallest_difference_must_be_possible_in_every_block_that_has_the_criterion(tmp_path: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        (block,) = data["blocks"]
        narrow = {"name": "clarity", "question": "Is it clear?", "scale": {"from": 1, "to": 3}}
        data["blocks"] = [block, {"task": "rating", "name": "again", "criteria": [narrow]}]
        data["analysis"] = {"smallest_difference": {"clarity": 2.5}}

    with pytest.raises(StudyError, match=r"got 2\.5, but systems can differ by 2 at most"):
        load_study(write_small_study(tmp_path, change))
