"""The compiled loop, its plain-Python fallback and the textbook's table give the same lengths."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score import rouge_scorer

from textassay import kernels
from textassay.errors import DataError, UsageError
from textassay.kernels.choice import VARIABLE
from textassay.kernels.lcs import lcs_lengths, union_lcs, weighted_lcs


def table_length(a: list[int], b: list[int]) -> int:
    """The textbook's dynamic programme (Wagner and Fischer 1974), one row at a time."""
    row = [0] * (len(b) + 1)
    for x in a:
        above = row[:]
        for j, y in enumerate(b, start=1):
            row[j] = above[j - 1] + 1 if x == y else max(above[j], row[j - 1])
    return row[-1]


def lengths(texts: list[list[int]], left: list[int], right: list[int], kernel: str) -> list[int]:
    tokens = [word for text in texts for word in text]
    offsets = np.cumsum([0, *map(len, texts)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, kernel)
        return lcs_lengths(tokens, offsets, left, right).tolist()


def compiled_and_fallback(texts: list[list[int]], left: list[int], right: list[int]) -> list[int]:
    compiled = lengths(texts, left, right, "auto")
    assert compiled == lengths(texts, left, right, "python")
    return compiled


@given(
    st.integers(1, 30).flatmap(lambda words: st.lists(st.lists(st.integers(0, words), max_size=40), max_size=6)),
    st.data(),
)
def test_equals_table(texts: list[list[int]], data: st.DataObject) -> None:
    rows = st.lists(st.integers(0, len(texts) - 1), max_size=8) if texts else st.just([])
    left = data.draw(rows)
    right = data.draw(st.permutations(left))
    expected = [table_length(texts[a], texts[b]) for a, b in zip(left, right, strict=True)]
    assert compiled_and_fallback(texts, left, right) == expected


# Blocks hold 64 positions: lengths around its multiples, and very unequal ones, take every way through the loop.
@pytest.mark.parametrize("first", [1, 63, 64, 65, 127, 128, 129, 300])
@pytest.mark.parametrize("second", [1, 64, 65, 200])
@pytest.mark.parametrize("words", [1, 3, 40, 5000])
def test_equals_table_across_blocks(first: int, second: int, words: int) -> None:
    draw = np.random.default_rng(first * 1000 + second + words)
    texts = [draw.integers(0, words, size).tolist() for size in (first, second)]
    assert compiled_and_fallback(texts, [0], [1]) == [table_length(*texts)]


def test_identical_reversed_and_disjoint() -> None:
    # 1000 different words: all in common with itself, one with the reverse, none with others.
    words = list(range(1000))
    texts = [words, words[::-1], [word + 1000 for word in words]]
    assert compiled_and_fallback(texts, [0, 0, 0], [0, 1, 2]) == [1000, 1, 0]


def test_text_of_100_000_words() -> None:
    # Every second word of the long text, in order: all of them are common.
    long = np.random.default_rng(7).integers(0, 50_000, 100_000).tolist()
    assert lengths([long, long[::2]], [0], [1], "auto") == [50_000]
    assert lengths([long[:20_000], long[:20_000:2]], [0], [1], "python") == [10_000]


def test_empty() -> None:
    assert compiled_and_fallback([], [], []) == []
    assert compiled_and_fallback([[], [1, 2], []], [0, 1, 0], [1, 0, 2]) == [0, 0, 0]


def test_large_word_numbers_need_no_large_memory() -> None:
    assert compiled_and_fallback([[2**31 - 1, 5, 7], [2**31 - 1, 7]], [0], [1]) == [2]


def test_result_is_int32() -> None:
    assert lcs_lengths([1], [0, 1], [0], [0]).dtype == np.int32


def test_any_integer_arrays_are_taken() -> None:
    tokens = np.array([9, 1, 2, 9, 3, 1, 9, 2], dtype=np.uint16)
    not_contiguous = np.array([0, 99, 4, 99, 8], dtype=np.int8)[::2]
    assert lcs_lengths(tokens, not_contiguous, [0], [1]).tolist() == [2]


def test_threads_share_nothing() -> None:
    draw = np.random.default_rng(11)
    texts = [draw.integers(0, 20, 400).tolist() for _ in range(20)]
    pairs = [(a, b) for a in range(20) for b in range(20)]
    left, right = [a for a, _ in pairs], [b for _, b in pairs]
    alone = lengths(texts, left, right, "auto")
    with ThreadPoolExecutor(4) as pool:
        tokens, offsets = np.concatenate(texts), np.arange(0, 8001, 400)
        tasks = [pool.submit(lcs_lengths, tokens, offsets, left, right) for _ in range(8)]
        assert all(task.result().tolist() == alone for task in tasks)


@pytest.mark.skipif(not kernels.compiled(), reason="the fallback is plain Python")
def test_other_threads_run_meanwhile() -> None:
    # About a quarter of a second in the loop; if it held the GIL, this thread could not count at all meanwhile.
    tokens = np.random.default_rng(5).integers(0, 50_000, 200_000)
    with ThreadPoolExecutor(1) as pool:
        task = pool.submit(lcs_lengths, tokens, [0, 100_000, 200_000], [0], [1])
        turns = 0
        while not task.done():
            turns += 1
            time.sleep(0.001)
    assert turns > 20


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, -1], [0, 2], [0], [0]), "tokens must lie between 0 and 2147483647, got -1"),
        (([0.5], [0, 1], [0], [0]), "tokens must be a flat list of integers, got 1 dimensions of float64"),
        (
            (np.ones((2, 1), dtype=np.int64), [0, 1], [0], [0]),
            "tokens must be a flat list of integers, got 2 dimensions of int64",
        ),
        (([1, 2], [0, 1], [0], [0]), "offsets must rise from 0 to the number of tokens, 2; got [0, 1]"),
        (([1, 2], [0, 2, 1, 2], [0], [0]), "offsets must rise from 0 to the number of tokens, 2; got [0, 2, 1, 2]"),
        (([1, 2], [0, 3], [0], [0]), "offsets must lie between 0 and 2, got 3"),
        (([1, 2], [0, 2], [1], [0]), "left and right must lie between 0 and 0, got 1"),
        (([1, 2], [0, 2], [0], [-1]), "left and right must lie between 0 and 0, got -1"),
        (([1, 2], [0, 2], [0, 0], [0]), "left names 2 texts and right names 1; pairs need as many of each"),
        (([1, 2], [], [], []), "offsets must rise from 0 to the number of tokens, 2; got []"),
    ],
)
@pytest.mark.parametrize("kernel", ["auto", "python"])
def test_arguments_outside_the_arrays_are_refused(
    arguments: tuple[list[int], ...], message: str, kernel: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, kernel)
    with pytest.raises(DataError) as caught:
        lcs_lengths(*arguments)
    assert str(caught.value) == message


