from __future__ import annotations

from typing import Any

import pytest

from textassay.tasks.comments import COMMENT_LENGTH, comment_of


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
