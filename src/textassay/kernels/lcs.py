"""Lengths of longest common subsequences of many pairs of texts."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.kernels.choice import compiled_loop

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]


def lcs_lengths(tokens: npt.ArrayLike, offsets: npt.ArrayLike, left: npt.ArrayLike, right: npt.ArrayLike) -> Int32:
    """The length of the longest common subsequence for each pair (left[k], right[k]) of texts.

    Args:
        tokens: The texts' words as integers of at least 0, all texts one after the other.
        offsets: Where each text begins in `tokens`, and where the last one ends: one more than there are texts.
        left: One text's number for each pair.
        right: The other text's number for each pair.

    Returns:
        One int32 a pair. The same numbers with the compiled loop and with its twin.

    >>> lcs_lengths([1, 2, 3, 4, 9, 2, 4], [0, 4, 7], left=[0, 0], right=[1, 0]).tolist()
    [2, 4]
    """
    words, starts = _texts(tokens, offsets)
    first, second = (_rows(rows, len(starts) - 1) for rows in (left, right))
    if len(first) != len(second):
        raise DataError(f"left names {len(first)} texts and right names {len(second)}; pairs need as many of each")
    loop = compiled_loop("lcs")
    if loop is None:
        return _twin(words, starts, first, second)
    lengths = np.zeros(len(first), dtype=np.int32)
    vocabulary = int(words.max(initial=-1)) + 1
    if vocabulary > len(words):  # sparse word numbers would cost a mask each
        words = np.unique(words, return_inverse=True)[1].astype(np.int32).reshape(-1)
        vocabulary = len(words)
    longest = int(np.diff(starts).max(initial=0))
    loop.lcs_lengths(words, starts, first, second, vocabulary, longest, lengths)
    return lengths


def _twin(words: Int32, starts: Int64, left: Int64, right: Int64) -> Int32:
    """The plain-Python twin: one big integer holds all positions of one text."""
    flat, bounds = words.tolist(), starts.tolist()
    pairs = zip(left.tolist(), right.tolist(), strict=True)
    lengths = [_pair_length(flat[bounds[a] : bounds[a + 1]], flat[bounds[b] : bounds[b + 1]]) for a, b in pairs]
    return np.array(lengths, dtype=np.int32)


def _pair_length(pattern: list[int], text: list[int]) -> int:
    """Hyyrö's recurrence: a bit of `bits` is cleared where the common subsequence grows."""
    masks: dict[int, int] = {}
    bit = 1
    for word in pattern:
        masks[word] = masks.get(word, 0) | bit
        bit <<= 1
    full = bits = bit - 1
    for word in text:
        mask = masks.get(word)
        if mask is not None:
            hits = bits & mask
            bits = ((bits + hits) | (bits - hits)) & full
    return len(pattern) - bits.bit_count()


def _texts(tokens: npt.ArrayLike, offsets: npt.ArrayLike) -> tuple[Int32, Int64]:
    """Both as contiguous arrays, after making sure that the loops cannot read outside them."""
    words = np.ascontiguousarray(_integers("tokens", tokens, np.iinfo(np.int32).max), dtype=np.int32)
    starts = np.ascontiguousarray(_integers("offsets", offsets, len(words)), dtype=np.int64)
    if len(starts) == 0 or starts[0] != 0 or starts[-1] != len(words) or np.any(np.diff(starts) < 0):
        raise DataError(f"offsets must rise from 0 to the number of tokens, {len(words)}; got {starts.tolist()[:10]}")
    return words, starts


def _rows(rows: npt.ArrayLike, texts: int) -> Int64:
    return np.ascontiguousarray(_integers("left and right", rows, texts - 1), dtype=np.int64)


def _integers(name: str, values: npt.ArrayLike, highest: int) -> npt.NDArray[Any]:
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
