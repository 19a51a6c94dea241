"""The compiled loop, its plain fallback and counting with dictionaries give the same matches."""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.kernels.choice import VARIABLE, compiled_loop
from textassay.kernels.ngrams import ngram_matches

Text = list[int]
Segment = tuple[Text, list[Text]]
"""A hypothesis and its references."""


def counted_matches(segments: list[Segment], max_order: int) -> list[list[int]]:
    """By the definition: Counter's `|` is the maximum over references, its `&` the minimum of both sides."""

    def grams(text: Text, n: int) -> Counter[tuple[int, ...]]:
        return Counter(tuple(text[i : i + n]) for i in range(len(text) - n + 1))

    rows = []
    for hypothesis, references in segments:
        row = []
        for n in range(1, max_order + 1):
            highest: Counter[tuple[int, ...]] = Counter()
            for reference in references:
                highest |= grams(reference, n)
            row.append((grams(hypothesis, n) & highest).total())
        rows.append(row)
    return rows


def arguments(segments: list[Segment]) -> tuple[Any, Any, Any, Any, Any]:
    """The references first, then the hypotheses, so that no text's number is its place by chance."""
    references = [text for _, its in segments for text in its]
    texts = [*references, *(hypothesis for hypothesis, _ in segments)]
    tokens = [token for text in texts for token in text]
    offsets = np.cumsum([0, *map(len, texts)])
    hypotheses = np.arange(len(references), len(texts))
    return tokens, offsets, hypotheses, np.arange(len(references)), np.cumsum([0, *(len(its) for _, its in segments)])


