"""Texts as the numbers that their characters have in Unicode."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import overload

import numpy as np
import numpy.typing as npt


class _Characters(Sequence[str]):
    """Every character at its number in Unicode."""

    def __len__(self) -> int:
        return sys.maxunicode + 1

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> list[str]: ...

    def __getitem__(self, index: int | slice) -> str | list[str]:
        numbers = range(len(self))[index]
        return chr(numbers) if isinstance(numbers, int) else list(map(chr, numbers))


CHARACTERS = _Characters()


def code_points(texts: Sequence[str]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """The characters of all texts as numbers, one text after the other, and where each text begins.

    >>> numbers, offsets = code_points(["ab", "", "é"])
    >>> numbers.tolist(), offsets.tolist()
    ([97, 98, 233], [0, 2, 2, 3])
    """
    offsets = np.zeros(len(texts) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)), out=offsets[1:])
    joined = "".join(texts).encode("utf-32-le", "surrogatepass")  # half a character counts like any other
    return np.frombuffer(joined, "<u4").astype(np.int32), offsets
