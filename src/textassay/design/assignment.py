"""Which participant sees which item in which condition: repeated Latin squares, assigned slot by slot.

A *condition* is what an item is shown with: one system, a pair of them, or any number; here it is only a name, and
*system* stands for it below. A *slot* is the list of trials that one participant gets.

Cells (item × system) form one long sequence in which the items repeat cyclically and the systems repeat cyclically,
and each slot takes the next `per_slot` cells. Because items are cyclic, no slot shows an item twice; because systems
are cyclic, within a slot their counts differ by at most one. With n items, k systems and g their greatest common
divisor, the two cycles together cover n·k/g cells before they repeat; then the items are shifted by one, and after g
such rounds every cell has been assigned once. So after any number of slots

- no two cells,
- no two items and no two systems,
- and, within one slot, no two systems

differ by more than one in how often they occurred. Where a slot takes all items, k slots are a row of Latin squares.
Where a slot takes more cells than there are items, but no more than there are conditions (all pairs of many systems on
few items), the roles are exchanged: then a slot shows no condition twice, and items repeat as evenly as possible.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from textassay.seeds import Stream

A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C", bound=Hashable)


@dataclass(frozen=True)
class Cell(Generic[C]):
    """One item in one condition."""

    item: str
    condition: C


def assign(
    items: Sequence[str], conditions: Sequence[C], slots: int, per_slot: int, stream: Stream
) -> list[list[Cell[C]]]:
    """Cells for each slot, in the order of assignment.

    Items and conditions are permuted at random, again each time that a slot begins after all cells were assigned
    equally often. Where slots are whole squares, each square also has its own permutation of the conditions.

    >>> slots = assign(["i", "j"], ["A", "B"], 2, 2, Stream(1, "example"))
    >>> sorted((cell.item, cell.condition) for slot in slots for cell in slot)
    [('i', 'A'), ('i', 'B'), ('j', 'A'), ('j', 'B')]
    """
    return assign_lists(items, conditions, [per_slot] * slots, stream)


def assign_lists(
    items: Sequence[str], conditions: Sequence[C], sizes: Sequence[int], stream: Stream
) -> list[list[Cell[C]]]:
    """The same for slots that need not have equally many cells."""
    if not items or not conditions:
        raise ValueError("nothing to assign: at least one item and one condition are needed")
    most = max(sizes, default=1)
    if not 1 <= min(sizes, default=1) <= most <= max(len(items), len(conditions)):
        raise ValueError(f"{most} trials per slot, but there are {len(items)} items and {len(conditions)} conditions")
    if most <= len(items):
        return [[Cell(*pair) for pair in dealt] for dealt in _dealt(items, conditions, sizes, stream)]
    turned = _dealt(conditions, items, sizes, stream)
    return [[Cell(item, condition) for condition, item in dealt] for dealt in turned]


def _dealt(columns: Sequence[A], symbols: Sequence[B], sizes: Sequence[int], stream: Stream) -> list[list[tuple[A, B]]]:
    """Pairs of a column and a symbol for each slot, without repeating a column."""
    n, k = len(columns), len(symbols)
    whole_squares = all(size == n or (n % k == 0 and size % k == 0) for size in sizes)
    deal = _squares if whole_squares else _circles
    pair_at, place = deal(columns, symbols, stream.child("set", 0)), 0
    dealt: list[list[tuple[A, B]]] = []
    for slot, size in enumerate(sizes):
        if slot and place % (n * k) == 0:
            pair_at, place = deal(columns, symbols, stream.child("set", slot)), 0
        dealt.append([pair_at(place + step) for step in range(size)])
        place += size
    return dealt


def _circles(columns: Sequence[A], symbols: Sequence[B], stream: Stream) -> Callable[[int], tuple[A, B]]:
    """Columns and symbols repeat cyclically, whatever the numbers."""
    n, k = len(columns), len(symbols)
    outer, inner = stream.shuffled(columns), stream.shuffled(symbols)
    round_length = math.lcm(n, k)
    return lambda place: (outer[(place + place // round_length) % n], inner[place % k])


def _squares(columns: Sequence[A], symbols: Sequence[B], stream: Stream) -> Callable[[int], tuple[A, B]]:
    """A grid of g × g Latin squares, g the greatest common divisor of the numbers of columns and symbols.

    Only for slots whose boundaries are boundaries of squares; otherwise balance would break there. Columns form runs of
    k, each with its own permutation of the symbols, divided into k/g groups; every square uses the symbols of one
    group, and the squares of a run use the groups in turn. Where the last run is incomplete, the rows are taken in the
    order in which its groups continue cyclically.
    """
    n, k = len(columns), len(symbols)
    g = math.gcd(n, k)
    groups = k // g
    outer = stream.shuffled(columns)
    inner = [stream.child("square", run).shuffled(symbols) for run in range(math.ceil(n / k))]
    rows = [(lap * (n // g) % groups, start) for start in stream.permutation(g) for lap in range(groups)]

    def symbol(index: int, first_group: int, start: int) -> B:
        run, place = divmod(index, k)
        group = (first_group + place // g) % groups
        return inner[run][group * g + (start + place) % g]

    deck = [(column, symbol(index, *row)) for row in rows for index, column in enumerate(outer)]
    return lambda place: deck[place % len(deck)]
