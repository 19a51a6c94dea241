"""Sentences that open with a connective or a pronoun."""

from __future__ import annotations

import pytest

from textassay.errors import UsageError
from textassay.ordering.materials import opening, opening_languages


@pytest.mark.parametrize(
    ("sentence", "language", "kind", "words"),
    [
        ("However, it rained.", "en", "connective", "However"),
        ("On the other hand, it rained.", "en", "connective", "On the other hand"),
        ("“In fact he left.”", "en", "connective", "In fact"),
        ("THEY left.", "en", "pronoun", "THEY"),
        ("It’s raining.", "en-GB", "pronoun", "It’s"),
        ("These people left.", "en", "pronoun", "These"),
        ("Außerdem regnete es.", "de", "connective", "Außerdem"),
        ("Darüber hinaus regnete es.", "de", "connective", "Darüber hinaus"),
        ("Diese Leute gingen.", "de-CH", "pronoun", "Diese"),
        ("Das ist falsch.", "de", "pronoun", "Das ist"),
    ],
)
def test_openings_are_seen(sentence: str, language: str, kind: str, words: str) -> None:
    found = opening(sentence, language)
    assert found is not None
    assert (found.kind, found.words) == (kind, words)


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        ("Mary left, but it rained.", "en"),
        ("Italy won.", "en"),
        ("Other hands helped.", "en"),
        ("Der Mann ging.", "de"),
        ("Das Haus brannte.", "de"),
        ("", "en"),
        ("…", "de"),
    ],
)
def test_others_are_let_pass(sentence: str, language: str) -> None:
    assert opening(sentence, language) is None


def test_unknown_languages_are_refused() -> None:
    assert opening_languages() == ("en", "de")
    with pytest.raises(UsageError, match="there is no list of connectives and pronouns for 'fr'; there are: en, de"):
        opening("Mais il pleut.", "fr")
