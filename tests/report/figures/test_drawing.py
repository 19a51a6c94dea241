from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError
from textassay.report.figures.drawing import (
    Drawing,
    add_axes,
    axes_width,
    draw_legend,
    empty,
    entry,
    legend_height,
    legend_rows,
    new_canvas,
    right_text,
    system_rows,
)
from textassay.report.figures.style import SMALL, WIDTH, Palette, text_width
from textassay.results import Figure


def test_axes_have_their_margins_in_points() -> None:
    canvas = new_canvas(100)
    position = add_axes(canvas, 45.6, 10, 100, 40).get_position()
    assert (position.x0 * 345.6, position.y0 * 100) == pytest.approx((45.6, 10))
    assert (position.width * 345.6, position.height * 100) == pytest.approx((200, 50))


def test_each_mark_gets_an_id_of_its_own() -> None:
    drawing = Drawing(new_canvas(10))
    assert drawing.mark("system:a", "tip") != drawing.mark("system:a", "tip")
    assert [mark.name for mark in drawing.marks.values()] == ["system:a", "system:a"]


def test_an_empty_drawing_says_why() -> None:
    assert [text.get_text() for text in empty("no answers").canvas.texts] == ["no answers"]


def test_what_is_missing_is_named_with_what_there_is() -> None:
    figure = Figure("f", "F", "means", {})
    assert entry(figure, {"a": 1, "b": 2}, "b", "a") == [2, 1]
    with pytest.raises(DataError, match="figure 'f' of kind 'means' needs 'c'; it has a, b"):
        entry(figure, {"a": 1, "b": 2}, "c")


def test_rows_from_top_to_bottom() -> None:
    drawing, axes = system_rows(["a", "b", "c"], ["x", "y", "z"], "mean", "clarity")
    assert axes.get_ylim() == (2.5, -0.5)
    assert [(mark.name, mark.tip) for mark in drawing.marks.values()] == [
        ("system:a", "x"), ("system:b", "y"), ("system:c", "z"),
    ]  # fmt: skip


def test_long_names_take_room_from_the_axes_but_not_all() -> None:
    _, short = system_rows(["a"], [""], "n", "clarity")
    _, long = system_rows(["a name that goes on and on and on and on and on and on"], [""], "n", "clarity")
    assert axes_width(short) > axes_width(long) > 120


def test_names_in_two_lines_make_taller_rows() -> None:
    one, _ = system_rows(["a", "b"], ["", ""], "n", "clarity")
    two, _ = system_rows(["a", "a name that does not fit into one line"], ["", ""], "n", "clarity")
    assert two.canvas.get_size_inches()[1] > one.canvas.get_size_inches()[1]


def test_texts_around_the_axes() -> None:
    drawing, axes = system_rows(["a"], [""], "n", "clarity")
    right_text(axes, 0, "5.00", drawing.mark("system:a", ""))
    assert [text.get_text() for text in axes.texts] == ["a", "clarity", "n", "5.00"]


def test_a_label_in_two_lines_makes_space_for_itself() -> None:
    one, _ = system_rows(["a"], [""], "n", "clarity")
    two, axes = system_rows(
        ["a"], [""], "n", "a label that has to be broken, because it is wider than the whole figure is"
    )
    assert "\n" in axes.texts[1].get_text()
    assert two.canvas.get_size_inches()[1] > one.canvas.get_size_inches()[1]


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
    # a name that is cut in the legend is told in full when pointed at
    long = "a system with a name that no legend has room for"
    drawing = Drawing(new_canvas(100))
    draw_legend(drawing, legend_rows([long]), Palette.of([long]))
    assert {mark.tip for mark in drawing.marks.values()} == {long}
