from __future__ import annotations

from typing import Any

import pytest
from drawn import assert_texts_do_not_collide

from textassay.errors import DataError
from textassay.report.figures.rank_flow import RankFlowFigure
from textassay.report.figures.style import Palette
from textassay.results import Figure


def figure(systems: list[str], **columns: list[Any]) -> Figure:
    given = [{"name": name, "ranks": ranks} for name, ranks in columns.items()]
    return Figure("r", "R", "rank-flow", {"systems": systems, "columns": given})


def test_in_words_what_is_elsewhere() -> None:
    found = figure(["a", "b", "c"], people=[2, 1, 3], bleu=[2, 1, 3], ter=[1.5, 1.5, None])
    assert RankFlowFigure().describe(found) == (
        "By people: b, a, c. bleu: the same order. ter: a 1.5 instead of 2 and b 1.5 instead of 1."
    )
    assert RankFlowFigure().systems(found) == ["a", "b", "c"]
    assert RankFlowFigure().describe(figure([])) == "There is no order to show."


def test_a_line_for_each_system() -> None:
    found = figure(["a", "b"], people=[1, 2], ter=[2, 1])
    drawing = RankFlowFigure().draw(found, Palette.of(["a", "b"]))
    lines = [list(map(float, line.get_ydata())) for line in drawing.canvas.axes[0].lines if line.get_marker() != "None"]
    assert lines == [[1, 2], [2, 1]]
    assert "a: people 1, ter 2" in [mark.tip for mark in drawing.marks.values()]


def test_a_column_without_all_systems_is_refused() -> None:
    with pytest.raises(DataError, match="a rank for each of 2 systems"):
        RankFlowFigure().draw(figure(["a", "b"], people=[1]), Palette.of([]))


@pytest.mark.parametrize(("systems", "metrics"), [(3, 1), (3, 9), (25, 4)])
@pytest.mark.parametrize("name", ["s{}", "a very long name of a system, number {}"])
def test_labels_do_not_cover_each_other(systems: int, metrics: int, name: str) -> None:
    ranks = [float(place) for place in range(1, systems + 1)]
    ranks[:2] = [1.5, 1.5]
    columns = {f"dependencies-{place}": ranks[::-1] for place in range(metrics)}
    assert_texts_do_not_collide(figure([name.format(place) for place in range(systems)], people=ranks, **columns))
