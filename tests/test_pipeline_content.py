"""What the report says of annotated texts: relevance first where it is known, nothing where nothing is annotated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from content_study import write_content_study

from textassay import pipeline
from textassay.results import Place


def everything(data: dict[str, Any]) -> None:
    data["metrics"] = [{"metric": "irrelevance", "cardinality": True}]


def no_relevance(data: dict[str, Any]) -> None:
    data["metrics"] = []
    del data["tables"]["relevance"]


def no_annotations(data: dict[str, Any]) -> None:
    no_relevance(data)
    del data["tables"]["annotations"]


@pytest.mark.parametrize(
    ("change", "places"),
    [
        (everything, {"relevance": "metrics", "annotated-texts": "details"}),
        (no_relevance, {"annotated-texts": "metrics"}),
        (no_annotations, {}),
    ],
)
def test_content(change: Any, places: dict[str, Place], tmp_path: Path) -> None:
    found = pipeline.content(pipeline.load(write_content_study(tmp_path, change)))
    assert {analysis.name: analysis.place for analysis in found} == places
    if change is everything:  # with the settings that the study has for its metric
        assert "cardinality:counted" in found[0].results[0].signature
