"""Cayley's distance: exchanges of any two units."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from textassay.ordering.measures.measure import Counts, Floats, Measure
from textassay.ordering.orders import Order, Units
from textassay.ordering.permutations import Permutations


def exchanges(places: Permutations) -> Counts:
    """Units less the number of cycles: each exchange of two units splits one cycle in two.

    Every place carries the lowest place of its cycle that it has heard of; the reach doubles with each step.

    >>> exchanges(np.array([[1, 0, 2, 4, 3], [1, 2, 3, 4, 0]])).tolist()
    [2, 4]
    """
    n = places.shape[1]
    lowest = np.minimum(places, np.arange(n, dtype=places.dtype))
    ahead = places
    for _ in range(max(n - 1, 1).bit_length()):
        lowest = np.minimum(lowest, np.take_along_axis(lowest, ahead, axis=1))
        ahead = np.take_along_axis(ahead, ahead, axis=1)
    return np.asarray(n - np.count_nonzero(lowest == np.arange(n), axis=1))


CAYLEY = Measure("Cayley's distance", "exchanges", exchanges, lambda count, _: count, least=1)


def cayley(order: Order, reference: Order, *, units: Units = "same") -> float:
    """Cayley's distance: the fewest exchanges of two units, wherever they stand, that turn one order into the other.

    0 the same, n-1 the most.

    >>> cayley([2, 1, 3, 5, 4], [1, 2, 3, 4, 5])
    2.0
    """
    return CAYLEY.of(order, reference, units)


def cayley_batch(orders: npt.ArrayLike, reference: npt.ArrayLike | None = None) -> Floats:
    """Cayley's distance of many orders of the numbers 0 … n-1; arguments as in `tau_batch`."""
    return CAYLEY.batch(orders, reference)
