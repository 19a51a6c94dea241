from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from textassay.report.figures.drawing import Drawing, new_canvas
from textassay.report.figures.fonts import text_width
from textassay.report.figures.legend import draw_legend, legend_height, legend_rows
from textassay.report.figures.style import SMALL, WIDTH, Palette


@given(st.lists(st.text(min_size=1, max_size=60), max_size=30))
def test_every_system_has_its_place_within_the_figure(systems: list[str]) -> None:
    rows = legend_rows(systems)
    assert [item.system for row in rows for item in row] == systems
    for row in rows:
        for item, following in itertools.pairwise(row):
            assert item.x + 7 + text_width(item.label, SMALL) < following.x
        assert row[-1].x + text_width(row[-1].label, SMALL) <= WIDTH


def test_its_height_grows_with_its_rows() -> None:
    assert legend_height(legend_rows([])) == 0
    assert legend_height(legend_rows(["a"] * 20)) == 2 * legend_height(legend_rows(["a"]))


def test_shape_and_name_stand_for_the_system() -> None:
    drawing = Drawing(new_canvas(100))
    draw_legend(drawing, legend_rows(["a", "b"]), Palette.of(["a", "b"]))
    assert [mark.name for mark in drawing.marks.values()] == ["system:a", "system:a", "system:b", "system:b"]
