"""Spearman's rho of two orders."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from textassay.ordering.measures.measure import Counts, Floats, Measure
from textassay.ordering.orders import Order, Units
from textassay.ordering.permutations import Permutations


def squared_displacements(places: Permutations) -> Counts:
    """Σd², d being how far each unit stands from its place in the reference.

    >>> squared_displacements(np.array([[1, 0, 2]])).tolist()
    [2]
    """
    away = places - np.arange(places.shape[1])
    return np.asarray(np.einsum("ij,ij->i", away, away, dtype=np.int64))


SPEARMAN = Measure(
    "Spearman's rho", "squared displacements", squared_displacements, lambda d2, n: 1 - 6 * d2 / (n * (n**2 - 1))
)


def spearman(order: Order, reference: Order, *, units: Units = "same") -> float:
    """Spearman's rho of an order with a reference: 1 - 6 Σd² / (n(n²-1)), the correlation of the places.

    A unit that is far from its place costs more than with tau; -1 ≤ 3 tau - 2 rho ≤ 1 always holds (Daniels 1950).

    >>> spearman([2, 1, 3, 5, 4], [1, 2, 3, 4, 5])
    0.8
    """
    return SPEARMAN.of(order, reference, units)


def spearman_batch(orders: npt.ArrayLike, reference: npt.ArrayLike | None = None) -> Floats:
    """Spearman's rho of many orders of the numbers 0 … n-1; arguments as in `tau_batch`."""
    return SPEARMAN.batch(orders, reference)
