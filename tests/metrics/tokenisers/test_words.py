"""Words in every script."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_segments import ADVERSARIAL_TEXT
from rouge_score.tokenizers import DefaultTokenizer
from sacrebleu.metrics.chrf import CHRF  # 2.6.0

from textassay.metrics.tokenisers import tokeniser
from textassay.metrics.tokenisers.words import are_spaceless, chrf_words, rouge_score
from textassay.metrics.tokenisers.words import unicode_words as words

TEXTS = st.one_of(
    st.text(st.characters(codec=None, exclude_categories=()), max_size=60),
    st.text("aÄßσςΣ ँहिन्दी कขก็ำ๒日本ガが語ｶﾞ가각１２ \u0301\u0308\u200b\u200c\u200d\u00ad\ufe0f_'-\n\u3000", max_size=60),
)


# What a reader of each language would call its words (letters where it has no spaces).
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Größe, GRÖSSE — größe!", ["grösse", "grösse", "grösse"]),
        ("Ὀδυσσεύς ΟΔΥΣΣΕΥΣ", ["ὀδυσσεύσ", "οδυσσευσ"]),  # final sigma folds to sigma
        ("Привет, мир!", ["привет", "мир"]),
        ("مرحبا بالعالم", ["مرحبا", "بالعالم"]),
        ("مُحَمَّد", ["مُحَمَّد"]),  # vowel signs are part of the word
        ("שָׁלוֹם עולם", ["שָׁלוֹם", "עולם"]),
        ("می\u200cخواهم", ["میخواهم"]),  # a joiner inside a word parts nothing
        ("हिन्दी में लिखा", ["हिन्दी", "में", "लिखा"]),
        ("தமிழ் மொழி", ["தமிழ்", "மொழி"]),
        ("한국어 문장", ["한국어", "문장"]),
        ("我爱北京。", ["我", "爱", "北", "京"]),
        ("東京タワーは333m", ["東", "京", "タ", "ワ", "ー", "は", "333m"]),
        ("ที่นี่ ๒๕๖๖", ["ที่", "นี่", "๒๕๖๖"]),  # letters with their marks; digits stay together
        ("ក្រុង", ["ក្", "រុ", "ង"]),
        ("ｆｕｌｌ　ｗｉｄｔｈ １２", ["full", "width", "12"]),
        ("ﬁne x² Ⅳ", ["fine", "x2", "iv"]),
        ("soft\u00adhyphen zero\u200bwidth", ["softhyphen", "zero", "width"]),
        ("l’été aujourd'hui", ["l", "été", "aujourd", "hui"]),
        ("snake_case", ["snake", "case"]),
        ("❤️ 👩‍👩‍👧 ½", ["1", "2"]),
        ("\u0301 \u0301a", ["a"]),  # a mark on nothing is no word
        ("\ud800 a\udfff", ["a"]),
        ("𝐁𝐨𝐥𝐝 𠀋", ["bold", "𠀋"]),
        ("", []),
    ],
)
def test_scripts(text: str, expected: list[str]) -> None:
    assert words(text) == [unicodedata.normalize("NFKC", word) for word in expected]


@given(st.text(st.characters(max_codepoint=127), max_size=80))
def test_ascii_as_rouge_score(text: str) -> None:
    assert words(text) == rouge_score(text)


@settings(max_examples=50)
@given(TEXTS)
def test_spelling_of_the_same_characters_does_not_matter(text: str) -> None:
    assert words(text) == words(unicodedata.normalize("NFD", text)) == words(unicodedata.normalize("NFC", text))


@settings(max_examples=50)
@given(TEXTS)
def test_words_are_words(text: str) -> None:
    found = words(text)
    assert words(" ".join(found)) == found
    # "Cn": letters that are newer than the tables of an older Python, such as U+31350, but not than ours.
    assert all(unicodedata.category(word[0]) == "Cn" or unicodedata.category(word[0])[0] in "LN" for word in found)


@settings(max_examples=50)
@given(TEXTS)
def test_pieces_can_be_looked_at_one_by_one(text: str) -> None:
    assert words(text) == [word for piece in text.split() for word in words(piece)]


def test_long_piece_is_read() -> None:
    assert len(words("我" * 100_000)) == 100_000


# --- chrF++'s words equal sacreBLEU's -------------------------------------------------------------------------------


@given(ADVERSARIAL_TEXT)
def test_equals_sacrebleu(text: str) -> None:
    found = [word for piece in text.split() for word in chrf_words(piece)]
    assert found == CHRF(word_order=2)._remove_punctuation(text)


def test_only_ascii_punctuation_is_taken_off() -> None:
    assert chrf_words("fin»") == ["fin»"]
    assert chrf_words("¿qué?") == ["¿qué", "?"]


# --- Equal to rouge-score's own tokeniser, on any text --------------------------------------------------------------


ORACLE = {stem: DefaultTokenizer(use_stemmer=stem) for stem in (False, True)}  # rouge-score 0.1.2

ANY_CHARACTER = st.characters(codec=None, exclude_categories=())  # lone surrogates included
TEXTS_SIMPLE_WORDS_ROUGE_SCORE = st.one_of(
    st.text(ANY_CHARACTER, max_size=60),
    st.text("abcxyzABCXYZ019 _-'.,\n\t\x00\x1c\x85\xa0İıKſßÄ٣²\u3000\ud800", max_size=60),
)


@settings(max_examples=50)
@given(TEXTS_SIMPLE_WORDS_ROUGE_SCORE, st.booleans())
def test_equals_rouge_score(text: str, stem: bool) -> None:
    assert tokeniser("rouge-score", stem=stem).words(text) == ORACLE[stem].tokenize(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        (" \n\t\x00 …—“”", []),
        ("The_cat's 2 hats", ["the", "cat", "s", "2", "hats"]),
        ("\u212aelvin", ["kelvin"]),  # the Kelvin sign is a k in lower case
        ("\u0130stanbul", ["i", "stanbul"]),  # a dotted capital I becomes i and a combining dot
        ("Straße", ["stra", "e"]),
        ("日本語", []),
        ("a\ud800b", ["a", "b"]),
    ],
)
def test_examples(text: str, words: list[str]) -> None:
    assert tokeniser("rouge-score").words(text) == words


# One character of each: Chinese, Japanese, Thai and Khmer have no spaces; Korean, Hindi and Latin have.
@given(st.lists(st.text("我の東ก១한हaé 。\n\ud800𠀋", max_size=9), max_size=6))
def test_scripts_without_spaces(texts: list[str]) -> None:
    expected = [2 * sum(sign in "我の東ก១𠀋" for sign in text) > len(text) for text in texts]
    assert are_spaceless(texts).tolist() == expected
