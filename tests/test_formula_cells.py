from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from textassay.formula_cells import MARK, marked, unmarked

texts = st.text(st.sampled_from([*"=+-@\t\r\n '0.eE", "\N{FULLWIDTH EQUALS SIGN}", "\ufeff", "\u2060"])) | st.text()


@given(texts)
@example(MARK + MARK + "=1")
@example(MARK + "plain")
@example(MARK + "-3.5")
@example("-3.5\n")
def test_every_text_comes_back_and_none_is_written_as_a_formula(text: str) -> None:
    written = marked(text)
    assert unmarked(written) == text
    # What OWASP lists under "CSV Injection": =, +, -, @, tab, carriage return, line feed, and the full-width signs.
    if re.match("[\\s\ufeff]*[=+@\uff1d\uff0b\uff0d\uff20-]|[\t\r\n]", written):
        assert re.fullmatch(r"[+-]?([0-9]*\.?[0-9]*([eE][+-]?[0-9]+)?)?", written)


@pytest.mark.parametrize(
    "text", ["'=1", "''=1", "'-ed' is a suffix", "'tis", "-3.5", "+1e5", "-", "a=b", "", "\u2060=1"]
)
def test_texts_of_other_programs_are_read_as_they_are(text: str) -> None:
    assert unmarked(text) == text


@pytest.mark.parametrize("value", [-3.5, -2, None, True])
def test_values_that_are_no_texts_stay(value: object) -> None:
    assert marked(value) is value
    assert unmarked(value) is value
