"""The compiled loop, its fallback and a count of all pairs give the same weighted pairs."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError
from textassay.kernels.choice import VARIABLE
from textassay.kernels.weighted_pairs import weighted_pairs


def by_definition(
    x: list[int], y: list[int], row: list[int], column: list[int], rows: list[int], columns: list[int]
) -> list[int]:
    sums = [0] * 5
    for a, b in combinations(range(len(x)), 2):
        weight = rows[row[a]] * columns[column[a]] * rows[row[b]] * columns[column[b]]
        same = x[a] == x[b], y[a] == y[b]
        kinds = ((x[a] - x[b]) * (y[a] - y[b]) > 0, same[0], same[1], all(same), True)
        sums = [total + weight * kind for total, kind in zip(sums, kinds, strict=True)]
    return sums


@st.composite
def grids(draw: st.DrawFn) -> tuple[list[list[int]], list[list[int]], list[list[int]]]:
    """Texts, and the weights of three rows and of two columns in some draws."""
    highest = draw(st.sampled_from([1, 3, 40]))
    text = st.tuples(st.integers(0, highest), st.integers(0, 3), st.integers(0, 2), st.integers(0, 1))
    texts = draw(st.lists(text, min_size=1, max_size=30))
    if draw(st.booleans()):  # either side may be the one with fewer values
        texts = [(y, x, row, column) for x, y, row, column in texts]
    draws = draw(st.integers(1, 3))
    weights = [draw(st.lists(st.lists(st.integers(0, 3), min_size=n, max_size=n), min_size=draws, max_size=draws))
               for n in (3, 2)]  # fmt: skip
    return [list(each) for each in zip(*texts, strict=True)], weights[0], weights[1]


@given(grids())
def test_equals_a_count_of_all_pairs(grid: tuple[list[list[int]], list[list[int]], list[list[int]]]) -> None:
    (first, second, row, column), rows, columns = grid
    expected = [by_definition(first, second, row, column, *weights) for weights in zip(rows, columns, strict=True)]
    for kernel in ("auto", "python"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(VARIABLE, kernel)
            assert np.array(weighted_pairs(first, second, row, column, rows, columns)).T.tolist() == expected


@pytest.mark.parametrize("kernel", ["auto", "python"])
def test_no_texts_are_no_pairs(kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, kernel)
    assert np.array(weighted_pairs([], [], [], [], [[1.0]], [[1.0]])).tolist() == [[0.0]] * 5


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"row": [0, 2]}, "row must lie between 0 and 1, got 2"),
        ({"column": [0, -1]}, "column must lie between 0 and 0, got -1"),
        ({"x": [0]}, "x, y, row and column must have one number per text"),
        ({"column_weights": [[1.0], [1.0]]}, "weights must have the shapes"),
    ],
)
def test_arguments_that_would_lead_outside_an_array_are_refused(changes: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {"x": [0, 1], "y": [0, 1], "row": [0, 1], "column": [0, 0],
                                 "row_weights": [[1.0, 1.0]], "column_weights": [[1.0]]}  # fmt: skip
    with pytest.raises(DataError, match=message):
        weighted_pairs(**(arguments | changes))
