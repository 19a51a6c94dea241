"""The encoder: equal words get equal numbers, and nothing else, however texts are cut on the way."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from textassay.kernels.choice import VARIABLE
from textassay.metrics import TOKENISERS, TextSegments, tokeniser, tokens
from textassay.metrics.tokenisers import Tokeniser
from textassay.metrics.tokens import CHARACTERS, Cutter, DistinctTexts, Encoder, TextPieces, code_points

# What tokenisers look at: stops and signs beside digits and letters, spaces of several kinds, marks, cased Greek.
SIGNS = "aB1 9.,-'&;\n\t\xa0\u3000€?«»ñΣσ\u0301\u00ad\u200b我ป\x02\x03\ud800٣"
TEXT = st.text(st.sampled_from(SIGNS), max_size=14) | st.text(max_size=8)


@pytest.fixture(autouse=True)
def kernels() -> None:
    """Forced by the tests themselves."""


@pytest.mark.parametrize("kernel", ["auto", "python"])
@pytest.mark.parametrize("name", TOKENISERS)
@pytest.mark.parametrize("given_options", [{}, {"lower": True}, {"stem": True, "stop_words": True}], ids=str)
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
    assert (list(before.words), list(after.words)) == (["a", "b", "c", "d"], ["c", "d"])
    assert [before.words[number] for number in before.tokens] == ["a", "b", "c", "d"]  # not disturbed by the new one


# --- Texts cut once for several encoders: each still finds its own words, whatever the others do in between ---------


class Counting(Cutter):
    """Counts how often it cuts."""

    times = 0

    def cut(self, texts: object) -> TextPieces:
        self.times += 1
        return super().cut(texts)


def words(encoder: Encoder, texts: DistinctTexts) -> list[list[str]]:
    encoded = encoder.encode(texts)
    bounds = encoded.offsets.tolist()
    numbers = [encoded.tokens[bounds[row] : bounds[row + 1]].tolist() for row in encoded.rows.tolist()]
    return [[encoded.words[number] for number in text] for text in numbers]


def test_a_text_given_twice_counts_once() -> None:
    same = "a b"
    texts = DistinctTexts([same, "c", same], Cutter())
    assert (list(texts.distinct), texts.rows.tolist()) == (["a b", "c"], [0, 1, 0])


def test_one_cut_serves_all_tokenisers() -> None:
    cutter, names = Counting(), ("none", "13a", "char", "rouge-score", "unicode-words", "chrf-words")
    texts = DistinctTexts(["It's late.", "so late"], cutter)
    for name in names:
        chosen = tokeniser(name)
        assert words(Encoder(chosen), texts) == [chosen.words("It's late."), chosen.words("so late")]
    assert cutter.times == 1


def test_metrics_on_one_chunk_share_the_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    cut = Cutter.cut

    def counted(self: Cutter, texts: list[str]) -> TextPieces:
        seen.append(len(texts))
        return cut(self, texts)

    monkeypatch.setattr(Cutter, "cut", counted)
    segments = TextSegments(["a b"], [["a", "b c"]])
    for name in ("none", "13a", "unicode-words"):
        segments.tokens(tokeniser(name))
    assert seen == [3]


@pytest.mark.parametrize("most", [0, 2, 100])
def test_a_cutter_may_begin_anew_at_any_time(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(tokens, "MOST_PIECES", most)
    cutter = Cutter()
    chosen: list[Tokeniser] = [tokeniser("none"), tokeniser("13a"), tokeniser("unicode-words", stem=True)]
    encoders = [Encoder(each) for each in chosen]
    # The second chunk has what 13a takes out first, so that it is cut a second time between the others.
    for chunk in (["a rose, is", "a rose."], ["is <skipped> it", "co-\noperate roses"], ["it is.", "a new rose"]):
        texts = DistinctTexts(chunk, cutter)
        for each, encoder in zip(chosen, encoders, strict=True):
            assert words(encoder, texts) == [each.words(text) for text in chunk]


# --- Characters as numbers and back ---------------------------------------------------------------------------------


@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=9)))
def test_numbers_and_bounds_give_the_texts_again(texts: list[str]) -> None:
    numbers, offsets = code_points(texts)
    letters = [CHARACTERS[number] for number in numbers.tolist()]
    assert ["".join(letters[start:end]) for start, end in pairwise(offsets.tolist())] == texts


def test_halves_of_a_character_stay_halves() -> None:
    assert code_points(["\ud83d", "\ude00"])[0].tolist() == [0xD83D, 0xDE00]


def test_every_character_is_there() -> None:
    assert (CHARACTERS[-1], CHARACTERS[97:99], len(CHARACTERS)) == ("\U0010ffff", ["a", "b"], 0x110000)
