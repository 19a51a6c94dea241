from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_study import write_small_study

from textassay.study.load import load_study
from textassay.study.planning import draw_plan


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
    assert study.scores_path == tmp_path / "report" / "metric-scores.csv"
    assert study.store_url == f"sqlite:///{tmp_path.as_posix()}/answers.db"


def test_a_block_is_found_by_its_name(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path))
    assert study.block("quality") is study.blocks[0]
    with pytest.raises(KeyError, match="taste"):
        study.block("taste")


def test_a_study_shows_itself_in_a_few_words(tmp_path: Path) -> None:
    def named(data: dict[str, Any]) -> None:
        data["metrics"] += [{"metric": "rouge-l", "label": "stems", "stem": True}]
        data["participants"] = {"cohorts": [{"name": "lay", "wanted": 4}, {"name": "experts", "wanted": 2}]}
        data["screening"] = {"incomplete": {}, "too-fast": {}}

    study = load_study(write_small_study(tmp_path, named))
    size = f"{len(study.items_in_order)} items × {len(study.systems)} systems"
    assert repr(study) == f"<Study {study.file.title!r} in {str(tmp_path)!r}: {size}>"
    facts = dict(study.facts().rows)
    assert (facts["items"], facts["participants wanted"]) == (len(study.items_in_order), 6)
    assert facts["systems"] == ", ".join(study.systems)
    assert (facts["metrics"], facts["screening rules"]) == ("rouge-l, stems", "incomplete, too-fast")
    assert (facts["blocks"], facts["kinds of trial"]) == ("quality", "Rating scales")
    assert study.file.title in study._repr_html_()


def test_the_frame_of_a_study_has_one_row_per_text(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path))
    frame = study.to_frame()
    assert {(row.item, row.system): row.text for row in frame.itertuples()} == study.texts


def test_the_task_of_a_block_is_bound_to_it_once(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path))
    block = study.blocks[0]
    assert block.task is block.task
    assert block.task.block is block
    assert block.task.study is study
    assert block.task.settings is block.settings


def test_a_changed_study_has_its_own_blocks_and_leaves_the_first_as_it_is(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path))
    changed = replace(study, texts={("i1", "other"): "A text."})
    assert changed.blocks == study.blocks
    assert changed.blocks[0].task.conditions() == [("other",)]
    assert study.blocks[0].task.conditions() == [(system,) for system in study.systems]


def test_a_changed_block_stays_in_its_study(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path))
    block = study.blocks[0]
    changed = replace(block, settings=block.settings.model_copy(update={"attention_checks": []}))
    assert changed.task.study is study
    assert not changed.task.attention_items()
    assert block.task.attention_items()


def test_a_block_without_a_study_has_no_task(tmp_path: Path) -> None:
    block = replace(load_study(write_small_study(tmp_path)).blocks[0], study=None)
    with pytest.raises(ValueError, match="belongs to no study yet"):
        _ = block.task


def test_a_study_can_be_sent_to_another_process(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path))
    _ = study.blocks[0].task  # kept with the block, and sent along
    copy = pickle.loads(pickle.dumps(study))
    assert copy == study
    assert copy.blocks[0].task.study is copy
    assert draw_plan(copy) == draw_plan(study)
