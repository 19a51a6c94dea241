"""Progress of a study: counts over its participants and answers, by condition of the plan too, and median times."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict

from textassay.answers.records import Participant
from textassay.design.plan import Plan
from textassay.serve.board.progress import PageTimes
from textassay.study.study import Study

What = Literal["consent", "questionnaire", "instructions", "practice", "trial", "break", "sitting"]
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
        self._kinds: dict[str, _Kind] = {
            page.key: ("practice" if page.kind == "practice" else "trial", page.block) for page in plan.slots.pages
        }
        self._blocks = [*dict.fromkeys(block for _, block in self._kinds.values())]

    def times(self, answered: PageTimes) -> list[PageTime]:
        """Median times by kind of page, in the order of the study."""
        kinds = [self._kinds.get(key) or _other(key) for key in answered.keys]
        return [*self._medians(kinds, answered)]

    def _medians(self, kinds: Sequence[_Kind], answered: PageTimes) -> Iterator[PageTime]:
        for kind in sorted({*kinds}, key=self._place):
            alike = np.array([each == kind for each in kinds])
            every = answered.milliseconds[alike[answered.pages]]
            known = every[~np.isnan(every)]
            if known.size:
                what, block = kind
                seconds = float(np.median(known)) / 1000
                yield PageTime(what=what, block=block, answers=known.size, median_seconds=seconds)

    def _place(self, kind: _Kind) -> tuple[bool, int, int]:
        what, block = kind
        order = ("consent", "questionnaire", "instructions", "practice", "trial", "break", "sitting")
        return block != "", self._blocks.index(block) if block in self._blocks else -1, order.index(what)


def _other(key: str) -> _Kind:
    """The kind of a page that shows no trial: `consent`, `questionnaire`, `instructions:block`, `break:block:1`."""
    what, _, rest = key.partition(":")
    for known in ("questionnaire", "instructions", "break", "sitting"):
        if what == known:
            return known, rest.partition(":")[0]
    return "consent", ""


def median_minutes(people: Sequence[Participant]) -> float | None:
    """Median minutes from start to end of those who completed the study; None if nobody has."""
    took = [person.completed_at - person.started_at for person in people if person.completed_at is not None]
    return statistics.median(each.total_seconds() for each in took) / 60 if took else None


Standing = Literal["active", "between", "silent", "completed", "left_out", "withdrawn", "no_consent", "excluded"]
"""The status, refined: between sittings, silent for too long or released on the board, excluded by screening
(`left_out`), no consent given."""
STANDINGS: tuple[Standing, ...] = (
    "active", "between", "silent", "completed", "left_out", "withdrawn", "no_consent", "excluded",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SlotState:
    """One slot of the plan."""

    number: int
    cohort: str
    filled: bool
    """Whether a valid participant has completed it."""
    active: int
    holders: list[str]
    """Codes of these participants in progress, whose slot can be released."""
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
    between: int
    """Participants between two sittings, whose slot is reserved."""
    silent: int
    """Unfinished participants, silent for so long that their slot was given to others."""
    left_out: int
    """Participants who completed the study and were excluded by screening."""
    no_consent: int
    """Participants who did not give consent; not included in `withdrawn`."""
    simulated: int
    """Participants of a rehearsal, whatever their status; included in all other figures."""
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
    waits: Callable[[int, int], bool] | None = None
    """From a slot and a number of answered pages to whether that is between two sittings; None if there is one only."""
    reserved: timedelta = timedelta(0)
    """How long a participant between two sittings may be silent and still hold a slot."""

    def of(self, person: Participant, passed: Collection[str]) -> Standing:
        """The standing of a participant with answers to these pages."""
        if person.status == "active":
            if person.is_released:
                return "silent"
            silent = self.now - person.last_seen_at
            if self.waits is not None and silent <= self.reserved and self.waits(person.slot, len(passed)):
                return "between"
            return "silent" if silent > self.release_after else "active"
        if person.status == "completed":
            return "completed" if person.valid else "left_out"
        if person.status == "withdrawn" and person.completed_at is None and self.asks_consent:
            return "withdrawn" if "consent" in passed else "no_consent"
        return person.status


def slot_states(
    cohorts: Mapping[int, str], people: Sequence[Participant], standings: Mapping[int, Standing]
) -> list[SlotState]:
    """Counts of participants by slot.

    Args:
        cohorts: The cohort of each slot, by the slot's number.
        people: The participants.
        standings: Their standings.
    """
    counts = Counter((person.slot, standings[person.id]) for person in people)
    holders: dict[int, list[str]] = defaultdict(list)
    for person in people:
        if standings[person.id] in ("active", "between"):
            holders[person.slot].append(person.code)
    names: tuple[Standing, ...] = ("completed", "left_out", "excluded")
    return [
        SlotState(
            number=slot,
            cohort=cohort,
            filled=counts[slot, "completed"] > 0,
            withdrawn=counts[slot, "withdrawn"] + counts[slot, "no_consent"],
            active=len(holders[slot]),
            holders=holders[slot],
            **{name: counts[slot, name] for name in names},
        )
        for slot, cohort in cohorts.items()
    ]


BETWEEN = " – "
"""Separator between the systems of a condition that shows several."""


class ConditionState(BaseModel):
    """One condition (a system, a pair of systems …) of a block: main trials, without practice, checks and repeats."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    block: str
    cohort: str
    condition: str
    planned: int
    """Trials of the plan."""
    answered: int
    """Trials in slots that a valid participant has completed, to which the plan's balance applies."""
    under_way: int
    """Trials answered so far by participants in progress."""
    fewest: int
    """Answered trials of the item that has the fewest."""
    most: int
    """Answered trials of the item that has the most."""
    fewest_planned: int
    most_planned: int


