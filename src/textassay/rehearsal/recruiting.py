"""How many simulated people are still needed, and the result of a simulation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from textassay.answers.store import Store
from textassay.design.plan import Plan
from textassay.rehearsal.people import Behaviour

_MOST_A_SLOT = 10
"""If this many people per slot do not fill the study, screening excludes nearly everyone."""
_MOST_MORE = 20


@dataclass(frozen=True)
class SimulatedVisit:
    """A simulated person's participation."""

    participant: str
    """Code in the tables."""
    number: int
    """The person's number; see `people.person`."""
    behaviour: Behaviour


@dataclass(frozen=True)
class Rehearsal:
    """The result of a simulation: participants and filled slots."""

    people: tuple[SimulatedVisit, ...]
    """In order of arrival."""
    slots: int
    """Slots of the plan."""
    filled: int
    """Slots completed by a valid participant, including those filled earlier."""

    @property
    def full(self) -> bool:
        """Whether every slot is filled."""
        return self.filled == self.slots


def result(plan: Plan, store: Store, people: list[SimulatedVisit]) -> Rehearsal:
    """The result of a simulation."""
    ordered = sorted(people, key=lambda visit: visit.number)
    return Rehearsal(tuple(ordered), len(plan.slots), len(plan.slots) - sum(open_slots(plan, store).values()))


def open_slots(plan: Plan, store: Store) -> Counter[str]:
    """Number of unfilled slots by cohort."""
    filled = {each.slot for each in store.participants() if each.counted}
    return +Counter({cohort: len({*plan.numbers(cohort)} - filled) for cohort in plan.cohorts})


def wanted(plan: Plan, store: Store, in_progress: Mapping[str, int]) -> str | None:
    """The cohort that needs another person most; None if those in progress suffice."""
    need = open_slots(plan, store)
    need.subtract(in_progress)
    return neediest(need)


def neediest(need: Mapping[str, int]) -> str | None:
    """The cohort that needs most people; None if none needs any."""
    cohort, missing = max(need.items(), key=lambda each: each[1], default=("", 0))
    return cohort if missing > 0 else None


def most(plan: Plan, count: int | None) -> int:
    """The largest number of people to simulate."""
    return count if count is not None else _MOST_A_SLOT * len(plan.slots) + _MOST_MORE
