"""Union longest common subsequences of pairs of texts made of sentences."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.kernels.arguments import Int32, Int64, encoded_texts, integers, text_numbers
from textassay.kernels.choice import compiled_loop
from textassay.kernels.pairs import numbered_densely


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
        One int32 a pair. The same numbers with the compiled loop and with its twin.

    >>> union_lcs([1, 2, 3, 4, 5, 1, 2, 6, 1, 3, 8, 5], [0, 5, 8, 12], [0, 1, 2], [0, 1, 3], [1], [0]).tolist()
    [4]
    """
    given = _checked(tokens, offsets, sentences, first_sentence, left, right)
    loop = compiled_loop("union_lcs")
    if loop is None:
        return _twin(given)
    matches = np.zeros(len(given.left), dtype=np.int32)
    words, vocabulary = numbered_densely(given.words)
    longest = int(np.diff(given.starts).max(initial=0))
    loop.union_lcs(words, *given[1:], vocabulary, longest, matches)
    return matches


def _checked(
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


def _twin(given: _Summaries) -> Int32:
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
