"""Whether an order begins and ends as the reference does."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from textassay.ordering.measures.measure import Counts, Floats, Measure
from textassay.ordering.orders import Order, Units
from textassay.ordering.permutations import Permutations


def _first(places: Permutations) -> Counts:
    return np.asarray(places[:, 0] == 0, dtype=np.int64)


def _last(places: Permutations) -> Counts:
    return np.asarray(places[:, -1] == places.shape[1] - 1, dtype=np.int64)


FIRST_CORRECT = Measure("first correct", "first", _first, lambda count, _: count, least=1)
LAST_CORRECT = Measure("last correct", "last", _last, lambda count, _: count, least=1)


def first_correct(order: Order, reference: Order, *, units: Units = "same") -> float:
    """1 where both orders begin with the same unit, else 0.

    >>> first_correct("abdc", "abcd"), last_correct("abdc", "abcd")
    (1.0, 0.0)
    """
    return FIRST_CORRECT.of(order, reference, units)


def last_correct(order: Order, reference: Order, *, units: Units = "same") -> float:
    """1 where both orders end with the same unit, else 0."""
    return LAST_CORRECT.of(order, reference, units)


def first_correct_batch(orders: npt.ArrayLike, reference: npt.ArrayLike | None = None) -> Floats:
    """`first_correct` of many orders of the numbers 0 … n-1; arguments as in `tau_batch`."""
    return FIRST_CORRECT.batch(orders, reference)


def last_correct_batch(orders: npt.ArrayLike, reference: npt.ArrayLike | None = None) -> Floats:
    """`last_correct` of many orders of the numbers 0 … n-1; arguments as in `tau_batch`."""
    return LAST_CORRECT.batch(orders, reference)
