from __future__ import annotations

import math
from typing import Any

import pytest
from drawn import assert_texts_do_not_collide
from matplotlib.collections import PolyCollection

from textassay.errors import DataError
from textassay.report.figures.matrix import MatrixFigure
from textassay.report.figures.style import Palette
from textassay.results import Figure


def figure(
    rows: list[str], columns: list[str], values: list[list[Any]], texts: list[list[str]] | None = None
) -> Figure:
    texts = texts or [["" if value is None else f"{value:.1f}" for value in row] for row in values]
    data = {"rows": rows, "columns": columns, "values": values, "texts": texts, "most": 2.0}
    return Figure("m", "M", "matrix", {**data, "row_label": "metrics", "column_label": "criteria", "meaning": "Blue."})


def test_in_words() -> None:
    found = figure(["a", "b"], ["x", "y"], [[1, -1], [None, None]])
    assert MatrixFigure().describe(found) == "Metrics by criteria. a: x 1.0, y -1.0; b: nothing."
    assert MatrixFigure().remark(found) == "Blue."
    assert MatrixFigure().describe(figure([], [], [])) == "There is nothing to show."
    many = figure([str(place) for place in range(15)], ["x"], [[1.0]] * 15)
    assert MatrixFigure().describe(many).endswith("; and 3 more rows.")


def test_two_colours_on_both_sides_of_zero() -> None:
    drawing = MatrixFigure().draw(figure(["a"], list("vwxyz"), [[0, 1, 2, -2, math.nan]]), Palette.of([]))
    (squares,) = [one for one in drawing.canvas.axes[0].collections if isinstance(one, PolyCollection)]
    colours = [tuple(round(float(part), 3) for part in colour[:3]) for colour in squares.get_facecolor()]
    white, blue, vermilion = (1.0, 1.0, 1.0), (0.0, 0.447, 0.698), (0.835, 0.369, 0.0)
    half = tuple(round((1 + part) / 2, 3) for part in blue)
    assert colours == [white, pytest.approx(half, abs=1e-3), blue, vermilion, white]


def test_values_that_do_not_fit_are_refused() -> None:
    with pytest.raises(DataError, match="values and texts must have 1 rows and 2 columns"):
        MatrixFigure().draw(figure(["1"], ["a", "b"], [[1.0]]), Palette.of([]))


@pytest.mark.parametrize("n", [1, 4, 20])
@pytest.mark.parametrize("name", ["{}", "a very long name of a metric, number {}"])
def test_labels_do_not_cover_each_other(n: int, name: str) -> None:
    names = [name.format(place) for place in range(n)]
    assert_texts_do_not_collide(figure(names, [str(place) for place in range(n)], [[0.5] * n] * n))
    criteria = [f"criterion {place}" for place in range(min(n, 4))]
    assert_texts_do_not_collide(figure(names, criteria, [[1] * len(criteria)] * n))
