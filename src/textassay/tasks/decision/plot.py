"""Time series as a drawing: where lines, ticks and labels go. `plot.html` makes SVG of it.

Lengths across are per cent of the drawing's width and lengths down are pixels, so that a plot fits any screen while
its letters keep their size. One panel a series, one above the other, over one time axis.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

_DAY = 86_400
_CLOCK_STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200)
"""Seconds."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def seconds(text: str) -> tuple[float, bool]:
    """A time as a number, and whether it was written as a time of day or a date.

    >>> seconds("2.5"), seconds("9:30"), seconds("1970-01-02T00:00")
    ((2.5, False), (34200.0, True), (86400.0, True))

    Raises:
        ValueError: it is neither.
    """
    try:
        number = float(text)
    except ValueError:
        time_of_day = ":" in text and "-" not in text
        hour, _, rest = text.strip().partition(":")
        moment = datetime.fromisoformat(f"1970-01-01T{hour.zfill(2)}:{rest}" if time_of_day else text.strip())
        moment = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
        return (moment - _EPOCH).total_seconds(), True
    if not math.isfinite(number):
        raise ValueError(text)
    return number, False


@dataclass(frozen=True)
class TimeAxis:
    """The time from the first value to the last."""

    times: tuple[float, ...]
    """All times that have a value, in order."""
    clock: bool
    """Whether they are times of day or dates, in seconds, or else plain numbers."""

    @property
    def start(self) -> float:
        """The first time."""
        return self.times[0]

    @property
    def end(self) -> float:
        """The last time."""
        return self.times[-1]

    def share(self, time: float) -> float:
        """How far from the start to the end, from 0 to 1."""
        return (time - self.start) / ((self.end - self.start) or 1.0)

    def ticks(self, about: int) -> list[float]:
        """Round times, about as many as `about`."""
        if not self.clock:
            return nice_ticks(self.start, self.end, about)
        rough = (self.end - self.start) / about
        step = next((step for step in _CLOCK_STEPS if step >= rough), _DAY * math.ceil(rough / _DAY))
        counts = range(math.ceil(self.start / step), math.floor(self.end / step) + 1)
        return [float(count * step) for count in counts] or [self.start]

    def label(self, time: float, among: Sequence[float]) -> str:
        """A time in the shortest form that distinguishes it from the others.

        >>> axis = TimeAxis((34200.0, 34260.0), clock=True)
        >>> axis.label(34200.0, axis.times)
        '09:30'
        """
        if not self.clock:
            return number(time)
        moment = _EPOCH + timedelta(seconds=time)
        dated = self.end >= _DAY
        if dated and all(each % _DAY == 0 for each in among):
            return moment.strftime("%Y-%m-%d")
        of_day = moment.strftime("%H:%M" if all(each % 60 == 0 for each in among) else "%H:%M:%S")
        return f"{moment:%m-%d} {of_day}" if dated and self.end - self.start >= _DAY else of_day


def nice_ticks(low: float, high: float, about: int) -> list[float]:
    """Round numbers from `low` to `high`, at distances of 1, 2 or 5 times a power of ten.

    >>> nice_ticks(3, 97, 4)
    [20.0, 40.0, 60.0, 80.0]
    >>> nice_ticks(7, 7, 4)
    [7.0]
    """
    if low == high:
        return [float(low)]
    rough = (high - low) / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = power * min((1, 2, 5, 10), key=lambda factor: abs(factor * power - rough))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(count * step, 12) for count in range(first, last + 1)]


def number(value: float) -> str:
    """A number as short as it can be; nothing where nothing was measured.

    >>> number(120.0), number(-0.25), number(math.nan)
    ('120', '−0.25', '')
    """
    return "" if math.isnan(value) else f"{value:.10g}".replace("-", "−")


LEFT, RIGHT = 12.0, 98.0
"""Edges of the panels, in per cent of the width."""
HEAD, PANEL, FOOT = 42, 120, 24
"""Pixels: the name over a panel, the panel itself, the labels of the time axis."""
MARGIN = 0.06
"""Free above and below a line, as a share of its range."""
TIME_TICKS, VALUE_TICKS = 5, 4
"""Approximate number of ticks."""
MOST_DOTS = 40
"""A series with at most this many values shows each as a dot."""
MOST_ROWS = 60
"""A longer table of values is thinned out to at most this many rows."""


@dataclass(frozen=True)
class Tick:
    """A label on an axis, and its position."""

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
    """The rows show every n-th time; this is n."""


def make_plot(rows: Iterable[Mapping[str, Any]], ranges: Mapping[str, Sequence[float]] | None = None) -> Plot:
    """The drawing of the rows of one item (`series, time, value`); each series has at least one value.

    Args:
        rows: In any order of time.
        ranges: By series the ends of its axis, where it is to be more than the range of its values.
    """
    series: dict[str, dict[float, float]] = {}
    clock = False
    for row in rows:
        time, of_clock = seconds(str(row["time"]))
        clock = clock or of_clock
        series.setdefault(str(row["series"]), {})[time] = math.nan if row["value"] is None else float(row["value"])
    axis = TimeAxis(tuple(sorted({time for values in series.values() for time in values})), clock)
    panels = [
        _panel(name, values, HEAD + place * (HEAD + PANEL), axis, (ranges or {}).get(name, ()))
        for place, (name, values) in enumerate(series.items())
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


def _panel(name: str, values: Mapping[float, float], top: int, axis: TimeAxis, ends: Sequence[float]) -> Panel:
    known = {time: value for time, value in values.items() if not math.isnan(value)}
    low, high = min([*known.values(), *ends]), max([*known.values(), *ends])
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
        low=number(min(known.values())),
        high=number(max(known.values())),
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
