"""Simulated people decide by the effects put in, and those come out again."""

from __future__ import annotations

import math
from statistics import NormalDist, fmean
from typing import Any

import pandas as pd
import pytest
from decision_study import TARGETS, write_decision_study

from textassay.pipeline import collect, simulate
from textassay.seeds import Stream
from textassay.study.load import load_study
from textassay.study.planning import draw_plan
from textassay.study.study import Study
from textassay.tasks.decision.scores import with_scores
from textassay.tasks.decision.simulate import (
    APPROPRIATE,
    SKILL_SD,
    TIMED_OUT,
    DecisionParticipant,
    effects,
    logistic,
)

PEOPLE = 150


def make(tmp_path_factory: pytest.TempPathFactory, people: int, **settings: Any) -> Study:
    def change(data: dict[str, Any]) -> None:
        data["participants"]["wanted"] = people
        block = data["blocks"][0]
        block.update(settings)
        for key in [key for key, value in block.items() if value is None]:
            del block[key]

    return load_study(write_decision_study(tmp_path_factory.mktemp("simulated"), change))


def played(study: Study) -> list[dict[str, Any]]:
    """What one person a slot answers, with the trial and the time."""
    block, rows = study.blocks[0], []
    for slot in draw_plan(study).slots:
        person = DecisionParticipant(block.task, slot.number, Stream(study.file.seed, "test"))
        for trial in slot.trials:
            answer = person.respond(trial, trial.position)
            kept = block.task.read(trial, answer.payload)
            (row,) = block.task.rows(trial, kept)
            rows.append({**row, "kind": trial.kind, "timed_out": kept["timed_out"], "rt_ms": answer.rt_ms})
    return rows


@pytest.fixture(scope="module")
def free(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """No limit, and nothing special about doing nothing: what comes out is what was put in."""
    return make(tmp_path_factory, PEOPLE, limit_seconds=None, no_action=None, no_action_alone=None)


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return make(tmp_path_factory, PEOPLE)


def test_mean_probability_is_that_of_the_logistic_normal(free: Study) -> None:
    put_in = effects(free.blocks[0].task)
    shift = put_in.systems["human"]
    # by quantiles of the skills instead of the midpoint rule
    skills = [NormalDist(0, SKILL_SD).inv_cdf((n + 0.5) / 20_000) for n in range(20_000)]
    expected = fmean(logistic(APPROPRIATE + shift + skill) for skill in skills)
    assert put_in.expected("human")[0] == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("system", ["human", "neural", "graph"])
def test_effects_come_out(free: Study, system: str) -> None:
    frame = with_scores(pd.DataFrame([{**r, "participant": "-"} for r in played(free)]))
    own = frame[(frame["system"] == system) & (frame["kind"] == "main")]
    p_ap, p_inap = effects(free.blocks[0].task).expected(system)
    # 300 answers, each with at least one action of the kind: the standard error is below sqrt(0.25 / 300) and, for the
    # skill of 150 people, 0.25 · 0.4 / sqrt(150), together below 0.031. Tolerance: three of them.
    assert own["P_AP"].mean() == pytest.approx(p_ap, abs=0.09)
    with_bad = own[own["inappropriate"] != ""]
    assert with_bad["P_INAP"].mean() == pytest.approx(p_inap, abs=0.09)


def test_systems_come_out_in_order(free: Study) -> None:
    frame = with_scores(pd.DataFrame([{**r, "participant": "-"} for r in played(free) if r["kind"] == "main"]))
    means = frame.groupby("system")["P"].mean()
    put_in = effects(free.blocks[0].task).systems
    assert list(means.sort_values().index) == sorted(put_in, key=lambda system: put_in[system])
    assert math.fsum(put_in.values()) == pytest.approx(0)


def test_some_run_out_of_time_with_fewer_choices(limited: Study) -> None:
    rows = [row for row in played(limited) if row["kind"] != "check"]
    over = [row for row in rows if row["timed_out"]]
    # people share their own pace, so the standard error is a bit above sqrt(0.08 · 0.92 / 1350) = 0.007
    assert len(over) / len(rows) == pytest.approx(TIMED_OUT, abs=0.03)
    assert {row["rt_ms"] for row in over} == {60_000}
    assert max(row["rt_ms"] for row in rows if not row["timed_out"]) < 60_000
    choices = {flag: fmean(len(r["chosen"].split()) for r in rows if r["timed_out"] is flag) for flag in (True, False)}
    assert choices[True] < choices[False]
    assert any(row["chosen"] == "" for row in over)
    assert all(row["chosen"] for row in rows if not row["timed_out"])


def test_nothing_is_done_alone(limited: Study) -> None:
    done = [row["chosen"].split() for row in played(limited)]
    assert ["nothing"] in done
    assert not [chosen for chosen in done if "nothing" in chosen and len(chosen) > 1]


def test_constant_answer_is_given_in_time(limited: Study) -> None:
    block, slot = limited.blocks[0], draw_plan(limited).slots[0]
    person = DecisionParticipant(block.task, 1, Stream(1, "test"))
    for payload in ({"chosen": ["turn"], "timed_out": True}, {"chosen": [], "timed_out": True}):
        again = {str(block.task.read(trial, person.repeat_response(payload, trial))) for trial in slot.trials}
        assert len(again) == 1
        assert "'timed_out': False" in again.pop()


def test_through_the_server_and_out_again(tmp_path_factory: pytest.TempPathFactory) -> None:
    study = make(tmp_path_factory, 12)
    simulate(study, over_http=True)
    data = collect(study)
    rows = [row for row in data.tables["decisions"] if row["kind"] == "main"]
    assert len(rows) == 12 * len(TARGETS)
    for row in rows:
        assert (row["appropriate"], row["inappropriate"], row["target"]) == TARGETS[row["item"]]
        assert row["late"] is False
        assert row["timed_out"] is (row["rt_ms"] >= 60_000)
        assert row["opened_at"] is not None
        assert set(row["chosen"].split()) <= set(row["shown"].split())
    assert any(row["timed_out"] for row in rows)
