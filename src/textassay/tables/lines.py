"""Plain text files as sequences of lines that are read when they are asked for."""

from __future__ import annotations

import codecs
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import overload

import numpy as np
import numpy.typing as npt

from textassay.errors import Problem, ProblemsError
from textassay.tables.decode import read_text

_BLOCK = 1 << 23
"""Bytes that are looked at together."""


class LineFile(Sequence[str]):
    """The lines of a file of UTF-8 text, however many; only where they begin is kept in memory.

    Only a line feed ends a line, for texts may hold other separators; a carriage return before it is not part of the
    line. The file must not change while this is in use: a change of its size is noticed.

    Args:
        path: The file.
        name: What to call it in a message; the path by default.

    Raises:
        ProblemsError: it is missing, cannot be read, is not UTF-8, or holds a NUL byte; with the place.
    """

    def __init__(self, path: Path, name: str = "") -> None:
        self.path = path
        self._name = name or str(path)
        self._starts = self._look()

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> list[str]: ...

    def __getitem__(self, index: int | slice) -> str | list[str]:
        """One line, or a list of lines."""
        if isinstance(index, int):
            row = range(len(self))[index]
            return self._read(row, row + 1)[0]
        start, stop, step = index.indices(len(self))
        if step != 1:
            return [self[row] for row in range(start, stop, step)]
        return self._read(start, stop) if start < stop else []

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), 10_000):
            yield from self[start : start + 10_000]

    def _look(self) -> npt.NDArray[np.int64]:
        """Where each line begins, and where the last one ends with its line feed; everything checked on the way."""
        try:
            return self._scan()
        except (OSError, UnicodeDecodeError, ValueError):
            read_text(self.path, self._name)  # says what is wrong, and where
            raise

    def _scan(self) -> npt.NDArray[np.int64]:
        check = codecs.getincrementaldecoder("utf-8")()
        ends: list[npt.NDArray[np.int64]] = []
        with self.path.open("rb") as file:
            start = len(codecs.BOM_UTF8) if file.read(3) == codecs.BOM_UTF8 else 0
            size = file.seek(start)
            while block := file.read(_BLOCK):
                check.decode(block)
                if b"\0" in block:
                    raise ValueError("a NUL byte")
                ends.append(np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n")) + size + 1)
                size += len(block)
        check.decode(b"", final=True)
        starts = np.concatenate([[start], *ends]).astype(np.int64)
        return starts if starts[-1] == size else np.append(starts, size)

    def _read(self, start: int, stop: int) -> list[str]:
        first, last = int(self._starts[start]), int(self._starts[stop])
        with self.path.open("rb") as file:
            file.seek(first)
            data = file.read(last - first)
        if len(data) < last - first:
            message = "has become shorter while it was read; leave it alone and start again"
            raise ProblemsError([Problem(self._name, 0, 0, "", message)])
        return [line.removesuffix("\r") for line in data.decode("utf-8").removesuffix("\n").split("\n")]


class _LineLists(Sequence[list[str]], ABC):
    """For each line the list of what stands there in several places, as far as anything does."""

    @abstractmethod
    def _rows(self, part: slice) -> Iterable[Sequence[str]]:
        """What stands in the places of each of these lines."""

    @overload
    def __getitem__(self, index: int) -> list[str]: ...

    @overload
    def __getitem__(self, index: slice) -> list[list[str]]: ...

    def __getitem__(self, index: int | slice) -> list[str] | list[list[str]]:
        """One list, or a list of lists."""
        if isinstance(index, slice):
            return [_present(row) for row in self._rows(index)]
        place = range(len(self))[index]
        return self[place : place + 1][0]


class LineSets(_LineLists):
    """The lines of several files of equal length, side by side: for each line the list of what the files have there.

    Where one of several files has an empty line, it has nothing there; where all have, or there is one file only, the
    list holds one empty text.
    """

    def __init__(self, files: Sequence[Sequence[str]]) -> None:
        self._files = files

    def __len__(self) -> int:
        return len(self._files[0])

    def _rows(self, part: slice) -> Iterable[Sequence[str]]:
        return zip(*(file[part] for file in self._files), strict=True)


class LineColumns(_LineLists):
    """The lines of one file, each cut at its tabs: what `LineSets` is for several files.

    Args:
        lines: The lines of the file.
        name: What to call it in a message.
        columns: How many there are.

    Raises:
        ProblemsError: a line has more columns or fewer.
    """

    def __init__(self, lines: Sequence[str], name: str, columns: int) -> None:
        self._lines = lines
        for number, line in enumerate(lines, 1):
            found = line.count("\t") + 1
            if found != columns:
                message = f"{found} parts between tabs instead of {columns}; give each line as many"
                raise ProblemsError([Problem(name, number, 0, "", message)])

    def __len__(self) -> int:
        return len(self._lines)

    def _rows(self, part: slice) -> Iterable[Sequence[str]]:
        return (line.split("\t") for line in self._lines[part])


def _present(row: Sequence[str]) -> list[str]:
    return list(row) if len(row) == 1 else [line for line in row if line] or [""]
