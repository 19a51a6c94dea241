"""Displacement: how far units stand from their place."""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError
from textassay.ordering.measures.measure import Counts, Floats, Measure
from textassay.ordering.orders import Order, Units
from textassay.ordering.permutations import Permutations


def displacements(places: Permutations) -> Counts:
    """Σ|d|, d being how far each unit stands from its place in the reference: Spearman's footrule.

    >>> displacements(np.array([[2, 0, 1]])).tolist()
    [4]
    """
    return np.asarray(np.abs(places - np.arange(places.shape[1])).sum(axis=1, dtype=np.int64))


def near(places: Permutations, window: int) -> Counts:
    """Units that stand at most so many places from their own.

    >>> near(np.array([[2, 0, 1]]), 1).tolist()
    [2]
    """
    return np.asarray(np.count_nonzero(np.abs(places - np.arange(places.shape[1])) <= window, axis=1))


DISPLACEMENT = Measure("mean displacement", "displacements", displacements, lambda count, n: count / n, least=1)


def within(window: int) -> Measure:
    """The measure for one window.

    Raises:
        UsageError: the window is no whole number of at least 0.
    """
    if isinstance(window, bool) or not isinstance(window, int) or window < 0:
        raise UsageError(f"window must be a whole number of at least 0, got {window!r}")
    return Measure(f"within {window}", "near", partial(near, window=window), lambda count, n: count / n, least=1)


def displacement(order: Order, reference: Order, *, units: Units = "same") -> float:
    """Mean number of places between where units stand in the two orders; (n²-1)/(3n) on average by chance.

    >>> displacement([2, 1, 3, 5, 4], [1, 2, 3, 4, 5])
    0.8
    """
    return DISPLACEMENT.of(order, reference, units)


def within_window(order: Order, reference: Order, *, window: int = 1, units: Units = "same") -> float:
    """Share of the units that stand at most `window` places from where they stand in the reference.

    >>> within_window([3, 1, 2], [1, 2, 3], window=1) == 2 / 3
    True
    """
    return within(window).of(order, reference, units)


def displacement_batch(orders: npt.ArrayLike, reference: npt.ArrayLike | None = None) -> Floats:
    """Mean displacement of many orders of the numbers 0 … n-1; arguments as in `tau_batch`."""
    return DISPLACEMENT.batch(orders, reference)


def within_window_batch(orders: npt.ArrayLike, reference: npt.ArrayLike | None = None, *, window: int = 1) -> Floats:
    """`within_window` of many orders of the numbers 0 … n-1; arguments as in `tau_batch`."""
    return within(window).batch(orders, reference)