def compiled_and_fallback(segments: list[Segment], max_order: int) -> list[list[int]]:
    found = []
    for choice in ("auto", "python"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(VARIABLE, choice)
            found.append(ngram_matches(*arguments(segments), max_order))
    assert np.array_equal(*found)
    return found[0].tolist()


def segments_of(tokens: int) -> st.SearchStrategy[list[Segment]]:
    text = st.lists(st.integers(0, tokens), max_size=25)
    return st.lists(st.tuples(text, st.lists(text, max_size=4)), max_size=5)


@given(st.integers(0, 30).flatmap(segments_of), st.integers(1, 7))
def test_equals_counting(segments: list[Segment], max_order: int) -> None:
    assert compiled_and_fallback(segments, max_order) == counted_matches(segments, max_order)


def drawn_text(draw: np.random.Generator, tokens: int, length: int) -> Text:
    return (draw.random(length) ** 2 * tokens).astype(int).tolist()


# (n-grams × tokens) decides between matrix and hash table: small and large of both, so that one call uses both.
@pytest.mark.parametrize("tokens", [1, 2, 40, 700, 5000])
@pytest.mark.parametrize("references", [1, 3])
def test_equals_counting_on_long_and_short_texts(tokens: int, references: int) -> None:
    draw = np.random.default_rng(tokens * 10 + references)
    segments: list[Segment] = []
    for length in (3, 3000, 40, 1000, 1, 400, 2000):
        text = drawn_text(draw, tokens, length)
        others = [text[length // 3 :] + drawn_text(draw, tokens, 1 + length // 5) for _ in range(references)]
        segments.append((text, others))
    assert compiled_and_fallback(segments, 6) == counted_matches(segments, 6)


def test_counts_are_clipped_by_the_highest_of_the_references() -> None:
    # Papineni et al. (2002): "the the the the the the the" has "the" at most twice in one reference, "the the" never.
    # Ten references with the same word once each still allow one match only.
    the, other = 7, 8
    segments = [([the] * 7, [[the, other, other, the], [the, other]]), ([the] * 7, [[the]] * 10)]
    assert compiled_and_fallback(segments, 2) == [[2, 0], [1, 0]]


def test_ngrams_do_not_cross_from_one_reference_to_the_next() -> None:
    assert compiled_and_fallback([([1, 2], [[0, 1], [2, 0]])], 2) == [[2, 0]]


def test_empty() -> None:
    assert compiled_and_fallback([], 2) == []
    segments: list[Segment] = [([], [[1]]), ([1], [[]]), ([1], []), ([], []), ([], [[], []]), ([3], [[], [3]])]
    assert compiled_and_fallback(segments, 2) == [[0, 0]] * 5 + [[1, 0]]
    assert ngram_matches([], [0], [], [], [0], 3).shape == (0, 3)


def test_texts_of_100_000_tokens() -> None:
    # All tokens different, one token only, and two in turn: the worst for a table of n-grams, for clipping, for keys.
    n = 100_000
    texts: list[Text] = [list(range(n)), [5] * n, [1, 2] * (n // 2)]
    for text in texts:
        assert compiled_and_fallback([(text, [text])], 4) == [[n, n - 1, n - 2, n - 3]]


def test_large_token_numbers_need_no_large_memory() -> None:
    high = 2**31 - 1
    segments = [([high, 5, 7], [[high, 5, high]])]
    assert compiled_and_fallback(segments, 6) == counted_matches(segments, 6)
    # Many orders of large numbers go beyond 64 bits in the fallback, which then numbers anew.
    segments = [(list(range(high - 50, high)), [list(range(high - 40, high)), list(range(high - 50, high - 30))])] * 3
    assert compiled_and_fallback(segments, 9) == counted_matches(segments, 9)


def test_same_text_as_hypothesis_and_reference() -> None:
    assert ngram_matches([1, 2, 3], [0, 3], [0, 0], [0, 0, 0], [0, 1, 3], 2).tolist() == [[3, 2], [3, 2]]


@pytest.mark.skipif(compiled_loop("ngrams") is None, reason="the fallback has no numbers to run out of")
def test_numbers_begin_anew_before_they_run_out() -> None:
    loop = compiled_loop("ngrams")
    draw = np.random.default_rng(3)
    segments = [(drawn_text(draw, 30, 200), [drawn_text(draw, 30, 200)]) for _ in range(500)]
    tokens, offsets, *numbers = arguments(segments)
    found = np.zeros((len(segments), 5), dtype=np.int32)
    near_the_end = np.iinfo(np.int32).max - 2**18 - 20_000
    texts = np.array(tokens, dtype=np.int32), offsets
    assert loop is not None
    loop.ngram_matches(*texts, *numbers, 31, 200, 200, found, near_the_end)
    assert found.tolist() == counted_matches(segments, 5)


def test_result_is_int32() -> None:
    assert ngram_matches([1], [0, 1], [0], [0], [0, 1], 1).dtype == np.int32


def test_threads_share_nothing() -> None:
    draw = np.random.default_rng(11)
    given = arguments([(drawn_text(draw, 40, 300), [drawn_text(draw, 40, 300)]) for _ in range(200)])
    alone = ngram_matches(*given, 4)
    with ThreadPoolExecutor(4) as pool:
        tasks = [pool.submit(ngram_matches, *given, 4) for _ in range(8)]
        assert all(np.array_equal(task.result(), alone) for task in tasks)


@pytest.mark.skipif(compiled_loop("ngrams") is None, reason="the fallback is plain Python")
def test_other_threads_run_meanwhile() -> None:
    # Several tenths of a second in the loop; if it held the GIL, this thread could not count at all meanwhile.
    tokens = np.random.default_rng(5).integers(0, 50_000, 200_000).astype(np.int32)
    offsets = np.array([0, 100_000, 200_000])
    with ThreadPoolExecutor(1) as pool:
        task = pool.submit(ngram_matches, tokens, offsets, [0] * 30, [1] * 30, np.arange(31), 4)
        turns = 0
        while not task.done():
            turns += 1
            time.sleep(0.001)
    assert turns > 20


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"max_order": 0}, UsageError, "max_order is 0; the shortest n-grams are of order 1"),
        ({"hypotheses": [2]}, DataError, "hypotheses must lie between 0 and 1, got 2"),
        ({"references": [-1]}, DataError, "references must lie between 0 and 1, got -1"),
        ({"first_reference": [0]}, DataError, "first_reference must rise from 0 to the number of references, 1"),
        ({"first_reference": [0, 2]}, DataError, r"got 2 entries: \[0, 2\]"),
        ({"first_reference": [1, 1]}, DataError, "first_reference must rise"),
        ({"offsets": [0, 2, 9]}, DataError, "offsets must lie between 0 and 4"),
    ],
)
def test_mistakes_are_explained(change: dict[str, Any], error: type[Exception], message: str) -> None:
    right = {"tokens": [1, 2, 3, 4], "offsets": [0, 2, 4], "hypotheses": [0], "references": [1]}
    with pytest.raises(error, match=message):
        ngram_matches(**{**right, "first_reference": [0, 1], "max_order": 2, **change})
