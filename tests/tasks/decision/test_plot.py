"""Where the lines, dots and ticks of a plot stand."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.tasks.decision.plot import (
    HEAD,
    LEFT,
    MARGIN,
    MOST_DOTS,
    MOST_ROWS,
    PANEL,
    RIGHT,
    TimeAxis,
    make_plot,
    nice_ticks,
    seconds,
)

finite = st.floats(-1e6, 1e6).map(lambda value: round(value, 3))


def rows(*values: tuple[str, Any, Any]) -> list[dict[str, Any]]:
    return [{"series": series, "time": time, "value": value} for series, time, value in values]


def test_line_runs_from_the_first_to_the_last_time_and_from_low_to_high() -> None:
    plot = make_plot(rows(("a", 0, 10), ("a", 5, 20), ("a", 10, 15)))
    (panel,) = plot.panels
    top, bottom = 1000 * MARGIN, 1000 * (1 - MARGIN)
    middle = (top + bottom) / 2
    assert panel.lines == (f"0.0,{bottom:.1f} 500.0,{top:.1f} 1000.0,{middle:.1f}",)
    assert [x for x, _ in panel.dots] == [LEFT, (LEFT + RIGHT) / 2, RIGHT]
    assert [y for _, y in panel.dots] == pytest.approx(
        [HEAD + PANEL * y / 1000 for y in (bottom, top, middle)], abs=0.1
    )
    assert (panel.low, panel.high, panel.count) == ("10", "20", 3)
    assert (plot.first, plot.last) == ("0", "10")


def test_gap_breaks_the_line() -> None:
    plot = make_plot(rows(("a", 0, 1), ("a", 1, 2), ("a", 2, None), ("a", 3, 2), ("a", 4, None)))
    (panel,) = plot.panels
    assert [len(line.split()) for line in panel.lines] == [2, 1]
    assert len(panel.dots) == 3
    assert plot.rows[2] == ("2", "")


def test_times_need_no_order_and_series_need_not_share_them() -> None:
    plot = make_plot(rows(("a", 4, 1), ("a", 0, 2), ("b", 2, 3)))
    assert [panel.name for panel in plot.panels] == ["a", "b"]
    assert plot.rows == (("0", "2", ""), ("2", "", "3"), ("4", "1", ""))
    assert plot.panels[1].dots[0][0] == (LEFT + RIGHT) / 2
    assert plot.panels[1].top - plot.panels[0].top == HEAD + PANEL


def test_series_that_does_not_change_runs_through_the_middle() -> None:
    (panel,) = make_plot(rows(("a", 0, 7), ("a", 1, 7))).panels
    assert panel.lines == ("0.0,500.0 1000.0,500.0",)
    assert [tick.label for tick in panel.ticks] == ["7"]


def test_range_of_the_axis_can_be_given_and_values_beyond_widen_it() -> None:
    (panel,) = make_plot(rows(("a", 0, 16), ("a", 1, 18)), {"a": [10, 20], "b": [0, 1]}).panels
    # 16 lies .6 of the way from 10 to 20, 18 .8: 940 - 880 × .6 = 412 and 940 - 880 × .8 = 236, for a margin of .06.
    assert panel.lines == ("0.0,412.0 1000.0,236.0",)
    assert (panel.low, panel.high) == ("16", "18")  # of the values themselves
    assert [tick.label for tick in panel.ticks] == ["10", "12", "14", "16", "18", "20"]
    (wider,) = make_plot(rows(("a", 0, 5), ("a", 1, 25)), {"a": [10, 20]}).panels
    assert wider == make_plot(rows(("a", 0, 5), ("a", 1, 25))).panels[0]


def test_many_values_have_no_dots_and_a_thin_table() -> None:
    plot = make_plot(rows(*(("a", minute, minute) for minute in range(1000))))
    assert plot.panels[0].dots == ()
    assert plot.every == math.ceil(1000 / MOST_ROWS)
    assert len(plot.rows) <= MOST_ROWS
    few = make_plot(rows(*(("a", minute, minute) for minute in range(MOST_DOTS))))
    assert (len(few.panels[0].dots), few.every) == (MOST_DOTS, 1)


@pytest.mark.parametrize(
    ("times", "labels"),
    [
        (["9:00", "9:30"], ["09:00", "09:10", "09:20", "09:30"]),
        (["09:00:00", "09:00:10"], ["09:00:00", "09:00:02", "09:00:04", "09:00:06", "09:00:08", "09:00:10"]),
        (["2026-01-01T00:00", "2026-01-05T00:00"], [f"2026-01-0{day}" for day in range(1, 6)]),
        (["2026-01-01T22:00", "2026-01-01T23:00"], ["22:00", "22:15", "22:30", "22:45", "23:00"]),
        (["0", "100"], ["0", "20", "40", "60", "80", "100"]),
        (["-1", "1"], ["−1", "−0.5", "0", "0.5", "1"]),
    ],
)
def test_times_have_round_labels(times: list[str], labels: list[str]) -> None:
    plot = make_plot(rows(*(("a", time, 1) for time in times)))
    assert [tick.label for tick in plot.ticks] == labels


@pytest.mark.parametrize("text", ["noon", "", "nan", "inf", "25:00", "2026-13-01"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        seconds(text)


@given(low=finite, span=st.floats(0.01, 1e6), about=st.integers(3, 8))
def test_ticks_are_round_and_inside(low: float, span: float, about: int) -> None:
    high = low + span
    ticks = nice_ticks(low, high, about)
    assert 2 <= len(ticks) <= 2 * about + 1
    slack = 1e-6 * span
    assert low - slack <= ticks[0]
    assert ticks[-1] <= high + slack
    step = ticks[1] - ticks[0]
    mantissa = step / 10 ** math.floor(math.log10(step) + 1e-9)
    assert min(abs(mantissa - round_one) for round_one in (1, 2, 5, 10)) < 0.01


@given(times=st.lists(finite, min_size=1, max_size=30, unique=True), clock=st.booleans())
def test_whatever_the_times_there_is_a_tick_and_all_lies_inside(times: list[float], clock: bool) -> None:
    axis = TimeAxis(tuple(sorted(times)), clock)
    ticks = axis.ticks(5)
    assert ticks
    assert all(-1e-6 <= axis.share(time) <= 1 + 1e-6 for time in [*ticks, *times])
    assert all(axis.label(time, ticks) for time in ticks)
