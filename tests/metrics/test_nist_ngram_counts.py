"""N-gram counts in sorted arrays equal those of a dictionary, however the texts are cut into chunks."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from textassay.metrics.nist import NgramCounts
from textassay.metrics.tokenisers import tokeniser
from textassay.metrics.tokens import Encoder

TEXTS = st.lists(st.lists(st.sampled_from("abcde"), max_size=12).map(" ".join), max_size=8)


def spelt(counts: NgramCounts) -> Counter[tuple[str, ...]]:
    """The n-grams as words again."""
    words = list(counts.words)
    before: list[tuple[str, ...]] = [()]
    found: Counter[tuple[str, ...]] = Counter()
    for keys, times in counts.orders:
        before = [(*before[key // len(words)], words[key % len(words)]) for key in keys.tolist()]
        found.update(dict(zip(before, times.tolist(), strict=True)))
    return found


@given(st.lists(TEXTS, max_size=4), st.integers(1, 4))
def test_merged_counts_equal_those_of_a_dictionary(chunks: list[list[str]], max_order: int) -> None:
    parts = []
    for texts in chunks:
        encoded = Encoder(tokeniser("none")).encode(texts)
        parts.append(NgramCounts.of(encoded, encoded.rows, max_order))
    expected = Counter(
        tuple(words[i : i + n])
        for texts in chunks
        for words in map(str.split, texts)
        for n in range(1, max_order + 1)
        for i in range(len(words) - n + 1)
    )
    assert spelt(NgramCounts.merged(parts, max_order)) == expected


def test_information() -> None:
    # a a b: log2(3/2) for a, log2(3/1) for b; of two a's one is followed by a, one by b: 1 bit each.
    encoded = Encoder(tokeniser("none")).encode(["a a b"])
    words, pairs = NgramCounts.of(encoded, encoded.rows, 2).information()
    assert np.allclose(words, np.log2([3 / 2, 3]))
    assert pairs.tolist() == [1, 1]
