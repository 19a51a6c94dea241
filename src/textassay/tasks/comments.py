"""The comment box that a block may have below its questions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from textassay.study.model import BlockSettings, Text

COMMENT_LENGTH = 5000
_UNWRITABLE = re.compile("[\0\ud800-\udfff]")
"""What no file can hold: NUL, and half an emoji, which is left where a browser cuts a comment that is too long."""


class CommentSettings(BlockSettings):
    """A block that may have a comment box."""

    comment: Text | None = None
    """Question over a comment box; no box if not given."""

    def comment_box(self) -> dict[str, Any]:
        """What the page needs."""
        return {"comment": self.comment, "comment_length": COMMENT_LENGTH}

    def comment_faults(self, payload: Mapping[str, Any]) -> dict[str, str]:
        """Field and key of the message, where the comment cannot be kept."""
        return {"comment": f"{self.task}.comment_too_long"} if comment_of(payload) is None else {}

    def kept_comment(self, payload: Mapping[str, Any]) -> dict[str, str]:
        """The part of the answer that holds the comment; none where the block has no box."""
        return {"comment": comment_of(payload) or ""} if self.comment else {}

    def comment_cell(self, answer: Mapping[str, Any]) -> dict[str, str]:
        """The comment of a kept answer as a column of its rows; none where the block has no box."""
        return {"comment": answer.get("comment", "")} if self.comment else {}


def comment_of(payload: Mapping[str, Any]) -> str | None:
    """The comment as it is kept, empty where there is none; nothing where it is too long or no text.

    >>> comment_of({"comment": " fine "}), comment_of({}), comment_of({"comment": 3})
    ('fine', '', None)
    """
    comment = payload.get("comment") or ""
    if not isinstance(comment, str) or len(comment) > COMMENT_LENGTH:
        return None
    return _UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", comment).strip()
