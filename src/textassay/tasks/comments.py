"""What participants write in boxes: a comment below the questions of a trial, and a reason for each answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Self

from pydantic import model_validator

from textassay.study.model import BlockSettings, Faults, Text
from textassay.tasks.criteria import Criterion

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
    return _kept_text(payload.get("comment"))


def _kept_text(written: object) -> str | None:
    if not written:
        return ""
    if not isinstance(written, str) or len(written) > COMMENT_LENGTH:
        return None
    return _UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", written).strip()


class ReasonedCriterion(Criterion):
    """One thing that is asked about the texts of a trial, and whether participants say why they answered so."""

    why: Literal["optional", "required"] | None = None
    """Whether a box asks why this was answered so, and whether it may be left empty; no box if not given."""
    why_question: Text | None = None
    """Question over that box; by default a plain "Why?"."""

    @model_validator(mode="after")
    def _question_with_box(self) -> Self:
        if self.why_question is not None and self.why is None:
            raise Faults((("why_question",), "there is no box for it; add 'why: optional' or 'why: required'"))
        return self


def why_faults(payload: Mapping[str, Any], criteria: Iterable[ReasonedCriterion], task: str) -> dict[str, str]:
    """Field and key of the message, where a reason is missing or cannot be kept.

    Args:
        payload: The answer as the browser sent it.
        criteria: Those of the block.
        task: Prefix of the messages.
    """
    wrong = {}
    for criterion in criteria:
        if criterion.why is None:
            continue
        reason = _reason(payload, criterion.name)
        if reason is None:
            wrong[f"why-{criterion.name}"] = f"{task}.comment_too_long"
        elif criterion.why == "required" and not reason:
            wrong[f"why-{criterion.name}"] = f"{task}.why_missing"
    return wrong


def kept_why(payload: Mapping[str, Any], criteria: Sequence[ReasonedCriterion]) -> dict[str, dict[str, str]]:
    """The part of the answer that holds the reasons; none where no criterion asks for one."""
    asked = [criterion.name for criterion in criteria if criterion.why]
    return {"why": {name: _reason(payload, name) or "" for name in asked}} if asked else {}


def why_cells(answer: Mapping[str, Any], criterion: str) -> dict[str, Any]:
    """The reason of a kept answer as columns of its row; none where the criterion does not ask for one.

    >>> why_cells({"why": {"clarity": "Too long."}}, "clarity")
    {'why': 'Too long.', 'why_words': 2}
    """
    reasons = answer.get("why") or {}
    return {"why": reasons[criterion], "why_words": len(reasons[criterion].split())} if criterion in reasons else {}


def _reason(payload: Mapping[str, Any], criterion: str) -> str | None:
    reasons = payload.get("why") or {}
    return _kept_text(reasons.get(criterion)) if isinstance(reasons, Mapping) else None
