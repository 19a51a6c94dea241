"""Signs apart: the compiled loop finds the words that the substitutions of mteval-v13a find."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.kernels.choice import VARIABLE
from textassay.kernels.signs import signs_apart

# A letter, a digit, both stops, a hyphen, the sign in whose place the class has a gap, others, white space, characters
# of two to four bytes, half a surrogate pair, NUL.
SIGNS = "a09.,-'!(/~ \t\n\x1f\x7f\x00é\x85好\u3000。𝄞\ud800"


def both(text: str, *, between_spaces: bool = True) -> tuple[str, str]:
    with pytest.MonkeyPatch.context() as patch:
        compiled = signs_apart(text, between_spaces=between_spaces)
        patch.setenv(VARIABLE, "python")
        return compiled, signs_apart(text, between_spaces=between_spaces)


@given(st.text(st.sampled_from(SIGNS), max_size=40) | st.text(max_size=40), st.booleans())
def test_loop_and_fallback_find_the_same_words(text: str, between_spaces: bool) -> None:
    compiled, fallback = both(text, between_spaces=between_spaces)
    assert [line.split() for line in compiled.split("\n")] == [line.split() for line in fallback.split("\n")]


@pytest.mark.parametrize("between_spaces", [True, False])
@pytest.mark.parametrize("length", range(7))
def test_every_short_text_of_stops_digits_and_hyphens(length: int, between_spaces: bool) -> None:
    for signs in itertools.product("a1.-!", repeat=length):
        compiled, fallback = both("".join(signs), between_spaces=between_spaces)
        assert compiled.split() == fallback.split()


def test_every_ascii_character() -> None:
    for code in range(128):
        compiled, fallback = both(f"a{chr(code)}b {chr(code)} 1{chr(code)}1")
        assert compiled.split() == fallback.split()


@pytest.mark.parametrize("kernel", ["auto", "python"])
def test_ends_of_a_text(kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, kernel)
    assert signs_apart("").split() == []
    # The rules look at the character before or after a stop, and there is none.
    assert signs_apart("1990.", between_spaces=False).split() == ["1990."]
    assert signs_apart(".5", between_spaces=False).split() == [".5"]
    assert signs_apart("1990.").split() == ["1990", "."]
    assert signs_apart(".5").split() == [".", "5"]
