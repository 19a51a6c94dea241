"""Numbers of participants and items that would make a plan's balance exact."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from textassay.design.order import williams_set


@dataclass(frozen=True)
class Numbers:
    """What the balance of a plan depends on."""

    items: int
    systems: int
    """Or whatever else the items are shown in: conditions."""
    slots: int
    """Participants."""
    per_slot: int
    """Trials that one participant has: one an item, or more where there are more conditions than items."""
    carry_over: bool = False
    """Whether it is also to be balanced which system follows which."""

    @property
    def step(self) -> int | None:
        """The balance is exact where the number of slots is a multiple of this; nothing: it never is."""
        # One participant must see all conditions equally often, and so all items where each comes more than once.
        if self.per_slot % self.systems or (self.per_slot > self.items and self.per_slot % self.items):
            return None
        cells = self.items * self.systems
        step = cells // math.gcd(cells, self.per_slot)
        if not self.carry_over or self.systems == 1:
            return step
        # Seams between cycles take all distances between systems in turn, set after set (see order.py).
        seams = self.per_slot // self.systems - 1
        sets = (self.systems - 1) // math.gcd(self.systems - 1, seams)
        return math.lcm(step, williams_set(self.systems) * sets)

    @property
    def exact(self) -> bool:
        """Whether these numbers give exact balance."""
        return self.step is not None and self.slots % self.step == 0


@dataclass(frozen=True)
class Remedy:
    """A change of one or two numbers after which the balance is exact."""

    numbers: Numbers
    """The numbers after the change."""
    text: str

    def __str__(self) -> str:
        return self.text


def remedies(now: Numbers) -> tuple[Remedy, ...]:
    """Changes that make the balance exact, each of them alone: of one number, or of two where one is not enough.

    >>> [str(remedy) for remedy in remedies(Numbers(items=30, systems=10, slots=12, per_slot=30))]
    ['10 participants', '20 participants']
    >>> [str(remedy) for remedy in remedies(Numbers(items=7, systems=3, slots=5, per_slot=7))]
    ['6 items and 6 participants', '9 items and 6 participants']
    """
    trials = list(_trials(now))
    found = [*_participants(now), *_nearest(now, [numbers for numbers in trials if numbers.exact])]
    if not found:
        both = [list(_participants(numbers)) for numbers in _nearest(now, trials)]
        found = [min(each, key=lambda numbers: abs(numbers.slots - now.slots)) for each in both]
    return tuple(Remedy(numbers, _text(now, numbers)) for numbers in found)


def _participants(now: Numbers) -> Iterator[Numbers]:
    """The nearest numbers of participants that suit these items, above and below."""
    if now.step is not None:
        below = now.slots // now.step * now.step
        around = (below, below + now.step)
        yield from (replace(now, slots=slots) for slots in around if slots and slots != now.slots)


def _trials(now: Numbers) -> Iterator[Numbers]:
    """Other numbers of items, or of items a participant, with which the balance can be exact; in rising order."""
    k = now.systems
    if now.per_slot > now.items:  # all conditions for everybody: each must have the same number of items
        yield from (replace(now, items=items, per_slot=k) for items in range(1, k + 1) if k % items == 0)
    elif now.per_slot == now.items or now.items < k:
        most = 2 * max(now.items, k)
        yield from (replace(now, items=items, per_slot=items) for items in range(k, most + 1, k))
    else:
        yield from (replace(now, per_slot=items) for items in range(k, now.items + 1, k))


def _nearest(now: Numbers, found: Sequence[Numbers]) -> list[Numbers]:
    """The nearest below and the nearest above."""
    here = (now.items, now.per_slot)
    fewer = [numbers for numbers in found if (numbers.items, numbers.per_slot) < here]
    more = [numbers for numbers in found if (numbers.items, numbers.per_slot) > here]
    return [*fewer[-1:], *more[:1]]


def _text(before: Numbers, after: Numbers) -> str:
    parts = []
    if after.items != before.items:
        parts.append(_counted(after.items, "item"))
    if after.per_slot != before.per_slot and not (before.per_slot == before.items and after.per_slot == after.items):
        what = "item" if after.per_slot <= after.items else "trial"
        parts.append(f"{_counted(after.per_slot, what)} a participant")
    if after.slots != before.slots:
        parts.append(_counted(after.slots, "participant"))
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'s' if number != 1 else ''}"
