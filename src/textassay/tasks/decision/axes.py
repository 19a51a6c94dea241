"""The axes of a plot: numbers, clock times and dates, at round distances."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

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
        """About so many round times."""
        if not self.clock:
            return nice_ticks(self.start, self.end, about)
        rough = (self.end - self.start) / about
        step = next((step for step in _CLOCK_STEPS if step >= rough), _DAY * math.ceil(rough / _DAY))
        counts = range(math.ceil(self.start / step), math.floor(self.end / step) + 1)
        return [float(count * step) for count in counts] or [self.start]

    def label(self, time: float, among: Sequence[float]) -> str:
        """A time in the form in which it can be told from the others beside it.

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
