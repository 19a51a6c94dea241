"""Checks of the arguments of all kernels before a loop runs, so that no loop can read outside an array.

`numbers_of_pairs` is the frame of the kernels that give whole numbers for pairs of texts.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Sequence
from itertools import accumulate, chain, pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.kernels.choice import compiled_loop

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]


def encoded_texts(tokens: npt.ArrayLike, offsets: npt.ArrayLike) -> tuple[Int32, Int64]:
    """Both as contiguous arrays, after making sure that the loops cannot read outside them."""
    words = np.ascontiguousarray(integers("tokens", tokens, np.iinfo(np.int32).max), dtype=np.int32)
    starts = np.ascontiguousarray(integers("offsets", offsets, len(words)), dtype=np.int64)
    if len(starts) == 0 or starts[0] != 0 or starts[-1] != len(words) or np.any(np.diff(starts) < 0):
        raise DataError(f"offsets must rise from 0 to the number of tokens, {len(words)}; got {starts.tolist()[:10]}")
    return words, starts


def text_numbers(rows: npt.ArrayLike, texts: int) -> Int64:
    """Numbers of texts, each below how many there are."""
    return np.ascontiguousarray(integers("left and right", rows, texts - 1), dtype=np.int64)


def integers(name: str, values: npt.ArrayLike, highest: int) -> npt.NDArray[Any]:
    """The values as a flat array of integers from 0 to `highest`."""
    array = np.asarray(values)
    if array.size == 0:
        return np.zeros(0, dtype=np.int64)
    if array.ndim != 1 or not np.issubdtype(array.dtype, np.integer):
        raise DataError(f"{name} must be a flat list of integers, got {array.ndim} dimensions of {array.dtype}")
    low, high = int(array.min()), int(array.max())
    if low < 0 or high > highest:
        raise DataError(f"{name} must lie between 0 and {highest}, got {low if low < 0 else high}")
    return array


class TextPairs(NamedTuple):
    """Texts and which of them to compare, safe for a loop that checks nothing."""

    words: Int32
    """All texts' words, one text after the other."""
    starts: Int64
    """Where each text begins, and where the last one ends."""
    left: Int64
    right: Int64

    @property
    def longest(self) -> int:
        """Words in the longest text."""
        return int(np.diff(self.starts).max(initial=0))

    def lists(self) -> list[tuple[list[int], list[int]]]:
        """The words of both texts of each pair, for the fallbacks."""
        flat, bounds = self.words.tolist(), self.starts.tolist()
        texts = [flat[start:end] for start, end in pairwise(bounds)]
        return [(texts[a], texts[b]) for a, b in zip(self.left.tolist(), self.right.tolist(), strict=True)]


def checked_pairs(
    tokens: npt.ArrayLike, offsets: npt.ArrayLike, left: npt.ArrayLike, right: npt.ArrayLike
) -> TextPairs:
    """The arguments as arrays.

    Raises:
        DataError: they would lead a loop outside an array.
    """
    words, starts = encoded_texts(tokens, offsets)
    first, second = (text_numbers(rows, len(starts) - 1) for rows in (left, right))
    if len(first) != len(second):
        raise DataError(f"left names {len(first)} texts and right names {len(second)}; pairs need as many of each")
    return TextPairs(words, starts, first, second)


def numbered_densely(words: Int32) -> tuple[Int32, int]:
    """The words and the size of a table by word, which must not grow far beyond the number of words there are."""
    vocabulary = int(words.max(initial=-1)) + 1
    if vocabulary <= 4 * len(words) + 1024:
        return words, vocabulary
    return np.unique(words, return_inverse=True)[1].astype(np.int32).reshape(-1), len(words)


class NumberedTexts(NamedTuple):
    """A few texts of any hashable words as the loops take them; too few for NumPy to pay."""

    words: array[int]
    starts: array[int]
    vocabulary: int


def numbered_texts(texts: Sequence[Sequence[Hashable]]) -> NumberedTexts:
    """The words of all texts as numbers: equal words have equal ones.

    >>> numbered_texts([["a", "b"], "b"])
    NumberedTexts(words=array('i', [0, 1, 1]), starts=array('q', [0, 2, 3]), vocabulary=2)
    """
    found = dict.fromkeys(chain.from_iterable(texts))
    numbers = dict(zip(found, range(len(found)), strict=True))
    words = array("i", map(numbers.__getitem__, chain.from_iterable(texts)))
    return NumberedTexts(words, array("q", accumulate(map(len, texts), initial=0)), len(found))


FIRST, SECOND = array("q", [0]), array("q", [1])
"""The numbers of the texts where there is one pair; nobody writes to them."""


def number_of_pair(loop: Any, first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """One whole number for one pair, from a compiled loop that gives one for each of many."""
    words, starts, vocabulary = numbered_texts((first, second))
    found = array("i", [0])
    loop(words, starts, FIRST, SECOND, vocabulary, max(len(first), len(second)), found)
    return found[0]


def numbers_of_pairs(
    pairs: TextPairs, kernel: str, function: str, fallback: Callable[[list[int], list[int]], Any], *, columns: int = 1
) -> Int32:
    """One or several whole numbers for each pair, from a compiled loop or its fallback.

    Args:
        pairs: The texts.
        kernel: The compiled module, such as `edits`.
        function: The loop in it.
        fallback: The same for one pair of texts.
        columns: How many numbers a pair has; the result is flat where it is one.
    """
    shape = (len(pairs.left),) if columns == 1 else (len(pairs.left), columns)
    loop = compiled_loop(kernel)
    if loop is None:
        return np.array([fallback(a, b) for a, b in pairs.lists()], dtype=np.int32).reshape(shape)
    found = np.zeros(shape, dtype=np.int32)
    words, vocabulary = numbered_densely(pairs.words)
    getattr(loop, function)(words, pairs.starts, pairs.left, pairs.right, vocabulary, pairs.longest, found)
    return found
