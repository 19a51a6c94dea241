from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.report.figures.style import (
    COLOURS,
    DARK,
    EXCLUDED,
    FIRST,
    INK,
    KEPT,
    LINE,
    ON_SQUARE,
    QUIET,
    Palette,
    dark_rules,
    fonts_for,
    in_lines,
    shortened,
    text_width,
)
from textassay.report.figures.style import (
    WHITE as PAPER,
)

Array = npt.NDArray[np.float64]

# Machado, Oliveira & Fernandes (2009), table 1, severity 1.0: how linear RGB looks without one kind of cones.
VISIONS = {
    "all": np.eye(3),
    "no red": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "no green": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "no blue": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}  # fmt: skip
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])  # IEC 61966-2-1
WHITE = np.array([0.9505, 1.0, 1.089])


def linear(colour: str) -> Array:
    parts = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    return np.asarray(np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4))


def lab(rgb: Array) -> Array:
    """CIE L*a*b* of linear RGB."""
    xyz = TO_XYZ @ np.clip(rgb, 0, 1) / WHITE
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def contrast(one: str, other: str) -> float:
    dark, light = sorted(float(TO_XYZ[1] @ linear(colour)) for colour in (one, other))
    return (light + 0.05) / (dark + 0.05)


def test_every_colour_has_a_dark_one_that_stands_out() -> None:
    assert set(DARK) == {INK, QUIET, LINE, PAPER, EXCLUDED, KEPT, *COLOURS}
    card = DARK[PAPER]
    assert min(contrast(DARK[colour], card) for colour in (*COLOURS, KEPT, EXCLUDED)) >= 3
    assert min(contrast(DARK[colour], card) for colour in (INK, QUIET)) >= 4.5


def test_rules_for_dark_screens_change_figures_only_on_screens_and_leave_numbers_on_squares() -> None:
    rules = dark_rules()
    assert rules.startswith("@media screen and (prefers-color-scheme: dark) {")
    for light, dark in DARK.items():
        assert f'[stroke="{light}"] {{ stroke: {dark}; }}' in rules
    assert f'[fill="{PAPER}"]:not(text) {{' in rules
    assert ON_SQUARE not in rules


@pytest.mark.parametrize("colour", [*COLOURS, KEPT, EXCLUDED])
def test_marks_stand_out_from_white(colour: str) -> None:
    # WCAG 2.2, 1.4.11: graphics need a contrast of at least 3 to 1
    luminance = float(TO_XYZ[1] @ linear(colour))
    assert 1.05 / (luminance + 0.05) >= 3


def test_quiet_text_is_readable() -> None:
    # WCAG 2.2, 1.4.3: text needs 4.5 to 1
    assert 1.05 / (float(TO_XYZ[1] @ linear(QUIET)) + 0.05) >= 4.5


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("colours", [COLOURS, [DARK[colour] for colour in COLOURS]], ids=["light", "dark"])
def test_colours_stay_apart_for_every_kind_of_colour_vision(vision: str, colours: Sequence[str]) -> None:
    seen = [lab(VISIONS[vision] @ linear(colour)) for colour in colours]
    # ΔE*ab of 10 is seen at a glance
    assert min(float(np.linalg.norm(one - other)) for one, other in combinations(seen, 2)) > 15


def test_a_system_looks_the_same_whatever_figure_it_is_in() -> None:
    palette = Palette.of(["b", "a", "b", "c"])
    assert palette.systems == ("b", "a", "c")
    assert palette.style("a") == Palette.of(["b", "a"]).style("a")


def test_as_many_systems_as_a_study_has_all_look_different() -> None:
    palette = Palette.of(f"s{n}" for n in range(56))
    assert len({palette.style(system) for system in palette.systems}) == 56
    looks = [palette.style(system) for system in palette.systems]
    alike = [(one, other) for one, other in combinations(looks, 2) if one.colour == other.colour]
    assert all(one.marker != other.marker for one, other in alike)
    first = looks[: 2 * len(COLOURS)]  # so many can be told apart by line, marker and filling, each by itself
    assert all(
        one.dashes != other.dashes and one.fill != other.fill and one.marked(5)["mec"] != other.marked(5)["mec"]
        for one, other in alike
        if one in first and other in first
    )


def test_an_unknown_system_is_grey() -> None:
    assert Palette.of([]).style("x").colour == QUIET


PRIVATE = "\U00100000"  # a private use character, for which no machine should have a font


def test_latin_needs_one_font() -> None:
    found = fonts_for("Größe, naïve −1 ρ")
    assert found.names == (FIRST,)
    assert found.missing == ""


def test_what_no_font_has_is_told() -> None:
    assert PRIVATE not in fonts_for("a").missing
    found = fonts_for(f"a文{PRIVATE}")
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
