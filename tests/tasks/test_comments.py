from __future__ import annotations

from typing import Any

import pytest

from textassay.tasks.comments import (
    COMMENT_LENGTH,
    CommentSettings,
    ReasonedCriterion,
    comment_of,
    kept_why,
    why_cells,
    why_faults,
)

CRITERIA = [
    ReasonedCriterion(name="clarity", question="How clear?", why="required"),
    ReasonedCriterion(name="fluency", question="How fluent?", why="optional", why_question="What disturbed you?"),
    ReasonedCriterion(name="style", question="How stylish?"),
]


@pytest.mark.parametrize(
    ("comment", "kept"),
    [
        (" fine \n", "fine"),
        (None, ""),
        ("", ""),
        ("a\0b\ud83d", "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}"),
        ("x" * COMMENT_LENGTH, "x" * COMMENT_LENGTH),
        ("x" * (COMMENT_LENGTH + 1), None),
        (7, None),
        (["a"], None),
    ],
)
def test_comment(comment: Any, kept: str | None) -> None:
    assert comment_of({"comment": comment}) == kept


def test_comment_of_a_block_with_a_box() -> None:
    settings = CommentSettings(task="any", comment="Anything else?")
    assert settings.comment_box() == {"comment": "Anything else?", "comment_length": COMMENT_LENGTH}
    assert settings.kept_comment({"comment": " fine "}) == {"comment": "fine"}
    assert settings.kept_comment({}) == settings.comment_cell({}) == {"comment": ""}
    assert settings.comment_cell({"comment": "fine"}) == {"comment": "fine"}
    assert settings.comment_faults({"comment": "fine"}) == {}
    assert settings.comment_faults({"comment": 7}) == {"comment": "any.comment_too_long"}


def test_comment_of_a_block_without_a_box_is_not_kept() -> None:
    settings = CommentSettings(task="any")
    assert settings.comment_box()["comment"] is None
    assert settings.kept_comment({"comment": "fine"}) == settings.comment_cell({"comment": "fine"}) == {}


@pytest.mark.parametrize(
    ("why", "wrong"),
    [
        ({"clarity": "Short."}, {}),
        ({"clarity": " "}, {"why-clarity": "any.why_missing"}),
        ({}, {"why-clarity": "any.why_missing"}),
        (
            {"clarity": 3, "fluency": "x" * (COMMENT_LENGTH + 1)},
            dict.fromkeys(["why-clarity", "why-fluency"], "any.comment_too_long"),
        ),
        ("because", dict.fromkeys(["why-clarity", "why-fluency"], "any.comment_too_long")),
    ],
)
def test_reasons_that_are_missing_or_cannot_be_kept(why: Any, wrong: dict[str, str]) -> None:
    assert why_faults({"why": why}, CRITERIA, "any") == wrong


def test_reasons_are_kept_for_the_criteria_that_ask_for_them() -> None:
    kept = kept_why({"why": {"clarity": " Too many words. ", "style": "Plain."}}, CRITERIA)
    assert kept == {"why": {"clarity": "Too many words.", "fluency": ""}}
    cells = [why_cells(kept, each.name) for each in CRITERIA]
    assert cells == [{"why": "Too many words.", "why_words": 3}, {"why": "", "why_words": 0}, {}]
    assert kept_why({"why": {"style": "Plain."}}, CRITERIA[2:]) == {}


def test_a_question_without_its_box_is_refused() -> None:
    with pytest.raises(ValueError, match="add 'why: optional' or 'why: required'"):
        ReasonedCriterion(name="clarity", question="How clear?", why_question="Why so?")