class _Condition(NamedTuple):
    block: str
    cohort: str
    systems: tuple[str, ...]


_Cell = tuple[_Condition, str]
"""A condition and an item."""


class Conditions:
    """The conditions of a plan, counted once."""

    def __init__(self, study: Study, plan: Plan) -> None:
        self._slots = plan.slots
        self._planned = self._cells({*plan.slots.cohort_of})
        self._items: dict[_Condition, list[str]] = defaultdict(list)
        for condition, item in self._planned:
            self._items[condition].append(item)
        self._order = _in_order(study, self._items)
        self._completed: set[int] = set()
        self._answered: Counter[_Cell] = Counter()

    def states(self, completed: set[int], in_progress: Iterable[tuple[int, Container[str]]]) -> list[ConditionState]:
        """Progress of each condition; only changes since the last call are counted.

        Args:
            completed: Slots that a valid participant has completed.
            in_progress: For each participant in progress: slot, and the pages answered so far.
        """
        self._answered.update(self._cells(completed - self._completed))
        self._answered.subtract(self._cells(self._completed - completed))
        self._completed = set(completed)
        under_way = Counter(
            _Condition(content.block, self._slots.cohort_of[slot], content.systems)
            for slot, passed in in_progress
            for page, content in self._slots.trials_of(slot)
            if content.kind == "main" and page.key in passed
        )
        return [self._state(condition, under_way[condition]) for condition in self._order]

    def _cells(self, slots: set[int]) -> Counter[_Cell]:
        """The main trials of some slots."""
        found: Counter[_Cell] = Counter()
        for cohort, numbers in self._slots.cohorts.items():
            for content, times in self._slots.content_counts(slots.intersection(numbers)).items():
                if content.kind == "main":
                    found[_Condition(content.block, cohort, content.systems), content.item] += times
        return found

    def _state(self, condition: _Condition, under_way: int) -> ConditionState:
        items = self._items[condition]
        planned = [self._planned[condition, item] for item in items]
        done = [self._answered[condition, item] for item in items]
        return ConditionState(
            block=condition.block,
            cohort=condition.cohort,
            condition=BETWEEN.join(condition.systems),
            planned=sum(planned),
            answered=sum(done),
            under_way=under_way,
            fewest=min(done),
            most=max(done),
            fewest_planned=min(planned),
            most_planned=max(planned),
        )


def _in_order(study: Study, conditions: Iterable[_Condition]) -> Sequence[_Condition]:
    """Blocks and cohorts as in the study file, conditions as listed by their task."""
    blocks = {block.name: place for place, block in enumerate(study.blocks)}
    cohorts = {cohort.name: place for place, cohort in enumerate(study.cohorts)}
    known = {
        block.name: {tuple(each): place for place, each in enumerate(block.task.conditions())} for block in study.blocks
    }

    def place(condition: _Condition) -> tuple[int, int, int, tuple[str, ...]]:
        of_block = known[condition.block]
        last = len(of_block)  # a task may show systems in another order than in its list
        return (
            blocks[condition.block],
            cohorts.get(condition.cohort, 0),
            of_block.get(condition.systems, last),
            condition.systems,
        )

    return sorted(conditions, key=place)
