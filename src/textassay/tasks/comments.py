"""The comment box that a block may have below its questions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

COMMENT_LENGTH = 5000
_UNWRITABLE = re.compile("[\0\ud800-\udfff]")
"""What no file can hold: NUL, and half an emoji, which is left where a browser cuts a comment that is too long."""


def comment_of(payload: Mapping[str, Any]) -> str | None:
    """The comment as it is kept, empty where there is none; nothing where it is too long or no text.

    >>> comment_of({"comment": " fine "}), comment_of({}), comment_of({"comment": 3})
    ('fine', '', None)
    """
    comment = payload.get("comment") or ""
    if not isinstance(comment, str) or len(comment) > COMMENT_LENGTH:
        return None
    return _UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", comment).strip()
