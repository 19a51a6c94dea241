from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reordering_study import write_madnani_study, write_reordering_study

from textassay.ordering import tau
from textassay.seeds import Stream
from textassay.study.load import load_study
from textassay.study.planning import draw_plan
from textassay.study.study import Study
from textassay.tasks.reordering.simulate import LEAST, MOST, ReorderingParticipant, moves_between, slips


def replayed(start: Sequence[Any], moves: Sequence[Sequence[Any]]) -> list[Any]:
    now = list(start)
    for name, source, to, _ in moves:
        assert now[source - 1] == name
        now.insert(to - 1, now.pop(source - 1))
    return now


@given(st.permutations("abcdef"), st.permutations("abcdef"))
def test_moves_lead_from_one_order_to_the_other(start: list[str], order: list[str]) -> None:
    moves = moves_between(start, order, 1000)
    assert replayed(start, moves) == order
    assert len(moves) < len(order)
    times = [move[3] for move in moves]
    assert times == sorted(times)
    assert all(0 < time < 1000 for time in times)


@pytest.fixture(scope="module")
def madnani(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return load_study(write_madnani_study(tmp_path_factory.mktemp("madnani")))


def test_slips_put_in_come_out(madnani: Study) -> None:
    block, n = madnani.blocks[0], 10
    put_in = slips(block.task)
    assert sorted(put_in.values()) == pytest.approx([LEAST, (LEAST + MOST) / 2, MOST])
    coherent = [f"s{number}" for number in range(1, 11)]
    found: dict[str, list[float]] = {"O": [], "R": [], "T": []}
    for slot in draw_plan(madnani).slots:
        for number in range(4):
            person = ReorderingParticipant(block.task, 100 * slot.number + number, Stream(5, "test"))
            for trial in slot.trials:
                (row,) = block.task.rows(trial, person.respond(trial, 5).payload)
                found[row["condition"]].append(tau(row["order"].split(), coherent))
    for condition, p in put_in.items():
        # n - 2 chances of a slip, each costs 4 / (n (n - 1)): mean and standard deviation of a binomial
        cost, chances = 4 / (n * (n - 1)), n - 2
        error = cost * math.sqrt(chances * p * (1 - p) / len(found[condition]))
        assert fmean(found[condition]) == pytest.approx(1 - cost * chances * p, abs=3 * error)


@pytest.mark.parametrize("start", ["data", "random"])
def test_every_answer_can_be_given(tmp_path: Path, start: str) -> None:
    study = load_study(write_reordering_study(tmp_path, lambda block: block.update(start=start)))
    block = study.blocks[0]
    unchanged = 0
    for slot in draw_plan(study).slots:
        person = ReorderingParticipant(block.task, slot.number, Stream(5, "test"))
        for trial in slot.trials:
            kept = block.task.read(trial, person.respond(trial, trial.position).payload)
            assert replayed(trial.randomised["ids"], kept["moves"]) == kept["order"]
            unchanged += trial.kind == "main" and not kept["moves"]
            if trial.kind == "check":
                assert block.task.passed_attention_check(block.task.rows(trial, kept))
    assert unchanged > 0


def test_whoever_does_not_look_leaves_all_as_it_is(madnani: Study) -> None:
    block, trials = madnani.blocks[0], draw_plan(madnani).slots[0].trials
    person = ReorderingParticipant(block.task, 1, Stream(5, "test"))
    payload = person.respond(trials[0], 1).payload
    again = [block.task.read(trial, person.repeat_response(payload, trial)) for trial in trials]
    assert [kept["order"] for kept in again] == [trial.randomised["ids"] for trial in trials]
