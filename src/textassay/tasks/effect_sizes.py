"""From effects that people can picture (a share of wins, a difference of two shares) to the scale of a model."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
import numpy.typing as npt

_NODES = 40
_ROUNDING = 1e-12


def logistic(logit: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """The probability of a logit."""
    return np.asarray(0.5 * (1 + np.tanh(np.asarray(logit, dtype=float) / 2)))  # overflows nowhere


def mean_logistic(logit: float, sd: float) -> float:
    """The mean probability where logits vary normally, by the quadrature of Gauss and Hermite.

    >>> round(mean_logistic(1.0, 1.0), 4)  # R: integrate(function(z) plogis(1 + z) * dnorm(z), -9, 9)
    0.6967
    """
    nodes, weights = _hermite()
    return float(np.sum(weights * logistic(logit + math.sqrt(2) * sd * nodes)) / math.sqrt(math.pi))


@cache
def _hermite() -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Nodes and weights."""
    nodes, weights = np.polynomial.hermite.hermgauss(_NODES)
    return np.asarray(nodes, dtype=float), np.asarray(weights, dtype=float)


def solved(function: Callable[[float], float], target: float, low: float, high: float) -> float:
    """Where an increasing function has that value, between two places, by bisection; nan where it has it nowhere.

    >>> round(solved(lambda x: x * x, 2.0, 0.0, 2.0), 6)
    1.414214
    >>> solved(lambda x: x * x, 5.0, 0.0, 2.0)
    nan
    """
    if abs(function(low) - target) < _ROUNDING:
        return low
    if not function(low) <= target <= function(high):
        return math.nan
    middle = (low + high) / 2
    while low < middle < high:  # until no number lies between the two
        low, high = (middle, high) if function(middle) < target else (low, middle)
        middle = (low + high) / 2
    return middle
