"""The compiled loop, its plain-Python fallback and rouge-score's own tables give the same matches."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score import rouge_scorer

from textassay.errors import DataError
from textassay.kernels.choice import VARIABLE
from textassay.kernels.lcs import union_lcs

Text = list[list[int]]


def oracle_matches(hypothesis: Text, reference: Text) -> int:
    """rouge-score 0.1.2's recall, times the words that it was divided by."""
    words = sum(map(len, reference))
    return round(rouge_scorer._summary_level_lcs(reference, hypothesis).recall * words)


def matches(texts: list[Text], left: list[int], right: list[int], kernel: str) -> list[int]:
    sentences = [sentence for text in texts for sentence in text]
    tokens = [word for sentence in sentences for word in sentence]
    offsets, first = np.cumsum([0, *map(len, sentences)]), np.cumsum([0, *map(len, texts)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, kernel)
        return union_lcs(tokens, offsets, np.arange(len(sentences)), first, left, right).tolist()


def compiled_and_fallback(texts: list[Text], left: list[int], right: list[int]) -> list[int]:
    compiled = matches(texts, left, right, "auto")
    assert compiled == matches(texts, left, right, "python")
    return compiled


TEXTS = st.integers(0, 8).flatmap(
    lambda words: st.lists(st.lists(st.lists(st.integers(0, words), max_size=14), max_size=4), min_size=1, max_size=4)
)


@given(TEXTS, st.data())
def test_equals_rouge_score(texts: list[Text], data: st.DataObject) -> None:
    left = data.draw(st.lists(st.integers(0, len(texts) - 1), max_size=5))
    right = data.draw(st.permutations(left))
    expected = [oracle_matches(texts[a], texts[b]) for a, b in zip(left, right, strict=True)]
    assert compiled_and_fallback(texts, left, right) == expected


# Blocks hold 64 places: sentences around its multiples take every way through the loop.
@pytest.mark.parametrize("first", [1, 63, 64, 65, 128, 129, 200])
@pytest.mark.parametrize("second", [1, 64, 65, 150])
@pytest.mark.parametrize("words", [2, 5, 60])
def test_equals_rouge_score_across_blocks(first: int, second: int, words: int) -> None:
    draw = np.random.default_rng(first * 1000 + second + words)
    texts = [[draw.integers(0, words, size).tolist() for _ in range(3)] for size in (first, second)]
    expected = [oracle_matches(texts[0], texts[1]), oracle_matches(texts[1], texts[0])]
    assert compiled_and_fallback(texts, [0, 1], [1, 0]) == expected


def test_worked_example() -> None:
    # Lin (2004), section 3.2: r = w1..w5, c1 = w1 w2 w6 w7 w8, c2 = w1 w3 w8 w9 w5: the union is w1 w2 w3 w5.
    reference, hypothesis = [[1, 2, 3, 4, 5]], [[1, 2, 6, 7, 8], [1, 3, 8, 9, 5]]
    assert compiled_and_fallback([hypothesis, reference], [0], [1]) == [4]


def test_a_word_matches_no_more_often_than_the_hypothesis_has_it() -> None:
    assert compiled_and_fallback([[[1, 2]], [[1, 3], [1, 4], [2, 2]]], [0, 1], [1, 0]) == [2, 2]


def test_sentence_of_100_000_words() -> None:
    # Every second word in order: all of them are on the only longest common subsequence of distinct words.
    long = list(range(100_000))
    assert matches([[long], [long[::2]]], [0, 1], [1, 0], "auto") == [50_000, 50_000]
    assert matches([[long[:5000]], [long[:5000:2]]], [0], [1], "python") == [2500]


def test_empty() -> None:
    assert compiled_and_fallback([[], [[]], [[1]]], [0, 1, 2, 2], [2, 2, 0, 1]) == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("sentences", "first", "left", "message"),
    [
        ([1], [0, 1], [0], "sentences must lie between 0 and 0, got 1"),
        ([0], [0, 0], [0], r"first_sentence must rise from 0 to the number of sentences, 1; got \[0, 0\]"),
        ([0], [0, 1], [1], "left and right must lie between 0 and 0, got 1"),
        ([0], [0, 1], [0, 0], "left names 2 texts and right names 1; give as many of each"),
    ],
)
def test_arguments_outside_the_arrays_are_refused(
    sentences: list[int], first: list[int], left: list[int], message: str
) -> None:
    with pytest.raises(DataError, match=message):
        union_lcs([5, 6], [0, 2], sentences, first, left, [0])
