"""The greedy matching of the General Text Matcher."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.kernels.arguments import Int64, encoded_texts, integers
from textassay.kernels.choice import compiled_loop
from textassay.kernels.gtm_twin import greedy_sum
from textassay.kernels.pairs import numbered_densely

Float64 = npt.NDArray[np.float64]
_BITS = 64
"""The most words that the loop for short texts can take."""


def gtm_sums(
    tokens: npt.ArrayLike,
    offsets: npt.ArrayLike,
    hypotheses: npt.ArrayLike,
    references: npt.ArrayLike,
    first_reference: npt.ArrayLike,
    exponent: float,
) -> Float64:
    """For each hypothesis the sum over its runs, greedily matched, of length to the power of `exponent`.

    A run is a stretch of words that stands in the hypothesis and in one of its references. The longest is taken first,
    of equally long ones the last in the hypothesis and there the last in the references; no word is taken twice. In
    all no more words are taken than the shorter of hypothesis and mean reference has; the last run may be cut for it.
    Memory grows with words × log words, time with that and the number of different lengths of runs.

    Args:
        tokens: The texts' words as integers of at least 0, all texts one after the other.
        offsets: Where each text begins in `tokens`, and where the last one ends: one more than there are texts.
        hypotheses: The text's number of each hypothesis.
        references: The text's number of each reference, those of one hypothesis side by side.
        first_reference: Where each hypothesis's references begin in `references`, and where the last ones end.
        exponent: At least 1: how much a run is worth more than its words one by one.

    Returns:
        One float64 a hypothesis. The same numbers with the compiled loop and with its twin.

    >>> gtm_sums([1, 2, 3, 4, 3, 4, 1, 2], [0, 4, 8], [0], [1], [0, 1], exponent=2).tolist()
    [8.0]
    """
    if not 1 <= exponent < float("inf"):
        raise UsageError(f"exponent is {exponent}; it must be at least 1, so that longer runs do not weigh less")
    words, starts = encoded_texts(tokens, offsets)
    texts = len(starts) - 1
    rows = np.ascontiguousarray(integers("hypotheses", hypotheses, texts - 1), dtype=np.int64)
    others = np.ascontiguousarray(integers("references", references, texts - 1), dtype=np.int64)
    first = np.ascontiguousarray(integers("first_reference", first_reference, len(others)), dtype=np.int64)
    if len(first) != len(rows) + 1 or first[0] != 0 or first[-1] != len(others) or np.any(np.diff(first) < 0):
        raise DataError(
            f"first_reference must rise from 0 to the number of references, {len(others)}, with one more entry than "
            f"there are hypotheses, {len(rows)}; got {first.tolist()[:10]}"
        )
    loop, short_loop = compiled_loop("gtm"), compiled_loop("gtm_short")
    if loop is None or short_loop is None:
        flat, bounds = words.tolist(), starts.tolist()
        lists = [flat[start:end] for start, end in pairwise(bounds)]
        its = [[lists[other] for other in others[start:end]] for start, end in pairwise(first.tolist())]
        sums = [greedy_sum(lists[row], refs, float(exponent)) for row, refs in zip(rows.tolist(), its, strict=True)]
        return np.array(sums, dtype=np.float64)
    found = np.zeros(len(rows))
    dense, vocabulary = numbered_densely(words)
    lengths = np.diff(starts)
    if np.all(np.diff(first) == 1) and lengths.max(initial=0) <= _BITS:
        short_loop.gtm_short_sums(dense, starts, rows, others, exponent, vocabulary, found)
    else:
        longest, most = int(lengths.max(initial=0)), _most_columns(starts, others, first)
        loop.gtm_sums(dense, starts, rows, others, first, exponent, vocabulary, longest, most, found)
    return found


def _most_columns(starts: Int64, others: Int64, first: Int64) -> int:
    """The words, and the ends of texts, in the references of the hypothesis that has most."""
    total = np.zeros(len(others) + 1, dtype=np.int64)
    np.cumsum(np.diff(starts)[others] + 1, out=total[1:])
    return int(np.diff(total[first]).max(initial=0))