# --- The compiled loop, its plain-Python fallback and rouge-score's own tables give the same matches ----------------


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


def compiled_and_fallback_union(texts: list[Text], left: list[int], right: list[int]) -> list[int]:
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
    assert compiled_and_fallback_union(texts, left, right) == expected


@pytest.mark.long
# Blocks hold 64 places: sentences around its multiples take every way through the loop.
@pytest.mark.parametrize("first", [1, 63, 64, 65, 128, 129, 200])
@pytest.mark.parametrize("second", [1, 64, 65, 150])
@pytest.mark.parametrize("words", [2, 5, 60])
def test_equals_rouge_score_across_blocks(first: int, second: int, words: int) -> None:
    draw = np.random.default_rng(first * 1000 + second + words)
    texts = [[draw.integers(0, words, size).tolist() for _ in range(3)] for size in (first, second)]
    expected = [oracle_matches(texts[0], texts[1]), oracle_matches(texts[1], texts[0])]
    assert compiled_and_fallback_union(texts, [0, 1], [1, 0]) == expected


def test_worked_example() -> None:
    # Lin (2004), section 3.2: r = w1..w5, c1 = w1 w2 w6 w7 w8, c2 = w1 w3 w8 w9 w5: the union is w1 w2 w3 w5.
    reference, hypothesis = [[1, 2, 3, 4, 5]], [[1, 2, 6, 7, 8], [1, 3, 8, 9, 5]]
    assert compiled_and_fallback_union([hypothesis, reference], [0], [1]) == [4]


def test_a_word_matches_no_more_often_than_the_hypothesis_has_it() -> None:
    assert compiled_and_fallback_union([[[1, 2]], [[1, 3], [1, 4], [2, 2]]], [0, 1], [1, 0]) == [2, 2]


def test_sentence_of_100_000_words() -> None:
    # Every second word in order: all of them are on the only longest common subsequence of distinct words.
    long = list(range(100_000))
    assert matches([[long], [long[::2]]], [0, 1], [1, 0], "auto") == [50_000, 50_000]
    assert matches([[long[:5000]], [long[:5000:2]]], [0], [1], "python") == [2500]


