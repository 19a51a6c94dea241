"""Many texts as they lie in a file: UTF-8 bytes, cut into Python strings only where somebody asks for those.

A million lines are a million objects otherwise, which take longer to make than some metrics need to score them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from operator import contains
from typing import overload

import numpy as np
import numpy.typing as npt

from textassay.kernels.texts import equal_texts

Int64 = npt.NDArray[np.int64]


class TextBlock(Sequence[str]):  # noqa: PLW1641 -- equal to lists, which have no hash either
    r"""Lines of a text file; a carriage return before a line feed is not part of the line.

    Args:
        data: Valid UTF-8 in which every line ends with a line feed.
        bounds: Where each line begins in it, and where the last one ends: one more than there are lines.

    >>> block = TextBlock(b"one\r\ntwo\n", np.array([0, 5, 9]))
    >>> list(block), block[1], list(block[1:]), block == ["one", "two"]
    (['one', 'two'], 'two', ['two'], True)
    """

    def __init__(self, data: bytes, bounds: Int64) -> None:
        self.data = data
        self.bounds = bounds

    @classmethod
    def joined(cls, blocks: Iterable[TextBlock]) -> TextBlock:
        """The texts of several blocks, one after the other."""
        listed = list(blocks)
        ends = np.cumsum([0, *(len(block.data) for block in listed)])
        parts = [block.bounds[:-1] + end for block, end in zip(listed, ends.tolist(), strict=False)]
        return cls(b"".join([block.data for block in listed]), np.concatenate([*parts, ends[-1:]]))

    @property
    def one_line(self) -> str:
        """All texts in one line, with spaces between them."""
        return self.data.replace(b"\n", b" ").decode("utf-8")

    def __len__(self) -> int:
        return len(self.bounds) - 1

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> TextBlock: ...

    def __getitem__(self, index: int | slice) -> str | TextBlock:
        if not isinstance(index, slice):
            return self._texts[index]
        start, stop, step = index.indices(len(self))
        if step != 1:
            return TextBlock.joined(self[row : row + 1] for row in range(start, stop, step))
        bounds = self.bounds[start : max(start, stop) + 1]
        return TextBlock(self.data[bounds[0] : bounds[-1]], bounds - bounds[0])

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __eq__(self, other: object) -> bool:
        return self._texts == list(other) if isinstance(other, Sequence) else NotImplemented

    def __reduce__(self) -> tuple[type[TextBlock], tuple[bytes, Int64]]:
        return TextBlock, (self.data, self.bounds)  # without the strings

    @cached_property
    def _texts(self) -> list[str]:
        lines = self.data.decode("utf-8").split("\n")
        del lines[-1]  # what follows the last line feed
        return [line.removesuffix("\r") for line in lines] if b"\r\n" in self.data else lines


class OneEach(Sequence[list[str]]):
    r"""Each of some texts in a list of its own, as the only reference of another text.

    Args:
        texts: A block, or a list.

    >>> each = OneEach(TextBlock(b"one\ntwo\n", np.array([0, 4, 8])))
    >>> each[1], list(each[:1])
    (['two'], [['one']])
    """

    def __init__(self, texts: TextBlock | list[str]) -> None:
        self.texts = texts

    def __len__(self) -> int:
        return len(self.texts)

    @overload
    def __getitem__(self, index: int) -> list[str]: ...

    @overload
    def __getitem__(self, index: slice) -> OneEach: ...

    def __getitem__(self, index: int | slice) -> list[str] | OneEach:
        return OneEach(self.texts[index]) if isinstance(index, slice) else [self.texts[index]]

    def __iter__(self) -> Iterator[list[str]]:
        return ([text] for text in self.texts)


def all_texts(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Sequence[str]:
    """Hypotheses, then all references; one block where both are blocks."""
    theirs = flat(references)
    if isinstance(hypotheses, TextBlock) and isinstance(theirs, TextBlock):
        return TextBlock.joined((hypotheses, theirs))
    return [*hypotheses, *theirs]


def flat(references: Sequence[Sequence[str]]) -> Sequence[str]:
    """All references, those of each hypothesis together."""
    return references.texts if isinstance(references, OneEach) else list(chain.from_iterable(references))


def as_list(texts: Sequence[str]) -> list[str]:
    """The texts as a list, which nobody may change: it may be the very one that was given."""
    return texts if isinstance(texts, list) else list(texts)


def identical_texts(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> npt.NDArray[np.bool_]:
    """For each hypothesis whether it is one of its references; of blocks only lines of equal length are compared."""
    if not isinstance(references, OneEach):
        return np.fromiter(map(contains, references, hypotheses), np.bool_, len(hypotheses))
    ours, theirs = hypotheses, references.texts
    if not (isinstance(ours, TextBlock) and isinstance(theirs, TextBlock)) or _has_returns(ours, theirs):
        return equal_texts(as_list(ours), as_list(theirs))
    found: npt.NDArray[np.bool_] = np.diff(ours.bounds) == np.diff(theirs.bounds)
    rows = np.flatnonzero(found)
    bounds = (ours.bounds[rows], ours.bounds[rows + 1], theirs.bounds[rows], theirs.bounds[rows + 1])
    found[rows] = [
        ours.data[start:end] == theirs.data[its_start:its_end]
        for start, end, its_start, its_end in zip(*(each.tolist() for each in bounds), strict=True)
    ]
    return found


def _has_returns(*blocks: TextBlock) -> bool:
    """Whether a line may end with a carriage return, which is no part of it."""
    return any(b"\r" in block.data for block in blocks)


def most_characters(texts: Sequence[str]) -> Int64:
    """For each text a number of characters that it does not exceed: of a block the bytes, so that none is decoded."""
    return np.diff(texts.bounds) if isinstance(texts, TextBlock) else np.fromiter(map(len, texts), np.int64, len(texts))
