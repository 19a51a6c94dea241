"""String edit distance and the similarity from it."""

from __future__ import annotations

import pytest
from hypothesis import given
from made_up_segments import ADVERSARIAL_TEXT, made_up_segments
from rapidfuzz.distance import Levenshtein

from textassay.metrics import score

TEXT = "the cat sat on the mat"
OTHER = "the cat is on a mat"


def test_by_hand() -> None:
    # Words: sat → is, the → a. Characters: "sat" to "is" takes 3 (s kept), "the" to "a" 3.
    assert score("edit-distance", [OTHER], [[TEXT]], unit="words").corpus == 2
    assert score("edit-distance", [OTHER], [[TEXT]]).corpus == Levenshtein.distance(OTHER, TEXT)
    assert score("edit-distance", [OTHER], [[TEXT]], unit="words", form="normalised").corpus == pytest.approx(2 / 6)
    assert score("edit-similarity", [OTHER], [[TEXT]], unit="words").corpus == pytest.approx(4 / 6)


@given(ADVERSARIAL_TEXT, ADVERSARIAL_TEXT)
def test_characters_equal_rapidfuzz(hypothesis: str, reference: str) -> None:
    stripped = hypothesis.strip(), reference.strip()
    arguments = [hypothesis], [[reference]]
    assert score("edit-distance", *arguments).corpus == Levenshtein.distance(*stripped)
    normalised = Levenshtein.normalized_distance(*stripped)
    assert score("edit-distance", *arguments, form="normalised").corpus == pytest.approx(normalised)
    assert score("edit-similarity", *arguments).corpus == pytest.approx(1 - normalised)


def test_words_equal_rapidfuzz() -> None:
    pairs = [(hypothesis, refs[0]) for hypothesis, refs in made_up_segments(300, 8)]
    ours = score("edit-distance", [pair[0] for pair in pairs], [[pair[1]] for pair in pairs], unit="words")
    assert ours.segments.tolist() == [Levenshtein.distance(*(text.split() for text in pair)) for pair in pairs]
    assert ours.corpus == pytest.approx(ours.segments.mean())


def test_several_references() -> None:
    # One and four edits.
    references = [["the cat", "a dog was it"]]
    assert score("edit-distance", ["a cat"], references, unit="words").corpus == 1
    assert score("edit-distance", ["a cat"], references, unit="words", multi="mean").corpus == 2
    assert score("edit-similarity", ["a cat"], references, unit="words").corpus == 0.5
    assert score("edit-similarity", ["a cat"], references, unit="words", multi="mean").corpus == (0.5 + 0.25) / 2


def test_empty_texts() -> None:
    result = score("edit-similarity", ["", "", "ab"], [[""], ["ab"], [""]])
    assert result.segments.tolist() == [1.0, 0.0, 0.0]
    assert result.warnings == (
        "edit-similarity: 2 hypotheses are empty",
        "edit-similarity: 2 references are empty",
    )
