"""Everything that participants see has a name and a digest; what they do not see has none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_study import write_csv, write_small_study
from task_studies import write_task_study

from textassay import catalogue
from textassay.answers.served_material import material
from textassay.study.load import load_study


def changed(before: dict[str, str], after: dict[str, str]) -> set[str]:
    return {part for part in before.keys() & after.keys() if before[part] != after[part]}


@pytest.mark.parametrize("task", catalogue.names("task"))
def test_same_study_has_the_same_material(task: str, tmp_path: Path) -> None:
    found = [material(load_study(write_task_study(task, tmp_path / name))) for name in ("one", "other")]
    assert found[0] == found[1]
    assert len(found[0]) > 20


def test_changes_are_told_apart(tmp_path: Path) -> None:
    def altered(data: dict[str, Any]) -> None:
        data["blocks"][0]["criteria"][0]["scale"]["to"] = 6
        data["blocks"][0]["criteria"][0]["scale"]["labels"] = {1: "not clear", 6: "clear"}
        data["questionnaire"][1]["question"] = "Your age?"
        data["participants"]["release_after_minutes"] = 7
        data["screening"] = {}

    before = material(load_study(write_small_study(tmp_path / "one")))
    directory = write_small_study(tmp_path / "other", altered)
    instructions = directory / "instructions.md"
    instructions.write_text(instructions.read_text(encoding="utf-8") + "\nTake your time.\n", encoding="utf-8")
    after = material(load_study(directory))
    assert changed(before, after) == {
        "'criteria' of block 'quality'", "question 'age' of the questionnaire", "instructions of block 'quality'"
    }  # fmt: skip


def test_what_only_the_analysis_uses_is_no_material(tmp_path: Path) -> None:
    directory = write_task_study("decision", tmp_path)
    before = material(load_study(directory))
    header = ("item", "appropriate", "inappropriate", "target")
    write_csv(directory / "targets.csv", header, [(f"case{n}", "call", "feed", "call") for n in range(1, 7)])
    assert changed(before, material(load_study(directory))) == set()
    actions = directory / "actions.csv"
    actions.write_text(actions.read_text(encoding="utf-8").replace("Raise the oxygen", "More oxygen"), encoding="utf-8")
    assert changed(before, material(load_study(directory))) == {"table 'actions' of block 'ward'"}
