"""What holds for the sample of every task, and for the parts that samples share."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from task_studies import write_task_study

from textassay import catalogue
from textassay.errors import UsageError
from textassay.rehearsal.power import answered
from textassay.seeds import Stream
from textassay.study.load import load_study
from textassay.study.planning import draw_plan
from textassay.study.study import Study
from textassay.tasks.samples import EFFECT, Assumption, CrossedFactors, Sample, resolve_assumptions

NAMES = catalogue.names("task")


@pytest.fixture(scope="module", params=NAMES)
def study(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Study:
    return load_study(write_task_study(request.param, tmp_path_factory.mktemp(request.param)))


@pytest.fixture(scope="module")
def table(study: Study) -> pd.DataFrame:
    return answered(study, draw_plan(study), study.blocks[0])


@pytest.fixture(scope="module")
def sample(study: Study, table: pd.DataFrame) -> Sample:
    block = study.blocks[0]
    made = block.task.sample_class()
    return made(block.task, table, resolve_assumptions(made.assumptions(block.task), {}))


def test_assumptions_are_told_in_words_and_begin_with_the_effect(study: Study) -> None:
    block = study.blocks[0]
    assumptions = block.task.sample_class().assumptions(block.task)
    assert assumptions[0].name == EFFECT
    assert assumptions[0].null is not None
    assert assumptions[0].value > assumptions[0].null
    names = [each.name for each in assumptions]
    assert len(names) == len(set(names)) > 1
    for each in assumptions:
        assert each.unit
        assert each.meaning
        assert each.checked(each.value) == each.value


def test_answers_that_are_drawn_could_be_given(study: Study, table: pd.DataFrame, sample: Sample) -> None:
    block = study.blocks[0]
    for run in range(3):
        drawn = table.assign(**sample.draw(Stream(1, "run", run)))
        assert list(drawn.columns)[: len(table.columns)] == list(table.columns)
        assert len(drawn) == len(table)
        rows = [
            {name: None if pd.isna(cell) else cell for name, cell in row.items()} for row in drawn.to_dict("records")
        ]
        assert [why for why in (block.task.invalid_reason(row) for row in rows) if why] == []


def test_same_stream_same_answers_and_another_one_others(sample: Sample) -> None:
    first, again, other = (sample.draw(Stream(1, "run", run)) for run in (1, 1, 2))
    for name in first:
        assert first[name].tolist() == again[name].tolist()
    assert any(first[name].tolist() != other[name].tolist() for name in first)


def test_impossible_effect_is_refused_in_its_unit(study: Study) -> None:
    block = study.blocks[0]
    assumptions = block.task.sample_class().assumptions(block.task)
    with pytest.raises(UsageError, match=rf"effect is -1; it must be .* \({re.escape(assumptions[0].unit)}"):
        resolve_assumptions(assumptions, {EFFECT: -1})
    with pytest.raises(UsageError, match="effect is nan"):
        resolve_assumptions(assumptions, {EFFECT: math.nan})


def test_systems_are_spread_evenly_and_take_turns(sample: Sample) -> None:
    count = len(sample.task.study.systems)
    drawn = [sample.places(Stream(1, "places", run)).tolist() for run in range(60)]
    assert all(sorted(each) == pytest.approx(np.linspace(-0.5, 0.5, count)) for each in drawn)
    # each system is the best about as often: 60 draws of 1/3 have a standard deviation of 3.7
    best = [each.index(0.5) for each in drawn]
    assert min(best.count(place) for place in range(count)) > 60 / count - 4 * 3.7


def test_unknown_assumption_is_refused_with_those_there_are() -> None:
    assumptions = [Assumption("effect", 1, "points", "", null=0), Assumption("noise_sd", 2, "points", "")]
    assert resolve_assumptions(assumptions, {"noise_sd": 3.0}) == {"effect": 1, "noise_sd": 3.0}
    with pytest.raises(UsageError, match="there is no assumption 'nois'; did you mean 'noise_sd'"):
        resolve_assumptions(assumptions, {"nois": 3.0})
    with pytest.raises(UsageError, match=r"noise_sd is -1; it must be 0 or more \(points\)"):
        resolve_assumptions(assumptions, {"noise_sd": -1.0})


def test_deviates_are_shared_by_the_rows_of_a_level() -> None:
    people = [f"p{number}" for number in range(2000)]
    table = pd.DataFrame({"participant": people * 2, "system": ["a"] * 2000 + ["b"] * 2000})
    crossed = CrossedFactors(table, participant=["participant"], liking=["participant", "system"])
    own = crossed.deviates("participant", 2.0, Stream(1, "deviates"))
    assert own[:2000].tolist() == own[2000:].tolist()
    # the relative standard error of a standard deviation is 1 / sqrt(2 n); three of them
    assert own[:2000].std() == pytest.approx(2.0, rel=3 / math.sqrt(4000))
    liking = crossed.deviates("liking", 2.0, Stream(1, "deviates"))
    assert abs(np.corrcoef(liking[:2000], liking[2000:])[0, 1]) < 4 / math.sqrt(2000)
    assert len(set(crossed.deviates("noise", 1.0, Stream(1, "deviates")))) == 4000
    assert crossed.deviates("noise", 0.0, Stream(1, "deviates")).tolist() == [0.0] * 4000


def test_sum_of_deviates_does_not_depend_on_what_else_is_summed() -> None:
    crossed = CrossedFactors(pd.DataFrame({"item": ["i", "j", "i"]}), item=["item"])
    both = crossed.summed({"item": 1.0, "noise": 1.0}, Stream(1, "sum"))
    parts = [crossed.summed({name: 1.0}, Stream(1, "sum")) for name in ("item", "noise")]
    assert both.tolist() == pytest.approx((parts[0] + parts[1]).tolist())


def test_task_without_a_sample_says_so(tmp_path: Path) -> None:
    task = load_study(write_task_study(NAMES[0], tmp_path)).blocks[0].task_class

    class Elsewhere(task):  # type: ignore[misc, valid-type]
        name = "elsewhere"

    with pytest.raises(UsageError, match="'elsewhere' cannot be drawn: it has no module 'sample'"):
        Elsewhere.sample_class()


def test_pilot_is_refused_where_the_task_has_no_model_for_it(tmp_path: Path) -> None:
    study = load_study(write_task_study("ranking", tmp_path))
    block = study.blocks[0]
    with pytest.raises(UsageError, match="say it with --assume name=value"):
        block.task.sample_class().pilot_assumptions(block.task, answered(study, draw_plan(study), block))
