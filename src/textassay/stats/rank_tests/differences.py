"""Differences of pairs without the rounding that would break their ties."""

from __future__ import annotations

import numpy as np

from textassay.stats.samples import FloatArray


def paired_differences(x: FloatArray, y: FloatArray) -> FloatArray:
    """The differences x - y; sizes that differ by rounding only are made equal.

    1.3 - 1.2 and 0.4 - 0.3 differ in the last digit, which would break a tie and turn a difference of nothing into one.

    >>> paired_differences(np.array([1.3, 0.4, 0.3]), np.array([1.2, 0.3, 0.1 + 0.2])).tolist()
    [0.10000000000000003, 0.10000000000000003, 0.0]
    """
    difference = x - y
    if not difference.size:
        return difference
    slack = 4 * np.finfo(float).eps * max(float(np.max(np.abs(x))), float(np.max(np.abs(y))))
    order = np.argsort(np.abs(difference), kind="stable")
    size = np.abs(difference)[order]
    starts = np.diff(size, prepend=-np.inf) > slack
    first = np.maximum.accumulate(np.where(starts, np.arange(size.size), 0))
    common = np.empty(size.size)
    common[order] = np.where(size[first] <= slack, 0.0, size[first])
    return np.asarray(np.copysign(common, difference) + 0.0)
