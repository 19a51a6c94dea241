"""Accuracy: units in their place, whole orders that are right, pairs that are right."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from textassay.kernels.inversions import inversion_counts
from textassay.ordering.measures.measure import Counts, Floats, Measure
from textassay.ordering.orders import Order, Units
from textassay.ordering.permutations import Permutations


def hits(places: Permutations) -> Counts:
    """Units that stand in their place.

    >>> hits(np.array([[1, 0, 2]])).tolist()
    [1]
    """
    return np.asarray(np.count_nonzero(places == np.arange(places.shape[1]), axis=1))


POSITION_ACCURACY = Measure("position accuracy", "hits", hits, lambda count, n: count / n, least=1)
PERFECT_MATCH = Measure("perfect match", "hits", hits, lambda count, n: (count == n).astype(float), least=1)
PAIRWISE_ACCURACY = Measure(
    "pairwise accuracy", "inversions", inversion_counts, lambda count, n: 1 - 2 * count / (n * (n - 1))
)


def position_accuracy(order: Order, reference: Order, *, units: Units = "same") -> float:
    """Share of the units that stand in the same place in both orders; 1/n on average by chance.

    >>> position_accuracy([2, 1, 3, 5, 4], [1, 2, 3, 4, 5])
    0.2
    """
    return POSITION_ACCURACY.of(order, reference, units)


def perfect_match(order: Order, reference: Order, *, units: Units = "same") -> float:
    """1 where both orders are the same, else 0; its mean over items is the perfect match ratio.

    >>> perfect_match("abc", "abc"), perfect_match("acb", "abc")
    (1.0, 0.0)
    """
    return PERFECT_MATCH.of(order, reference, units)


def pairwise_accuracy(order: Order, reference: Order, *, units: Units = "same") -> float:
    """Share of the pairs of units that stand the same way round in both orders: (tau + 1) / 2.

    >>> pairwise_accuracy([2, 1, 3, 5, 4], [1, 2, 3, 4, 5])
    0.8
    """
    return PAIRWISE_ACCURACY.of(order, reference, units)


def position_accuracy_batch(orders: npt.ArrayLike, reference: npt.ArrayLike | None = None) -> Floats:
    """Position accuracy of many orders of the numbers 0 … n-1; arguments as in `tau_batch`."""
    return POSITION_ACCURACY.batch(orders, reference)


def perfect_match_batch(orders: npt.ArrayLike, reference: npt.ArrayLike | None = None) -> Floats:
    """Perfect match of many orders of the numbers 0 … n-1; arguments as in `tau_batch`."""
    return PERFECT_MATCH.batch(orders, reference)


def pairwise_accuracy_batch(orders: npt.ArrayLike, reference: npt.ArrayLike | None = None) -> Floats:
    """Pairwise accuracy of many orders of the numbers 0 … n-1; arguments as in `tau_batch`."""
    return PAIRWISE_ACCURACY.batch(orders, reference)
