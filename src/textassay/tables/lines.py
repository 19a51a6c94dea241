"""Plain text files as sequences of lines that are read on demand."""

from __future__ import annotations

import codecs
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import overload

import numpy as np
import numpy.typing as npt

from textassay.errors import Problem, ProblemsError
from textassay.tables.text_files import read_text
from textassay.text_block import OneEach, TextBlock

_BLOCK = 1 << 23
"""Bytes that are read together."""


class LineFile(Sequence[str]):
    """The lines of a UTF-8 text file of any size; only the offsets at which they begin are kept in memory.

    Only a line feed ends a line, since texts may contain other separators; a carriage return before it is not part of
    the line. The file must not change while this is in use: a change of its size is noticed.

    Args:
        path: The file.
        name: What to call it in a message; the path by default.

    Raises:
        ProblemsError: it is missing, cannot be read, is not UTF-8, or contains a NUL byte; with the place.
    """

    def __init__(self, path: Path, name: str = "") -> None:
        self.path = path
        self._name = name or str(path)
        self._starts = self._line_starts()

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...

    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        """One line, or a block of lines."""
        if isinstance(index, int):
            row = range(len(self))[index]
            return self._read(row, row + 1)[0]
        start, stop, step = index.indices(len(self))
        if step != 1:
            return [self[row] for row in range(start, stop, step)]
        return self._read(start, max(start, stop))

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), 10_000):
            yield from self[start : start + 10_000]

    def _line_starts(self) -> npt.NDArray[np.int64]:
        """The offset at which each line begins, and that after the last one; the text is checked on the way."""
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

    def _read(self, start: int, stop: int) -> TextBlock:
        first, last = int(self._starts[start]), int(self._starts[stop])
        with self.path.open("rb") as file:
            file.seek(first)
            data = file.read(last - first)
        if len(data) < last - first:
            message = "has become shorter while it was read; do not change the file, and start again"
            raise ProblemsError([Problem(self._name, 0, 0, "", message)])
        bounds = self._starts[start : stop + 1] - first
        if data and not data.endswith(b"\n"):  # the last line of a file may lack its end
            data, bounds[-1] = data + b"\n", len(data) + 1
        return TextBlock(data, bounds)


class _LineLists(Sequence[list[str]], ABC):
    """For each line number a list of texts, those of several files or columns; see `LineSets` about empty ones."""

    keep_empty: bool

    @abstractmethod
    def _rows(self, part: slice) -> Iterable[Sequence[str]]:
        """The texts of each of these lines, empty ones included."""

    @overload
    def __getitem__(self, index: int) -> list[str]: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[list[str]]: ...

    def __getitem__(self, index: int | slice) -> list[str] | Sequence[list[str]]:
        """One list, or as many as there are lines."""
        if isinstance(index, slice):
            rows = self._rows(index)
            return [list(row) for row in rows] if self.keep_empty else [_not_empty(row) for row in rows]
        place = range(len(self))[index]
        return self[place : place + 1][0]


class LineSets(_LineLists):
    """The lines of several files of equal length, side by side: for each line number the list of the files' lines.

    Empty lines of some of the files are omitted unless they are to be kept; where all are empty, or there is only one
    file, the list holds one empty text.
    """

    def __init__(self, files: Sequence[Sequence[str]], *, keep_empty: bool = False) -> None:
        self._files = files
        self.keep_empty = keep_empty

    def __len__(self) -> int:
        return len(self._files[0])

    @overload
    def __getitem__(self, index: int) -> list[str]: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[list[str]]: ...

    def __getitem__(self, index: int | slice) -> list[str] | Sequence[list[str]]:
        """One list, or as many as there are lines."""
        if isinstance(index, slice) and len(self._files) == 1:
            lines = self._files[0][index]
            if isinstance(lines, TextBlock):
                return OneEach(lines)
        return super().__getitem__(index)

    def _rows(self, part: slice) -> Iterable[Sequence[str]]:
        return zip(*(file[part] for file in self._files), strict=True)


class LineColumns(_LineLists):
    """The lines of one file, each split at its tabs: what `LineSets` is for several files.

    Args:
        lines: The lines of the file.
        name: What to call it in a message.
        columns: How many columns each line must have.
        keep_empty: Whether empty columns are texts.

    Raises:
        ProblemsError: a line has more columns or fewer.
    """

    def __init__(self, lines: Sequence[str], name: str, columns: int, *, keep_empty: bool = False) -> None:
        self._lines = lines
        self.keep_empty = keep_empty
        for number, line in enumerate(lines, 1):
            found = line.count("\t") + 1
            if found != columns:
                message = f"{found} tab-separated columns instead of {columns}; give every line {columns}"
                raise ProblemsError([Problem(name, number, 0, "", message)])

    def __len__(self) -> int:
        return len(self._lines)

    def _rows(self, part: slice) -> Iterable[Sequence[str]]:
        return (line.split("\t") for line in self._lines[part])


def _not_empty(row: Sequence[str]) -> list[str]:
    return list(row) if len(row) == 1 else [line for line in row if line] or [""]
