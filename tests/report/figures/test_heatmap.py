from __future__ import annotations

import math

import pytest
from drawn import assert_texts_do_not_collide
from matplotlib.collections import PolyCollection

from textassay.errors import DataError
from textassay.report.figures.heatmap import HeatmapFigure
from textassay.report.figures.style import Palette
from textassay.results import Figure


def figure(rows: list[str], columns: list[str], values: list[list[float]]) -> Figure:
    data = {"rows": rows, "columns": columns, "values": values}
    labels = {"row_label": "position", "column_label": "unit", "shown": "orders"}
    return Figure("h", "H", "heatmap", {**data, **labels})


def test_in_words_the_largest_cells_of_each_row() -> None:
    found = HeatmapFigure().describe(figure(["1", "2", "3"], ["a", "b"], [[5, 1], [3, 3], [math.nan, math.nan]]))
    assert found == "Orders, position by unit. 1: most in a (5.00); 2: most in a, b (3.00); 3: nothing."


def test_the_more_the_darker() -> None:
    drawing = HeatmapFigure().draw(figure(["1"], ["a", "b", "c", "d"], [[0, 2, 4, -2]]), Palette.of([]))
    (squares,) = [one for one in drawing.canvas.axes[0].collections if isinstance(one, PolyCollection)]
    # white for nothing and for less than nothing, half way for half of the most, then the whole colour
    assert [round(float(colour[0]), 3) for colour in squares.get_facecolor()] == [1.0, 0.5, 0.0, 1.0]
    assert [text.get_text() for text in drawing.canvas.axes[0].texts] == ["2", "4", "-2"]


def test_values_that_do_not_fit_are_refused() -> None:
    with pytest.raises(DataError, match=r"values must have 1 rows and 2 columns, as there are labels, got 1 rows of"):
        HeatmapFigure().draw(figure(["1"], ["a", "b"], [[1.0]]), Palette.of([]))


@pytest.mark.parametrize("n", [2, 5, 10, 14, 30, 60])
@pytest.mark.parametrize("name", ["{}", "sentence {}", "a very long name of a unit, number {}"])
def test_labels_do_not_cover_each_other(n: int, name: str) -> None:
    names = [name.format(place) for place in range(1, n + 1)]
    values = [[float((row * column) % 13) for column in range(n)] for row in range(n)]
    assert_texts_do_not_collide(figure(names, names, values))


def test_only_the_zero_before_the_point_goes() -> None:
    drawing = HeatmapFigure().draw(figure(["1"], ["a", "b"], [[0.25, 10.25]]), Palette.of([]))
    assert [text.get_text() for text in drawing.canvas.axes[0].texts] == [".25", "10.25"]
