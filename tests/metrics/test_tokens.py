"""The encoder: equal words get equal numbers, and nothing else."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from textassay.metrics import tokeniser
from textassay.metrics.tokens import encode


@given(st.lists(st.text("ab cÄ ", max_size=12)), st.booleans())
def test_numbers_stand_for_words(texts: list[str], stem: bool) -> None:
    chosen = tokeniser("unicode-words", stem=stem)
    encoded = encode(texts, chosen)
    assert encoded.tokens.dtype == np.int32
    of_word: dict[str, int] = {}
    for text, row in zip(texts, encoded.rows.tolist(), strict=True):
        numbers = encoded.tokens[encoded.offsets[row] : encoded.offsets[row + 1]].tolist()
        assert len(numbers) == len(chosen.words(text))
        for word, number in zip(chosen.words(text), numbers, strict=True):
            assert of_word.setdefault(word, number) == number
    assert len(set(of_word.values())) == len(of_word)


def test_words_with_one_stem_have_one_number() -> None:
    encoded = encode(["walks walked", "walking"], tokeniser("rouge-score", stem=True))
    assert encoded.tokens.tolist() == [0, 0, 0]


def test_no_texts() -> None:
    encoded = encode([], tokeniser("unicode-words"))
    assert (encoded.tokens.size, encoded.offsets.tolist(), encoded.rows.size) == (0, [0], 0)
