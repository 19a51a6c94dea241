"""Longest common subsequences of many pairs of texts: plain, weighted, and of unions of sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.kernels.arguments import (
    Int32,
    Int64,
    TextPairs,
    checked_pairs,
    encoded_texts,
    integers,
    number_of_pair,
    numbered_densely,
    numbers_of_pairs,
    text_numbers,
)
from textassay.kernels.choice import compiled_loop

Float64 = npt.NDArray[np.float64]

SHORT = 60
"""Words up to which a single pair is sooner compared in plain Python than numbered for the loop."""


def lcs_lengths(tokens: npt.ArrayLike, offsets: npt.ArrayLike, left: npt.ArrayLike, right: npt.ArrayLike) -> Int32:
    """The length of the longest common subsequence for each pair (left[k], right[k]) of texts.

    Args:
        tokens: The texts' words as integers of at least 0, all texts one after the other.
        offsets: Where each text begins in `tokens`, and where the last one ends: one more than there are texts.
        left: One text's number for each pair.
        right: The other text's number for each pair.

    Returns:
        One int32 per pair. The same numbers with the compiled loop and with its fallback.

    >>> lcs_lengths([1, 2, 3, 4, 9, 2, 4], [0, 4, 7], left=[0, 0], right=[1, 0]).tolist()
    [2, 4]
    """
    return numbers_of_pairs(checked_pairs(tokens, offsets, left, right), "lcs", "lcs_lengths", _pair_length)


def length_of(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """The length of the longest common subsequence of one pair of texts, whose words may be any values.

    >>> length_of(["the", "cat", "sat"], ["a", "cat", "sat"])
    2
    """
    loop = compiled_loop("lcs") if len(first) > SHORT and len(second) > SHORT else None
    return _pair_length(first, second) if loop is None else number_of_pair(loop.lcs_lengths, first, second)


def _pair_length(pattern: Sequence[Hashable], text: Sequence[Hashable]) -> int:
    """Hyyrö's recurrence: a bit of `bits` is cleared where the common subsequence grows."""
    masks: dict[Hashable, int] = {}
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
        One float64 per pair. The same numbers with the compiled loop and with its fallback.

    >>> weighted_lcs([1, 2, 3, 4, 1, 2, 9, 4], [0, 4, 8], [0], [1], exponent=2).tolist()
    [5.0]
    """
    if not 1 <= exponent < float("inf"):
        raise UsageError(f"exponent is {exponent}; it must be at least 1, so that longer runs do not weigh less")
    pairs = checked_pairs(tokens, offsets, left, right)
    # What a run gains by its next match; one table for loop and fallback, so that both add the same numbers.
    gains = np.diff(np.arange(pairs.longest + 2, dtype=np.float64) ** exponent)
    loop = compiled_loop("lcs")
    if loop is None:
        return _weighted_fallback(pairs, gains.tolist())
    weights = np.zeros(len(pairs.left))
    loop.weighted_lcs(*pairs, gains, weights)
    return weights


def _weighted_fallback(pairs: TextPairs, gains: list[float]) -> Float64:
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


class _Summaries(NamedTuple):
    words: Int32
    starts: Int64
    sentences: Int64
    first: Int64
    left: Int64
    right: Int64


def union_lcs(
    tokens: npt.ArrayLike,
    offsets: npt.ArrayLike,
    sentences: npt.ArrayLike,
    first_sentence: npt.ArrayLike,
    left: npt.ArrayLike,
    right: npt.ArrayLike,
) -> Int32:
    """Matches of the union longest common subsequence of hypothesis left[k] and reference right[k], for each pair.

    A sentence of the reference is compared with every sentence of the hypothesis; its words that lie on one of the
    longest common subsequences are marked. A marked word is a match, but no word matches more often than the
    hypothesis has it. Of several longest common subsequences the one that ROUGE-1.5.5 reads from its table is taken.

    Args:
        tokens: The distinct sentences' words as integers of at least 0, one sentence after the other.
        offsets: Where each sentence begins in `tokens`, and where the last one ends.
        sentences: The numbers of the sentences that the texts are made of, text after text.
        first_sentence: Where each text begins in `sentences`, and where the last one ends.
        left: The hypothesis's text number for each pair.
        right: The reference's text number for each pair.

    Returns:
        One int32 per pair. The same numbers with the compiled loop and with its fallback.

    >>> union_lcs([1, 2, 3, 4, 5, 1, 2, 6, 1, 3, 8, 5], [0, 5, 8, 12], [0, 1, 2], [0, 1, 3], [1], [0]).tolist()
    [4]
    """
    given = _checked_summaries(tokens, offsets, sentences, first_sentence, left, right)
    loop = compiled_loop("lcs")
    if loop is None:
        return _union_fallback(given)
    matches = np.zeros(len(given.left), dtype=np.int32)
    words, vocabulary = numbered_densely(given.words)
    longest = int(np.diff(given.starts).max(initial=0))
    loop.union_lcs(words, *given[1:], vocabulary, longest, matches)
    return matches


def _checked_summaries(
    tokens: npt.ArrayLike,
    offsets: npt.ArrayLike,
    sentences: npt.ArrayLike,
    first_sentence: npt.ArrayLike,
    left: npt.ArrayLike,
    right: npt.ArrayLike,
) -> _Summaries:
    words, starts = encoded_texts(tokens, offsets)
    parts = np.ascontiguousarray(integers("sentences", sentences, len(starts) - 2), dtype=np.int64)
    first = np.ascontiguousarray(integers("first_sentence", first_sentence, len(parts)), dtype=np.int64)
    if len(first) == 0 or first[0] != 0 or first[-1] != len(parts) or np.any(np.diff(first) < 0):
        raise DataError(
            f"first_sentence must rise from 0 to the number of sentences, {len(parts)}; got {first.tolist()[:10]}"
        )
    hypotheses, references = (text_numbers(rows, len(first) - 1) for rows in (left, right))
    if len(hypotheses) != len(references):
        raise DataError(f"left names {len(hypotheses)} texts and right names {len(references)}; give as many of each")
    return _Summaries(words, starts, parts, first, hypotheses, references)


def _union_fallback(given: _Summaries) -> Int32:
    flat, bounds = given.words.tolist(), given.starts.tolist()
    parts, first = given.sentences.tolist(), given.first.tolist()

    def text(number: int) -> list[list[int]]:
        return [flat[bounds[part] : bounds[part + 1]] for part in parts[first[number] : first[number + 1]]]

    pairs = zip(given.left.tolist(), given.right.tolist(), strict=True)
    return np.array([_pair_matches(text(a), text(b)) for a, b in pairs], dtype=np.int32)


def _pair_matches(hypothesis: list[list[int]], reference: list[list[int]]) -> int:
    marked: Counter[int] = Counter()
    for sentence in reference:
        places = set[int]().union(*(_common_places(sentence, other) for other in hypothesis))
        marked.update(sentence[place] for place in places)
    has = Counter(word for sentence in hypothesis for word in sentence)
    return sum(min(count, has[word]) for word, count in marked.items())


def _common_places(sentence: list[int], other: list[int]) -> list[int]:
    """Places in `sentence` of one longest common subsequence: Hyyrö's bits, then back from the end."""
    masks: dict[int, int] = {}
    for place, word in enumerate(sentence):
        masks[word] = masks.get(word, 0) | (1 << place)
    full = bits = (1 << len(sentence)) - 1
    rows = []
    for word in other:
        hits = bits & masks.get(word, 0)
        bits = ((bits + hits) | (bits - hits)) & full
        rows.append(bits)
    found = []
    i, j = len(sentence) - 1, len(other) - 1
    while i >= 0 and j >= 0:
        if sentence[i] == other[j]:
            found.append(i)
            i, j = i - 1, j - 1
        elif rows[j] >> i & 1:  # set: the longest length does not grow with word i
            i -= 1
        else:
            j -= 1
    return found
