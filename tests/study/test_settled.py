"""What a study has settled is read by meaning: how the file is written makes no difference."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_study import PAGES, write_small_study

from textassay import catalogue
from textassay.study import settled
from textassay.study.load import load_study
from textassay.study.study import Study


def small(directory: Path, change: Callable[[dict[str, Any]], None] | None = None) -> Study:
    return load_study(write_small_study(directory, change))


def written_out(data: dict[str, Any]) -> None:
    """Defaults, in another order of keys."""
    data["analysis"] = {"confidence": 0.95, "alpha": 0.05}
    data["participants"] = {"when_full": "close", **dict(reversed(data["participants"].items()))}
    data["metrics"] = [{"metric": "rouge-l", "label": "rouge-l", "stem": False}]
    data["screening"]["too-fast"] = {"seconds": 1.0}
    data["simulate"] = {"effects": {"length": 0.5}}
    for key in list(data)[:-2]:
        data[key] = data.pop(key)


def test_how_it_is_written_makes_no_difference(tmp_path: Path) -> None:
    one, other = small(tmp_path / "one"), small(tmp_path / "other", written_out)
    path = other.directory / "study.yaml"
    path.write_text("# a comment\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    assert settled.settings(load_study(other.directory)) == settled.settings(one)
    assert settled.material(other) == settled.material(one)


def test_entries_are_found_by_name_and_codes_are_left_out(tmp_path: Path) -> None:
    found = settled.settings(small(tmp_path))
    assert found["blocks"]["quality"]["criteria"]["fluency"]["scale"]["to"] == 100
    assert found["questionnaire"]["age"]["exclude_below"] == 18
    assert found["screening"]["constant-answers"] == {"trials": 5, "share": 1.0}
    assert found["metrics"]["rouge-l"]["metric"] == "rouge-l"
    assert (found["items"], found["systems"]) == (6, ["human", "neural", "template"])
    assert "SMALL-42" not in json.dumps(found)  # worth money
    assert not {"simulate", "finish", "contact"} & found.keys()


def test_only_what_was_chosen(tmp_path: Path) -> None:
    chosen = settled.settings(small(tmp_path), only_chosen=True)
    assert "analysis" not in chosen
    assert chosen["participants"] == {"wanted": 6, "release_after_minutes": 30}
    assert chosen["screening"]["too-fast"] == {}


def test_every_file_is_named_once(tmp_path: Path) -> None:
    study = small(tmp_path, lambda data: data.update(welcome="consent.md"))
    tables = {"texts.csv", "items.csv", "references.csv", "practice.csv"}
    named = settled.named_files(study)
    assert named[0] == "study.yaml"
    assert sorted(named) == sorted({"study.yaml", *tables, *PAGES})


@pytest.mark.parametrize(
    ("file", "part"),
    [
        ("texts.csv", "text of item 'i1' by system 'human'"),
        ("items.csv", "'context' of item 'i1' in the items table"),
        ("references.csv", "references of item 'i1'"),
        ("practice.csv", "practice item 'p1' of block 'quality'"),
        ("instructions.md", "instructions of block 'quality'"),
        ("consent.md", "page 'consent'"),
    ],
)
def test_each_part_of_the_material_is_told_by_its_place(tmp_path: Path, file: str, part: str) -> None:
    before = settled.material(small(tmp_path))
    path = tmp_path / file
    first = {"texts.csv": " is here", "items.csv": "Data", "references.csv": "The text", "practice.csv": "A text"}
    seen = first.get(file, "\n")
    path.write_text(path.read_text(encoding="utf-8").replace(seen, f"{seen} too", 1), encoding="utf-8")
    after = settled.material(load_study(tmp_path))
    assert [name for name in before if before[name] != after[name]] == [part]
    assert before.keys() == after.keys()


def test_a_number_of_participants_that_follows_from_the_design_is_settled(tmp_path: Path) -> None:
    def dealt(data: dict[str, Any]) -> None:
        data["participants"] = {}
        data["blocks"][0]["design"] = {"judgements_per_text": 2, "texts_per_participant": 4}

    assert settled.settings(small(tmp_path, dealt))["participants"]["wanted"] == 9  # 18 texts, two judgements each


def test_settings_that_are_left_to_a_metric_equal_themselves(tmp_path: Path) -> None:
    def scored(data: dict[str, Any]) -> None:
        data["metrics"] = [
            {"metric": name} for name in catalogue.names("metric") if name in ("bleu", "nist", "chrf", "ter")
        ]

    found = settled.settings(small(tmp_path, scored))
    assert len(found["metrics"]) == 4
    assert json.loads(json.dumps(found, allow_nan=False)) == found
