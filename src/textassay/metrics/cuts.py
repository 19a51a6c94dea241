"""Texts cut at white space, once for all tokenisers that begin so."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from textassay.kernels.numbering import PieceTable

MOST_PIECES = 1 << 17
"""One that has met more pieces than this begins anew, so that its memory has a bound."""

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]


class Cut(NamedTuple):
    """Texts as numbers of pieces."""

    pieces: Int32
    """Those of all texts, one text after the other."""
    offsets: Int64
    """Where each text begins, and where the last one ends."""
    known: list[str]
    """The piece that each number stands for; it grows as others are met, and is another list after a new beginning."""


class Cutter:
    """Cuts texts, and remembers the pieces from one chunk of texts to the next.

    >>> cut = Cutter().cut(["a rose is", "a rose"])
    >>> cut.pieces.tolist(), cut.offsets.tolist(), cut.known
    ([0, 1, 2, 0, 1], [0, 3, 5], ['a', 'rose', 'is'])
    """

    def __init__(self) -> None:
        self._begin()

    def cut(self, texts: Sequence[str]) -> Cut:
        """The pieces of the texts."""
        if len(self._known) > MOST_PIECES:
            self._begin()
        pieces, offsets, new = self._table.number(texts)
        self._known.extend(new)
        return Cut(pieces, offsets, self._known)

    def _begin(self) -> None:
        self._table = PieceTable()
        self._known: list[str] = []


class Texts:
    """Texts, of which one that is given twice, as the reference of several systems is, counts once."""

    def __init__(self, texts: Sequence[str], cutter: Cutter) -> None:
        self.distinct, self.rows = _distinct(texts)
        """The distinct texts, and for each text that was given its number among them."""
        self.cutter = cutter

    @cached_property
    def cut(self) -> Cut:
        """The distinct texts in pieces, for all who ask."""
        return self.cutter.cut(self.distinct)


def _distinct(texts: Sequence[str]) -> tuple[Sequence[str], Int64]:
    """The texts without those given again, and for each text its number among them.

    By identity, which costs less than a look at every text; an equal text of another origin is just encoded too.
    """
    found = dict(zip(map(id, texts), texts, strict=True))
    if len(found) == len(texts):
        return texts, np.arange(len(texts))
    numbers = dict(zip(found, range(len(found)), strict=True))
    return list(found.values()), np.fromiter((numbers[id(text)] for text in texts), np.int64, len(texts))
