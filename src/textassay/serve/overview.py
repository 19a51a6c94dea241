"""How a study is getting on: pure counts over its participants and answers, for the researcher's board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from pydantic import BaseModel, ConfigDict

from textassay.answers.records import Participant, StoredAnswer
from textassay.design.plan import Slot
from textassay.serve.session import Page, current

_HOUR = timedelta(hours=1)


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
    wanted: int
    filled: int
    """Slots that a valid participant has completed."""
    statuses: dict[str, int]
    """Participants by status; `active` without those who were silent too long, `completed` only valid ones."""
    silent: int
    """Participants who have not finished and were silent so long that their slot was given out again."""
    left_out: int
    """Participants who completed the study and were left out by screening."""
    answers_last_hour: int
    stops: list[Stop]
    """Where those who were silent too long or withdrew had got to, most people first."""
    slots: list[SlotState]


def overview(
    slots: Sequence[Slot],
    pages: Mapping[int, Sequence[Page]],
    participants: Sequence[Participant],
    answers: Iterable[tuple[int, StoredAnswer]],
    now: datetime,
    release_after: timedelta,
) -> Overview:
    """Count.

    Args:
        slots: The plan.
        pages: The pages of each slot that was given out.
        participants: Everybody.
        answers: Everybody's answers, with the participant's number.
        now: The time.
        release_after: How long a participant may be silent and still hold a slot.
    """
    answered: dict[int, set[str]] = {}
    recent = 0
    for number, answer in answers:
        answered.setdefault(number, set()).add(answer.page)
        recent += now - answer.received_at <= _HOUR
    standings = {person.id: _standing(person, now, release_after) for person in participants}
    counts = Counter(standings.values())
    gone = [person for person in participants if standings[person.id] in ("silent", "withdrawn")]
    stopped = [current(pages[person.slot], answered.get(person.id, ())) for person in gone]
    stops = Counter(page.key for page in stopped if page is not None)
    states = _slots(slots, participants, standings)
    return Overview(
        at=now,
        wanted=len(slots),
        filled=sum(state.filled for state in states),
        statuses={name: counts[name] for name in ("active", "completed", "withdrawn", "excluded")},
        silent=counts["silent"],
        left_out=counts["left_out"],
        answers_last_hour=recent,
        stops=[Stop(page=page, people=people) for page, people in stops.most_common()],
        slots=states,
    )


def _standing(person: Participant, now: datetime, release_after: timedelta) -> str:
    """The status, with the silent and the left-out told apart."""
    if person.status == "active" and now - person.last_seen_at > release_after:
        return "silent"
    return "left_out" if person.status == "completed" and not person.valid else person.status


def _slots(slots: Sequence[Slot], people: Sequence[Participant], standings: Mapping[int, str]) -> list[SlotState]:
    counts = Counter((person.slot, standings[person.id]) for person in people)
    return [
        SlotState(
            number=slot.number,
            cohort=slot.cohort,
            filled=counts[slot.number, "completed"] > 0,
            **{
                name: counts[slot.number, name] for name in ("active", "completed", "left_out", "withdrawn", "excluded")
            },
        )
        for slot in slots
    ]
