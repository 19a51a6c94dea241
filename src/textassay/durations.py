"""Durations as people say them."""

from __future__ import annotations

from typing import Literal, NamedTuple

_IN_SECONDS = 120
"""Shorter durations are said in seconds."""
_PRECISE = 10
"""Below it, the first decimal tells something."""


class Duration(NamedTuple):
    """A number with few digits, and its unit."""

    number: str
    unit: Literal["seconds", "minutes"]

    def __str__(self) -> str:
        return f"{self.number} {self.unit}"


def duration(seconds: float) -> Duration:
    """A duration in seconds below two minutes, else in minutes.

    >>> [str(duration(seconds)) for seconds in (0.04, 9.94, 9.96, 61, 119.4)]
    ['0.0 seconds', '9.9 seconds', '10 seconds', '61 seconds', '119 seconds']
    >>> [str(duration(seconds)) for seconds in (119.6, 150, 596, 4000)]
    ['2.0 minutes', '2.5 minutes', '9.9 minutes', '67 minutes']
    """
    if round(seconds) < _IN_SECONDS:
        return Duration(_few_digits(seconds), "seconds")
    return Duration(_few_digits(seconds / 60), "minutes")


def _few_digits(number: float) -> str:
    return f"{number:.1f}" if round(number, 1) < _PRECISE else f"{number:.0f}"
