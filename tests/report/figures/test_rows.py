from __future__ import annotations

from textassay.report.figures.rows import axes_width, axis_label, right_text, system_rows


def test_rows_from_top_to_bottom() -> None:
    drawing, axes = system_rows(["a", "b", "c"], ["x", "y", "z"], "mean")
    assert axes.get_ylim() == (2.5, -0.5)
    assert [(mark.name, mark.tip) for mark in drawing.marks.values()] == [
        ("system:a", "x"), ("system:b", "y"), ("system:c", "z"),
    ]  # fmt: skip


def test_long_names_take_room_from_the_axes_but_not_all() -> None:
    _, short = system_rows(["a"], [""], "n")
    _, long = system_rows(["a name that goes on and on and on and on and on and on"], [""], "n")
    assert axes_width(short) > axes_width(long) > 120


def test_names_in_two_lines_make_taller_rows() -> None:
    one, _ = system_rows(["a", "b"], ["", ""], "n")
    two, _ = system_rows(["a", "a name that does not fit into one line"], ["", ""], "n")
    assert two.canvas.get_size_inches()[1] > one.canvas.get_size_inches()[1]


def test_texts_around_the_axes() -> None:
    drawing, axes = system_rows(["a"], [""], "n")
    right_text(axes, 0, "5.00", drawing.mark("system:a", ""))
    axis_label(axes, "mean clarity")
    assert [text.get_text() for text in axes.texts] == ["a", "n", "5.00", "mean clarity"]
