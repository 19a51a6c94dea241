"""Numbers for pieces of text and for labels, in the order in which they are first met."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Sequence
from itertools import chain, count, islice, pairwise
from operator import itemgetter
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.kernels.arguments import Int32, Int64
from textassay.kernels.choice import compiled_loop
from textassay.text_block import TextBlock

PADDING = " " * 8
"""What must follow the last text in memory, for the loop reads eight bytes at once."""
_FIRST_CAPACITY = 1 << 12
"""How many distinct pieces fit at first; doubled when that may not be enough."""


class PieceTable:
    r"""Numbers of pieces of text, remembered from call to call.

    A piece is what `str.split` finds. Equal pieces have equal numbers, counted from 0 in the order in which pieces
    are met for the first time; the same numbers with the compiled loop and with its fallback. A table belongs to one
    thread at a time.

    >>> table = PieceTable()
    >>> numbers, offsets = table.number(["a rose is", "a rose"])
    >>> numbers.tolist(), offsets.tolist(), table.pieces()
    ([0, 1, 2, 0, 1], [0, 3, 5], ['a', 'rose', 'is'])
    >>> table.number(["is\u3000it"])[0].tolist(), table.pieces(3)
    ([2, 3], ['it'])
    """

    def __init__(self) -> None:
        loop = compiled_loop("numbering") if sys.byteorder == "little" else None
        self._table: _FallbackTable | _CompiledTable = _FallbackTable() if loop is None else _CompiledTable(loop)

    def __len__(self) -> int:
        return len(self._table)

    def number(self, texts: Sequence[str]) -> tuple[Int32, Int64]:
        """The piece numbers of all texts one after the other, and where each text begins and the last one ends."""
        return self._table.number(texts)

    def pieces(self, since: int = 0) -> list[str]:
        """The pieces that have numbers from this one on."""
        return self._table.pieces(since)


class _FallbackTable:
    """The plain-Python fallback."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def pieces(self, since: int) -> list[str]:
        return list(islice(self._numbers, since, None))

    def number(self, texts: Sequence[str]) -> tuple[Int32, Int64]:
        known = self._numbers
        split = [text.split() for text in texts]
        offsets = np.cumsum([0, *map(len, split)], dtype=np.int64)
        for piece in chain.from_iterable(split):
            if piece not in known:
                known[piece] = len(known)
        numbers = np.fromiter(map(known.__getitem__, chain.from_iterable(split)), np.int32, int(offsets[-1]))
        return numbers, offsets


