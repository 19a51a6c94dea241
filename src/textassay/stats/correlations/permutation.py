"""The exact permutation p of a correlation, by going through all orders."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from textassay.stats.correlations.pair import standardised
from textassay.stats.samples import FloatArray

PERMUTATION_LIMIT = 9
"""The largest n whose n! orders are all gone through (9! = 362,880)."""


def permutation_p(x: FloatArray, y: FloatArray) -> float:
    """Two-sided p of the correlation of x and y over all n! pairings: twice the smaller tail, at most 1.

    Twice the smaller tail, as for Spearman's rho in R, so that three systems never give less than 1/3.

    >>> permutation_p(np.array([1.0, 2.0, 4.0]), np.array([10.0, 20.0, 40.0])) == 1 / 3
    True
    """
    x, y = standardised(x), standardised(y)
    products = x[all_orders(x.size)] @ y
    observed = float(x @ y)
    slack = 1e-10  # pairings that tie with the observed one differ from it by rounding only
    upper = int(np.count_nonzero(products >= observed - slack))
    lower = int(np.count_nonzero(products <= observed + slack))
    return min(1.0, 2 * min(lower, upper) / math.factorial(x.size))


@lru_cache(maxsize=PERMUTATION_LIMIT)
def all_orders(n: int) -> npt.NDArray[np.int8]:
    """All orders of 0 … n-1, one a row: each order of n-1 with the last number put into each place."""
    orders = np.zeros((1, 1), dtype=np.int8)
    for size in range(1, n):
        grown = np.empty((len(orders) * (size + 1), size + 1), dtype=np.int8)
        for place in range(size + 1):
            rows = grown[place :: size + 1]
            rows[:, :place], rows[:, place], rows[:, place + 1 :] = orders[:, :place], size, orders[:, place:]
        orders = grown
    orders.flags.writeable = False
    return orders
