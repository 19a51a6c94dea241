"""The answer "cannot judge", where a block allows it: an answer like any other, but without a value.

It counts as answered, and not in means and tests; `analysis/missing_answers.py` reports how often it was given, by
system. Ranking has no such answer: texts that a participant cannot tell apart are tied, and a text without a rank would
change what the ranks of the others mean. Nor has the decision task, where choosing no action is itself the outcome.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from textassay.study.model import BlockSettings, Text

COLUMN = "cannot_judge"
"""Key of payloads, and column of tables."""


class CannotJudgeSettings(BlockSettings):
    """A block whose questions may be answered with "cannot judge"."""

    cannot_judge: bool | Text = False
    """Whether each question can also be answered with "cannot judge"; a text takes the place of the usual words."""

    def or_cannot_judge(self) -> str:
        """The end of a list of possible answers; empty where the block does not allow this one."""
        words = "cannot judge" if self.cannot_judge is True else self.cannot_judge
        return f", or “{words}” (no value)" if words else ""

    def cannot_judge_faults(self, payload: Mapping[str, Any], criteria: Collection[str], values: str) -> dict[str, str]:
        """Criterion and key of the message, where "cannot judge" is no answer of this block, or is not the only one.

        Args:
            payload: The answer as the browser sent it.
            criteria: Those of the block.
            values: Key of the values in the payload.
        """
        said, given = payload.get(COLUMN) or [], payload.get(values)
        if not isinstance(said, list) or not all(isinstance(name, str) and name in criteria for name in said):
            return dict.fromkeys(criteria, f"{self.task}.outside")
        both = isinstance(given, Mapping) and {name for name in said if given.get(name) is not None}
        return dict.fromkeys(said if not self.cannot_judge else both or (), f"{self.task}.outside")

    def kept_cannot_judge(self, payload: Mapping[str, Any], criteria: Iterable[str]) -> dict[str, list[str]]:
        """The part of the answer that says what could not be judged, in the order of the criteria; none if nothing."""
        said = cannot_be_judged(payload)
        return {COLUMN: [name for name in criteria if name in said]} if said else {}

    def cannot_judge_cell(self, answer: Mapping[str, Any], criterion: str) -> dict[str, bool]:
        """Whether a criterion could not be judged, as a column of its row; none where the block does not allow it."""
        if not self.cannot_judge and COLUMN not in answer:  # nearly always, and an export asks a million times
            return {}
        said = cannot_be_judged(answer)
        return {COLUMN: criterion in said} if self.cannot_judge or said else {}

    def cannot_judge_reason(self, row: Mapping[str, Any]) -> str | None:
        """Why a row without a value cannot be an answer to this block, or nothing."""
        if row.get(COLUMN) and self.cannot_judge:
            return None
        return f"{row['criterion']} has no value" + (", and the block has no “cannot judge”" if row.get(COLUMN) else "")


def cannot_be_judged(answer: Mapping[str, Any]) -> Collection[str]:
    """The criteria that an answer says could not be judged."""
    said = answer.get(COLUMN)
    return said if isinstance(said, list) else ()


def with_unjudged(answer: Mapping[str, Any], values: str) -> dict[str, Any]:
    """The values of an answer by criterion; None for what could not be judged.

    >>> with_unjudged({"ratings": {"clarity": 3}, "cannot_judge": ["fluency"]}, "ratings")
    {'clarity': 3, 'fluency': None}
    """
    return {**answer[values], **(dict.fromkeys(cannot_be_judged(answer)) if COLUMN in answer else {})}
