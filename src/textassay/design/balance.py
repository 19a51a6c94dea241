"""The balance of an assignment, counted on the plan itself."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations, product

from textassay.design.assignment import C, Cell
from textassay.design.remedies import Numbers, Remedy, remedies


@dataclass(frozen=True)
class BalanceLine:
    """How often something happens: least and most over all cases; exact when they are equal."""

    what: str
    least: int
    most: int

    @property
    def exact(self) -> bool:
        """Whether every case happens equally often."""
        return self.least == self.most


@dataclass(frozen=True)
class Balance:
    """The proof: a line for each property, and the remedies where one is inexact."""

    lines: tuple[BalanceLine, ...]
    squares: str
    """The plan in the words of the literature, for example `3 Latin squares of 10 × 10`."""
    trials: int
    """Trials over all slots, without practice, checks and repeats."""
    remedies: tuple[Remedy, ...]
    """Each of them alone makes every line exact."""

    @property
    def exact(self) -> bool:
        """Whether all properties hold exactly."""
        return all(line.exact for line in self.lines)


def balance(
    items: Sequence[str],
    conditions: Sequence[C],
    slots: Sequence[Sequence[Cell[C]]],
    *,
    carry_over: bool = False,
    name: str = "system",
    groups: Mapping[str, Sequence[str]] | None = None,
) -> Balance:
    """Count what the slots hold.

    Args:
        items: All items.
        conditions: All conditions.
        slots: For each slot, its cells in the order in which they are shown.
        carry_over: Whether the order is meant to balance which condition follows which.
        name: What a condition is called, such as `system` or `pair of systems`.
        groups: Items that are to be in the same condition for one participant, where the design has such groups.

    >>> balance(["i", "j"], ["A", "B"], [[Cell("i", "A"), Cell("j", "B")], [Cell("i", "B"), Cell("j", "A")]]).exact
    True
    """
    cells = [cell for slot in slots for cell in slot]
    lines = [
        _line("an item, for one participant", (Counter(cell.item for cell in slot).values() for slot in slots)),
        _line(
            f"a {name}, for one participant", (_counts((cell.condition for cell in slot), conditions) for slot in slots)
        ),
        _line("an item, over participants", [_counts((cell.item for cell in cells), items)]),
        _line(f"a {name}, over participants", [_counts((cell.condition for cell in cells), conditions)]),
        _line(
            f"an item × {name}, over participants",
            [_counts(((cell.item, cell.condition) for cell in cells), product(items, conditions))],
        ),
    ]
    lines += _of_systems(conditions, slots)
    if groups is not None:
        lines.append(_line(f"a {name} within one group, for one participant", _in_groups(groups, slots)))
    if carry_over and len(conditions) > 1:
        neighbours = ((one.condition, next_.condition) for slot in slots for one, next_ in pairwise(slot))
        lines.append(_line(f"a {name} right after another", [_counts(neighbours, permutations(conditions, 2))]))
    count = len(items) if groups is None else len(groups)
    per_slot = max(map(len, slots), default=0) if groups is None else count
    numbers = Numbers(count, len(conditions), len(slots), per_slot, carry_over)
    words = _squares(numbers, name) if groups is None else f"{_squares(numbers, name)}, over groups of items"
    if all(line.exact for line in lines):
        return Balance(tuple(lines), words, len(cells), ())
    found = remedies(numbers) if groups is None else _of_groups(numbers)
    return Balance(tuple(lines), words, len(cells), found)


def _in_groups(groups: Mapping[str, Sequence[str]], slots: Sequence[Sequence[Cell[C]]]) -> Iterator[list[int]]:
    """In how many conditions each group comes, for each participant."""
    group_of = {item: group for group, items in groups.items() for item in items}
    for slot in slots:
        yield list(Counter(group for group, _ in {(group_of[cell.item], cell.condition) for cell in slot}).values())


def _of_groups(numbers: Numbers) -> tuple[Remedy, ...]:
    """Remedies where groups of items take the place of items; they help only if the groups are of one size."""
    found = [
        Remedy(each.numbers, each.text.replace(" items", " groups of equal size"))
        for each in (remedies(numbers) if not numbers.exact else ())
    ]
    return tuple(found) or (Remedy(numbers, f"{numbers.items} groups of equal size"),)


def _of_systems(conditions: Sequence[Hashable], slots: Sequence[Sequence[Cell[C]]]) -> Iterator[BalanceLine]:
    """Where a condition is several systems: how often each system is shown, apart for those in more conditions."""
    if not any(isinstance(condition, tuple) and len(condition) > 1 for condition in conditions):
        return
    conditions_with = Counter(system for condition in conditions for system in _systems(condition))
    shown = [Counter(system for cell in slot for system in _systems(cell.condition)) for slot in slots]
    numbers = sorted(set(conditions_with.values()))
    for number in numbers:
        alike = [system for system, count in conditions_with.items() if count == number]
        what = "a system" if len(numbers) == 1 else f"a system of {_counted(number, 'comparison')}"
        yield _line(f"{what}, for one participant", ([slot[system] for system in alike] for slot in shown))
        yield _line(f"{what}, over participants", [[sum(slot[system] for slot in shown) for system in alike]])


def _systems(condition: Hashable) -> tuple[Hashable, ...]:
    """The systems of a condition, each once: a text may be compared with itself."""
    return tuple(dict.fromkeys(condition)) if isinstance(condition, tuple) else (condition,)


def _counts(seen: Iterable[Hashable], cases: Iterable[Hashable]) -> list[int]:
    counter = Counter(seen)
    return [counter[case] for case in cases]


def _line(what: str, groups: Iterable[Iterable[int]]) -> BalanceLine:
    values = [count for group in groups for count in group]
    return BalanceLine(what, min(values, default=0), max(values, default=0))


def _squares(numbers: Numbers, name: str) -> str:
    """Squares as the literature counts them, where the numbers allow."""
    items, systems, slots, per_slot = numbers.items, numbers.systems, numbers.slots, numbers.per_slot
    if slots and per_slot == items and slots % systems == 0:
        if items % slots == 0:  # as many rows as there are participants, though a system may come twice in a row
            return f"{_counted(items // slots, 'Latin square')} of {slots} × {slots}"
        if items % systems == 0:
            return f"{_counted(items // systems * slots // systems, 'Latin square')} of {systems} × {systems}"
    side = math.gcd(items, systems)
    if side > 1 and slots and per_slot == max(items, systems) and slots % min(items, systems) == 0:
        return f"{_counted(slots * per_slot // side**2, 'Latin square')} of {side} × {side}"
    lists = f"{_counted(slots, 'list')} of {per_slot}"
    what = name if name == "system" else "condition"  # one that has a plural
    return f"{lists} from {_counted(items, 'item')} × {_counted(systems, what)}"


def _counted(number: int, what: str) -> str:
    if number == 1:
        return f"1 {what}"
    head, of, rest = what.partition(" of ")  # pairs of systems
    return f"{number} {head}s{of}{rest}"
