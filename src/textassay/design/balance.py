"""The balance of an assignment, counted on the plan itself, and which numbers would make it exact."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, permutations, product

from textassay.design.assignment import C, Cell
from textassay.design.order import williams_set
from textassay.prose import numbered


@dataclass(frozen=True)
class BalanceLine:
    """How often something happens: the minimum and maximum over all cases; exact if they are equal."""

    what: str
    least: int
    most: int

    @property
    def exact(self) -> bool:
        """Whether every case happens equally often."""
        return self.least == self.most


@dataclass(frozen=True)
class Balance:
    """The proof of balance: one line per property, and the remedies where one is not exact."""

    lines: tuple[BalanceLine, ...]
    squares: str
    """The plan in the terms of the literature, for example `3 Latin squares of 10 × 10`."""
    trials: int
    """Trials over all slots, without practice, checks and repeats."""
    remedies: tuple[Remedy, ...]
    """Alternatives: each of them makes every line exact."""

    @property
    def exact(self) -> bool:
        """Whether all properties hold exactly."""
        return all(line.exact for line in self.lines)


def balance_lines(
    items: Sequence[str],
    conditions: Sequence[C],
    slots: Sequence[Sequence[Cell[C]]],
    *,
    cells: Sequence[Cell[C]] | None = None,
    carry_over: bool = False,
    name: str = "system",
    groups: Mapping[str, Sequence[str]] | None = None,
) -> tuple[BalanceLine, ...]:
    """Count how often items and conditions occur in the slots.

    Args:
        items: All items.
        conditions: All conditions.
        slots: For each slot, its cells in the order in which they are shown.
        cells: What there is to be shown; by default every item in every condition.
        carry_over: Whether the order is meant to balance which condition follows which.
        name: What a condition is called, such as `system` or `pair of systems`.
        groups: Items that share their condition within one participant, where the design has such groups.

    >>> slots = [[Cell("i", "A"), Cell("j", "B")], [Cell("i", "B"), Cell("j", "A")]]
    >>> all(line.exact for line in balance_lines(["i", "j"], ["A", "B"], slots))
    True
    """
    shown = [cell for slot in slots for cell in slot]
    every = cells if cells is not None else [Cell(*each) for each in product(items, conditions)]
    lines = [
        _line("an item, for one participant", (Counter(cell.item for cell in slot).values() for slot in slots)),
        _line(
            f"a {name}, for one participant", (_counts((cell.condition for cell in slot), conditions) for slot in slots)
        ),
        _line("an item, over participants", [_counts((cell.item for cell in shown), items)]),
        _line(f"a {name}, over participants", [_counts((cell.condition for cell in shown), conditions)]),
        _line(f"an item × {name}, over participants", [_counts(shown, every)]),
    ]
    lines += _system_lines(conditions, slots, cell_label(name))
    if groups is not None:
        lines.append(_line(f"a {name} within one group, for one participant", _conditions_per_group(groups, slots)))
    if carry_over and len(conditions) > 1:
        neighbours = ((one.condition, next_.condition) for slot in slots for one, next_ in pairwise(slot))
        lines.append(_line(f"a {name} right after another", [_counts(neighbours, permutations(conditions, 2))]))
    return tuple(lines)


def _conditions_per_group(
    groups: Mapping[str, Sequence[str]], slots: Sequence[Sequence[Cell[C]]]
) -> Iterator[list[int]]:
    """The number of conditions in which each group is shown, for each participant."""
    group_of = {item: group for group, items in groups.items() for item in items}
    for slot in slots:
        yield list(Counter(group for group, _ in {(group_of[cell.item], cell.condition) for cell in slot}).values())


def group_remedies(numbers: Numbers) -> tuple[Remedy, ...]:
    """Remedies for a design over groups of items; they help only if all groups have the same size."""
    found = [
        Remedy(each.numbers, each.text.replace(" items", " groups of equal size"))
        for each in (find_remedies(numbers) if not numbers.exact else ())
    ]
    return tuple(found) or (Remedy(numbers, f"{numbers.items} groups of equal size"),)


def cell_label(name: str) -> str:
    """What one trial shows, in words.

    >>> cell_label("system"), cell_label("pair of systems"), cell_label("set of systems")
    ('text', 'comparison', 'page')

    Args:
        name: What a condition is called.
    """
    return {"system": "text", "set of systems": "page"}.get(name, "comparison")


def _system_lines(
    conditions: Sequence[Hashable], slots: Sequence[Sequence[Cell[C]]], label: str
) -> Iterator[BalanceLine]:
    """Where a condition is several systems: how often each is shown, one line per number of conditions it is in."""
    if not any(isinstance(condition, tuple) and len(condition) > 1 for condition in conditions):
        return
    conditions_with = Counter(system for condition in conditions for system in _systems(condition))
    shown = [Counter(system for cell in slot for system in _systems(cell.condition)) for slot in slots]
    numbers = sorted(set(conditions_with.values()))
    for number in numbers:
        alike = [system for system, count in conditions_with.items() if count == number]
        what = "a system" if len(numbers) == 1 else f"a system of {numbered(number, label)}"
        yield _line(f"{what}, for one participant", ([slot[system] for system in alike] for slot in shown))
        yield _line(f"{what}, over participants", [[sum(slot[system] for slot in shown) for system in alike]])


def _systems(condition: Hashable) -> tuple[Hashable, ...]:
    """The distinct systems of a condition; a system may be compared with itself."""
    return tuple(dict.fromkeys(condition)) if isinstance(condition, tuple) else (condition,)


def _counts(seen: Iterable[Hashable], cases: Iterable[Hashable]) -> list[int]:
    counter = Counter(seen)
    return [counter[case] for case in cases]


def _line(what: str, groups: Iterable[Iterable[int]]) -> BalanceLine:
    values = [count for group in groups for count in group]
    return BalanceLine(what, min(values, default=0), max(values, default=0))


def squares_in_words(numbers: Numbers, name: str, unit: str = "item") -> str:
    """Latin squares as the literature counts them, where the numbers allow; plain words where nothing rotates.

    >>> squares_in_words(Numbers(6, 3, 6, 6), "system"), squares_in_words(Numbers(6, 1, 48, 6), "system")
    ('1 Latin square of 6 × 6', '48 participants: each sees all 6 texts')
    """
    items, systems, slots, per_slot = numbers.items, numbers.systems, numbers.slots, numbers.per_slot
    people = f"{numbered(slots, 'participant')}: each" if slots != 1 else "the one participant"
    if systems == 1 and per_slot <= items and unit == "item":
        what = cell_label(name)
        part = f"{per_slot} of the {items} {what}s" if per_slot < items else f"all {items} {what}s"
        return f"{people} sees {part if items > 1 else f'the one {what}'}"
    if items == 1 and per_slot == 1:
        which = f"one of {numbered(systems, name)}" if systems > 1 else f"the one {name}"
        return f"{people} sees the one {unit} in {which}"
    if systems > 1 and slots and per_slot == items and slots % systems == 0:
        if items % slots == 0:  # one row per participant, although a system may occur twice in a row
            return f"{numbered(items // slots, 'Latin square')} of {slots} × {slots}"
        if items % systems == 0:
            return f"{numbered(items // systems * slots // systems, 'Latin square')} of {systems} × {systems}"
    side = math.gcd(items, systems)
    if side > 1 and slots and per_slot == max(items, systems) and slots % min(items, systems) == 0:
        return f"{numbered(slots * per_slot // side**2, 'Latin square')} of {side} × {side}"
    lists = f"{numbered(slots, 'list')} of {per_slot}"
    what = name if name == "system" else "condition"  # a noun with a regular plural
    return f"{lists} from {numbered(items, unit)} × {numbered(systems, what)}"


# --- remedies ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Numbers:
    """What the balance of a plan depends on."""

    items: int
    systems: int
    """Conditions in which items are shown: systems, or pairs of them."""
    slots: int
    """Participants."""
    per_slot: int
    """Trials per participant: one per item, or more where there are more conditions than items."""
    carry_over: bool = False
    """Whether it is also balanced which system follows which."""

    @property
    def step(self) -> int | None:
        """The balance is exact if the number of slots is a multiple of this; None if it cannot be exact."""
        # A participant must see all conditions equally often, and all items equally often if they repeat.
        if self.per_slot % self.systems or (self.per_slot > self.items and self.per_slot % self.items):
            return None
        cells = self.items * self.systems
        step = cells // math.gcd(cells, self.per_slot)
        if not self.carry_over or self.systems == 1:
            return step
        # The distance across the end of a cycle takes all values in turn, set after set (see order.py).
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


def find_remedies(now: Numbers) -> tuple[Remedy, ...]:
    """Alternative changes that each make the balance exact: of one number, or of two where one is not enough.

    >>> [str(remedy) for remedy in find_remedies(Numbers(items=30, systems=10, slots=12, per_slot=30))]
    ['10 participants', '20 participants']
    >>> [str(remedy) for remedy in find_remedies(Numbers(items=7, systems=3, slots=5, per_slot=7))]
    ['6 items and 6 participants', '9 items and 6 participants']
    """
    trials = list(_trials(now))
    found = [*_participants(now), *_nearest(now, [numbers for numbers in trials if numbers.exact])]
    if not found:
        both = [list(_participants(numbers)) for numbers in _nearest(now, trials)]
        found = [min(each, key=lambda numbers: abs(numbers.slots - now.slots)) for each in both]
    return tuple(Remedy(numbers, _text(now, numbers)) for numbers in found)


def _participants(now: Numbers) -> Iterator[Numbers]:
    """The nearest numbers of participants that fit these items, below and above."""
    if now.step is not None:
        below = now.slots // now.step * now.step
        around = (below, below + now.step)
        yield from (replace(now, slots=slots) for slots in around if slots and slots != now.slots)


def _trials(now: Numbers) -> Iterator[Numbers]:
    """Other numbers of items, or of items per participant, with which the balance can be exact; ascending."""
    k = now.systems
    if now.per_slot > now.items:  # every participant sees all conditions: each must have the same number of items
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
        parts.append(numbered(after.items, "item"))
    if after.per_slot != before.per_slot and not (before.per_slot == before.items and after.per_slot == after.items):
        what = "item" if after.per_slot <= after.items else "trial"
        parts.append(f"{numbered(after.per_slot, what)} per participant")
    if after.slots != before.slots:
        parts.append(numbered(after.slots, "participant"))
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))
