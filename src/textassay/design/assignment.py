"""Which participant sees which item from which system: repeated Latin squares, dealt out one list after another.

A *slot* is the list that one participant gets. Cells (item × system) are laid in one long row in which the items run
on in a circle and the systems run on in a circle, and each slot takes the next `per_slot` cells. As items run on, no
slot shows an item twice; as systems run on, no slot shows one system twice more often than another. With n items, k
systems and g their greatest common divisor, the two circles together pass n·k/g cells before they repeat; then the
items are moved on by one, and after g such rounds every cell was dealt once. So after any number of slots

- no two cells,
- no two items and no two systems,
- and, within one slot, no two systems

differ by more than one in how often they came up. Where a slot takes all items, k slots are a row of Latin squares.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textassay.seeds import Stream


@dataclass(frozen=True)
class Cell:
    """One item as one system wrote it."""

    item: str
    system: str


def assign(items: Sequence[str], systems: Sequence[str], slots: int, per_slot: int, stream: Stream) -> list[list[Cell]]:
    """Cells for each slot, in the order in which they were dealt.

    Items and systems are permuted at random, anew each time that all cells were dealt equally often and a slot begins.
    Where the lists are whole squares, each square also has its own permutation of the systems.

    >>> slots = assign(["i", "j"], ["A", "B"], 2, 2, Stream(1, "example"))
    >>> sorted((cell.item, cell.system) for slot in slots for cell in slot)
    [('i', 'A'), ('i', 'B'), ('j', 'A'), ('j', 'B')]
    """
    if not items or not systems:
        raise ValueError("there is nothing to assign: at least one item and one system are needed")
    if not 1 <= per_slot <= len(items):
        raise ValueError(f"{per_slot} items a slot, but there are {len(items)}")
    n, k = len(items), len(systems)
    whole_squares = per_slot == n or (n % k == 0 and per_slot % k == 0)
    deal = _squares if whole_squares else _circles
    cell_at, place = deal(items, systems, stream.child("set", 0)), 0
    dealt: list[list[Cell]] = []
    for slot in range(slots):
        if slot and place % (n * k) == 0:
            cell_at, place = deal(items, systems, stream.child("set", slot)), 0
        dealt.append([cell_at(place + step) for step in range(per_slot)])
        place += per_slot
    return dealt


def _circles(items: Sequence[str], systems: Sequence[str], stream: Stream) -> Callable[[int], Cell]:
    """Items and systems run on without a seam, whatever the numbers."""
    n, k = len(items), len(systems)
    columns, symbols = stream.shuffled(items), stream.shuffled(systems)
    round_length = math.lcm(n, k)
    return lambda place: Cell(columns[(place + place // round_length) % n], symbols[place % k])


def _squares(items: Sequence[str], systems: Sequence[str], stream: Stream) -> Callable[[int], Cell]:
    """Square after square of k items, each with its own permutation of the systems and the rows in random order.

    Only for slots whose boundaries are boundaries of squares: elsewhere the seams would show. Where the items are no
    multiple of k, the rows are taken in the order in which the incomplete last square runs on without a seam.
    """
    n, k = len(items), len(systems)
    columns = stream.shuffled(items)
    symbols = [stream.child("square", square).shuffled(systems) for square in range(math.ceil(n / k))]
    rounds = math.gcd(n, k)
    rows = [(start + lap * n) % k for start in stream.permutation(rounds) for lap in range(k // rounds)]
    deck = [Cell(item, symbols[index // k][(index + row) % k]) for row in rows for index, item in enumerate(columns)]
    return lambda place: deck[place % len(deck)]
