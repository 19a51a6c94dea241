from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_study import write_small_study

from textassay.design.plan import Trial
from textassay.seeds import Stream
from textassay.study.load import load_study
from textassay.tasks.comments import CommentSettings
from textassay.tasks.contract import Payload, SimulatedResponse
from textassay.tasks.participants import PacedParticipant, centred, comment, placed, warming_up

SYSTEMS = ("a", "b", "c", "d", "e")


class Silent(PacedParticipant[Any]):
    """Takes the time and says nothing."""

    def respond(self, trial: Trial, position: int) -> SimulatedResponse:
        payload: Payload = {}
        return SimulatedResponse(payload, self.rt_ms(trial, position, self.of_trial(trial)))


def test_time_is_what_the_task_says_but_for_pace_and_chance(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path))
    block = study.blocks[0]
    trial = Trial("t", block.name, "main", 1, "i1", ("human",))
    expected = 1000 * block.task.expected_seconds(trial)
    people = [Silent(block.task, number, Stream(1, "players")) for number in range(400)]
    ratios = [math.log(person.respond(trial, 50).rt_ms / expected) for person in people]
    # Normal with mean 0 and variance 0.25² + 0.35²: the mean of 400 lies within 4 standard errors of 0.0215.
    assert sum(ratios) / 400 == pytest.approx(0, abs=0.086)
    assert people[0].respond(trial, 50) == people[0].respond(trial, 50)


def test_first_trials_take_longer() -> None:
    assert warming_up(1) == pytest.approx(1.4)
    assert warming_up(4) == pytest.approx(1 + 0.4 / math.e)
    assert warming_up(1000) == 1


def test_some_say_something_where_they_can() -> None:
    stream = Stream(1, "comments")
    asked = CommentSettings(task="any", comment="Anything else?")
    said = [comment(asked, ("Fine.",), stream)["comment"] for _ in range(1000)]
    assert set(said) == {"", "Fine."}
    assert 60 < said.count("Fine.") < 140  # 100 expected, standard deviation 9.5
    assert comment(CommentSettings(task="any"), ("Fine.",), stream) == {}


@pytest.mark.parametrize(("n", "places"), [(1, [0]), (2, [-1, 1]), (5, [-1, -0.5, 0, 0.5, 1])])
def test_systems_stand_at_equal_distances_in_a_drawn_order(n: int, places: list[float]) -> None:
    found = placed(SYSTEMS[:n], Stream(1, "quality"))
    assert list(found.values()) == places
    assert set(found) == set(SYSTEMS[:n])
    orders = {tuple(placed(SYSTEMS[:n], Stream(seed, "quality"))) for seed in range(20)}
    assert len(orders) > 1 or n == 1


@given(st.dictionaries(st.text(), st.floats(-1e6, 1e6)))
def test_centred_values_sum_to_nothing(values: dict[str, float]) -> None:
    assert math.fsum(centred(values).values()) == pytest.approx(0, abs=1e-6)
    assert list(centred(values)) == list(values)
