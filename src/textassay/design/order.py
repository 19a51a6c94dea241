"""The order in which each participant sees the trials."""

from __future__ import annotations

import math
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle, islice
from typing import Literal, TypeVar

from textassay.design.assignment import C, Cell
from textassay.design.squares import shifted, zigzag
from textassay.seeds import Stream

Order = Literal["random", "williams", "fixed"]
T = TypeVar("T")


def ordered(
    slots: Sequence[Sequence[Cell[C]]], how: Order, items: Sequence[str], conditions: Sequence[C], stream: Stream
) -> list[list[Cell[C]]]:
    """The cells of each slot in the order in which they are shown.

    `random` is drawn for each slot. `williams` runs through the conditions so that over slots each follows every other
    equally often; which of a condition's items comes when is random. `fixed` keeps the order of the items in their
    table.
    """
    if how == "fixed":
        rank = {item: index for index, item in enumerate(items)}
        return [sorted(cells, key=lambda cell: rank[cell.item]) for cells in slots]
    shuffled = [stream.child("slot", number).shuffled(cells) for number, cells in enumerate(slots)]
    return shuffled if how == "random" else _williams(shuffled, conditions, stream.child("williams"))


def williams_set(systems: int) -> int:
    """How many slots it takes until every system has followed every other equally often within its cycles."""
    return systems if systems % 2 == 0 or systems == 1 else 2 * systems


def _williams(slots: Sequence[Sequence[Cell[C]]], systems: Sequence[C], stream: Stream) -> list[list[Cell[C]]]:
    """Each slot runs through all systems, cycle after cycle, each cycle a row of a Williams square.

    Within a set of slots each begins with another row. The distance from the last system of a cycle to the first of
    the next is the same for the whole set, so that over the set this seam, too, joins every pair at that distance
    equally often; from seam to seam and from set to set it takes all distances in turn. So over sets of whole cycles
    pairs differ by at most one (by two where the systems are odd in number), and no system follows itself.
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
    """Row after row of a Williams square, without end; rows from k on are those that run backwards."""
    base = zigzag(k) if row < k else zigzag(k)[::-1]
    shift = row % k
    while True:
        symbols = shifted(base, shift)
        yield from symbols
        shift = (symbols[-1] + next(distances) - base[0]) % k


def _in_turn(cells: Sequence[Cell[C]], systems: Iterable[C]) -> list[Cell[C]]:
    """The cells in the order in which their systems are called; a system that has none left is passed over."""
    waiting: dict[C, deque[Cell[C]]] = defaultdict(deque)
    for cell in cells:
        waiting[cell.condition].append(cell)
    called = (waiting[system].popleft() for system in systems if waiting[system])
    return list(islice(called, len(cells)))


def spread(main: Sequence[T], extra: Sequence[T]) -> list[T]:
    """The extra trials put between the main ones at even distances.

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


def repeated(main: Sequence[T], count: int, stream: Stream) -> list[T]:
    """Which trials are shown a second time, after all others.

    They are drawn from the first half, so that at least half of the trials lie between the two times.

    Raises:
        ValueError: more than the first half was asked for.
    """
    half = main[: len(main) // 2]
    if count > len(half):
        raise ValueError(f"{count} repeats, but at most half of {len(main)} trials can be shown again")
    return stream.shuffled(half)[:count]
