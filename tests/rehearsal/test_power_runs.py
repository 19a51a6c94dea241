from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from small_study import write_small_study

from textassay.rehearsal.power import PowerSimulation, RunCounter
from textassay.rehearsal.power_design import resize_study
from textassay.study.load import load_study
from textassay.tasks.contract import Task
from textassay.tasks.samples import resolve_assumptions


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> PowerSimulation:
    study = load_study(write_small_study(tmp_path_factory.mktemp("small")))
    return PowerSimulation(resize_study(study, study.blocks[0], 4, 5), study.blocks[0].task.sample_class())


def test_every_run_is_a_new_sample_of_the_same_trials(drawn: PowerSimulation) -> None:
    seen: list[pd.DataFrame] = []

    def look(task: Task[Any], table: pd.DataFrame) -> Mapping[str, float]:
        assert task is drawn.block.task
        seen.append(table)
        return {"clarity": 0.5}

    assumed = resolve_assumptions(drawn.sample.assumptions(drawn.block.task), {})
    assert list(drawn.tested(assumed, 3, look, RunCounter(None, 3))) == [{"clarity": 0.5}] * 3
    rest = [name for name in drawn.table.columns if name != "value"]
    for table in seen:
        pd.testing.assert_frame_equal(table[rest], drawn.table[rest])
    assert seen[0]["value"].tolist() != seen[1]["value"].tolist()
    # all effects see the same people and items
    again: list[pd.DataFrame] = []
    list(drawn.tested({**assumed, "effect": 0.0}, 1, lambda *given: again.append(given[1]) or {}, RunCounter(None, 1)))
    fluency = seen[0]["criterion"] == "fluency"
    moved = (seen[0]["value"] - again[0]["value"])[fluency].groupby(seen[0]["system"][fluency]).agg(["min", "max"])
    assert (moved["max"] - moved["min"]).max() <= 1  # each system is moved as a whole, but for rounding


def test_estimates_count_by_criterion(drawn: PowerSimulation) -> None:
    ps: list[Mapping[str, float]] = [{"a": 0.05, "b": 0.2}, {"a": 0.0500001, "b": math.nan}, {"b": 0.01}]
    a, b = drawn.estimates(ps, 0.5, 0.0, 0.05)
    assert (a.of, a.significant, a.undefined, a.runs) == ("a", 1, 1, 3)
    assert (b.of, b.significant, b.undefined, b.runs) == ("b", 1, 1, 3)
    assert (a.participants, a.items, a.trials, a.null) == (4, 5, 5, False)
    (nothing,) = drawn.estimates([{}, {}], 0.0, 0.0, 0.05)
    assert (nothing.of, nothing.undefined, nothing.null) == ("quality", 2, True)


def test_nothing_is_left_behind(drawn: PowerSimulation) -> None:
    directory: Path = drawn.study.directory
    assert not (directory / "plan.json").exists()
    assert not (directory / "answers.db").exists()
