"""Exact match."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from textassay.metrics import score


def test_words_must_be_equal_and_in_order() -> None:
    hypotheses = ["a b", "a b", "b a", "a", "A b"]
    result = score("exact-match", hypotheses, [["a b"]] * 5)
    assert result.segments.tolist() == [1, 1, 0, 0, 0]
    assert result.corpus == 0.4
    assert score("exact-match", hypotheses, [["a b"]] * 5, lowercase=True).corpus == 0.6


def test_white_space_does_not_matter() -> None:
    assert score("exact-match", [" a\tb\n"], [["a  b"]]).corpus == 1


def test_several_references() -> None:
    references = [["x", "a", "a"], ["x", "y"]]
    assert score("exact-match", ["a", "a"], references).segments.tolist() == [1, 0]
    assert score("exact-match", ["a", "a"], references, multi="mean").segments.tolist() == [2 / 3, 0]


def test_empty_texts_are_equal_and_reported() -> None:
    result = score("exact-match", ["", " ", "a"], [[""], [""], [""]])
    assert result.segments.tolist() == [1, 1, 0]
    assert "exact-match: 3 references contain no words" in result.warnings


@given(st.lists(st.tuples(*[st.text("aAb \t\u3000", max_size=4)] * 2), min_size=1, max_size=6), st.booleans())
def test_words_decide_however_texts_begin(pairs: list[tuple[str, str]], lowercase: bool) -> None:
    def words(text: str) -> list[str]:
        return (text.lower() if lowercase else text).split()

    found = score("exact-match", [ours for ours, _ in pairs], [[theirs] for _, theirs in pairs], lowercase=lowercase)
    assert found.segments.tolist() == [words(ours) == words(theirs) for ours, theirs in pairs]
