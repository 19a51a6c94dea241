"""A plan that somebody brings: a table says who sees what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from typing_extensions import override

from textassay.design.assignment import C, Cell
from textassay.design.balance import BalanceLine, cell_label
from textassay.design.schemes import Scheme, judgements_in_words, lines_of_cells
from textassay.seeds import Stream


@dataclass(frozen=True)
class OwnPlan(Scheme[C]):
    """A table says who sees what."""

    lists: Sequence[Sequence[Cell[C]]]
    """The cells of each participant."""
    there: Sequence[Cell[C]] = ()
    """Texts that there are, of which the table may show some to nobody."""
    in_order: bool = False
    """Whether the cells are in the order in which they are shown."""

    @property
    def cells(self) -> list[Cell[C]]:
        """All that is shown, or could be."""
        return list(dict.fromkeys([*self.there, *(cell for own in self.lists for cell in own)]))

    @property
    @override
    def ordered(self) -> bool:
        return self.in_order

    @property
    @override
    def participants(self) -> int:
        return len(self.lists)

    @property
    @override
    def per_participant(self) -> int:
        return max(map(len, self.lists))

    @property
    @override
    def fewest_per_participant(self) -> int:
        return min(map(len, self.lists))

    def assign(self, slots: int, stream: Stream) -> list[list[Cell[C]]]:
        """The lists of the table; more slots than it has take them again in turn."""
        del stream
        return [list(self.lists[slot % len(self.lists)]) for slot in range(slots)]

    @override
    def in_words(self, slots: int, name: str) -> str:
        hands = self.assign(slots, Stream(0, "unused"))
        return f"as the table says, {judgements_in_words(hands, len(self.cells), cell_label(name))}"

    @override
    def lines(
        self, slots: Sequence[Sequence[Cell[C]]], *, carry_over: bool = False, name: str = "system"
    ) -> tuple[BalanceLine, ...]:
        return lines_of_cells(self.cells, slots, carry_over=carry_over, name=name)
