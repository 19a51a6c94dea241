"""Characters as numbers and back."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from textassay.metrics.tokens import CHARACTERS, code_points


@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=9)))
def test_numbers_and_bounds_give_the_texts_again(texts: list[str]) -> None:
    numbers, offsets = code_points(texts)
    letters = [CHARACTERS[number] for number in numbers.tolist()]
    assert ["".join(letters[start:end]) for start, end in pairwise(offsets.tolist())] == texts


def test_halves_of_a_character_stay_halves() -> None:
    assert code_points(["\ud83d", "\ude00"])[0].tolist() == [0xD83D, 0xDE00]


def test_every_character_is_there() -> None:
    assert (CHARACTERS[-1], CHARACTERS[97:99], len(CHARACTERS)) == ("\U0010ffff", ["a", "b"], 0x110000)
