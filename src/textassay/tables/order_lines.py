"""Orders in plain files, one per line: units separated by spaces or commas, or a JSON list."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar, overload

from textassay.errors import Problem, ProblemsError

T = TypeVar("T")
S = TypeVar("S")
_SHOWN = 40
"""The most characters of a line that a message shows."""


def units_of_line(line: str) -> tuple[str, ...]:
    """The units of an order, as text: numbers or labels, from first to last.

    Raises:
        ValueError: the line is no order; with what to write instead.

    >>> units_of_line("2 0 1"), units_of_line("b, a, c"), units_of_line('["b", "a"]'), units_of_line("[2, 0, 1]")
    (('2', '0', '1'), ('b', 'a', 'c'), ('b', 'a'), ('2', '0', '1'))
    """
    text = line.strip()
    if text.startswith("["):
        return _of_list(text)
    if "," not in text:
        return tuple(text.split())
    units = [unit.strip() for unit in text.split(",")]
    if not all(units):
        raise ValueError("nothing between two commas, or after the last; give every unit's number or label")
    if any(len(unit.split()) > 1 for unit in units):
        raise ValueError("units are separated by commas and by spaces; use one of the two")
    return tuple(units)


def _of_list(text: str) -> tuple[str, ...]:
    try:
        found = json.loads(text)
    except ValueError:
        shown = text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
        raise ValueError(f"{shown!r} is no JSON list; write [2, 0, 1], or labels in double quotes") from None
    for unit in found:
        if isinstance(unit, list):
            raise ValueError("a list of lists; write one order per line")
        if isinstance(unit, bool) or not isinstance(unit, int | str):
            raise ValueError(f"{json.dumps(unit)} is no unit; give whole numbers or labels")
    return tuple(map(str, found))


class MappedLines(Sequence[T], Generic[S, T]):
    """Another sequence with each value made from that of a line, when it is asked for.

    Args:
        lines: What is known of each line.
        made: From the line's number, counted from 1, and its value.
    """

    def __init__(self, lines: Sequence[S], made: Callable[[int, S], T]) -> None:
        self._lines = lines
        self._made = made

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> list[T]: ...

    def __getitem__(self, index: int | slice) -> T | list[T]:
        """One value, or a list of them."""
        if isinstance(index, slice):
            numbers = range(1, len(self) + 1)[index]
            return [self._made(number, value) for number, value in zip(numbers, self._lines[index], strict=True)]
        return self._made(range(1, len(self) + 1)[index], self._lines[index])


def order_lines(lines: Sequence[str], name: str) -> Sequence[tuple[str, ...]]:
    """The orders of a file; a line that is none is refused, with its place, when it is asked for.

    >>> order_lines(["1 0", "0, 1"], "orders.txt")[0:2]
    [('1', '0'), ('0', '1')]
    """
    return MappedLines(lines, lambda number, line: _order(name, number, line))


def order_line_sets(rows: Sequence[Sequence[str]], name: str) -> Sequence[list[tuple[str, ...]]]:
    """The reference orders of each line, of which there is at least one."""

    def orders(number: int, row: Sequence[str]) -> list[tuple[str, ...]]:
        found = [_order(name, number, line) for line in row]
        if not any(found):
            raise ProblemsError([Problem(name, number, 0, "", "an empty line; give the reference order of this text")])
        return found

    return MappedLines(rows, orders)


def _order(name: str, number: int, line: str) -> tuple[str, ...]:
    try:
        return units_of_line(line)
    except ValueError as error:
        raise ProblemsError([Problem(name, number, 0, "", str(error))]) from None
