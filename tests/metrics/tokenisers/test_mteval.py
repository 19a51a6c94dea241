"""The tokenisers of mteval are sacreBLEU's, on whatever text."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International

from textassay.metrics import tokeniser
from textassay.metrics.tokenisers.mteval import mteval_13a, mteval_13a_lines

SIGNS = "aB19.,-'\"&;:/()[]{}~`@#$% \n\t\xa0€?«»ñ—…٣½我"
TEXT = st.lists(
    st.sampled_from(["<skipped>", "&quot;", "&amp;lt;", "-\n", *SIGNS])
    | st.characters(exclude_categories=["Cs", "Cn"]),
    max_size=25,
).map("".join)


@pytest.mark.parametrize(
    ("name", "theirs"), [("13a", Tokenizer13a()), ("intl", TokenizerV14International()), ("char", TokenizerChar())]
)
@given(TEXT)
@example('He said: "3.5 million, e.g. in 1990-91." 5. a,,b ..x 1.,2 (50%) $5-a')
def test_equals_sacrebleu(name: str, theirs: Callable[[str], str], text: str) -> None:
    assert tokeniser(name).words(text) == theirs(text.rstrip()).split()  # sacreBLEU strips first, splits in the end


def test_no_sign_is_overlooked() -> None:
    assert not [code for code in range(0x20000, sys.maxunicode + 1) if unicodedata.category(chr(code))[0] in "PSN"]


@given(st.lists(TEXT.map(lambda text: text.replace("\n", " ")), min_size=1, max_size=5))
def test_many_lines_are_many_times_one(lines: list[str]) -> None:
    found = mteval_13a_lines("\n".join(lines)).split("\n")
    assert [line.split() for line in found] == [mteval_13a(line) for line in lines]
