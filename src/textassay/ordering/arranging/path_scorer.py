"""A scorer of orders by the length of their path."""

from __future__ import annotations

import numpy.typing as npt

from textassay.errors import DataError
from textassay.ordering.evaluation.scorers import Scorer
from textassay.ordering.orders import Order, align
from textassay.ordering.paths.distances import square
from textassay.ordering.paths.shortest_path import path_cost


def path_scorer(distances: npt.ArrayLike, units: Order | None = None) -> Scorer:
    """The negative cost of an order's path: higher is better.

    Args:
        distances: Shape (n, n): entry (j, k) from unit j to unit k.
        units: The ids of the units in the order of the rows; 0 to n-1 if not given.

    Raises:
        DataError: not a square matrix of finite numbers, or another number of units.

    >>> score = path_scorer([[0, 1, 9], [1, 0, 2], [9, 2, 0]], "abc")
    >>> score("abc"), score("bac")
    (-3.0, -10.0)
    """
    given = square(distances, "distances")
    rows = range(len(given)) if units is None else units
    if len(rows) != len(given):
        raise DataError(f"there are {len(rows)} units for {len(given)} rows of distances; each row is one unit's")
    names = list(rows)

    def score(order: Order) -> float:
        return -path_cost(given, align(order, names).places)

    return score