def test_empty_union() -> None:
    assert compiled_and_fallback_union([[], [[]], [[1]]], [0, 1, 2, 2], [2, 2, 0, 1]) == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("sentences", "first", "left", "message"),
    [
        ([1], [0, 1], [0], "sentences must lie between 0 and 0, got 1"),
        ([0], [0, 0], [0], r"first_sentence must rise from 0 to the number of sentences, 1; got \[0, 0\]"),
        ([0], [0, 1], [1], "left and right must lie between 0 and 0, got 1"),
        ([0], [0, 1], [0, 0], "left names 2 texts and right names 1; give as many of each"),
    ],
)
def test_arguments_outside_the_arrays_are_refused_union(
    sentences: list[int], first: list[int], left: list[int], message: str
) -> None:
    with pytest.raises(DataError, match=message):
        union_lcs([5, 6], [0, 2], sentences, first, left, [0])


# --- The compiled loop, its plain-Python fallback and Lin's recurrence written out give the same weights ------------


def recurrence(x: list[int], y: list[int], exponent: float) -> float:
    """Lin (2004), section 4: whole tables of weights c and of run lengths w."""
    c = [[0.0] * (len(y) + 1) for _ in range(len(x) + 1)]
    w = [[0] * (len(y) + 1) for _ in range(len(x) + 1)]
    for i in range(1, len(x) + 1):
        for j in range(1, len(y) + 1):
            if x[i - 1] == y[j - 1]:
                k = w[i - 1][j - 1]
                c[i][j] = c[i - 1][j - 1] + (k + 1) ** exponent - k**exponent
                w[i][j] = k + 1
            else:
                c[i][j] = max(c[i - 1][j], c[i][j - 1])
    return c[-1][-1]


def weights(texts: list[list[int]], left: list[int], right: list[int], exponent: float, kernel: str) -> list[float]:
    tokens = [word for text in texts for word in text]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, kernel)
        return weighted_lcs(tokens, np.cumsum([0, *map(len, texts)]), left, right, exponent).tolist()


def compiled_and_fallback_weighted(
    texts: list[list[int]], left: list[int], right: list[int], exponent: float
) -> list[float]:
    compiled = weights(texts, left, right, exponent, "auto")
    assert compiled == weights(texts, left, right, exponent, "python")
    return compiled


TEXTS_WEIGHTED = st.integers(0, 8).flatmap(
    lambda words: st.lists(st.lists(st.integers(0, words), max_size=20), min_size=1, max_size=4)
)


@given(TEXTS_WEIGHTED, st.floats(1, 4), st.data())
def test_equals_recurrence(texts: list[list[int]], exponent: float, data: st.DataObject) -> None:
    left = data.draw(st.lists(st.integers(0, len(texts) - 1), max_size=5))
    right = data.draw(st.permutations(left))
    expected = [recurrence(texts[a], texts[b], exponent) for a, b in zip(left, right, strict=True)]
    assert compiled_and_fallback_weighted(texts, left, right, exponent) == pytest.approx(expected, rel=1e-12)


@given(TEXTS_WEIGHTED)
def test_exponent_1_gives_the_longest_common_subsequence(texts: list[list[int]]) -> None:
    rows = list(range(len(texts)))
    tokens, offsets = [word for text in texts for word in text], np.cumsum([0, *map(len, texts)])
    lengths = lcs_lengths(tokens, offsets, rows, rows[::-1]).tolist()
    assert compiled_and_fallback_weighted(texts, rows, rows[::-1], 1) == lengths


def test_worked_example_weighted() -> None:
    # Lin (2004), section 4: X = ABCDEFG, Y1 = ABCDHIK, Y2 = AHBKCID; squares: 4² = 16 and 4·1² = 4.
    x, y1, y2 = ([ord(letter) for letter in text] for text in ("ABCDEFG", "ABCDHIK", "AHBKCID"))
    assert compiled_and_fallback_weighted([x, y1, y2], [1, 2], [0, 0], 2) == [16.0, 4.0]


def test_long_texts_need_memory_for_one_row_only() -> None:
    long = list(range(20_000))
    assert weights([long, long[::2]], [0], [1], 2, "auto") == [10_000.0]  # no two are consecutive in both


def test_empty_weighted() -> None:
    assert compiled_and_fallback_weighted([[], [1]], [0, 0, 1], [0, 1, 0], 1.2) == [0.0, 0.0, 0.0]
    assert compiled_and_fallback_weighted([], [], [], 1.2) == []


@pytest.mark.parametrize("exponent", [0.5, float("nan"), float("inf")])
def test_exponents_that_mean_nothing_are_refused(exponent: float) -> None:
    with pytest.raises(UsageError, match=f"exponent is {exponent}; it must be at least 1"):
        weighted_lcs([1], [0, 1], [0], [0], exponent)
