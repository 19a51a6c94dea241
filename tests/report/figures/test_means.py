from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from drawn import assert_texts_do_not_collide

from textassay.report.figures import means
from textassay.report.figures.means import MeansFigure, TextMeansFigure
from textassay.report.figures.style import Palette
from textassay.results import Figure


def figure(groups: list[tuple[str, float, float, float]], low: float | None = 1, high: float | None = 7) -> Figure:
    rows: list[dict[str, Any]] = [
        {"system": name, "mean": mean, "low": start, "high": end, "n": 5} for name, mean, start, end in groups
    ]
    return Figure("m", "M", "means", {"criterion": "clarity", "scale_from": low, "scale_to": high, "groups": rows})


def test_the_highest_comes_first_and_the_undefined_last() -> None:
    found = means.system_means(figure([("a", 2, 1, 3), ("b", math.nan, math.nan, math.nan), ("c", 5, 4, 6)]))
    assert [group.system for group in found] == ["c", "a", "b"]


def test_where_lower_is_better_the_lowest_comes_first() -> None:
    given = figure([("a", 2, 1, 3), ("b", math.nan, math.nan, math.nan), ("c", 1.5, 1, 2)])
    ranks = replace(given, data={**given.data, "better": "lower"})
    assert [group.system for group in means.system_means(ranks)] == ["c", "a", "b"]
    assert "the lowest first. c: 1.50" in MeansFigure().describe(ranks)


def test_in_words() -> None:
    found = MeansFigure().describe(
        figure([("a", 2, math.nan, math.nan), ("b", math.nan, math.nan, math.nan), ("c", 5, 4, 6)])
    )
    assert found == (
        "Mean clarity on the scale from 1 to 7, the highest first. "
        "c: 5.00, interval 4.00 to 6.00, n = 5; a: 2.00, n = 5; b: no mean."
    )


@pytest.mark.parametrize(
    ("groups", "ends"),
    [
        ([("a", 3.0, 2.0, 4.0)], (1.0, 7.0)),
        ([("a", 6.9, 6.4, 7.4)], (1.0, 7.4)),  # an interval beyond the scale is shown
        ([("a", math.nan, math.nan, math.nan)], (1.0, 7.0)),
    ],
)
def test_the_axis_holds_the_whole_scale(groups: Any, ends: tuple[float, float]) -> None:
    axes = MeansFigure().draw(figure(groups), Palette.of(["a"])).canvas.axes[0]
    low, high = axes.get_xlim()
    assert low < ends[0] < ends[1] < high
    assert high - low == pytest.approx(1.06 * (ends[1] - ends[0]))


def test_a_long_label_covers_no_tick() -> None:
    given = figure([("original", 0.75, 0.57, 0.93), ("shortest", 0.61, 0.5, 0.7)], -1, 1)
    label = "tau with the order that was shown first, before anything was moved"
    assert_texts_do_not_collide(replace(given, data={**given.data, "criterion": label}))


def test_without_a_scale_the_values_give_the_axis() -> None:
    axes = MeansFigure().draw(figure([("a", 3, 3, 3), ("b", 3, 3, 3)], None, None), Palette.of(["a"])).canvas.axes[0]
    assert axes.get_xlim() == (2.5, 3.5)


@pytest.mark.parametrize("count", [1, 2, 30])
@pytest.mark.parametrize(
    "name", ["s{}", "a rather long name of a system that says it all, version {}", "系统的名字非常非常长的一个例子{}"]
)
def test_names_neither_cover_each_other_nor_leave_the_figure(count: int, name: str) -> None:
    groups = [(name.format(n), 3.0 + n / 10, 2.9, 3.2 + n / 10) for n in range(count)]
    assert_texts_do_not_collide(figure(groups))


def test_two_names_that_differ_at_the_end_stay_apart() -> None:
    names = [f"an-experiment-with-a-name-that-goes-on-and-on-and-on-v{n}" for n in (1, 2)]
    drawing = MeansFigure().draw(figure([(name, 3, 2, 4) for name in names]), Palette.of(names))
    labels = [text.get_text() for text in drawing.canvas.axes[0].texts if text.get_text().startswith("an-")]
    assert len(set(labels)) == 2


def test_texts_take_no_colours_from_systems() -> None:
    groups = [
        {"system": name, "mean": mean, "low": mean, "high": mean, "n": 3} for name, mean in (("s", 0.1), ("t", 1))
    ]
    shown = Figure("f", "F", "text-means", {"criterion": "tau", "groups": groups})
    assert TextMeansFigure().systems(shown) == ()
    assert MeansFigure().systems(shown) == ["s", "t"]
    assert TextMeansFigure().describe(shown).startswith("Mean tau, the highest first. t: 1.00")
