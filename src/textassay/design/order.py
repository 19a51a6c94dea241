"""The order in which each participant sees the trials: random, fixed, or balanced for what follows what (Williams)."""

from __future__ import annotations

import math
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle, islice
from typing import Literal, TypeVar

from textassay.design.assignment import C, Cell
from textassay.seeds import Stream

Order = Literal["random", "williams", "fixed"]
T = TypeVar("T")


def order_cells(
    slots: Sequence[Sequence[Cell[C]]], how: Order, items: Sequence[str], conditions: Sequence[C], stream: Stream
) -> list[list[Cell[C]]]:
    """The cells of each slot in the order in which they are shown.

    `random` shuffles each slot. `williams` runs through the conditions so that over slots each follows every other
    equally often; the order of the items within a condition is random. `fixed` keeps the order of the items table.
    """
    if how == "fixed":
        rank = {item: index for index, item in enumerate(items)}
        return [sorted(cells, key=lambda cell: rank[cell.item]) for cells in slots]
    shuffled = [stream.child("slot", number).shuffled(cells) for number, cells in enumerate(slots)]
    return shuffled if how == "random" else _williams(shuffled, conditions, stream.child("williams"))


def williams_set(systems: int) -> int:
    """The number of slots after which every system has followed every other equally often within its cycles."""
    return systems if systems % 2 == 0 or systems == 1 else 2 * systems


def _williams(slots: Sequence[Sequence[Cell[C]]], systems: Sequence[C], stream: Stream) -> list[list[Cell[C]]]:
    """Each slot runs through all systems, cycle after cycle, each cycle a row of a Williams square.

    Within a set of slots each begins with a different row. The distance from the last system of a cycle to the first
    of the next is the same for the whole set, so that over the set every pair at that distance follows each other
    equally often across the ends of cycles, too; from one end to the next and from set to set it takes all distances
    in turn. So over sets of whole cycles the counts of ordered pairs differ by at most one (by two where the number of
    systems is odd), and no system follows itself.
    """
    k = len(systems)
    names, distances = stream.shuffled(systems), stream.shuffled(range(1, k)) or [0]
    size = williams_set(k)
    rows: list[int] = []
    result = []
    for number, cells in enumerate(slots):
        turn, place = divmod(number, size)
        rows = rows if place else stream.child("set", turn).permutation(size)
        seams = turn * (math.ceil(len(cells) / k) - 1) % len(distances)
        symbols = _cycles(rows[place], k, islice(cycle(distances), seams, None))
        result.append(_in_turn(cells, (names[symbol] for symbol in symbols)))
    return result


def _cycles(row: int, k: int, distances: Iterator[int]) -> Iterator[int]:
    """Row after row of a Williams square, without end; rows from k on are the reversed ones."""
    base = zigzag(k) if row < k else zigzag(k)[::-1]
    shift = row % k
    while True:
        symbols = shifted(base, shift)
        yield from symbols
        shift = (symbols[-1] + next(distances) - base[0]) % k


def _in_turn(cells: Sequence[Cell[C]], systems: Iterable[C]) -> list[Cell[C]]:
    """The cells in the order in which their systems come; a system without remaining cells is skipped."""
    waiting: dict[C, deque[Cell[C]]] = defaultdict(deque)
    for cell in cells:
        waiting[cell.condition].append(cell)
    called = (waiting[system].popleft() for system in systems if waiting[system])
    return list(islice(called, len(cells)))


def spread(main: Sequence[T], extra: Sequence[T]) -> list[T]:
    """The extra trials inserted between the main ones at even distances.

    None is first, none is last, no two are neighbours, as long as there are fewer of them than main trials.

    >>> spread([1, 2, 3, 4], ["x"])
    [1, 2, 'x', 3, 4]
    >>> spread([1, 2, 3, 4], ["x", "y", "z"])
    [1, 'x', 2, 'y', 3, 'z', 4]
    """
    gaps = max(1, len(main) - 1)
    after: dict[int, list[T]] = defaultdict(list)
    for index, trial in enumerate(extra):
        after[(2 * index + 1) * gaps // (2 * len(extra))].append(trial)
    result: list[T] = []
    for index, trial in enumerate(main):
        result += [trial, *after[index]]
    return result


def choose_repeats(main: Sequence[T], count: int, stream: Stream) -> list[T]:
    """The trials that are shown a second time, after all others.

    They are sampled from the first half, so that at least half of the trials lie between the two presentations.

    Raises:
        ValueError: more repeats than the first half has trials.
    """
    half = main[: len(main) // 2]
    if count > len(half):
        raise ValueError(f"{count} repeats, but at most half of {len(main)} trials can be shown again")
    return stream.shuffled(half)[:count]


Row = tuple[int, ...]
Square = tuple[Row, ...]


def zigzag(n: int) -> Row:
    """The first row of a Williams square: 0, 1, n-1, 2, n-2 and so on.

    For even n its steps (mod n) are all numbers from 1 to n-1, each once; for odd n, its steps and those of the row
    read backwards are each of them twice.

    >>> zigzag(6)
    (0, 1, 5, 2, 4, 3)
    """
    return tuple((step + 1) // 2 if step % 2 else (n - step // 2) % n for step in range(n))


def shifted(row: Row, by: int) -> Row:
    """The row with a constant added to every symbol (mod n).

    >>> shifted((0, 1, 3, 2), 1)
    (1, 2, 0, 3)
    """
    return tuple((symbol + by) % len(row) for symbol in row)


def williams_square(n: int) -> Square:
    """Rows in which every symbol follows every other equally often (Williams 1949).

    For even n these are the n rows of one Latin square, and each ordered pair of neighbours occurs once. For odd n
    no single cyclic square can do this: the rows of two squares are returned, and each pair occurs twice.

    >>> williams_square(4)
    ((0, 1, 3, 2), (1, 2, 0, 3), (2, 3, 1, 0), (3, 0, 2, 1))
    """
    rows = tuple(shifted(zigzag(n), by) for by in range(n))
    mirrored = tuple(tuple(reversed(row)) for row in rows)
    return rows + mirrored if n % 2 and n > 1 else rows
