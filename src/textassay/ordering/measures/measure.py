"""What all measures of one order against another share: a whole number is counted, and a value is made of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.ordering.orders import Order, Units, places_in
from textassay.ordering.permutations import Permutations, places_of

Counts = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Measure:
    """A measure of orders, given as places in the reference."""

    name: str
    """In the words of the literature."""
    counted: str
    """What the count is, for example `inversions`."""
    count: Callable[[Permutations], Counts]
    """Shape (orders, n) to one whole number an order."""
    value: Callable[[Floats, Floats], Floats]
    """From counts and numbers of units."""
    least: int = 2
    """The fewest units for which there is a value."""

    def values(self, counts: npt.ArrayLike, n: npt.ArrayLike) -> Floats:
        """The values of counts; nan where there are too few units."""
        counted, units = np.broadcast_arrays(np.asarray(counts, dtype=float), np.asarray(n, dtype=float))
        enough = units >= self.least
        # A number of units that is never used keeps the formula from dividing by 0.
        found = self.value(np.where(enough, counted, 0.0), np.where(enough, units, 2.0))
        return np.where(enough, found, np.nan)

    def of_places(self, places: Permutations) -> Floats:
        """The values of orders that are given as places, shape (orders, n)."""
        return self.values(self.count(places) if places.shape[1] else np.zeros(len(places)), places.shape[1])

    def of(self, order: Order, reference: Order, units: Units) -> float:
        """The value of one order; nan where there are too few units."""
        return float(self.of_places(places_in(order, reference, units)[None])[0])

    def batch(self, orders: npt.ArrayLike, reference: npt.ArrayLike | None) -> Floats:
        """The values of many orders of the numbers 0 … n-1."""
        return self.of_places(places_of(orders, reference))
