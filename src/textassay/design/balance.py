"""The balance of an assignment, counted on the plan itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
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
) -> Balance:
    """Count what the slots hold.

    Args:
        items: All items.
        conditions: All conditions.
        slots: For each slot, its cells in the order in which they are shown.
        carry_over: Whether the order is meant to balance which condition follows which.
        name: What a condition is called, such as `system` or `pair of systems`.

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
    if carry_over and len(conditions) > 1:
        neighbours = ((one.condition, next_.condition) for slot in slots for one, next_ in pairwise(slot))
        lines.append(_line(f"a {name} right after another", [_counts(neighbours, permutations(conditions, 2))]))
    numbers = Numbers(len(items), len(conditions), len(slots), max(map(len, slots), default=0), carry_over)
    exact = all(line.exact for line in lines)
    return Balance(tuple(lines), _squares(numbers, name), len(cells), () if exact else remedies(numbers))


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
    lists = f"{_counted(slots, 'list')} of {per_slot}"
    what = name if name == "system" else "condition"  # one that has a plural
    return f"{lists} from {_counted(items, 'item')} × {_counted(systems, what)}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'s' if number != 1 else ''}"
