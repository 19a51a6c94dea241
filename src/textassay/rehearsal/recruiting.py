"""Who is still needed, and who came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from textassay.answers.store import Store
from textassay.design.plan import Plan
from textassay.rehearsal.people import Manner

_MOST_A_SLOT = 10
"""So many people for each slot and the study is still not full: then screening leaves nearly everybody out."""
_MOST_MORE = 20


@dataclass(frozen=True)
class Came:
    """A simulated person who took part."""

    participant: str
    """Code in the tables."""
    number: int
    """The person's number; see `people.person`."""
    manner: Manner


@dataclass(frozen=True)
class Rehearsal:
    """Who came, and what it led to."""

    people: tuple[Came, ...]
    """In the order in which they came."""
    slots: int
    """Slots of the plan."""
    filled: int
    """Slots that a valid participant has completed, those filled before included."""

    @property
    def full(self) -> bool:
        """Whether every slot is filled."""
        return self.filled == self.slots


def result(plan: Plan, store: Store, people: list[Came]) -> Rehearsal:
    """What a rehearsal led to."""
    ordered = sorted(people, key=lambda came: came.number)
    return Rehearsal(tuple(ordered), len(plan.slots), len(plan.slots) - sum(open_slots(plan, store).values()))


def open_slots(plan: Plan, store: Store) -> Counter[str]:
    """How many slots of each cohort no valid participant has completed yet."""
    filled = {each.slot for each in store.participants() if each.counted}
    return Counter(slot.cohort for slot in plan.slots if slot.number not in filled)


def wanted(plan: Plan, store: Store, at_work: Mapping[str, int]) -> str | None:
    """The cohort that needs one more person most; nothing if those at work are enough."""
    need = open_slots(plan, store)
    need.subtract(at_work)
    cohort, missing = max(need.items(), key=lambda each: each[1], default=("", 0))
    return cohort if missing > 0 else None


def most(plan: Plan, count: int | None) -> int:
    """How many people may come at most."""
    return count if count is not None else _MOST_A_SLOT * len(plan.slots) + _MOST_MORE
