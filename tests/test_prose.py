"""Pieces of sentences at their edges; the usual cases are in the docstrings."""

from __future__ import annotations

import pytest

from textassay.prose import counted, listed, number, sentence


@pytest.mark.parametrize(
    ("parts", "said"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a, b", "c", "d"], "a, b; c; and d")],
)
def test_lists(parts: list[str], said: str) -> None:
    assert listed(parts) == said


def test_numbers_below_ten_are_words_and_negative_ones_are_not() -> None:
    assert [number(n) for n in (0, 9, 10, -1)] == ["no", "nine", "10", "-1"]
    assert counted(0, "set of systems") == "no sets of systems"


def test_an_empty_sentence_is_a_full_stop_only() -> None:
    assert sentence("") == "."
