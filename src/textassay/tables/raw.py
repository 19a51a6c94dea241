"""A table as its file has it, before anything is known of its columns."""

from __future__ import annotations

from collections.abc import Callable
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
    """Place of a value: from the line in which its row begins and the number of its column, from 0."""

    def place(self, row: RawRow, column: str) -> Place:
        """Where a value of a row stands."""
        return self.locate(row.line, self.header.index(column)) if column in self.header else (row.line, 0)
