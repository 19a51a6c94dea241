"""A table as a file has it, before anything is known of its columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

Place = tuple[int, int]
"""Line and column, from 1; column 0 where the line as a whole is meant."""


@dataclass(frozen=True, slots=True)
class RawRow:
    """A row as the file has it."""

    values: dict[str, Any]
    line: int
    """The line in which it begins."""
    problems: tuple[tuple[str, str], ...] = ()
    """What is wrong with its form: name of the column (or nothing) and message."""


def _whole_line(line: int, index: int) -> Place:
    del index
    return line, 0


class RawTable(NamedTuple):
    """A table as the file has it."""

    header: list[str]
    rows: list[RawRow]
    line: int = 0
    """The line of the header; 0 where the format has none."""
    locate: Callable[[int, int], Place] = _whole_line
    """Place of a value, from the line in which its row begins and the index of its column, from 0."""
    one_header: tuple[str, ...] = ()
    """Where the header seems to have two rows, as merged cells leave it: the names that one row would have."""

    @property
    def filled_rows(self) -> list[RawRow]:
        """The rows in which there is anything; spreadsheets leave empty ones at the end."""
        return [row for row in self.rows if row.problems or not all(map(is_blank, row.values.values()))]

    def place(self, row: RawRow, column: str) -> Place:
        """The place of a value of a row."""
        return self.locate(row.line, self.header.index(column)) if column in self.header else (row.line, 0)


Cells = tuple[int, list[Any]]
"""The line in which a row of a grid begins, and its cells."""


def trimmed(header: list[str], rows: Sequence[Cells]) -> tuple[list[str], list[Cells]]:
    """A grid without what spreadsheets leave at its right edge: unnamed columns without values.

    >>> trimmed(["a", "b", ""], [(2, ["1", "2", ""]), (3, ["3", "4"])])
    (['a', 'b'], [(2, ['1', '2']), (3, ['3', '4'])])
    """
    named = max((place for place, name in enumerate(header, 1) if name.strip()), default=0)
    if named and all(is_blank(cell) for _, row in rows for cell in row[named : len(header)]):
        header = header[:named]
    width = len(header)
    return header, [(line, row[:width] if all(map(is_blank, row[width:])) else row) for line, row in rows]


_LONGEST_NAME = 40


def merged_header(header: Sequence[str], first: Sequence[Any]) -> tuple[str, ...]:
    """The names of a header in two rows, as merged cells leave it; nothing where one row is the header.

    >>> merged_header(["id", "Systems", ""], ["", "gpt-x", "llama-y"])
    ('id', 'gpt-x', 'llama-y')
    """
    if len(first) != len(header):
        return ()
    below = [not is_blank(cell) for cell in first]
    unnamed = any(not name.strip() and there for name, there in zip(header, below, strict=True))
    named = any(name.strip() and not there for name, there in zip(header, below, strict=True))
    if not (unnamed and named and all(len(str(cell)) <= _LONGEST_NAME for cell in first)):
        return ()
    return tuple(str(cell) if there else name for name, cell, there in zip(header, first, below, strict=True))


def is_blank(cell: Any) -> bool:
    """Whether nothing is in a cell: no value, not a number, or only spaces."""
    return cell is None or cell != cell or (isinstance(cell, str) and not cell.strip())  # noqa: PLR0124 -- nan
