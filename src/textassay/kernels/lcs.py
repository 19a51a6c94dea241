"""Lengths of longest common subsequences of many pairs of texts."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from textassay.kernels.arguments import Int32
from textassay.kernels.choice import compiled_loop
from textassay.kernels.pairs import checked_pairs, numbered_densely


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
    pairs = checked_pairs(tokens, offsets, left, right)
    loop = compiled_loop("lcs")
    if loop is None:
        return np.array([_pair_length(a, b) for a, b in pairs.lists()], dtype=np.int32)
    lengths = np.zeros(len(pairs.left), dtype=np.int32)
    words, vocabulary = numbered_densely(pairs.words)
    loop.lcs_lengths(words, pairs.starts, pairs.left, pairs.right, vocabulary, pairs.longest, lengths)
    return lengths


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
