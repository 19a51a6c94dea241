"""The compiled loops, their plain-Python fallbacks and RapidFuzz agree on distances and on the kinds of edits."""

from __future__ import annotations

import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from edited_words import Pair, edited_pair
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from textassay import kernels
from textassay.errors import DataError
from textassay.kernels import edits
from textassay.kernels.choice import VARIABLE
from textassay.kernels.edits import edit_counts, edit_distances, string_edit_counts, string_edits

Counts = list[list[int]]


def table_distance(a: list[int], b: list[int]) -> int:
    """The textbook's dynamic programme (Wagner and Fischer 1974), one row at a time."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        above, row = row, [i]
        for j, y in enumerate(b, start=1):
            row.append(min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (x != y)))
    return row[-1]


def rapidfuzz_counts(reference: list[int], hypothesis: list[int]) -> list[int]:
    """Hits, substitutions, deletions, insertions of the alignment that RapidFuzz, and with it jiwer, takes."""
    kinds = [edit.tag for edit in Levenshtein.editops(reference, hypothesis)]
    substitutions, deletions, insertions = (kinds.count(kind) for kind in ("replace", "delete", "insert"))
    return [len(reference) - substitutions - deletions, substitutions, deletions, insertions]


def measured(pairs: list[Pair], kernel: str) -> tuple[list[int], Counts]:
    """Distances and counts with the first of each pair as the reference."""
    texts = [text for pair in pairs for text in pair]
    tokens = [word for text in texts for word in text]
    offsets = np.cumsum([0, *map(len, texts)])
    left = np.arange(0, len(texts), 2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, kernel)
        distances = edit_distances(tokens, offsets, left, left + 1)
        return distances.tolist(), edit_counts(tokens, offsets, left, left + 1).tolist()


def compiled_and_fallback(pairs: list[Pair]) -> tuple[list[int], Counts]:
    compiled = measured(pairs, "auto")
    assert compiled == measured(pairs, "python")
    return compiled


def agrees_with_peers(pairs: list[Pair]) -> None:
    distances, counts = compiled_and_fallback(pairs)
    assert distances == [table_distance(*pair) for pair in pairs]
    assert counts == [rapidfuzz_counts(*pair) for pair in pairs]
    assert distances == [sum(row[1:]) for row in counts]


@given(
    st.integers(1, 30).flatmap(
        lambda words: st.lists(st.tuples(*[st.lists(st.integers(0, words), max_size=40)] * 2), max_size=6)
    )
)
def test_equals_table_and_rapidfuzz(pairs: list[Pair]) -> None:
    agrees_with_peers(pairs)


# Blocks hold 64 positions, and run four at a time: lengths around the multiples of both, and very unequal ones, take
# every way through the loop.
@pytest.mark.parametrize("first", [1, 63, 64, 65, 127, 128, 129, 200, 256, 257])
@pytest.mark.parametrize("second", [1, 64, 65, 200])
@pytest.mark.parametrize("words", [2, 5, 60])
def test_equals_table_and_rapidfuzz_across_blocks(first: int, second: int, words: int) -> None:
    draw = np.random.default_rng(first * 1000 + second + words)
    agrees_with_peers([tuple(draw.integers(0, words, size).tolist() for size in (first, second))])


def test_counts_of_edited_texts_equal_rapidfuzz() -> None:
    draw = random.Random(4)
    pairs = [edited_pair(draw, 150, words) for words in (2, 4, 20, 500) for _ in range(250)]
    assert compiled_and_fallback(pairs)[1] == [rapidfuzz_counts(*pair) for pair in pairs]


def test_what_the_counts_mean() -> None:
    # Reference a b c d, hypothesis x b d: x for a, c omitted. Then: one word added; nothing at all.
    pairs = [([1, 2, 3, 4], [9, 2, 4]), ([1, 2], [1, 5, 2]), ([], [])]
    assert compiled_and_fallback(pairs) == ([2, 1, 0], [[2, 1, 1, 0], [2, 0, 0, 1], [0, 0, 0, 0]])


def test_one_side_empty() -> None:
    assert compiled_and_fallback([([], [1, 2]), ([1, 2, 3], [])]) == ([2, 3], [[0, 0, 0, 2], [0, 0, 3, 0]])
    assert compiled_and_fallback([]) == ([], [])


def test_identical_reversed_and_disjoint() -> None:
    # 500 different words against themselves, others, and themselves backwards: an even number has no fixed middle.
    words = list(range(500))
    pairs = [(words, words), (words, [word + 500 for word in words]), (words, words[::-1])]
    distances, counts = compiled_and_fallback(pairs)
    assert distances[:2] == [0, 500]
    assert counts[:2] == [[500, 0, 0, 0], [0, 500, 0, 0]]
    assert distances[2] == Levenshtein.distance(words, words[::-1])


@pytest.mark.parametrize("kernel", ["auto", "python"])
def test_large_pairs_are_aligned_by_the_same_rule(kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # 4,500 words exceed what the compiled loop keeps; the fallback's limit is lowered. First comes the same
    # pair cut to 1,500 words, where RapidFuzz still follows the rule.
    monkeypatch.setattr(edits, "KEPT", 100_000)
    draw = random.Random(9)
    reference = [draw.randrange(300) for _ in range(4_500)]
    hypothesis = [draw.randrange(300) if draw.random() < 0.3 else word for word in reference if draw.random() > 0.2]
    small, large = measured([(reference[:1_500], hypothesis[:1_300]), (reference, hypothesis)], kernel)[1]
    assert small == rapidfuzz_counts(reference[:1_500], hypothesis[:1_300])
    assert sum(large[1:]) == Levenshtein.distance(reference, hypothesis)
    assert large[0] + large[1] + large[2] == len(reference)
    assert large[0] + large[1] + large[3] == len(hypothesis)


def test_compiled_loop_and_fallback_agree_on_a_large_pair() -> None:
    draw = random.Random(10)
    reference = [draw.randrange(50) for _ in range(6_000)]
    hypothesis = [draw.randrange(50) if draw.random() < 0.3 else word for word in reference if draw.random() > 0.2]
    compiled_and_fallback([(reference, hypothesis)])


@pytest.mark.parametrize("changed", [0.002, 0.03, 0.15, 0.6])
def test_long_texts_in_bands_of_any_width(changed: float) -> None:
    # Few changes are found in the narrowest band, many in none but the widest. A block that moves, or a length that
    # differs, takes the way away from the middle of the band.
    draw = random.Random(11)
    reference = [draw.randrange(20) for _ in range(6_500)]
    same = [draw.randrange(20) if draw.random() < changed else word for word in reference]
    moved = same[300:] + same[:300]
    longer = [draw.randrange(20) for _ in range(900)] + same
    pairs = [(reference, same), (reference, moved), (moved, longer), (longer, same[: len(same) // 2])]
    distances, counts = compiled_and_fallback(pairs)
    assert distances == [Levenshtein.distance(*pair) for pair in pairs] == [sum(row[1:]) for row in counts]


@pytest.mark.long
def test_text_of_100_000_words() -> None:
    # Every second word of the long text, in order: the others are deletions.
    long = np.random.default_rng(7).integers(0, 50_000, 100_000).tolist()
    assert measured([(long, long[::2])], "auto") == ([50_000], [[50_000, 0, 50_000, 0]])
    long = long[:10_000]
    assert measured([(long, long[::2])], "python") == ([5_000], [[5_000, 0, 5_000, 0]])


@pytest.mark.skipif(not kernels.compiled(), reason="the fallback takes a minute")
def test_two_texts_of_100_000_words_take_little_memory() -> None:
    # 10^10 cells at two bits would be 2.5 GB. Nothing in common, so every word is substituted.
    counts = edit_counts(np.arange(200_000), [0, 100_000, 200_000], [0], [1])
    assert counts.tolist() == [[0, 100_000, 0, 0]]


def test_large_word_numbers_need_no_large_memory() -> None:
    assert compiled_and_fallback([([2**31 - 1, 5, 7], [2**31 - 1, 7])]) == ([1], [[2, 0, 1, 0]])


def test_results_are_int32() -> None:
    assert edit_distances([1], [0, 1], [0], [0]).dtype == np.int32
    assert edit_counts([1], [0, 1], [0], [0]).dtype == np.int32


@pytest.mark.skipif(not kernels.compiled(), reason="the fallback is plain Python")
def test_other_threads_run_meanwhile() -> None:
    tokens = np.random.default_rng(5).integers(0, 50_000, 80_000)
    with ThreadPoolExecutor(1) as pool:
        task = pool.submit(edit_counts, tokens, [0, 40_000, 80_000], [0], [1])
        turns = 0
        while not task.done():
            turns += 1
            time.sleep(0.001)
    assert turns > 20


@pytest.mark.parametrize("function", [edit_distances, edit_counts])
@pytest.mark.parametrize("kernel", ["auto", "python"])
def test_arguments_outside_the_arrays_are_refused(function, kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, kernel)
    with pytest.raises(DataError, match="left and right must lie between 0 and 0, got 1"):
        function([1, 2], [0, 2], [1], [0])
    with pytest.raises(DataError, match="left names 2 texts and right names 1"):
        function([1, 2], [0, 2], [0, 0], [0])


def string_units(text: str, *, words: bool) -> list[str]:
    return text.split() if words else list(text.strip())


@pytest.mark.parametrize("words", [False, True])
@given(st.lists(st.tuples(*[st.text("ab \t\u3000é字😀", max_size=90)] * 2), max_size=5))
def test_strings_equal_their_units_and_rapidfuzz(words: bool, pairs: list[tuple[str, str]]) -> None:
    left, right = [first for first, _ in pairs], [second for _, second in pairs]
    units = [tuple(string_units(text, words=words) for text in pair) for pair in pairs]
    for kernel in ("auto", "python"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(VARIABLE, kernel)
            counts = string_edit_counts(left, right, words=words).tolist()
            edits_and_lengths = string_edits(left, right, words=words).tolist()
        assert counts == [rapidfuzz_counts(*pair) for pair in units]
        assert edits_and_lengths == [[Levenshtein.distance(*pair), *map(len, pair)] for pair in units]


def test_white_space_of_strings_is_that_of_python() -> None:
    texts = [f"a{chr(code)}b{chr(code)}" for code in range(sys.maxunicode + 1)]
    lengths = string_edits(texts, texts, words=True)[:, 1].tolist()
    assert lengths == [len(text.split()) for text in texts]
    ends = string_edits(texts[:0x4000], texts[:0x4000], words=False)[:, 1].tolist()
    assert ends == [len(text.strip()) for text in texts[:0x4000]]


def test_strings_of_many_words_and_of_all_lengths() -> None:
    # Pairs of very different sizes share one table of words: what one leaves there must not count for the next.
    draw = random.Random(12)
    texts = [" ".join(f"w{draw.randrange(size)}" for _ in range(size)) for size in (3000, 1, 0, 16, 2, 700, 5, 64)]
    left, right = texts * 2, [*texts[1:], *texts, texts[0]]
    expected = [Levenshtein.distance(first.split(), second.split()) for first, second in zip(left, right, strict=True)]
    assert string_edits(left, right, words=True)[:, 0].tolist() == expected
    assert string_edit_counts(left, right, words=True)[:, 1:].sum(axis=1).tolist() == expected


def test_strings_need_as_many_of_each() -> None:
    with pytest.raises(DataError, match="left has 1 texts and right has 2"):
        string_edits(["a"], ["b", "c"], words=True)


@pytest.mark.parametrize("alphabet", ["abc", "aé ÿ", "时年得 要", "a字😀 "])
@pytest.mark.parametrize("longest", [5, 70, 140, 600])
def test_many_pairs_of_strings_equal_rapidfuzz(alphabet: str, longest: int) -> None:
    # Small pairs run together, those with patterns of up to 64 characters and of up to 128 apart, and others between
    # them at once. Neighbours have very different lengths, and a few have equal ends, or are equal.
    draw = random.Random(longest)
    texts = ["".join(draw.choices(alphabet, k=draw.randint(0, longest))) for _ in range(303)]
    others = [text[: len(text) // 2] + draw.choice(texts)[len(text) // 3 :] if draw.random() < 0.6 else text[::-1]
              for text in texts]  # fmt: skip
    pairs = list(zip(texts, others, strict=True))
    for words in (False, True):
        units = [tuple(string_units(text, words=words) for text in pair) for pair in pairs]
        for few in (len(pairs), 7):  # for many pairs masks of all characters are there from the beginning
            edits_and_lengths = string_edits(texts[:few], others[:few], words=words).tolist()
            assert edits_and_lengths == [[Levenshtein.distance(*pair), *map(len, pair)] for pair in units[:few]]
            counts = string_edit_counts(texts[:few], others[:few], words=words).tolist()
            assert counts == [rapidfuzz_counts(*pair) for pair in units[:few]]


@pytest.mark.parametrize("first", [1, 2, 63, 64, 65, 127, 128, 129])
@pytest.mark.parametrize("second", [1, 64, 65, 128, 129])
def test_strings_of_lengths_at_which_another_way_begins(first: int, second: int) -> None:
    draw = random.Random(first * 1000 + second)
    pairs = [tuple("".join(draw.choices("abcd", k=size)) for size in (first, second)) for _ in range(6)]
    left, right = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    assert string_edits(left, right, words=False)[:, 0].tolist() == [Levenshtein.distance(*pair) for pair in pairs]
    expected = [rapidfuzz_counts(list(pair[0]), list(pair[1])) for pair in pairs]
    assert string_edit_counts(left, right, words=False).tolist() == expected


def test_a_wide_character_after_many_narrow_ones_and_a_long_text_after_short_ones() -> None:
    left = ["kitten", "Käse", "字", "a" * 3000, "sitting", "😀字a"]
    right = ["sitting", "Hase", "字字", "a" * 1000 + "b" * 2000, "字", "字a"]
    assert string_edits(left, right, words=False)[:, 0].tolist() == [3, 2, 1, 2000, 7, 1]
    assert string_edit_counts(left, right, words=False)[:, 1:].sum(axis=1).tolist() == [3, 2, 1, 2000, 7, 1]
