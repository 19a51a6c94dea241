"""The n-grams of many texts as numbers: which text has which, order by order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from textassay.kernels.arguments import Int64
from textassay.metrics.nist import TokenPositions
from textassay.metrics.tokens import EncodedTexts


class NgramPlaces(NamedTuple):
    """All n-grams of one order in some texts, position by position."""

    text: Int64
    """The place of the text in the list."""
    gram: Int64
    """The number of the n-gram among the distinct ones, from 0; equal n-grams have equal numbers."""
    prefix: Int64
    """For each distinct n-gram the number, in the order before, of its words without the last; 0 for single words."""
    last: Int64
    """For each distinct n-gram its last word, as the texts number words."""

    @property
    def distinct(self) -> int:
        """How many different n-grams there are."""
        return len(self.last)

    def counts(self) -> NgramsOfTexts:
        """How often each text has each of its n-grams."""
        keys, counts = np.unique(self.text * max(self.distinct, 1) + self.gram, return_counts=True)
        return NgramsOfTexts(*np.divmod(keys, max(self.distinct, 1)), counts)


class NgramsOfTexts(NamedTuple):
    """The different n-grams of each text: sorted by text, then by n-gram."""

    text: Int64
    gram: Int64
    times: Int64


def ngram_places(texts: EncodedTexts, rows: Int64, max_order: int) -> Iterator[NgramPlaces]:
    """The n-grams of the texts with these numbers, from single words to the longest; a text may be named twice.

    >>> from textassay.metrics.tokenisers import tokeniser
    >>> from textassay.metrics.tokens import Encoder
    >>> texts = Encoder(tokeniser("none")).encode(["a b a", "b a"])
    >>> [(order.text.tolist(), order.gram.tolist()) for order in ngram_places(texts, texts.rows, 2)]
    [([0, 0, 0, 1, 1], [0, 1, 0, 1, 0]), ([0, 0, 1], [0, 1, 1])]
    """
    positions = TokenPositions.of(texts, rows)
    words, tokens = np.unique(positions.tokens, return_inverse=True)
    tokens = tokens.reshape(-1)
    at, gram = np.arange(len(tokens)), np.zeros(len(tokens), dtype=np.int64)
    for order in range(max_order):
        at, gram = (part[positions.following[at] > order] for part in (at, gram))
        keys, gram = np.unique(gram * max(len(words), 1) + tokens[at + order], return_inverse=True)
        gram = gram.reshape(-1)
        prefix, last = np.divmod(keys, max(len(words), 1))
        yield NgramPlaces(positions.text[at], gram, prefix, words[last])
