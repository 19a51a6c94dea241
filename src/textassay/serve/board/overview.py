"""Progress of a study: counts over its participants and answers, and median times."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from pydantic import BaseModel, ConfigDict

from textassay.answers.records import Participant
from textassay.design.plan import Plan, Slot
from textassay.serve.board.conditions import ConditionState

What = Literal["consent", "questionnaire", "instructions", "practice", "trial", "break"]
_Kind = tuple[What, str]


class PageTime(BaseModel):
    """Median time of one kind of page."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    what: What
    """`trial` includes attention checks and repeats, but not practice."""
    block: str
    """The block they belong to, if any."""
    answers: int
    """Number of answers in the median."""
    median_seconds: float


class PageKinds:
    """The kind of each page, by its key."""

    def __init__(self, plan: Plan) -> None:
        self._trials: dict[str, _Kind] = {
            trial.key: ("practice" if trial.kind == "practice" else "trial", trial.block)
            for slot in plan.slots
            for trial in slot.trials
        }

    def times(self, passed: Iterable[Mapping[str, float | None]]) -> list[PageTime]:
        """Median times by kind of page, in the order of the study.

        Args:
            passed: For each participant the milliseconds of each answered page.
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
    """Median minutes from start to end of those who completed the study; None if nobody has."""
    took = [person.completed_at - person.started_at for person in people if person.completed_at is not None]
    return statistics.median(each.total_seconds() for each in took) / 60 if took else None


Standing = Literal["active", "silent", "completed", "left_out", "withdrawn", "no_consent", "excluded"]
"""The status, refined: silent for too long, excluded by screening (`left_out`), no consent given."""
STANDINGS: tuple[Standing, ...] = (
    "active", "silent", "completed", "left_out", "withdrawn", "no_consent", "excluded",
)  # fmt: skip


class SlotState(BaseModel):
    """One slot of the plan."""

    number: int
    cohort: str
    filled: bool
    """Whether a valid participant has completed it."""
    active: int
    completed: int
    """Valid participants who completed it."""
    left_out: int
    """Participants who completed it and were excluded by screening."""
    withdrawn: int
    excluded: int


class DropOut(BaseModel):
    """A page at which participants dropped out."""

    page: str
    people: int


class BoardOverview(BaseModel):
    """Progress of the study."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    at: datetime
    paused: bool
    """Whether recruiting is paused."""
    wanted: int
    filled: int
    """Slots that a valid participant has completed."""
    statuses: dict[str, int]
    """Participants by status; `active` without those silent for too long, `completed` only valid ones."""
    silent: int
    """Unfinished participants, silent for so long that their slot was given to others."""
    left_out: int
    """Participants who completed the study and were excluded by screening."""
    no_consent: int
    """Participants who did not give consent; not included in `withdrawn`."""
    answers_last_hour: int
    minutes: float | None
    """Median minutes from start to end, over valid participants who completed the study."""
    times: list[PageTime]
    """Median times of pages, over participants not excluded."""
    conditions: list[ConditionState]
    stops: list[DropOut]
    """Pages at which participants withdrew or fell silent, most frequent first."""
    slots: list[SlotState]


@dataclass(frozen=True)
class Standings:
    """Decides the standing of participants at one moment."""

    now: datetime
    release_after: timedelta
    """How long a participant may be silent and still hold a slot."""
    asks_consent: bool

    def of(self, person: Participant, passed: Container[str]) -> Standing:
        """The standing of a participant with answers to these pages."""
        if person.status == "active":
            return "silent" if self.now - person.last_seen_at > self.release_after else "active"
        if person.status == "completed":
            return "completed" if person.valid else "left_out"
        if person.status == "withdrawn" and person.completed_at is None and self.asks_consent:
            return "withdrawn" if "consent" in passed else "no_consent"
        return person.status


def slot_states(
    slots: Sequence[Slot], people: Sequence[Participant], standings: Mapping[int, Standing]
) -> list[SlotState]:
    """Counts of participants by slot."""
    counts = Counter((person.slot, standings[person.id]) for person in people)
    names: tuple[Standing, ...] = ("active", "completed", "left_out", "excluded")
    return [
        SlotState(
            number=slot.number,
            cohort=slot.cohort,
            filled=counts[slot.number, "completed"] > 0,
            withdrawn=counts[slot.number, "withdrawn"] + counts[slot.number, "no_consent"],
            **{name: counts[slot.number, name] for name in names},
        )
        for slot in slots
    ]
