from __future__ import annotations

import pytest
from drawn import assert_texts_do_not_collide
from matplotlib.collections import PolyCollection

from textassay.errors import DataError
from textassay.report.figures.distribution import DistributionFigure
from textassay.report.figures.style import Palette
from textassay.results import Figure


def figure(values: list[str], counts: dict[str, list[int]]) -> Figure:
    data = {"criterion": "clarity", "values": values, "systems": list(counts), "counts": list(counts.values())}
    return Figure("d", "D", "distribution", data)


def test_in_words_the_highest_first() -> None:
    found = DistributionFigure().describe(figure(["1", "2", "3"], {"a": [2, 1, 0], "b": [0, 0, 3], "c": [0, 0, 0]}))
    assert found == (
        "How often each answer on clarity was given, as answer × times. b: 3 × 3; a: 1 × 2, 2 × 1; c: no answers."
    )


def test_bars_are_shares_of_a_system_on_one_scale_for_all() -> None:
    # a: shares 1/2 and 1/2 of 4 answers; b: 1 of 1. The greatest share is 1, so a's bars are half as tall as b's.
    drawing = DistributionFigure().draw(figure(["1", "2"], {"a": [2, 2], "b": [1, 0]}), Palette.of(["a", "b"]))
    bars = [one for one in drawing.canvas.axes[0].collections if isinstance(one, PolyCollection)]
    heights = [[path.get_extents().height for path in one.get_paths()] for one in bars]
    assert heights == [pytest.approx([0.41, 0.41]), pytest.approx([0.82])]


def test_counts_that_do_not_fit_are_refused() -> None:
    with pytest.raises(
        DataError, match=r"a row for each of 1 systems and a column for each of 2 values, got 1 rows of \[3\]"
    ):
        DistributionFigure().draw(figure(["1", "2"], {"a": [1, 2, 3]}), Palette.of(["a"]))


@pytest.mark.parametrize(
    "values",
    [
        ["1"],
        [str(n) for n in range(1, 8)],
        [str(n) for n in range(101)],
        [f"{n}–{n + 10}" for n in range(0, 100, 10)],
        ["not clear at all, I understand nothing of it", "in between", "perfectly clear, every single word of it"],
        ["no", "yes, this is what I should have written myself if anybody had asked me"],
    ],
)
def test_labels_of_values_do_not_cover_each_other(values: list[str]) -> None:
    counts = {f"system {n}": [(n + place) % 5 for place, _ in enumerate(values)] for n in range(5)}
    assert_texts_do_not_collide(figure(values, counts))


def test_both_ends_of_a_scale_are_named_where_labels_are_long() -> None:
    values = ["a label that is quite long"] * 6 + ["the last of the labels here"]
    drawing = DistributionFigure().draw(figure(values, {"a": [1] * 7}), Palette.of(["a"]))
    assert list(drawing.canvas.axes[0].get_xticks()) == [0, 6]


def test_something_else_than_answers_may_be_counted() -> None:
    data = {"criterion": "tau", "values": ["0", "1"], "systems": ["a"], "counts": [[1, 2]], "counted": "pairs"}
    found = DistributionFigure().describe(Figure("d", "D", "distribution", data))
    assert found == "How many pairs have each tau, as value × times. a: 0 × 1, 1 × 2."