class _CompiledTable:
    """The arrays that the compiled loop works on."""

    def __init__(self, loop: ModuleType) -> None:
        self._loop = loop
        self._count = 0
        self._used = 0
        self._lengths = np.zeros(_FIRST_CAPACITY, np.int64)
        self._arena = np.zeros(_FIRST_CAPACITY * 8, np.uint8)
        self._slots = _free_slots(_FIRST_CAPACITY)

    def __len__(self) -> int:
        return self._count

    def number(self, texts: Sequence[str]) -> tuple[Int32, Int64]:
        data, bounds = _bytes(texts)
        count, used, text = self._count, self._used, 0
        offsets = np.zeros(len(texts) + 1, np.int64)
        out = np.empty(len(data) // 2 + len(texts) + 1, np.int32)  # pieces of one byte with a space between
        while text < len(texts):
            text, self._count, self._used = self._loop.number_pieces(
                data, bounds, text, self._slots, self._lengths, self._arena, self._count, self._used, out, offsets
            )
            if text < len(texts):
                # If new pieces keep coming at this rate, so many more will come; each growth looks at all again.
                to_come = int(bounds[-1] - bounds[text]) / max(int(bounds[text]), 1)
                more, more_bytes = int(to_come * (self._count - count)), int(to_come * (self._used - used))
                self._grow(int(bounds[text + 1] - bounds[text]), more, more_bytes)
        return out[: offsets[-1]].copy(), offsets

    def pieces(self, since: int) -> list[str]:
        used = int(self._lengths[:since].sum())
        starts = np.concatenate([[0], np.cumsum(self._lengths[since : self._count])])
        kept = self._arena[used : self._used]
        together = kept.tobytes().decode("utf-8", "surrogatepass")
        if len(together) < len(kept):  # from bytes to characters: all bytes of one but the first begin with 10
            starts = np.searchsorted(np.flatnonzero((kept & 0xC0) != 0x80), starts)
        return [together[start:end] for start, end in pairwise(starts.tolist())]

    def _grow(self, length: int, more: int, more_bytes: int) -> None:
        """Make the arrays large enough for a text of that many bytes, and for about so many more pieces."""
        if self._used + length + len(PADDING) > len(self._arena):
            needed = self._used + max(length, more_bytes) + len(PADDING)
            self._arena = _longer(self._arena, max(2 * len(self._arena), needed))
        capacity = len(self._lengths)
        while self._count + max(length // 2 + 1, more) > capacity:
            capacity *= 2
        if capacity > len(self._lengths):
            self._lengths = _longer(self._lengths, capacity)
            self._slots = _free_slots(capacity)
            self._loop.fill_slots(self._lengths, self._arena, self._count, self._slots)


def expand(pieces: Int32, offsets: Int64, run_tokens: Int32, run_offsets: Int64) -> tuple[Int32, Int64]:
    """Texts of pieces to texts of tokens, where piece p stands for run_tokens[run_offsets[p]:run_offsets[p + 1]].

    >>> tokens, offsets = expand(*map(np.asarray, ([0, 1, 0], [0, 2, 3], [7, 8, 9], [0, 2, 3])))
    >>> tokens.tolist(), offsets.tolist()
    ([7, 8, 9, 7, 8], [0, 3, 5])
    """
    pieces, run_tokens = (np.ascontiguousarray(array, np.int32) for array in (pieces, run_tokens))
    offsets, run_offsets = (np.ascontiguousarray(array, np.int64) for array in (offsets, run_offsets))
    loop = compiled_loop("numbering")
    if loop is None:
        lengths = np.diff(run_offsets)[pieces]
        ends = np.concatenate([[0], np.cumsum(lengths)])
        within = np.arange(ends[-1]) - np.repeat(ends[:-1], lengths)
        return run_tokens[np.repeat(run_offsets[pieces], lengths) + within], ends[offsets]
    tokens = np.empty(loop.expanded_length(pieces, run_offsets), np.int32)
    token_offsets = np.zeros(len(offsets), np.int64)
    loop.expand(pieces, offsets, run_tokens, run_offsets, tokens, token_offsets)
    return tokens, token_offsets


def _bytes(texts: Sequence[str]) -> tuple[npt.NDArray[np.uint8], Int64]:
    """All texts in UTF-8, one after the other, and where each begins."""
    if isinstance(texts, TextBlock):  # its line ends are white space, too
        padded = len(texts.data) - int(texts.bounds[-1]) >= len(PADDING)
        return np.frombuffer(texts.data if padded else texts.data + PADDING.encode(), np.uint8), texts.bounds
    bounds = np.zeros(len(texts) + 1, np.int64)
    lines = "\n".join((*texts, PADDING))
    if lines.count("\n") == len(texts):  # then its place in the bytes of all is where a text ends
        data = np.frombuffer(lines.encode("utf-8", "surrogatepass"), np.uint8)
        bounds[1:] = np.flatnonzero(data == ord("\n")) + 1
        return data, bounds
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]  # half a character counts like any other
    np.cumsum(np.fromiter(map(len, encoded), np.int64, len(texts)), out=bounds[1:])
    return np.frombuffer(b"".join((*encoded, PADDING.encode())), np.uint8), bounds


def _free_slots(capacity: int) -> npt.NDArray[np.uint64]:
    """Twice as many as there may be pieces, four numbers each."""
    return np.zeros(2 * capacity * 4, np.uint64)


def _longer(array: npt.NDArray[Any], length: int) -> npt.NDArray[Any]:
    longer = np.zeros(length, array.dtype)
    longer[: len(array)] = array
    return longer


def by_identity(objects: list[Any]) -> tuple[Int64, int]:
    """A number for each object, from 0 in order of appearance, the same only for the very same object; and how many.

    >>> one, other = "a", "b"
    >>> numbers, count = by_identity([one, other, one])
    >>> numbers.tolist(), count
    ([0, 1, 0], 2)
    """
    loop = compiled_loop("numbering")
    if loop is None:
        seen: dict[int, int] = {}
        numbers = [seen.setdefault(id(each), len(seen)) for each in objects]
        return np.array(numbers, np.int64), len(seen)
    found = np.empty(len(objects), np.int64)
    slots = np.full(1 << (2 * len(objects)).bit_length(), -1, np.int64)
    return found, loop.first_places(objects, slots, found)


def first_seen(labels: Sequence[Any], seen: dict[Any, int]) -> Int32:
    """Each label's number in `seen`; a label that is not there yet gets the next one.

    Labels are equal where a dictionary says so. The same numbers with the compiled loop and with its fallback.

    >>> seen: dict[str, int] = {}
    >>> first_seen(["b", "a", "b"], seen).tolist(), first_seen(["c", "a"], seen).tolist(), seen
    ([0, 1, 0], [2, 1], {'b': 0, 'a': 1, 'c': 2})

    Raises:
        DataError: a label cannot be looked up, such as a list.
    """
    loop = compiled_loop("numbering")
    try:
        if loop is None:
            return _first_seen_fallback(labels, seen)
        numbers = np.empty(len(labels), dtype=np.int32)
        loop.first_seen(tuple(labels), seen, numbers)
    except TypeError as error:
        raise DataError(f"labels must be text or numbers: {error}") from None
    return numbers


def _first_seen_fallback(labels: Sequence[Any], seen: dict[Any, int]) -> Int32:
    """The plain-Python fallback: itemgetter walks the whole column without a step of Python for each label."""
    known = defaultdict(count(len(seen)).__next__, seen)
    numbers = itemgetter(*labels)(known) if len(labels) > 1 else [known[label] for label in labels]
    seen.update(known)
    if len(seen) <= 256:
        return np.frombuffer(bytes(numbers), dtype=np.uint8).astype(np.int32)  # quicker than an array of the same
    return np.array(numbers, dtype=np.int32)
