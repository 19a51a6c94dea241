"""Systems between participants: each participant sees the texts of one system only."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from typing_extensions import override

from textassay.design.assignment import C, Cell, assign_lists
from textassay.design.balance import BalanceLine, Numbers, Remedy, cell_label
from textassay.design.schemes import Scheme, lines_of_cells
from textassay.design.strata import Strata
from textassay.prose import numbered
from textassay.seeds import Stream


@dataclass(frozen=True)
class Between(Scheme[C]):
    """Each participant sees texts of one condition only, so that conditions are compared between participants."""

    cells: Sequence[Cell[C]]
    size: int | None = None
    """Texts of one participant, at most; by default all of the condition."""
    strata: Strata | None = None

    @property
    def items(self) -> dict[C, list[str]]:
        """The items that there are in each condition."""
        found: dict[C, list[str]] = {}
        for cell in self.cells:
            found.setdefault(cell.condition, []).append(cell.item)
        return found

    def _shown(self, items: Sequence[str]) -> int:
        return min(self.size or len(items), len(items))

    @property
    @override
    def per_participant(self) -> int:
        return max(map(self._shown, self.items.values()))

    @property
    @override
    def fewest_per_participant(self) -> int:
        return min(map(self._shown, self.items.values()))

    @override
    def assign(self, slots: int, stream: Stream) -> list[list[Cell[C]]]:
        items = self.items
        rounds = range(-(-slots // len(items)))
        turns = [each for turn in rounds for each in stream.child("round", turn).shuffled(list(items))][:slots]
        lists = {}
        for place, (condition, own) in enumerate(items.items()):
            sizes, draws = [self._shown(own)] * turns.count(condition), stream.child("items", place)
            share = assign_lists if self.strata is None else self.strata.assign
            lists[condition] = iter(share(own, [condition], sizes, draws))
        return [next(lists[condition]) for condition in turns]

    @override
    def in_words(self, slots: int, name: str) -> str:
        items, what = self.items, cell_label(name)
        fewest, more = divmod(slots, len(items))
        of_each = f"{fewest} or {fewest + 1}" if more else f"{fewest}"
        whole = [len(own) for own in items.values()]
        there = f"{min(whole)}" if len(set(whole)) == 1 else f"{min(whole)} to {max(whole)}"
        part = f"{self.size} of the {there} {what}s" if self.size and self.size < min(whole) else f"the {there} {what}s"
        part = f"the one {what}" if max(whole) == 1 else part
        if len(items) == 1:
            people = f"{numbered(slots, 'participant')}: each" if slots > 1 else "the one participant"
            return f"{people} sees {part} of the one {name}"
        people = f"{numbered(slots, 'participant')}, {of_each} for each of {numbered(len(items), name)}"
        several = numbered(2, name).removeprefix("2 ")
        return f"{people}: each sees {part} of one {name}, so {several} are compared between people"

    @override
    def remedies(self, slots: int, *, carry_over: bool) -> tuple[Remedy, ...]:
        del carry_over
        items = self.items
        rounds = math.lcm(*(len(own) // math.gcd(len(own), self._shown(own)) for own in items.values()))
        step = rounds * len(items)
        around = {slots // step * step, -(-slots // step) * step} - {0, slots}
        numbers = [Numbers(max(map(len, items.values())), len(items), each, self.per_participant) for each in around]
        return tuple(
            Remedy(each, numbered(each.slots, "participant")) for each in sorted(numbers, key=lambda each: each.slots)
        )

    @override
    def lines(
        self, slots: Sequence[Sequence[Cell[C]]], *, carry_over: bool = False, name: str = "system"
    ) -> tuple[BalanceLine, ...]:
        del carry_over
        every = {line.what: line for line in lines_of_cells(self.cells, slots, carry_over=False, name=name)}
        people = Counter(cell.condition for slot in slots for cell in slot[:1])
        counts = [people[condition] for condition in self.items]
        return (
            every["an item, for one participant"],
            BalanceLine(f"a participant, for one {name}", min(counts), max(counts)),
            every[f"an item × {name}, over participants"],
        )
