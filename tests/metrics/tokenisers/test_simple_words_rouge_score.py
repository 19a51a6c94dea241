"""Equal to rouge-score's own tokeniser, on any text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.tokenizers import DefaultTokenizer

from textassay.metrics.tokenisers import tokeniser

ORACLE = {stem: DefaultTokenizer(use_stemmer=stem) for stem in (False, True)}  # rouge-score 0.1.2

ANY_CHARACTER = st.characters(codec=None, exclude_categories=())  # lone surrogates included
TEXTS = st.one_of(
    st.text(ANY_CHARACTER, max_size=60),
    st.text("abcxyzABCXYZ019 _-'.,\n\t\x00\x1c\x85\xa0İıKſßÄ٣²\u3000\ud800", max_size=60),
)


@settings(max_examples=500)
@given(TEXTS, st.booleans())
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
