"""Equal to NLTK's stemmer, which rouge-score uses, on words made to hit every rule."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer

from textassay.metrics.tokenisers.english import porter

ORACLE = PorterStemmer()  # nltk 3.10.4, its default mode

SUFFIXES = """
    s es ies sses ss eed ed ing ied at bl iz y ational tional enci anci izer bli abli alli entli eli ousli ization
    ation ator alism iveness fulness ousness aliti iviti biliti fulli logi icate ative alize iciti ical ful ness al
    ance ence er ic able ible ant ement ment ent ion sion tion ou ism ate iti ous ive ize e ll l
""".split()  # noqa: SIM905 -- a list of 66 strings is harder to read
LETTERS = "aeiouybcdlmnstwxz1"
WORDS = st.builds(
    lambda stem, suffixes: stem + "".join(suffixes),
    st.text(LETTERS, max_size=6),
    st.lists(st.sampled_from(SUFFIXES), max_size=3),
).filter(lambda word: len(word) > 3)


@settings(max_examples=20)
@given(st.lists(WORDS, min_size=30, max_size=30, unique=True))  # quicker than 1,500 examples of one word
def test_equals_nltk(words: list[str]) -> None:
    assert [porter(word) for word in words] == [ORACLE.stem(word) for word in words]


@pytest.mark.parametrize("word", [word for word in ORACLE.pool if len(word) > 3])
def test_equals_nltk_on_irregular_words(word: str) -> None:
    assert porter(word) == ORACLE.stem(word)


# The examples of Porter (1980), step by step, as the whole algorithm treats them; from nltk 3.10.4.
@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("caresses", "caress"), ("ponies", "poni"), ("ties", "tie"), ("cats", "cat"), ("feed", "feed"),
        ("agreed", "agre"), ("plastered", "plaster"), ("motoring", "motor"), ("conflated", "conflat"),
        ("troubled", "troubl"), ("sized", "size"), ("hopping", "hop"), ("falling", "fall"), ("hissing", "hiss"),
        ("failing", "fail"), ("filing", "file"), ("happy", "happi"), ("relational", "relat"),
        ("vietnamization", "vietnam"), ("triplicate", "triplic"), ("formative", "form"), ("goodness", "good"),
        ("revival", "reviv"), ("adoption", "adopt"), ("probate", "probat"), ("cease", "ceas"), ("controll", "control"),
    ],
)  # fmt: skip
def test_examples(word: str, stem: str) -> None:
    assert porter(word) == stem


@pytest.mark.parametrize("word", ["", "s", "its", "was", "straßen", "größeres", "книги", "naïvely"])
def test_short_and_foreign_words_stay(word: str) -> None:
    assert porter(word) == word
