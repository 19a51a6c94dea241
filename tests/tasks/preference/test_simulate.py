"""The simulated participant of the preference task."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from preference_study import write_preference_study

from textassay.design.plan import Trial
from textassay.seeds import Stream
from textassay.study.load import load_study
from textassay.study.study import Block, Study
from textassay.tasks.preference.settings import PreferenceSettings
from textassay.tasks.preference.simulate import BEST_OVER_WORST, PreferenceParticipant, effects


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return load_study(write_preference_study(tmp_path_factory.mktemp("study")))


def with_form(study: Study, **settings: Any) -> Block:
    block = study.blocks[0]
    return replace(block, settings=block.settings.model_copy(update=settings))


def duel(left: str = "human", key: str = "duel-1") -> Trial:
    return Trial(key, "duel", "main", 1, "i1", ("human", "neural"), {"left": left})


def player(block: Block, study: Study, number: int) -> PreferenceParticipant:
    return PreferenceParticipant(block.task, number, Stream(11, "test"))


def test_effects_span_what_is_said_and_sum_to_nothing(study: Study) -> None:
    for put_in in effects(study.blocks[0].task).values():
        assert sum(put_in.systems.values()) == pytest.approx(0)
        assert max(put_in.systems.values()) - min(put_in.systems.values()) == pytest.approx(BEST_OVER_WORST)
        assert put_in.preference("human", "neural") == -put_in.preference("neural", "human")


def test_changing_sides_changes_the_sign(study: Study) -> None:
    block = study.blocks[0]
    given = {
        left: [player(block, study, n).respond(duel(left), 1).payload["preferences"]["clarity"] for n in range(300)]
        for left in ("human", "neural")
    }
    preference = 50 * effects(block.task)["clarity"].preference("human", "neural")
    # noise and leans of 13 points over 300 answers: standard error 0.75; half the difference of two means, so the
    # general lean cancels
    found = (sum(given["human"]) - sum(given["neural"])) / 600
    assert found == pytest.approx(preference, abs=3 * 0.75)


@pytest.mark.parametrize(("form", "values"), [("choice", {-1, 1}), ("choice-with-tie", {-1, 0, 1})])
def test_plain_choices_are_played(study: Study, form: str, values: set[int]) -> None:
    block = with_form(study, form=form)
    played = [player(block, study, number).respond(duel(), 1).payload for number in range(200)]
    assert Counter(each["preferences"]["clarity"] for each in played).keys() == values
    assert all(each["confirmed"] == {} for each in played)


def test_comments_where_there_is_a_box(study: Study) -> None:
    block = with_form(study, comment="Anything else?")
    written = sum(bool(player(block, study, n).respond(duel(), 1).payload["comment"]) for n in range(200))
    # 200 draws of 0.1: 20 expected, standard deviation 4.2
    assert 7 < written < 33
    assert "comment" not in player(study.blocks[0], study, 1).respond(duel(), 1).payload


@given(
    reach=st.integers(1, 1000),
    form=st.sampled_from(["slider", "choice", "choice-with-tie"]),
    number=st.integers(1, 10**6),
)
def test_every_answer_is_taken(study: Study, reach: int, form: str, number: int) -> None:
    settings = {"reach": reach} if form == "slider" else {}
    criteria = [{"name": "clarity", "question": "?"}]
    checks = [{"left": "This.", "right": "Not this.", "expected": {"clarity": "left"}}]
    model = PreferenceSettings.model_validate(
        {"task": "preference", "form": form, "criteria": criteria, "attention_checks": checks, **settings}
    )
    block = Block("duel", study.blocks[0].task_class, model, None, {}, study=study)
    for trial in (duel(), Trial("duel-2", "duel", "check", 2, "check-1")):
        payload = player(block, study, number).respond(trial, 1).payload
        read = block.task.read(trial, payload)
        assert read["preferences"] == payload["preferences"]
        assert trial.kind != "check" or block.task.passed_attention_check(block.task.rows(trial, read))
