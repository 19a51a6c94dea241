"""Columns of texts seen as one sequence, without a copy: what is asked for is read when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, overload

T = TypeVar("T")


class Interleaved(Sequence[T]):
    """Columns of equal length as one sequence: the first row, then the second."""

    def __init__(self, columns: Sequence[Sequence[T]]) -> None:
        self._columns = columns

    def __len__(self) -> int:
        return len(self._columns) * len(self._columns[0])

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...

    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        width = len(self._columns)
        if not isinstance(index, slice):
            row, column = divmod(range(len(self))[index], width)
            return self._columns[column][row]
        if width == 1:
            return self._columns[0][index]
        start, stop, step = index.indices(len(self))
        if step != 1:
            return [self[position] for position in range(start, stop, step)]
        first = start // width
        rows = zip(*(column[first : -(-stop // width)] for column in self._columns), strict=True)
        return [value for row in rows for value in row][start - first * width : stop - first * width]


class Repeated(Sequence[T]):
    """A sequence with every value several times in a row."""

    def __init__(self, values: Sequence[T], times: int) -> None:
        self._values = values
        self._times = times

    def __len__(self) -> int:
        return self._times * len(self._values)

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...

    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        if not isinstance(index, slice):
            return self._values[range(len(self))[index] // self._times]
        if self._times == 1:
            return self._values[index]
        start, stop, step = index.indices(len(self))
        first = start // self._times
        values = self._values[first : -(-stop // self._times)]
        return [values[position // self._times - first] for position in range(start, stop, step)]


class ItemNumbers(Sequence[str]):
    """The numbers from 1 on, as words."""

    def __init__(self, n: int) -> None:
        self._numbers = range(1, n + 1)

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> list[str]: ...

    def __getitem__(self, index: int | slice) -> str | list[str]:
        found = self._numbers[index]
        return str(found) if isinstance(found, int) else [str(number) for number in found]


def picked(values: Sequence[T], rows: Sequence[int]) -> Sequence[T]:
    """Some of the values; neighbours as a slice, which is read from a file at once."""
    if rows and list(rows) == list(range(rows[0], rows[0] + len(rows))):
        return values[rows[0] : rows[0] + len(rows)]
    return [values[row] for row in rows]
