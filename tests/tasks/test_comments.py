from __future__ import annotations

from typing import Any

import pytest

from textassay.tasks.comments import COMMENT_LENGTH, CommentSettings, comment_of


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
