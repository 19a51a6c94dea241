"""Weighted longest common subsequences of pairs of texts."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError
from textassay.kernels.choice import compiled_loop
from textassay.kernels.pairs import Pairs, checked_pairs

Float64 = npt.NDArray[np.float64]


def weighted_lcs(
    tokens: npt.ArrayLike, offsets: npt.ArrayLike, left: npt.ArrayLike, right: npt.ArrayLike, exponent: float
) -> Float64:
    """The weighted longest common subsequence of each pair (left[k], right[k]) of texts.

    Lin's (2004) recurrence: a run of k matches that are consecutive in both texts weighs k to the power of `exponent`.
    Time grows with the product of the two lengths, memory with the longer one.

    Args:
        tokens: The texts' words as integers of at least 0, all texts one after the other.
        offsets: Where each text begins in `tokens`, and where the last one ends: one more than there are texts.
        left: One text's number for each pair.
        right: The other text's number for each pair.
        exponent: At least 1; with 1 the result is the length of the longest common subsequence.

    Returns:
        One float64 a pair. The same numbers with the compiled loop and with its twin.

    >>> weighted_lcs([1, 2, 3, 4, 1, 2, 9, 4], [0, 4, 8], [0], [1], exponent=2).tolist()
    [5.0]
    """
    if not 1 <= exponent < float("inf"):
        raise UsageError(f"exponent is {exponent}; it must be at least 1, so that longer runs do not weigh less")
    pairs = checked_pairs(tokens, offsets, left, right)
    # What a run gains by its next match; one table for loop and twin, so that both add the same numbers.
    gains = np.diff(np.arange(pairs.longest + 2, dtype=np.float64) ** exponent)
    loop = compiled_loop("weighted_lcs")
    if loop is None:
        return _twin(pairs, gains.tolist())
    weights = np.zeros(len(pairs.left))
    loop.weighted_lcs(*pairs, gains, weights)
    return weights


def _twin(pairs: Pairs, gains: list[float]) -> Float64:
    return np.array([_pair_weight(a, b, gains) for a, b in pairs.lists()], dtype=np.float64)


def _pair_weight(left: list[int], right: list[int], gains: list[float]) -> float:
    weights, runs = [0.0] * (len(right) + 1), [0] * (len(right) + 1)
    for word in left:
        across, run, before = 0.0, 0, 0.0  # weight and run diagonally before the cell, weight to its left
        for j, other in enumerate(right, start=1):
            above, run_above = weights[j], runs[j]
            if word == other:
                before, runs[j] = across + gains[run], run + 1
            else:
                before, runs[j] = (above if above > before else before), 0
            weights[j] = before
            across, run = above, run_above
    return weights[-1]
