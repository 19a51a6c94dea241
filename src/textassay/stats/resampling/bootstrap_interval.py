"""Intervals from the statistics of resamples: percentile, and bias-corrected and accelerated (BCa)."""

from __future__ import annotations

import math

import numpy as np

from textassay.stats.distributions import normal_quantile, normal_upper
from textassay.stats.samples import FloatArray


def order_quantile(ordered: FloatArray, share: float) -> float:
    """The quantile of ordered draws: the (R+1)·share-th, interpolated on the scale of normal deviates.

    As Davison & Hinkley (1997, section 5.2) have it and R's `boot.ci` does it; beyond the first and the last draw it is
    that draw.

    >>> order_quantile(np.arange(1.0, 20.0), 0.25)  # 19 draws: the fifth
    5.0
    """
    size = ordered.size
    if not size or math.isnan(share):
        return math.nan
    place = (size + 1) * share
    below = math.floor(round(place, 9))  # what should be whole is whole
    if below < 1 or below >= size:
        return float(ordered[0] if below < 1 else ordered[-1])
    low, high = float(ordered[below - 1]), float(ordered[below])
    if abs(place - below) < 1e-9 or low == high:
        return low
    at, start, end = (normal_quantile(part) for part in (share, below / (size + 1), (below + 1) / (size + 1)))
    return low + (at - start) / (end - start) * (high - low)


def percentile_interval(ordered: FloatArray, confidence: float) -> tuple[float, float]:
    """The middle share of the draws (Efron 1979)."""
    tail = (1 - confidence) / 2
    return order_quantile(ordered, tail), order_quantile(ordered, 1 - tail)


def bca_interval(ordered: FloatArray, value: float, acceleration: float, confidence: float) -> tuple[float, float]:
    """The interval corrected for bias and for a standard error that changes with the value (Efron 1987).

    nan where all draws lie on one side of the value, or the acceleration is undefined.
    """
    below = float(np.mean(ordered < value)) if ordered.size else math.nan
    if not 0 < below < 1 or math.isnan(acceleration):
        return math.nan, math.nan
    bias = normal_quantile(below)
    ends = []
    for share in ((1 - confidence) / 2, (1 + confidence) / 2):
        moved = bias + normal_quantile(share)
        ends.append(order_quantile(ordered, 1 - normal_upper(bias + moved / (1 - acceleration * moved))))
    return ends[0], ends[1]


def acceleration_of(left_out: FloatArray) -> float:
    """That of BCa: Σ L³ / (6 (Σ L²)^1.5), L the mean of the values without one unit less each of them; nan if flat."""
    influence = left_out.mean() - left_out if left_out.size else left_out
    largest = float(np.abs(influence).max(initial=0.0))
    if not largest > 1e-12 * float(np.abs(left_out).max(initial=0.0)):
        return math.nan
    scaled = influence / largest
    return float((scaled**3).sum() / (6 * (scaled**2).sum() ** 1.5))
