from __future__ import annotations

import pytest

from textassay.errors import DataError
from textassay.report.figures.drawing import Drawing, add_axes, empty, entry, joined, new_canvas
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


def test_enumerations() -> None:
    assert [joined(parts) for parts in ([], ["a"], ["a", "b"])] == ["", "a", "a and b"]
