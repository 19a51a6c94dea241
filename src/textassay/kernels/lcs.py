"""Lengths of longest common subsequences of many pairs of texts."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.kernels.arguments import Int32, Int64, encoded_texts, text_numbers
from textassay.kernels.choice import compiled_loop


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
    words, starts = encoded_texts(tokens, offsets)
    first, second = (text_numbers(rows, len(starts) - 1) for rows in (left, right))
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
