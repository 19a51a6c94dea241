"""The compiled loop, its plain-Python fallback and a table of all skip-bigrams give the same matches."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError
from textassay.kernels.choice import VARIABLE
from textassay.kernels.skips import skip_matches


def table_matches(a: list[int], b: list[int], gap: int) -> int:
    """Every skip-bigram of both texts, counted."""
    tables = [
        Counter(
            (text[i], text[j]) for i in range(len(text)) for j in range(i + 1, len(text)) if gap < 0 or j - i <= gap + 1
        )
        for text in (a, b)
    ]
    return (tables[0] & tables[1]).total()


def matches(texts: list[list[int]], left: list[int], right: list[int], gap: int, kernel: str) -> list[int]:
    tokens = [word for text in texts for word in text]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, kernel)
        return skip_matches(tokens, np.cumsum([0, *map(len, texts)]), left, right, gap).tolist()


def compiled_and_fallback(texts: list[list[int]], left: list[int], right: list[int], gap: int) -> list[int]:
    compiled = matches(texts, left, right, gap, "auto")
    assert compiled == matches(texts, left, right, gap, "python")
    return compiled


TEXTS = st.integers(0, 12).flatmap(
    lambda words: st.lists(st.lists(st.integers(0, words), max_size=30), min_size=1, max_size=5)
)


@given(TEXTS, st.integers(-1, 40), st.data())
def test_equals_table(texts: list[list[int]], gap: int, data: st.DataObject) -> None:
    left = data.draw(st.lists(st.integers(0, len(texts) - 1), max_size=6))
    right = data.draw(st.permutations(left))
    expected = [table_matches(texts[a], texts[b], gap) for a, b in zip(left, right, strict=True)]
    assert compiled_and_fallback(texts, left, right, gap) == expected


def test_a_gap_of_0_means_bigrams() -> None:
    # 1 2, 2 3 and 3 4 against 1 2, 2 4, 4 3, 3 4.
    assert compiled_and_fallback([[1, 2, 3, 4], [1, 2, 4, 3, 4]], [0], [1], 0) == [2]


def test_long_texts_without_limit_of_the_gap() -> None:
    # One word only: each of n(n-1)/2 pairs matches. Here both 2,000 and, by the compiled loop alone, 60,000 words.
    assert compiled_and_fallback([[7] * 2000, [7] * 2500], [0], [1], -1) == [2000 * 1999 // 2]
    assert matches([[7] * 60_000], [0], [0], -1, "auto") == [60_000 * 59_999 // 2]


def test_text_of_100_000_words_with_a_small_gap() -> None:
    long = np.random.default_rng(3).integers(0, 20_000, 100_000).tolist()
    # A text matches itself in all its skip-bigrams: five from each word on, fewer from the last five on.
    assert compiled_and_fallback([long], [0], [0], 4) == [5 * 100_000 - (1 + 2 + 3 + 4 + 5)]


def test_empty_and_single() -> None:
    assert compiled_and_fallback([[], [1], [1, 1]], [0, 1, 1, 2], [0, 1, 2, 2], 4) == [0, 0, 0, 1]
    assert compiled_and_fallback([], [], [], 4) == []


def test_large_word_numbers_need_no_large_memory() -> None:
    assert compiled_and_fallback([[2**31 - 1, 5, 7], [2**31 - 1, 7]], [0], [1], 4) == [1]


def test_uneven_pairs_are_refused() -> None:
    with pytest.raises(DataError, match="left names 2 texts and right names 1; pairs need as many of each"):
        skip_matches([1, 2], [0, 2], [0, 0], [0], 4)
