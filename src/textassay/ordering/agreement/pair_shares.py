"""How often each of two units stands before the other, over a set of orders."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textassay.ordering.measures.measure import Floats
from textassay.ordering.orders import Unit
from textassay.ordering.permutations import Orders, Permutations, inverse, numbered


@dataclass(frozen=True, eq=False)
class PairShares:
    """All pairs of units, over orders."""

    units: tuple[Unit, ...]
    before: Floats
    """Shape (n, n): share of the orders in which the row's unit stands before the column's; 0 on the diagonal."""
    rows: Permutations
    """The orders as numbers of `units`."""

    @property
    def n(self) -> int:
        """Number of units."""
        return len(self.units)

    def mean_tau(self, order: Permutations) -> float:
        """The mean tau of an order, given as numbers of units, with all orders."""
        agreed = self.before[np.ix_(order, order)]
        pairs = self.n * (self.n - 1) / 2
        return float(2 * np.triu(agreed, 1).sum() / pairs - 1) if self.n > 1 else float("nan")

    @property
    def highest(self) -> float:
        """What no order's mean tau can exceed: every pair as most orders have it."""
        pairs = self.n * (self.n - 1) / 2
        most = np.triu(np.maximum(self.before, self.before.T), 1).sum()
        return float(2 * most / pairs - 1) if self.n > 1 else float("nan")


def pair_shares(orders: Orders) -> PairShares:
    """Count the pairs.

    Raises:
        DataError: no orders, or orders of different units.

    >>> pair_shares(["abc", "bac"]).before.tolist()
    [[0.0, 0.5, 1.0], [0.5, 0.0, 1.0], [0.0, 0.0, 0.0]]
    """
    rows, units = numbered(orders)
    place = inverse(rows)
    before = np.zeros((len(units), len(units)))
    for unit in range(len(units)):
        before[unit] = np.mean(place[:, unit, None] < place, axis=0)
    return PairShares(units, before, rows)
