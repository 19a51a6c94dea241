"""The compiled loop, its plain-Python fallback and sacreBLEU 2.6.0 find the same number of edits."""

from __future__ import annotations

import random
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from edited_words import Pair, edited_pair
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.lib_ter import translation_edit_rate

from textassay import kernels
from textassay.errors import DataError
from textassay.kernels.choice import VARIABLE
from textassay.kernels.ter import ter_edits


def edits(pairs: list[Pair], kernel: str) -> list[int]:
    texts = [text for pair in pairs for text in pair]
    tokens = [word for text in texts for word in text]
    hypotheses = np.arange(0, len(texts), 2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, kernel)
        return ter_edits(tokens, np.cumsum([0, *map(len, texts)]), hypotheses, hypotheses + 1).tolist()


def compiled_and_fallback(pairs: list[Pair]) -> list[int]:
    compiled = edits(pairs, "auto")
    assert compiled == edits(pairs, "python")
    return compiled


def sacrebleu_edits(pairs: list[Pair]) -> list[int]:
    spelt = [[[str(word) for word in text] for text in pair] for pair in pairs]
    return [translation_edit_rate(hypothesis, reference)[0] for hypothesis, reference in spelt]


# Few words repeat often and give many shifts to choose from; many words leave a few long ones.
@pytest.mark.parametrize(
    ("longest", "words", "n"), [(8, 3, 900), (15, 8, 400), (22, 40, 200), (35, 12, 50), (40, 500, 50)]
)
def test_equals_sacrebleu(longest: int, words: int, n: int) -> None:
    draw = random.Random(longest * words)
    pairs = [edited_pair(draw, longest, words) for _ in range(n)]
    assert compiled_and_fallback(pairs) == sacrebleu_edits(pairs)


@pytest.mark.long
def test_equals_sacrebleu_where_the_band_matters() -> None:
    # Beyond 25 words cells fall outside the band; lengths that differ make it steep, flat or ragged at the end.
    draw = random.Random(3)
    pairs = []
    for hypothesis, reference in [(60, 60), (26, 90), (90, 26), (30, 130), (61, 75), (2, 90), (3, 149)]:
        texts = [[draw.randrange(400) for _ in range(size)] for size in (hypothesis, reference)]
        shared = texts[1][: hypothesis // 2]
        pairs += [(texts[0], texts[1]), (texts[0][len(shared) :] + shared, texts[1])]
    assert compiled_and_fallback(pairs) == sacrebleu_edits(pairs)


def test_equals_sacrebleu_where_the_band_is_wider_than_a_word() -> None:
    # More than fifty words of reference for each word of hypothesis: the band grows with the ratio.
    draw = random.Random(8)
    pairs = [
        ([draw.randrange(words) for _ in range(size)], [draw.randrange(words) for _ in range(length)])
        for size, length in [(1, 50), (1, 51), (1, 52), (1, 200), (2, 101), (2, 230), (3, 151), (4, 320)]
        for words in (2, 30, 300)
    ]
    assert compiled_and_fallback(pairs) == sacrebleu_edits(pairs)


@pytest.mark.long
def test_equals_sacrebleu_when_too_many_shifts_were_tried() -> None:
    # Two words in 50: far more than 1,000 shifts are possible, and the search stops without making the last one.
    draw = random.Random(6)
    pairs = [tuple([draw.randrange(2) for _ in range(50)] for _ in range(2)) for _ in range(2)]
    assert compiled_and_fallback(pairs) == sacrebleu_edits(pairs)


def test_equals_sacrebleu_on_long_text() -> None:
    draw = random.Random(12)
    pairs = [edited_pair(draw, 200, words) for words in (400, 2_000)]
    assert compiled_and_fallback(pairs) == sacrebleu_edits(pairs)


@settings(deadline=None)
@given(
    st.integers(0, 12).flatmap(
        lambda words: st.lists(st.tuples(*[st.lists(st.integers(0, words), max_size=70)] * 2), max_size=4)
    )
)
def test_fallback_equals_compiled_loop(pairs: list[Pair]) -> None:
    compiled_and_fallback(pairs)


@given(
    st.integers(0, 4).flatmap(
        lambda words: st.lists(st.tuples(*[st.lists(st.integers(0, words), max_size=9)] * 2), max_size=4)
    )
)
def test_small_pairs_equal_sacrebleu(pairs: list[Pair]) -> None:
    assert compiled_and_fallback(pairs) == sacrebleu_edits(pairs)


def test_a_shift_is_one_edit() -> None:
    # tercom 0.8.0: "d e f g h a b c" against "a b c d e f g h" is one edit in eight.
    assert compiled_and_fallback([([4, 5, 6, 7, 8, 1, 2, 3], [1, 2, 3, 4, 5, 6, 7, 8])]) == [1]


def test_empty() -> None:
    assert compiled_and_fallback([([], []), ([1, 2], []), ([], [1, 2, 3])]) == [0, 2, 3]
    assert compiled_and_fallback([]) == []


@pytest.mark.skipif(not kernels.compiled(), reason="the fallback takes minutes")
def test_texts_of_100_000_words() -> None:
    # The masks of so many different words would take gigabytes. The last five words stand first: one shift, were it not
    # for the limit of 50 positions, so each is dropped here and added there.
    words = np.arange(100_000)
    pair = np.concatenate([words[-5:], words[:-5], words])
    assert ter_edits(pair, [0, 100_000, 200_000], [0], [1]).tolist() == [10]
    # One word 100,000 times against the same and one more: all that could be shifted is right already.
    same = np.zeros(200_001, dtype=np.int64)
    assert ter_edits(same, [0, 100_000, 200_001], [0], [1]).tolist() == [1]
    # Words in common at random places: shifts are tried until the limit.
    drawn = np.random.default_rng(2).integers(0, 100, 40_000)
    assert 0 < ter_edits(drawn, [0, 20_000, 40_000], [0], [1])[0] <= 20_000


def test_fallback_takes_long_texts() -> None:
    words = list(range(3_000))
    assert compiled_and_fallback([([*words[1500:1505], *words[:1500], *words[1505:]], words)]) == [10]


def test_large_word_numbers_need_no_large_memory() -> None:
    assert compiled_and_fallback([([2**31 - 1, 5, 7], [2**31 - 1, 7])]) == [1]


@pytest.mark.skipif(not kernels.compiled(), reason="the fallback is plain Python")
def test_other_threads_run_meanwhile() -> None:
    tokens = np.random.default_rng(5).integers(0, 300, 400_000)
    offsets = np.arange(0, 400_001, 400)
    with ThreadPoolExecutor(1) as pool:
        task = pool.submit(ter_edits, tokens, offsets, np.arange(500), np.arange(500, 1000))
        turns = 0
        while not task.done():
            turns += 1
            time.sleep(0.001)
    assert turns > 20


@pytest.mark.parametrize("kernel", ["auto", "python"])
def test_arguments_outside_the_arrays_are_refused(kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, kernel)
    with pytest.raises(DataError, match="left and right must lie between 0 and 0, got 1"):
        ter_edits([1, 2], [0, 2], [1], [0])
    with pytest.raises(DataError, match="left names 2 texts and right names 1"):
        ter_edits([1, 2], [0, 2], [0, 0], [0])
