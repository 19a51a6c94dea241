"""The encoder: equal words get equal numbers, and nothing else, however texts are cut on the way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from textassay.kernels.choice import VARIABLE
from textassay.metrics import TOKENISERS, tokeniser, tokens
from textassay.metrics.tokens import Encoder

# What tokenisers look at: stops and signs beside digits and letters, spaces of several kinds, marks, cased Greek.
SIGNS = "aB1 9.,-'&;\n\t\xa0\u3000€?«»ñΣσ\u0301\u00ad\u200b我ป\x02\x03\ud800٣"
TEXT = st.text(st.sampled_from(SIGNS), max_size=14) | st.text(max_size=8)


@pytest.fixture(autouse=True)
def kernels() -> None:
    """Forced by the tests themselves."""


@pytest.mark.parametrize("kernel", ["auto", "python"])
@pytest.mark.parametrize("name", TOKENISERS)
@pytest.mark.parametrize("given_options", [{}, {"lower": True}, {"stem": True, "stop_words": True}], ids=str)
@settings(max_examples=40)  # 42 times over
@given(st.lists(TEXT, max_size=5), st.lists(TEXT, max_size=3))
@example(["co-\noperate -\n", "1. .2 1.", " .a", "a. ,"], ["&lt;skipped> <skipped>x &amp;quot;"])
@example(["-<skipped>\nx", "a -\n", "a-\n <skipped>"], ["<skip-\nped>"])
@example(["1990.", "x 1990. y", ".5", " .5"], ["ΑΣ ΑΣΑ", "\x02a.", "a\x03 5,"])
def test_numbers_stand_for_words(
    kernel: str, name: str, given_options: dict[str, Any], first: list[str], second: list[str]
) -> None:
    chosen = tokeniser(name, **given_options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, kernel)
        encoder = Encoder(chosen)
        for texts in (first, second):  # what was learnt from the first serves the second
            encoded = encoder.encode(texts)
            assert encoded.tokens.dtype == np.int32
            used = set(encoded.tokens.tolist())
            assert len({encoded.words[number] for number in used}) == len(used)
            for text, row in zip(texts, encoded.rows.tolist(), strict=True):
                numbers = encoded.tokens[encoded.offsets[row] : encoded.offsets[row + 1]].tolist()
                assert [encoded.words[number] for number in numbers] == chosen.words(text)


def test_lower_case_sees_one_text_at_a_time() -> None:
    # A capital sigma becomes a final one at the end of its own text only.
    encoded = Encoder(tokeniser("characters-and-spaces", lower=True)).encode(["ΑΣ", "Α"])
    assert "".join(encoded.words[number] for number in encoded.tokens.tolist()) == "αςα"


def test_words_with_one_stem_have_one_number() -> None:
    encoded = Encoder(tokeniser("rouge-score", stem=True)).encode(["walks walked", "walking"])
    assert encoded.tokens.tolist() == [0, 0, 0]


def test_no_texts() -> None:
    encoded = Encoder(tokeniser("unicode-words")).encode([])
    assert (encoded.tokens.size, encoded.offsets.tolist(), encoded.rows.size) == (0, [0], 0)


def test_encoder_begins_anew_when_it_has_met_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "MOST_PIECES", 3)
    encoder = Encoder(tokeniser("none"))
    before = encoder.encode(["a b c d"])
    after = encoder.encode(["c d"])
    assert (before.words, after.words) == (["a", "b", "c", "d"], ["c", "d"])
    assert [before.words[number] for number in before.tokens] == ["a", "b", "c", "d"]  # not disturbed by the new one
