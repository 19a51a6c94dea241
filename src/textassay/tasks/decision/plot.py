"""Time series as a drawing: where lines, ticks and labels go. `plot.html` makes SVG of it.

Lengths across are per cent of the drawing's width and lengths down are pixels, so that a plot fits any screen while
its letters keep their size. One panel a series, one above the other, over one time axis.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from textassay.tasks.decision.axes import TimeAxis, nice_ticks, number, seconds

LEFT, RIGHT = 12.0, 98.0
"""Edges of the panels, in per cent of the width."""
HEAD, PANEL, FOOT = 42, 120, 24
"""Pixels: the name over a panel, the panel itself, the labels of the time axis."""
MARGIN = 0.06
"""Free above and below a line, as a share of its range."""
TIME_TICKS, VALUE_TICKS = 5, 4
"""About so many."""
MOST_DOTS = 40
"""A series with at most so many values shows each as a dot."""
MOST_ROWS = 60
"""A longer table of values is thinned out to at most so many."""


@dataclass(frozen=True)
class Tick:
    """A label on an axis, and where it stands."""

    at: float
    label: str


@dataclass(frozen=True)
class Panel:
    """One series."""

    name: str
    top: int
    """In pixels, as the height."""
    height: int
    lines: tuple[str, ...]
    """Points of each unbroken line, on 1000 × 1000 of the panel; broken where nothing was measured."""
    dots: tuple[tuple[float, float], ...]
    """Per cent across and pixels down."""
    ticks: tuple[Tick, ...]
    """Of the values, in pixels down."""
    low: str
    high: str
    count: int


@dataclass(frozen=True)
class Plot:
    """All series of an item."""

    panels: tuple[Panel, ...]
    left: float
    right: float
    """Edges of the panels, in per cent across."""
    ticks: tuple[Tick, ...]
    """Of the time, in per cent across."""
    height: int
    first: str
    last: str
    rows: tuple[tuple[str, ...], ...]
    """Time and the value of each series, thinned out where there are many."""
    every: int
    """The rows show every so many-th time."""


def make_plot(rows: Iterable[Mapping[str, Any]]) -> Plot:
    """The drawing of the rows of one item (`series, time, value`); each series has at least one value."""
    series: dict[str, dict[float, float]] = {}
    clock = False
    for row in rows:
        time, of_clock = seconds(str(row["time"]))
        clock = clock or of_clock
        series.setdefault(str(row["series"]), {})[time] = math.nan if row["value"] is None else float(row["value"])
    axis = TimeAxis(tuple(sorted({time for values in series.values() for time in values})), clock)
    panels = [
        _panel(name, values, HEAD + place * (HEAD + PANEL), axis) for place, (name, values) in enumerate(series.items())
    ]
    ticks, every = axis.ticks(TIME_TICKS), math.ceil(len(axis.times) / MOST_ROWS)
    return Plot(
        panels=tuple(panels),
        left=LEFT,
        right=RIGHT,
        ticks=tuple(Tick(_across(axis, time), axis.label(time, ticks)) for time in ticks),
        height=len(panels) * (HEAD + PANEL) + FOOT,
        first=axis.label(axis.start, axis.times),
        last=axis.label(axis.end, axis.times),
        rows=tuple(
            (axis.label(time, axis.times), *(number(values.get(time, math.nan)) for values in series.values()))
            for time in axis.times[::every]
        ),
        every=every,
    )


def _panel(name: str, values: Mapping[float, float], top: int, axis: TimeAxis) -> Panel:
    known = {time: value for time, value in values.items() if not math.isnan(value)}
    low, high = min(known.values()), max(known.values())
    ticks = nice_ticks(low, high, VALUE_TICKS)

    def down(value: float) -> float:
        # A series that does not change runs through the middle.
        share = (value - low) / (high - low) if high > low else 0.5
        return 1 - MARGIN - (1 - 2 * MARGIN) * share

    lines = [
        " ".join(f"{1000 * axis.share(time):.1f},{1000 * down(values[time]):.1f}" for time in run)
        for run in _unbroken(values)
    ]
    dots = [(_across(axis, time), round(top + PANEL * down(value), 1)) for time, value in sorted(known.items())]
    return Panel(
        name=name,
        top=top,
        height=PANEL,
        lines=tuple(lines),
        dots=tuple(dots) if len(dots) <= MOST_DOTS else (),
        ticks=tuple(Tick(round(top + PANEL * down(value), 1), number(value)) for value in ticks),
        low=number(low),
        high=number(high),
        count=len(known),
    )


def _unbroken(values: Mapping[float, float]) -> list[Sequence[float]]:
    """The times of each run of values without a gap."""
    runs: list[list[float]] = [[]]
    for time in sorted(values):
        if math.isnan(values[time]):
            runs.append([])
        else:
            runs[-1].append(time)
    return [run for run in runs if run]


def _across(axis: TimeAxis, time: float) -> float:
    return round(LEFT + (RIGHT - LEFT) * axis.share(time), 2)
