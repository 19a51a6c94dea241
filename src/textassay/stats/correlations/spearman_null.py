"""Spearman's rho when there is no association: exact for few values, a series for more.

S = Σ d² over the differences of ranks; rho = 1 - 6S / (n³ - n). Without ties S is even and runs from 0 to (n³ - n)/3.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from textassay.stats.distributions import normal_upper

EXACT_LIMIT = 12
"""The largest n whose n! permutations are counted (by subsets, not one by one: a tenth of a second, then kept)."""

SERIES_LIMIT = 1290
"""The largest n for which the series is used, as in R; beyond it the t approximation is as good."""

_SERIES = (0.2274, 0.2531, 0.1745, 0.0758, 0.1033, 0.3932, 0.0879, 0.0151, 0.0072, 0.0831, 0.0131, 0.00046)
"""Coefficients of the Edgeworth series, Best & Roberts (1975), algorithm AS 89."""


def exact_p(s: int, n: int) -> float:
    """Two-sided p of the sum S of squared rank differences: twice the smaller tail, at most 1.

    >>> exact_p(0, 3) == 1 / 3  # perfect agreement of three: 2 of 3! = 6 orders are as extreme
    True
    """
    counts = null_counts(n)
    lower, upper = int(counts[: s // 2 + 1].sum()), int(counts[s // 2 :].sum())
    return min(1.0, 2 * min(lower, upper) / math.factorial(n))


@lru_cache(maxsize=EXACT_LIMIT)
def null_counts(n: int) -> npt.NDArray[np.int64]:
    """How many of the n! permutations have S = 0, 2, 4 and so on.

    Rank i takes one of the ranks not yet taken; what matters is which are taken, not in what order, so n! paths
    shrink to 2^n subsets.

    >>> null_counts(3).tolist()  # S = 0: 1, S = 2: 2, S = 4: 0, S = 6: 2, S = 8: 1
    [1, 2, 0, 2, 1]
    """
    width = (n**3 - n) // 3 + 1
    table = np.zeros((1 << n, width), dtype=np.int64)
    table[0, 0] = 1
    subsets = np.arange(1 << n)
    taken = np.array([int(subset).bit_count() for subset in subsets])
    for i in range(n):
        layer = subsets[taken == i]
        for j in range(n):
            free = layer[(layer >> j) & 1 == 0]
            cost = (i - j) ** 2
            table[free | (1 << j), cost:] += table[free, : width - cost]
    counts = table[-1, ::2].copy()
    counts.flags.writeable = False
    return counts


def series_p(s: float, n: int) -> float:
    """Two-sided p of S by the Edgeworth series, with S moved half a step (1) towards the middle.

    Never below 2/n!, the least that any test of n values can give.
    """
    c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12 = _SERIES
    middle = (n**3 - n) / 6
    b = 1 / n
    x = max(0.0, abs(s - middle) - 1) / middle * math.sqrt(n - 1)
    y = x * x
    inner = c9 - c10 * b + y * b * (c11 - c12 * y)
    series = c1 + b * (c2 + c3 * b) + y * (-c4 + b * (c5 + c6 * b) - y * b * (c7 + c8 * b - y * inner))
    tail = x * b * series * math.exp(-y / 2) + normal_upper(x)
    return min(1.0, max(2 * tail, 2 * math.exp(-math.lgamma(n + 1))))
