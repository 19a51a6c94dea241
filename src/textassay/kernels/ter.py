"""Edits of the translation edit rate for many pairs of texts."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from textassay.kernels.arguments import Int32
from textassay.kernels.choice import compiled_loop
from textassay.kernels.pairs import Pairs, checked_pairs, numbered_densely
from textassay.kernels.ter_twin import BEAM, pair_edits


def ter_edits(
    tokens: npt.ArrayLike, offsets: npt.ArrayLike, hypotheses: npt.ArrayLike, references: npt.ArrayLike
) -> Int32:
    """Shifts, substitutions, deletions and insertions that make each pair's reference of its hypothesis.

    The numbers are those of sacreBLEU 2.6.0, which follows tercom 0.8.0: blocks of at most 10 words move over at most
    50 positions, distances are sought in a band of 25 cells on either side, and the search ends after 1,000 shifts.

    Args:
        tokens: The texts' words as integers of at least 0, all texts one after the other.
        offsets: Where each text begins in `tokens`, and where the last one ends: one more than there are texts.
        hypotheses: The hypothesis's number for each pair.
        references: The reference's number for each pair.

    Returns:
        One int32 a pair. The same numbers with the compiled loop and with its twin.

    >>> ter_edits([4, 5, 1, 2, 3, 1, 2, 3, 4, 5], [0, 5, 10], hypotheses=[0], references=[1]).tolist()
    [1]
    """
    pairs = checked_pairs(tokens, offsets, hypotheses, references)
    loop = compiled_loop("ter")
    if loop is None:
        return _twin(pairs)
    edits = np.zeros(len(pairs.left), dtype=np.int32)
    words, vocabulary = numbered_densely(pairs.words)
    wide = _wide(pairs)
    if wide.any():  # the twin's integers have as many bits as it takes
        edits[wide] = _twin(pairs._replace(left=pairs.left[wide], right=pairs.right[wide]))
    narrow = np.zeros(len(edits) - int(wide.sum()), dtype=np.int32)
    loop.ter_edits(words, pairs.starts, pairs.left[~wide], pairs.right[~wide], vocabulary, pairs.longest, narrow)
    edits[~wide] = narrow
    return edits


def _wide(pairs: Pairs) -> npt.NDArray[np.bool_]:
    """Whose band is wider than a machine word: references more than fifty times as long as the hypothesis."""
    lengths = np.diff(pairs.starts)
    hypothesis = lengths[pairs.left]
    return np.asarray((hypothesis > 0) & (lengths[pairs.right] > 2 * BEAM * hypothesis))


def _twin(pairs: Pairs) -> Int32:
    return np.array([pair_edits(hypothesis, reference) for hypothesis, reference in pairs.lists()], dtype=np.int32)
