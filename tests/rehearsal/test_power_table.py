"""The table that power gives to tests is the one that an analysis gets."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_study import write_small_study
from task_studies import write_task_study

from textassay import catalogue
from textassay.answers.dataset import load_dataset
from textassay.pipeline import simulate
from textassay.rehearsal.power import answered
from textassay.study.load import load_study
from textassay.study.planning import draw_plan


@pytest.mark.parametrize("task", catalogue.names("task"))
def test_table_has_a_row_for_all_that_is_answered_in_main_trials(task: str, tmp_path: Path) -> None:
    study = load_study(write_task_study(task, tmp_path))
    block, plan = study.blocks[0], draw_plan(study)
    table = answered(study, plan, block)
    assert {f"p{slot.number}" for slot in plan.slots} == set(table["participant"])
    assert set(table["kind"]) == {"main"}
    main = {(f"p{slot.number}", trial.key) for slot in plan.slots for trial in slot.trials if trial.kind == "main"}
    assert set(zip(table["participant"], table["trial"], strict=True)) == main
    required = [column.name for column in block.task.schema.columns if column.required]
    assert [name for name in required if name not in table] == []


def test_columns_are_those_of_a_rehearsal_through_the_store(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path))
    block = study.blocks[0]
    table = answered(study, draw_plan(study), block)
    simulate(study)
    stored = load_dataset(study).of_block(block)
    only_stored = set(stored.columns) - set(table.columns)
    assert only_stored <= {"started_at", "answered_at", "opened_at", "revision", "timed_out", "late"}
    assert set(table.columns) <= set(stored.columns)
    assert all(table[name].dtype == stored[name].dtype for name in table.columns)
