from __future__ import annotations

import math

import numpy as np
import pytest
from drawn import assert_texts_do_not_collide

from textassay.errors import DataError
from textassay.report.figures.courses import CoursesFigure
from textassay.report.figures.style import Palette
from textassay.results import Figure

Points = list[tuple[float, float, float, float]]


def figure(**series: Points) -> Figure:
    rows = [
        {"system": name, "points": [dict(zip(("x", "mean", "low", "high"), point, strict=True)) for point in points]}
        for name, points in series.items()
    ]
    return Figure("c", "C", "courses", {"x_label": "place", "y_label": "time", "series": rows})


TWO = figure(b=[(2, 900, 800, 1000), (1, 1000, 900, 1100)], a=[(1, 700, math.nan, math.nan), (2, math.nan, 1, 2)])


def test_in_words() -> None:
    assert CoursesFigure().systems(TWO) == ["b", "a"]
    assert CoursesFigure().describe(TWO) == "time by place. b: 1: 1000 (900 to 1100), 2: 900 (800 to 1000); a: 1: 700."
    assert CoursesFigure().describe(figure()) == "There is no time to show."


def test_a_line_goes_through_its_means_from_the_first_place_to_the_last() -> None:
    axes = CoursesFigure().draw(TWO, Palette.of(["b", "a"])).canvas.axes[0]
    lines = [np.asarray(line.get_xydata()) for line in axes.get_lines()]
    (course,) = [line for line in lines if len(line) == 2 and line[0, 0] != line[1, 0]]
    assert course[:, 1].tolist() == [1000, 900]
    assert course[:, 0] == pytest.approx([1, 2], abs=0.1)
    upright = [line[:, 1].tolist() for line in lines if len(line) == 2 and line[0, 0] == line[1, 0]]
    assert upright == [[900, 1100], [800, 1000]]
    assert axes.get_ylim()[0] < 700
    assert axes.get_ylim()[1] > 1100  # the widest interval is within


def test_two_systems_at_one_place_are_drawn_apart() -> None:
    both = figure(a=[(1, 5, 4, 6)], b=[(1, 5, 4, 6)])
    lines = CoursesFigure().draw(both, Palette.of(["a", "b"])).canvas.axes[0].get_lines()
    assert len({round(float(line.get_xdata()[0]), 6) for line in lines}) == 2  # type: ignore[index]


@pytest.mark.parametrize("places", [1, 2, 60])
def test_texts_do_not_collide(places: int) -> None:
    course: Points = [(float(x), 100.0 * x, 90.0 * x, 110.0 * x) for x in range(1, places + 1)]
    assert_texts_do_not_collide(figure(one=course, other=course))


def test_many_points_have_one_band_and_stay_small() -> None:
    course: Points = [(float(x), 100.0 + x, 90.0 + x, 110.0 + x) for x in range(1, 401)]
    axes = CoursesFigure().draw(figure(one=course), Palette.of(["one"])).canvas.axes[0]
    assert (len(axes.get_lines()), len(axes.collections)) == (1, 1)
    assert axes.get_ylim()[1] > 510


def test_nothing_to_show_and_what_is_missing() -> None:
    assert CoursesFigure().draw(figure(), Palette.of([])).canvas.texts[0].get_text() == "no values to show"
    with pytest.raises(DataError, match="figure 'c' of kind 'courses' needs 'series'"):
        CoursesFigure().describe(Figure("c", "C", "courses", {"x_label": "x", "y_label": "y"}))
