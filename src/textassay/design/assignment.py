"""Which participant sees which item from which system: repeated Latin squares, dealt along their diagonals.

Lay items out as columns and systems as rows. Diagonal d holds each item once, with system (item + d) mod k, so the k
diagonals together hold every item × system once, and k neighbouring items on k diagonals are a Latin square. A slot
(the list that one participant gets) is the next `per_slot` cells along the diagonals. Where a slot takes all items it
is one diagonal, and k slots are a row of Latin squares; where it takes fewer, the slots go on where the last one
stopped, so that after any number of slots no two cells differ by more than one in how often they were dealt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textassay.seeds import Stream


@dataclass(frozen=True)
class Cell:
    """One item as one system wrote it."""

    item: str
    system: str


def assign(items: Sequence[str], systems: Sequence[str], slots: int, per_slot: int, stream: Stream) -> list[list[Cell]]:
    """Cells for each slot, in the order in which they were dealt.

    Items and systems are permuted at random, anew for each complete set of cells, and systems also anew within each
    square where squares and slots have a common boundary.

    >>> slots = assign(["i", "j"], ["A", "B"], 2, 2, Stream(1, "example"))
    >>> sorted((cell.item, cell.system) for slot in slots for cell in slot)
    [('i', 'A'), ('i', 'B'), ('j', 'A'), ('j', 'B')]
    """
    if per_slot > len(items):
        raise ValueError(f"{per_slot} items a slot, but there are only {len(items)}")
    total = len(items) * len(systems)
    aligned = per_slot == len(items) or per_slot % len(systems) == 0
    dealt: list[list[Cell]] = []
    deck: list[Cell] = []
    place = 0
    for slot in range(slots):
        if not deck or place == 0:
            deck = _deck(items, systems, stream.child("set", slot), own_squares=aligned)
        dealt.append([deck[(place + step) % total] for step in range(per_slot)])
        place = (place + per_slot) % total
    return dealt


def _deck(items: Sequence[str], systems: Sequence[str], stream: Stream, *, own_squares: bool) -> list[Cell]:
    """All cells along the diagonals, items and systems permuted."""
    k = len(systems)
    columns = stream.shuffled(items)
    squares = range((len(items) + k - 1) // k)
    symbols = [stream.child("square", square if own_squares else 0).shuffled(systems) for square in squares]
    return [
        Cell(item, symbols[index // k][(index + diagonal) % k])
        for diagonal in stream.permutation(k)
        for index, item in enumerate(columns)
    ]
