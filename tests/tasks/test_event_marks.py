"""Marked events on the pages of participants: off unless asked for, refused where texts are not annotated."""

from __future__ import annotations

import re
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from content_study import write_content_study
from decision_study import Change

from textassay import pipeline
from textassay.answers.served_material import material
from textassay.design.plan import Trial
from textassay.errors import StudyError
from textassay.marked_text import TONES
from textassay.study.study import Study

MARK = '<mark class="event tone-1">oxygen saturation<span class="of"> desaturation</span></mark>'
QUESTION = {"name": "clarity", "question": "How clear?"}


def decision(data: dict[str, Any]) -> None:
    data["blocks"][0]["show_events"] = True


def rating(data: dict[str, Any]) -> None:
    data["blocks"] = [{"task": "rating", "criteria": [QUESTION], "show_events": True}]
    _only_writers(data)


def ranking(data: dict[str, Any]) -> None:
    data["blocks"] = [{"task": "ranking", "criteria": [QUESTION], "show_events": True}]
    _only_writers(data)


def preference(data: dict[str, Any]) -> None:
    data["blocks"] = [{"task": "preference", "criteria": [QUESTION], "marks": "events"}]
    _only_writers(data)


def _only_writers(data: dict[str, Any]) -> None:
    data["tables"]["texts"] = "writers.csv"


def study(directory: Path, change: Change | None) -> Study:
    write_content_study(directory, change)
    lines = (directory / "texts.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    writers = "".join(line for line in lines if ",graph," not in line)
    (directory / "writers.csv").write_text(writers, encoding="utf-8")
    return pipeline.load(directory)


@pytest.mark.parametrize("change", [decision, rating, preference, ranking])
def test_events_are_marked_with_a_legend(change: Change, tmp_path: Path) -> None:
    (block,) = study(tmp_path, change).blocks
    systems = ("human", "neural") if change in (preference, ranking) else ("human",)
    randomised = {"left": "human", "actions": [], "start": [0, 1], "ids": ["x", "y"]}
    view = block.task.view(Trial("1", block.name, "main", 1, "case1", systems, randomised))
    shown = view.get("text") or (view.get("texts") or view["entries"])[0]
    shown = shown if isinstance(shown, str) else shown["html"]
    assert MARK in shown
    assert shown.startswith("<p>As the human writer puts it, <mark")
    assert view["event_legend"] == [(1, "oxygenation"), (2, "circulation")]
    assert view["other_events"] == 0
    assert not view.get("marks")  # the words for where two texts agree and differ


def test_nothing_is_marked_unless_asked_for(tmp_path: Path) -> None:
    (block,) = study(tmp_path, None).blocks
    view = block.task.view(Trial("1", block.name, "main", 1, "case1", ("human",), {}))
    assert "<mark" not in view["text"]
    assert view["event_legend"] == []


def test_attention_checks_can_be_told_apart(tmp_path: Path) -> None:
    (block,) = study(tmp_path, decision).blocks
    warned = "attention check 1 can be told apart: no event is marked in its text; remove the marks or the check"
    assert any(text.endswith(warned) for text in block.task.warnings())
    check = block.task.view(Trial("1", block.name, "check", 1, "check-1", (), {}))
    assert "<mark" not in check["text"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data["tables"].pop("annotations"), "there are no annotated texts; name their file in tables"),
        (lambda data: data["blocks"][0].update(texts_are="html"), "events can be marked in plain text only, not where"),
        (
            lambda data: data["blocks"][0].update(shows={}),
            "the text of item 'case1' by system 'graph' is not annotated, so that it would stand out; annotate it",
        ),
    ],
    ids=["no annotations", "html", "a text without"],
)
def test_check_refuses_what_cannot_be_marked(change: Change, message: str, tmp_path: Path) -> None:
    def both(data: dict[str, Any]) -> None:
        decision(data)
        data["metrics"] = []
        data["tables"].pop("relevance")
        change(data)

    with pytest.raises(StudyError) as caught:
        study(tmp_path, both)
    assert message in str(caught.value)


def test_more_groups_than_tones_share_the_last(tmp_path: Path) -> None:
    def many(data: dict[str, Any]) -> None:
        decision(data)
        data["metrics"] = []
        del data["tables"]["relevance"], data["tables"]["ontology"]

    write_content_study(tmp_path, many)
    path = tmp_path / "annotations.xml"
    text = path.read_text(encoding="utf-8")
    for number in range(TONES):
        text = text.replace('TYPE="bradycardia"', f'TYPE="kind{number}"', 1) if number < 6 else text
        text = text.replace('TYPE="desaturation"', f'TYPE="other{number}"', 1)
    path.write_text(text, encoding="utf-8")
    (block,) = pipeline.load(tmp_path).blocks
    view = block.task.view(Trial("1", block.name, "main", 1, "case1", ("human",), {}))
    assert len(view["event_legend"]) == TONES - 1
    assert view["other_events"] == TONES


def test_a_change_of_marks_is_noticed(tmp_path: Path) -> None:
    before = material(study(tmp_path, decision))
    path = tmp_path / "annotations.xml"
    path.write_text(path.read_text(encoding="utf-8").replace("bradycardia", "event", 1), encoding="utf-8")
    after = material(pipeline.load(tmp_path))
    changed = [part for part, digest in after.items() if before[part] != digest]
    assert changed == ["marked events of item 'case1' by system 'neural'"]


def tones(package: str, style: str) -> list[tuple[str, ...]]:
    """Number, colour, edge and line of each tone by light."""
    text = files(package).joinpath("static", style).read_text(encoding="utf-8")
    return re.findall(r"\.tone-(\d) \{ --tone: (\S+); --edge: (\S+); --kind: (\w+); \}", text)


def test_pages_and_reports_mark_alike() -> None:
    """A report is one file of its own, so the tones are written twice."""
    assert tones("textassay.serve", "event_marks.css") == tones("textassay.report", "report.css")


def test_every_tone_has_a_colour_and_a_line_of_its_own() -> None:
    rules = tones("textassay.serve", "event_marks.css")
    assert [int(rule[0]) for rule in rules] == list(range(TONES + 1))
    assert len({rule[1] for rule in rules}) == len({rule[2] for rule in rules}) == TONES + 1
    assert all(one[3] != other[3] for one, other in pairwise(rules))
