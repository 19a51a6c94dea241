"""Two variables of equal length, checked, with the reason where they have no correlation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from textassay.stats.samples import FloatArray, finite_vector, same_length


@dataclass(frozen=True)
class VariablePair:
    """Two variables that were checked."""

    x: FloatArray
    y: FloatArray
    undefined: str = ""
    """Why they have no correlation; empty where they have one."""
    warnings: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """Number of pairs."""
        return self.x.size


def read_pair(x: npt.ArrayLike, y: npt.ArrayLike) -> VariablePair:
    """Two variables as vectors.

    Raises:
        DataError: unequal lengths, or a value that is missing or infinite.
    """
    x, y = finite_vector(x, "x"), finite_vector(y, "y")
    same_length(("x", x), ("y", y))
    if x.size < 2:
        return VariablePair(x, y, f"a correlation needs at least 2 pairs, got {x.size}")
    warnings = []
    for name, values in (("x", x), ("y", y)):
        if np.all(values == values[0]):
            return VariablePair(x, y, f"{name} is constant (always {values[0]:g}), so there is no correlation")
        if np.ptp(values / np.max(np.abs(values))) < 1e-12:
            warnings.append(f"{name} is almost constant: the correlation rests on the last digits")
    return VariablePair(x, y, warnings=tuple(warnings))


def standardised(values: FloatArray) -> FloatArray:
    """The values of a variable that is not constant, with mean 0 and sum of squares 1.

    Scaled before it is squared, so that neither very large nor very small numbers leave the range of floats.
    """
    scaled = values / np.max(np.abs(values))
    centred = scaled - scaled.mean()
    return np.asarray(centred / np.linalg.norm(centred))


def product_moment(x: FloatArray, y: FloatArray) -> float:
    """Pearson's r of two variables that are not constant."""
    r = float(standardised(x) @ standardised(y))
    # A perfect correlation that rounding made imperfect would get a p that means nothing.
    return float(np.sign(r)) if abs(r) > 1 - 16 * np.finfo(float).eps else r


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
    """All orders of 0 … n-1, one per row: each order of n-1 with the last number put into each place."""
    orders = np.zeros((1, 1), dtype=np.int8)
    for size in range(1, n):
        grown = np.empty((len(orders) * (size + 1), size + 1), dtype=np.int8)
        for place in range(size + 1):
            rows = grown[place :: size + 1]
            rows[:, :place], rows[:, place], rows[:, place + 1 :] = orders[:, :place], size, orders[:, place:]
        orders = grown
    orders.flags.writeable = False
    return orders
