"""How long pages and whole participations take: medians, for a few who went to lunch move every mean."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict

from textassay.answers.records import Participant
from textassay.design.plan import Plan

What = Literal["consent", "questionnaire", "instructions", "practice", "trial", "break"]
_Kind = tuple[What, str]


class PageTime(BaseModel):
    """The time that pages of one kind take."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    what: What
    """Trials are those that count, attention checks and repeats included."""
    block: str
    """The block they belong to, if any."""
    answers: int
    """How many answers the median is over."""
    median_seconds: float


class PageKinds:
    """Which pages are of one kind, by their keys."""

    def __init__(self, plan: Plan) -> None:
        self._trials: dict[str, _Kind] = {
            trial.key: ("practice" if trial.kind == "practice" else "trial", trial.block)
            for slot in plan.slots
            for trial in slot.trials
        }

    def times(self, passed: Iterable[Mapping[str, float | None]]) -> list[PageTime]:
        """The times of each kind of page, in the order in which participants meet them.

        Args:
            passed: For each participant the pages that were passed, with the milliseconds that each took.
        """
        found: dict[_Kind, list[float]] = defaultdict(list)
        for pages in passed:
            for key, rt_ms in pages.items():
                kind = self._trials.get(key) or _other(key)
                if rt_ms is not None:
                    found[kind].append(rt_ms)
        return [
            PageTime(what=what, block=block, answers=len(all_ms), median_seconds=statistics.median(all_ms) / 1000)
            for (what, block), all_ms in sorted(found.items(), key=lambda each: self._place(each[0]))
        ]

    def _place(self, kind: _Kind) -> tuple[bool, int, int]:
        blocks = list(dict.fromkeys(block for _, block in self._trials.values()))
        what, block = kind
        order = ("consent", "questionnaire", "instructions", "practice", "trial", "break")
        return block != "", blocks.index(block) if block in blocks else -1, order.index(what)


def _other(key: str) -> _Kind:
    """The kind of a page that shows no trial: `consent`, `questionnaire`, `instructions:block`, `break:block:1`."""
    what, _, rest = key.partition(":")
    for known in ("questionnaire", "instructions", "break"):
        if what == known:
            return known, rest.partition(":")[0]
    return "consent", ""


def median_minutes(people: Sequence[Participant]) -> float | None:
    """How long those who completed the study took from Begin to the end; nothing where nobody has."""
    took = [person.completed_at - person.started_at for person in people if person.completed_at is not None]
    return statistics.median(each.total_seconds() for each in took) / 60 if took else None
