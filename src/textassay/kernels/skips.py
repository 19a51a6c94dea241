"""Matches of skip-bigrams between pairs of texts."""

from __future__ import annotations

from collections import Counter

import numpy as np
import numpy.typing as npt

from textassay.kernels.arguments import Int64, TextPairs, checked_pairs, numbered_densely
from textassay.kernels.choice import compiled_loop


def skip_matches(
    tokens: npt.ArrayLike, offsets: npt.ArrayLike, left: npt.ArrayLike, right: npt.ArrayLike, gap: int
) -> Int64:
    """How many skip-bigrams the texts left[k] and right[k] have in common, for each pair.

    A skip-bigram is two words of a text in their order with at most `gap` words between them. One counts as often as
    the text that has it less often has it. No table of skip-bigrams is made: memory grows with the number of words,
    and time with words × (gap + 1), or with words × distinct words where that is less.

    Args:
        tokens: The texts' words as integers of at least 0, all texts one after the other.
        offsets: Where each text begins in `tokens`, and where the last one ends: one more than there are texts.
        left: One text's number for each pair.
        right: The other text's number for each pair.
        gap: The most words between the two; any number of them if negative.

    Returns:
        One int64 per pair. The same numbers with the compiled loop and with its fallback.

    >>> skip_matches([1, 2, 3, 4, 1, 9, 3, 4], [0, 4, 8], [0], [1], gap=4).tolist()
    [3]
    """
    pairs = checked_pairs(tokens, offsets, left, right)
    reach = pairs.longest if gap < 0 else min(gap, pairs.longest)
    matches = np.zeros(len(pairs.left), dtype=np.int64)
    loop = compiled_loop("skips")
    if loop is None:
        return _fallback(pairs, reach)
    words, vocabulary = numbered_densely(pairs.words)
    loop.skip_matches(words, *pairs[1:], reach, vocabulary, pairs.longest, matches)
    return matches


def _fallback(pairs: TextPairs, gap: int) -> Int64:
    return np.array([_pair_matches(a, b, gap) for a, b in pairs.lists()], dtype=np.int64)


def _pair_matches(left: list[int], right: list[int], gap: int) -> int:
    """One first word at a time, so that no more is kept than the words that follow it."""
    first, second = _places(left), _places(right)
    matches = 0
    for word in first.keys() & second.keys():
        others = _followers(right, second[word], gap)
        counts = _followers(left, first[word], gap)
        matches += sum(min(count, others[follower]) for follower, count in counts.items() if follower in others)
    return matches


def _places(text: list[int]) -> dict[int, list[int]]:
    places: dict[int, list[int]] = {}
    for place, word in enumerate(text):
        places.setdefault(word, []).append(place)
    return places


def _followers(text: list[int], places: list[int], gap: int) -> Counter[int]:
    """How often each word follows, within the gap, one of the places."""
    followers: Counter[int] = Counter()
    for place in places:
        followers.update(text[place + 1 : place + gap + 2])
    return followers
