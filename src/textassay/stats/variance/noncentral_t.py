"""Which noncentrality a t speaks for: the interval of a standardised difference."""
# ruff: noqa: PLC0415 -- scipy is loaded when first asked

from __future__ import annotations

import math

_SMALLEST = 1e-40
"""A t nearer to 0 gives the ends of 0 to the last digit, and the distribution function has no values for some."""


def noncentrality_interval(t: float, df: float, confidence: float) -> tuple[float, float]:
    """The noncentralities under which t lies at the upper and at the lower end of what is expected.

    The ends δ with P(T ≥ t | δ) and P(T ≤ t | δ) = (1 - confidence)/2 (Steiger & Fouladi 1997); nan where t is
    undefined, or beyond the reach of the distribution function.

    >>> [round(end, 4) for end in noncentrality_interval(2.0, 10, 0.95)]
    [-0.1835, 4.1011]
    """
    if not math.isfinite(t):
        return math.nan, math.nan
    if abs(t) < _SMALLEST:
        t = 0.0
    tail = (1 - confidence) / 2
    return _end(t, df, 1 - tail), _end(t, df, tail)


def _end(t: float, df: float, share: float) -> float:
    """The δ with P(T ≤ t | δ) = share; that share falls as δ grows."""
    from scipy.optimize import brentq
    from scipy.special import nctdtr

    def excess(delta: float) -> float:
        below = float(nctdtr(df, delta, t))
        # Far out in the tail scipy has no value at all; it is then as good as 0 or 1.
        return (float(delta < t) if math.isnan(below) else below) - share

    step = 1.0
    while not excess(t - step) > 0 > excess(t + step):
        step *= 2
        if step > 1e3 + 4 * abs(t):
            return math.nan
    end = float(brentq(excess, t - step, t + step, xtol=1e-12, rtol=1e-14))
    return end if abs(excess(end)) < 1e-6 else math.nan
