"""The order in which one participant sees the trials."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from typing import Literal, TypeVar

from textassay.design.assignment import Cell
from textassay.design.squares import williams_square
from textassay.seeds import Stream

Order = Literal["random", "williams", "fixed"]
T = TypeVar("T")


def ordered(
    cells: Sequence[Cell], how: Order, slot: int, items: Sequence[str], systems: Sequence[str], stream: Stream
) -> list[Cell]:
    """The cells of one slot in the order in which they are shown.

    `random` is drawn for each slot. `williams` runs through the systems in the rows of a Williams square, so that over
    slots every system follows every other equally often; which of a system's items comes when is random. `fixed`
    keeps the order of the items in their table.
    """
    if how == "fixed":
        rank = {item: index for index, item in enumerate(items)}
        return sorted(cells, key=lambda cell: rank[cell.item])
    shuffled = stream.shuffled(cells)
    return shuffled if how == "random" else _williams(shuffled, slot, systems)


def _williams(cells: Sequence[Cell], slot: int, systems: Sequence[str]) -> list[Cell]:
    waiting: dict[str, deque[Cell]] = defaultdict(deque)
    for cell in cells:
        waiting[cell.system].append(cell)
    rows = williams_square(len(systems))
    result: list[Cell] = []
    turn = slot
    while len(result) < len(cells):
        for symbol in rows[turn % len(rows)]:
            if waiting[systems[symbol]]:
                result.append(waiting[systems[symbol]].popleft())
        turn += 1
    return result


def spread(main: Sequence[T], extra: Sequence[T]) -> list[T]:
    """The extra trials put between the main ones at even distances, none first.

    >>> spread([1, 2, 3, 4], ["x"])
    [1, 2, 'x', 3, 4]
    """
    result = list(main)
    for index, trial in reversed(list(enumerate(extra))):
        result.insert(max(1, round((index + 1) * len(main) / (len(extra) + 1))), trial)
    return result


def repeated(main: Sequence[T], count: int, stream: Stream) -> list[T]:
    """Which trials are shown a second time: drawn from the first half, so that the second time is a while later."""
    half = main[: max(1, len(main) // 2)]
    return stream.shuffled(half)[:count]
