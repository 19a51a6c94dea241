"""Edit distances of many pairs of texts, and how many edits are of which kind."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from textassay.kernels.arguments import Int32
from textassay.kernels.choice import compiled_loop
from textassay.kernels.edits_twin import pair_counts, pair_distance
from textassay.kernels.pairs import checked_pairs, numbered_densely


def edit_distances(tokens: npt.ArrayLike, offsets: npt.ArrayLike, left: npt.ArrayLike, right: npt.ArrayLike) -> Int32:
    """The least number of substitutions, deletions and insertions for each pair (left[k], right[k]) of texts.

    Args:
        tokens: The texts' words as integers of at least 0, all texts one after the other.
        offsets: Where each text begins in `tokens`, and where the last one ends: one more than there are texts.
        left: One text's number for each pair.
        right: The other text's number for each pair.

    Returns:
        One int32 a pair. The same numbers with the compiled loop and with its twin.

    >>> edit_distances([1, 2, 3, 4, 9, 2, 4], [0, 4, 7], left=[0, 0], right=[1, 0]).tolist()
    [2, 0]
    """
    pairs = checked_pairs(tokens, offsets, left, right)
    loop = compiled_loop("edits")
    if loop is None:
        return np.array([pair_distance(a, b) for a, b in pairs.lists()], dtype=np.int32)
    distances = np.zeros(len(pairs.left), dtype=np.int32)
    words, vocabulary = numbered_densely(pairs.words)
    loop.edit_distances(words, pairs.starts, pairs.left, pairs.right, vocabulary, pairs.longest, distances)
    return distances


def edit_counts(tokens: npt.ArrayLike, offsets: npt.ArrayLike, left: npt.ArrayLike, right: npt.ArrayLike) -> Int32:
    """Hits, substitutions, deletions and insertions of a least-cost alignment of each pair (left[k], right[k]).

    Words of the left text (the reference) that the right one (the hypothesis) lacks are deletions, further words of
    the right one insertions. Of several alignments with the fewest edits the counts are those of the one that
    RapidFuzz, and with it jiwer, takes: words in common at both ends are hits, and between them, from the end, a
    deletion goes before an insertion and that before a hit or a substitution. RapidFuzz leaves this rule where the
    product of both lengths without their common ends exceeds four million; the rule here is the same at any length.

    Args:
        tokens: The texts' words as integers of at least 0, all texts one after the other.
        offsets: Where each text begins in `tokens`, and where the last one ends: one more than there are texts.
        left: The reference's number for each pair.
        right: The hypothesis's number for each pair.

    Returns:
        int32, (pairs, 4). The same numbers with the compiled loop and with its twin.

    >>> edit_counts([1, 2, 3, 4, 9, 2, 4], [0, 4, 7], left=[0, 0], right=[1, 0]).tolist()
    [[2, 1, 1, 0], [4, 0, 0, 0]]
    """
    pairs = checked_pairs(tokens, offsets, left, right)
    loop = compiled_loop("edits")
    if loop is None:
        return np.array([pair_counts(a, b) for a, b in pairs.lists()], dtype=np.int32).reshape(-1, 4)
    counts = np.zeros((len(pairs.left), 4), dtype=np.int32)
    words, vocabulary = numbered_densely(pairs.words)
    loop.edit_counts(words, pairs.starts, pairs.left, pairs.right, vocabulary, pairs.longest, counts)
    return counts
