"""How a study is getting on: pure counts over its participants and what they have answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from pydantic import BaseModel, ConfigDict

from textassay.answers.records import Participant
from textassay.design.plan import Slot
from textassay.serve.board.conditions import ConditionState
from textassay.serve.board.tally import NO_MARKS, Marks
from textassay.serve.board.times import PageTime
from textassay.serve.session import Page, current

Standing = Literal["active", "silent", "completed", "left_out", "withdrawn", "no_consent", "excluded"]
"""The status, with the silent, the left-out and those who did not agree told apart."""
STANDINGS: tuple[Standing, ...] = (
    "active", "silent", "completed", "left_out", "withdrawn", "no_consent", "excluded",
)  # fmt: skip
_GONE = ("silent", "withdrawn")
PagesOf = Callable[[int], Sequence[Page]]


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
    """Participants who completed it and were left out by screening."""
    withdrawn: int
    excluded: int


class Stop(BaseModel):
    """A page at which people stopped."""

    page: str
    people: int


class Overview(BaseModel):
    """How the study is getting on."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    at: datetime
    paused: bool
    """Whether nobody new can begin."""
    wanted: int
    filled: int
    """Slots that a valid participant has completed."""
    statuses: dict[str, int]
    """Participants by status; `active` without those who were silent too long, `completed` only valid ones."""
    silent: int
    """Participants who have not finished and were silent so long that their slot was given out again."""
    left_out: int
    """Participants who completed the study and were left out by screening."""
    no_consent: int
    """People who began and did not agree to take part; `withdrawn` is without them."""
    answers_last_hour: int
    minutes: float | None
    """Median minutes from Begin to the end, over those who completed the study and were not left out."""
    times: list[PageTime]
    """What pages take those who were not left out."""
    conditions: list[ConditionState]
    stops: list[Stop]
    """Where those who were silent too long or withdrew had got to, most people first."""
    slots: list[SlotState]


@dataclass(frozen=True)
class Standings:
    """Where everybody stands at one moment."""

    now: datetime
    release_after: timedelta
    """How long a participant may be silent and still hold a slot."""
    asks_consent: bool

    def of(self, person: Participant, passed: Container[str]) -> Standing:
        """Where a participant stands who has passed these pages."""
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
    """How far each slot is."""
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


def stops(
    people: Sequence[Participant], standings: Mapping[int, Standing], marks: Mapping[int, Marks], pages: PagesOf
) -> list[Stop]:
    """Where those who are gone had got to, most people first."""
    gone = [person for person in people if standings[person.id] in _GONE]
    reached = (current(pages(person.slot), marks.get(person.id, NO_MARKS).pages) for person in gone)
    counts = Counter(page.key for page in reached if page is not None)
    return [Stop(page=page, people=number) for page, number in counts.most_common()]
