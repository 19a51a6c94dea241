from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_study import write_small_study

from textassay.study.load import load_study


def test_a_study_without_cohorts_has_one_without_a_name(tmp_path: Path) -> None:
    (cohort,) = load_study(write_small_study(tmp_path)).cohorts
    assert (cohort.name, cohort.wanted) == ("", 6)


def test_cohorts_are_those_of_the_file(tmp_path: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["participants"] = {"cohorts": [{"name": "lay", "wanted": 4}, {"name": "expert", "wanted": 3}]}

    assert [(each.name, each.wanted) for each in load_study(write_small_study(tmp_path, change)).cohorts] == [
        ("lay", 4),
        ("expert", 3),
    ]


def test_everything_is_kept_in_the_study_directory(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path))
    assert study.plan_path == tmp_path / "plan.json"
    assert study.scores_path == tmp_path / "scores.csv"
    assert study.store_url == f"sqlite:///{tmp_path.as_posix()}/answers.db"


def test_a_block_is_found_by_its_name(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path))
    assert study.block("quality") is study.blocks[0]
    with pytest.raises(KeyError, match="taste"):
        study.block("taste")
