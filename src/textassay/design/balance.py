"""The balance of an assignment, counted on the plan itself, and what would make it exact."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from textassay.design.assignment import Cell


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
    """The plan in the words of the literature, for example `three 10×10 squares`."""
    trials: int
    """Trials over all slots, without practice, checks and repeats."""
    remedies: tuple[str, ...]

    @property
    def exact(self) -> bool:
        """Whether all properties hold exactly."""
        return all(line.exact for line in self.lines)


def balance(items: Sequence[str], systems: Sequence[str], slots: Sequence[Sequence[Cell]]) -> Balance:
    """Count what the slots hold.

    >>> balance(["i", "j"], ["A", "B"], [[Cell("i", "A"), Cell("j", "B")], [Cell("i", "B"), Cell("j", "A")]]).exact
    True
    """
    per_slot = max(map(len, slots), default=0)
    lines = (
        _line("an item, for one participant", [_counts((cell.item for cell in slot), None) for slot in slots]),
        _line("a system, for one participant", [_counts((cell.system for cell in slot), systems) for slot in slots]),
        _line("an item, over participants", [_counts((cell.item for slot in slots for cell in slot), items)]),
        _line("a system, over participants", [_counts((cell.system for slot in slots for cell in slot), systems)]),
        _line(
            "an item × system, over participants",
            [_counts(((cell.item, cell.system) for slot in slots for cell in slot), list(product(items, systems)))],
        ),
    )
    exact = all(line.exact for line in lines)
    remedies = () if exact else _remedies(len(items), len(systems), len(slots), per_slot)
    trials = sum(map(len, slots))
    return Balance(lines, _squares(len(items), len(systems), len(slots), per_slot), trials, remedies)


def _counts(seen: Iterable[object], all_cases: Iterable[object] | None) -> list[int]:
    counter: Counter[object] = Counter(seen)
    return list(counter.values()) if all_cases is None else [counter[case] for case in all_cases]


def _line(what: str, counts: Sequence[Sequence[int]]) -> BalanceLine:
    values = [count for group in counts for count in group]
    return BalanceLine(what, min(values, default=0), max(values, default=0))


def _squares(items: int, systems: int, slots: int, per_slot: int) -> str:
    """Squares as the literature counts them, where the numbers allow: slots × slots, items / slots of them."""
    if per_slot == items and items % slots == 0 and slots % systems == 0:
        count = items // slots
        return f"{count} Latin square{'s' if count > 1 else ''} of {slots} × {slots}"
    return f"{slots} lists of {per_slot} from {items} items × {systems} systems"


def _remedies(items: int, systems: int, slots: int, per_slot: int) -> tuple[str, ...]:
    """Numbers of participants and items that would make every line exact."""
    remedies = []
    if per_slot % systems:
        better = math.ceil(per_slot / systems) * systems
        if per_slot == items:
            remedies.append(
                f"{better} items (a multiple of {systems} systems) would show each participant every system equally often"
            )
        else:
            better = better if better <= items else (per_slot // systems) * systems
            remedies.append(
                f"{better} items a participant (a multiple of {systems} systems) would show each participant every system equally often"
            )
    step = items * systems // math.gcd(items * systems, per_slot)
    if slots % step:
        more = math.ceil(slots / step) * step
        remedies.append(f"{more} participants (a multiple of {step}) would show every item × system equally often")
    return tuple(remedies)
