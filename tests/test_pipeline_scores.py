"""Which metrics a study has, under which names, and which references they are given."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_study import ITEMS, SYSTEMS, write_small_study

from textassay import pipeline
from textassay.study.study import Study


def study_with(directory: Path, **tables: Any) -> Study:
    def change(data: dict[str, Any]) -> None:
        data["tables"].update(tables)
        data["tables"] = {name: value for name, value in data["tables"].items() if value is not None}
        data["metrics"] = [
            {"metric": "rouge-n"},
            {"metric": "rouge-n", "label": "rouge-3", "order": 3},
            {"metric": "wer", "label": "word errors"},
        ]

    return pipeline.load(write_small_study(directory, change))


def test_metrics_go_by_their_labels_and_have_their_settings(tmp_path: Path) -> None:
    study = study_with(tmp_path)
    found = pipeline.metrics(study)
    assert list(found) == ["rouge-n", "rouge-3", "word errors"]
    assert [metric.name for metric in found.values()] == ["rouge-n", "rouge-n", "wer"]
    assert found["rouge-3"].settings.order == 3 != found["rouge-n"].settings.order
    rows = list(pipeline.score(study).rows())
    assert {row["metric"] for row in rows} == set(found)
    assert {row["system"] for row in rows} == set(SYSTEMS)


@pytest.mark.parametrize("reference_system", [None, "human"])
def test_references_are_those_of_the_table_where_there_is_one(tmp_path: Path, reference_system: str | None) -> None:
    study = study_with(tmp_path, reference_system=reference_system)
    assert {item: list(texts) for item, texts in pipeline.references(study).items()} == {
        item: [f"The text about {item}."] for item in ITEMS
    }


def test_references_are_the_texts_of_the_reference_system_where_there_is_no_table(tmp_path: Path) -> None:
    study = study_with(tmp_path, references=None, reference_system="human")
    assert {item: list(texts) for item, texts in pipeline.references(study).items()} == {
        item: [f"The human text about {item} is here."] for item in ITEMS
    }
