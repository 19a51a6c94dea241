"""Mistakes in a preference block are told with place and remedy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from preference_study import write_preference_study
from small_study import write_csv

from textassay.errors import StudyError
from textassay.study.load import load_study

Change = Callable[[dict[str, Any]], None]


def problems(directory: Path, change: Change | None = None) -> list[tuple[str, str]]:
    try:
        load_study(write_preference_study(directory, change and (lambda data: change(data["blocks"][0]))))
    except StudyError as error:
        return [(problem.where, problem.message) for problem in error.problems]
    return []


def pairs(**settings: Any) -> Change:
    return lambda block: block.update(pairs=settings)


def test_sound_study_has_no_problems(tmp_path: Path) -> None:
    assert problems(tmp_path) == []


@pytest.mark.parametrize(
    ("change", "where", "message"),
    [
        (pairs(scheme="topline"), "pairs", "the scheme 'topline' needs 'topline'; add it"),
        (pairs(scheme="references"), "pairs", "the scheme 'references' needs 'references'; add it"),
        (pairs(scheme="subset"), "pairs", "the scheme 'subset' needs 'comparisons'; add it"),
        (pairs(scheme="stated"), "pairs", "the scheme 'stated' needs 'stated'; add it"),
        (pairs(topline="human"), "pairs.topline", "the scheme 'all-pairs' makes no use of 'topline'; remove it"),
        (
            pairs(scheme="topline", topline="nobody"),
            "pairs",
            "there is no system 'nobody'; use one of: human, neural, template",
        ),
        (
            pairs(scheme="references", references=["human", "human"]),
            "pairs",
            "duplicate reference: human, human",
        ),
        (pairs(scheme="subset", comparisons=3), "pairs", "3 systems can be in 2 to 2 comparisons each, got 3"),
        (
            pairs(scheme="stated", stated=[["human", "neural"]]),
            "pairs.stated",
            "systems are not compared equally often (human 1, neural 1, template 0); add or remove pairs",
        ),
        (
            lambda block: block["criteria"].append(dict(block["criteria"][0])),
            "criteria[2].name",
            "duplicate criterion 'clarity'; rename one",
        ),
        (
            lambda block: block["attention_checks"][0].update(expected={"style": "left"}),
            "attention_checks[0].expected.style",
            "'style' is not a criterion of this block; use one of: clarity, fluency",
        ),
        (
            lambda block: (
                block.update(form="choice"),
                block["attention_checks"][0].update(expected={"clarity": "neither"}),
            ),
            "attention_checks[0].expected.clarity",
            "a choice without a tie cannot be 'neither'; use left or right",
        ),
        (
            lambda block: block.update(form="choice", reach=10),
            "reach",
            "a block with 'form: choice' has no slider; remove 'reach'",
        ),
        (
            lambda block: block.update(marks="differences", texts_are="markdown"),
            "marks",
            "words can be marked in plain text only, not where 'texts_are' is markdown; remove one of the two",
        ),
        (
            lambda block: block.update(marks="given"),
            "spans",
            "'marks: given' and 'spans' need each other; add the one or remove the other",
        ),
        (
            lambda block: block.update(marks="given", spans="nowhere"),
            "spans",
            "the items table has no column 'nowhere'; use one of: item, context, spans; or add it",
        ),
        (
            lambda block: block["attention_checks"][0].update(spans=["this text"]),
            "attention_checks[0].spans",
            "only 'marks: given' marks spans; remove them, or set it in the block",
        ),
        (
            lambda block: (
                block.update(marks="given", spans="spans"),
                block["attention_checks"][0].update(spans=["this text", "nowhere"]),
            ),
            "attention_checks[0].spans[1]",
            "'nowhere' is in neither text; correct or remove it",
        ),
        (
            lambda block: block.update(context="nowhere"),
            "context",
            "the items table has no column 'nowhere'; use one of: item, context, spans; or add it",
        ),
    ],
)
def test_mistake_is_told(tmp_path: Path, change: Change, where: str, message: str) -> None:
    assert problems(tmp_path, change) == [(f"blocks[0].{where}", message)]


def test_practice_needs_two_texts(tmp_path: Path) -> None:
    write_preference_study(tmp_path)
    write_csv(tmp_path / "practice.csv", ("item", "text", "context"), [("p1", "One.", "Data."), ("p2", "Two.", "")])
    with pytest.raises(StudyError) as caught:
        load_study(tmp_path)
    message = "practice item 'p1' has one text only; give the second one in the column 'other_text'"
    assert [problem.message for problem in caught.value.problems] == [message]
