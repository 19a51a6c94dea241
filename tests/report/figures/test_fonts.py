from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from textassay.report.figures.fonts import FIRST, families_for, in_lines, shortened, text_width

PRIVATE = "\U00100000"  # a private use character, for which no machine should have a font


def test_latin_needs_one_font() -> None:
    found = families_for("Größe, naïve −1 ρ")
    assert found.names == (FIRST,)
    assert found.missing == ""


def test_what_no_font_has_is_told() -> None:
    assert PRIVATE not in families_for("a").missing
    found = families_for(f"a文{PRIVATE}")
    assert found.names[0] == FIRST
    assert "a" not in found.missing


@given(st.text(max_size=80), st.floats(min_value=30, max_value=200))
def test_a_shortened_name_fits_and_keeps_its_ends(text: str, limit: float) -> None:
    found = shortened(text, 9, limit)
    clean = " ".join(text.split())
    assert found == clean or "…" in found
    assert text_width(found, 9) <= limit or len(found) <= 2
    if "…" in found and "…" not in clean:
        front, _, back = found.partition("…")
        assert clean.startswith(front)
        assert clean.endswith(back)


@given(st.text(alphabet="ab- _/文", max_size=80), st.floats(min_value=60, max_value=200))
def test_a_name_takes_two_lines_at_most(text: str, limit: float) -> None:
    lines = in_lines(text, 9, limit).split("\n")
    assert len(lines) <= 2
    assert all(text_width(line, 9) <= limit for line in lines)


def test_a_line_breaks_between_words() -> None:
    assert in_lines("one two three four", 10, 60) == "one two\nthree four"
    assert in_lines("short", 10, 60) == "short"


def test_letters_that_take_no_room() -> None:
    assert text_width("e\u0301\u200b", 10) == text_width("e", 10)
