from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import pytest
from drawn import assert_texts_do_not_collide
from hypothesis import given
from hypothesis import strategies as st
from made_up_results import made_up

from textassay.report.figures.render import caption, render
from textassay.report.figures.scatter import Box, ScatterFigure, place_labels
from textassay.report.figures.style import Palette
from textassay.results import Figure


def figure(points: list[tuple[str, float, float]], r: float | None = 0.5, p: float | None = 0.2, **more: Any) -> Figure:
    rows = [{"label": name, "system": name, "x": x, "y": y} for name, x, y in points]
    return Figure(
        "s", "S", "scatter", {"x_label": "BLEU", "y_label": "clarity", "points": rows, "r": r, "p": p, **more}
    )


def test_in_words() -> None:
    found = ScatterFigure().describe(figure([("a", 1, 2), ("b", 3, 4), ("c", math.nan, 1)]))
    assert found == (
        "BLEU (across) and clarity (up) of 2 points; r = .500, p = .200. a: 1.00 and 2.00; b: 3.00 and 4.00. "
        "1 without a value are not shown."
    )


@pytest.mark.parametrize(
    ("r", "p", "text"),
    [(1.0, 0.3333, "r = 1.000, p = .333"), (-0.5, 1e-9, "r = −.500, p <.001"), (0.1, None, "r = .100"),
     (math.nan, math.nan, "r undefined"), (None, None, "r undefined")],
)  # fmt: skip
def test_the_coefficient_stands_over_the_axes(r: float | None, p: float | None, text: str) -> None:
    drawing = ScatterFigure().draw(figure([("a", 1, 2), ("b", 3, 4)], r, p), Palette.of(["a", "b"]))
    assert f"{text}, n = 2" in [label.get_text() for label in drawing.canvas.axes[0].texts]


def test_few_points_have_their_names_beside_them() -> None:
    drawing = ScatterFigure().draw(figure([("a", 1, 2), ("b", 3, 4)]), Palette.of(["a", "b"]))
    assert {"a", "b"} <= {label.get_text() for label in drawing.canvas.axes[0].texts}
    assert len(drawing.canvas.axes) == 1


def test_where_names_find_no_room_there_is_a_legend() -> None:
    names = [f"a system with a long name, number {n}" for n in range(24)]
    drawing = ScatterFigure().draw(
        figure([(name, 1 + n / 1000, 1.0) for n, name in enumerate(names)]), Palette.of(names)
    )
    assert len(drawing.canvas.axes) == 2
    assert len(drawing.canvas.axes[1].texts) == 24


def test_many_points_of_a_system_are_one_element() -> None:
    _, (_, metrics) = made_up()
    texts = metrics.analysis.figures[1]
    drawing = ScatterFigure().draw(texts, Palette.of(ScatterFigure().systems(texts)))
    assert len(texts.data["points"]) == 144
    assert len(drawing.canvas.axes[0].lines) == 6


def test_very_many_points_are_counted_in_cells() -> None:
    crowd = figure([(f"s{n % 20}", n % 50, n % 40) for n in range(1001)])
    rendered = render(crowd, Palette.of(ScatterFigure().systems(crowd)))
    assert "1,001 points are counted in cells" in caption(crowd)
    assert caption(figure([("a", 1, 2)])) == ""
    assert not rendered.marks
    assert len(rendered.files["svg"]) < 60_000  # a point by itself takes 190


@pytest.mark.parametrize(
    "points",
    [
        [("a", 1.0, 1.0)],
        [("a", 0.0, 0.0), ("b", 0.0, 0.0)],
        [(f"system {n}", n % 6, n // 6) for n in range(30)],
        [(f"a long name of a system, number {n}", n % 5, n * 7 % 11) for n in range(12)],
        [("文字" * 20, 1.0, 2.0), ("b", 2.0, 1.0)],
    ],
)
def test_texts_do_not_cover_each_other(points: list[tuple[str, float, float]]) -> None:
    assert_texts_do_not_collide(figure(points))


def test_long_names_of_axes_are_shortened() -> None:
    assert_texts_do_not_collide(figure([("a", 1, 2)], x_label="a metric " * 20, y_label="a criterion " * 20))


BOUNDS = Box(0, 0, 300, 200)
coordinates = st.tuples(st.floats(0, 300), st.floats(0, 200))


@given(st.lists(coordinates, max_size=15), st.floats(5, 90))
def test_labels_cover_neither_points_nor_each_other(points: list[tuple[float, float]], width: float) -> None:
    boxes = place_labels(points, [width] * len(points), 9, BOUNDS, gap=4)
    if boxes is None:
        return
    assert len(boxes) == len(points)
    assert all(one.overlap(other) == 0 for one, other in combinations(boxes, 2))
    dots = [Box(x - 4, y - 4, x + 4, y + 4) for x, y in points]
    assert all(
        box.overlap(dot) == 0 for place, box in enumerate(boxes) for other, dot in enumerate(dots) if other != place
    )
    assert all(box.left >= 0 and box.right <= 300 and box.bottom >= 0 and box.top <= 200 for box in boxes)


def test_a_point_alone_has_its_label_at_the_right() -> None:
    assert place_labels([(100, 100)], [20], 10, BOUNDS, gap=4) == [Box(104, 95, 124, 105)]


def test_at_the_right_edge_it_goes_left() -> None:
    assert place_labels([(298, 100)], [20], 10, BOUNDS, gap=4) == [Box(274, 95, 294, 105)]


def test_where_there_is_no_room_there_is_none() -> None:
    assert place_labels([(150, 100)] * 30, [80] * 30, 10, BOUNDS, gap=4) is None
