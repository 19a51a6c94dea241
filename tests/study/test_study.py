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


def test_a_study_shows_itself_in_a_few_words(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path))
    size = f"{len(study.items_in_order)} items × {len(study.systems)} systems"
    assert repr(study) == f"<Study {study.file.title!r} in {str(tmp_path)!r}: {size}>"
    facts = dict(study.facts().rows)
    assert (facts["items"], facts["participants wanted"]) == (len(study.items_in_order), 6)
    assert facts["systems"] == ", ".join(study.systems)
    assert study.file.title in study._repr_html_()


def test_the_frame_of_a_study_has_one_row_per_text(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path))
    frame = study.to_frame()
    assert {(row.item, row.system): row.text for row in frame.itertuples()} == study.texts
