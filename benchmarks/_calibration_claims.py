"""The words and bounds that many claims share, and the answers that they ask for."""

from __future__ import annotations

import math
from collections.abc import Iterable

from _calibration import Average, Share
from _calibration_theory import ALPHA

REJECTED = "rejected at .05"
ANY_REJECTED = "any pair rejected at .05"
COVERED = "95 % interval holds the truth"
NORMAL = "exact for normal values"
BRADLEY = "approximate, Bradley's liberal criterion"
STRINGENT = "approximate, Bradley's stringent criterion"
_SLACK = 1e-12
"""P of an exact test may be .05 but for rounding, and then it rejects."""


def rejects(p: float) -> float:
    """Whether a test rejects at .05; nan where it has no p."""
    return math.nan if math.isnan(p) else float(p <= ALPHA + _SLACK)


def rejects_any(found: Iterable[float]) -> float:
    """Whether any of several tests rejects; nan where all have no p."""
    there = [p for p in found if not math.isnan(p)]
    return rejects(min(there)) if there else math.nan


def covers(interval: tuple[float, float] | None, truth: float) -> float:
    """Whether an interval holds the truth; nan where there is none."""
    if interval is None or math.isnan(interval[0]) or math.isnan(interval[1]):
        return math.nan
    return float(interval[0] <= truth <= interval[1])


def covers_all(intervals: Iterable[tuple[tuple[float, float], float]]) -> float:
    """Whether each interval holds its truth."""
    return min(covers(interval, truth) for interval, truth in intervals)


def size(statistic: str, variant: str = "", *, is_: float = ALPHA, why: str = NORMAL, what: str = REJECTED) -> Share:
    """A test rejects so often: a number that follows from theory."""
    return Share(statistic, _words(variant, what), is_, is_, why)


def size_within(
    statistic: str, variant: str = "", *, low: float = 0.0, high: float, why: str, what: str = REJECTED
) -> Share:
    """A test rejects at most so often, and at least so often."""
    return Share(statistic, _words(variant, what), low, high, why)


def size_near(statistic: str, variant: str = "", *, why: str = BRADLEY, what: str = REJECTED) -> Share:
    """An approximate test keeps .05 by one of Bradley's criteria."""
    slack = 0.1 if why == STRINGENT else 0.5
    return Share(statistic, _words(variant, what), ALPHA * (1 - slack), ALPHA * (1 + slack), why)


def coverage(
    statistic: str,
    variant: str = "",
    *,
    is_: float = 1 - ALPHA,
    within: float = 0.0,
    why: str = NORMAL,
    what: str = COVERED,
) -> Share:
    """An interval holds the truth so often, up to a distance."""
    return Share(statistic, _words(variant, what), is_ - within, is_ + within, why)


def coverage_near(statistic: str, variant: str = "", *, why: str = BRADLEY, what: str = COVERED) -> Share:
    """An approximate interval misses the truth in .05 of the cases by one of Bradley's criteria."""
    slack = ALPHA * (0.1 if why == STRINGENT else 0.5)
    return coverage(statistic, variant, within=slack, why=why, what=what)


def centred(statistic: str, what: str, truth: float, *, within: float = 0.0, why: str) -> Average:
    """An estimate has this mean, up to a distance."""
    return Average(statistic, what, truth - within, truth + within, why)


def _words(variant: str, what: str) -> str:
    return f"{variant}: {what}" if variant else what
