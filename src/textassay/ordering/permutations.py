"""Many orders at once: arrays of permutations, checked; and what all measures of one order against another share.

A measure counts a whole number and makes a value of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.ordering.orders import Order, Unit, Units, align, places_in, read_order

Permutations = npt.NDArray[np.signedinteger[Any]]
"""Shape (orders, n): each row holds 0 … n-1, each once."""
Orders = Sequence[Order] | npt.NDArray[Any]
"""Orders of the same units: lists of ids, or an array of shape (orders, n) with the numbers 0 … n-1."""


def numbered(orders: Orders, reference: Order | None = None) -> tuple[Permutations, tuple[Unit, ...]]:
    """Orders as numbers of their units, and the units: those of the reference, or of the first order, in its order.

    Raises:
        UsageError: not several orders.
        DataError: no orders, or orders of different units; the message says which.

    >>> rows, units = numbered(["bac", "abc"], "abc")
    >>> rows.tolist(), units
    ([[1, 0, 2], [0, 1, 2]], ('a', 'b', 'c'))
    """
    if isinstance(orders, np.ndarray) and orders.ndim == 2 and orders.dtype.kind in "iu" and len(orders):
        rows = permutations(orders, "orders")
        if reference is None:
            return rows, tuple(range(rows.shape[1]))
        order = align(np.arange(rows.shape[1]), np.asarray(reference)).places
        return order[rows], tuple(np.asarray(reference).tolist())
    if isinstance(orders, str) or not hasattr(orders, "__len__") or not hasattr(orders, "__getitem__"):
        raise UsageError(f"orders is {type(orders).__name__} {orders!r}; give a list of orders")
    if len(orders) == 0:
        raise DataError("there are no orders; give at least one")
    for each in orders:
        if isinstance(each, (int, float)) and not isinstance(each, bool):
            raise UsageError("orders is one order; give a list of orders, for example [order]")
    units = read_order(orders[0] if reference is None else reference, "reference")
    if len(set(units)) < len(units):
        align(units, units)  # names the units that repeat
    return np.array([_row(number, each, units) for number, each in enumerate(orders)]), units


def _row(number: int, order: Order, units: tuple[Unit, ...]) -> npt.NDArray[np.int64]:
    try:
        return align(order, units).places
    except DataError as error:
        raise DataError(f"orders[{number}]: {error}") from None


def permutations(rows: npt.ArrayLike, name: str) -> Permutations:
    """The rows as signed integers, as narrow as they can be.

    Raises:
        DataError: a shape other than (orders, n), or a row that is not a permutation of 0 … n-1.
    """
    array = np.asarray(rows)
    if array.ndim != 2 or array.dtype.kind not in "iu":
        seen = f"the shape {array.shape} of {array.dtype}"
        raise DataError(f"{name} must have the shape (orders, n) and hold the numbers 0 … n-1, got {seen}")
    m, n = array.shape
    within = array.size == 0 or (array.min() >= 0 and array.max() < n)
    seen_there = np.zeros((m, n), dtype=bool)
    if within:
        np.put_along_axis(seen_there, array, values=True, axis=1)
    if not within or not seen_there.all():
        bad = int(np.flatnonzero((np.sort(array, axis=1) != np.arange(n)).any(axis=1))[0])
        raise DataError(f"{name}[{bad}] is not a permutation of 0 … {n - 1}: {array[bad][:10].tolist()}")
    return array.astype(np.min_scalar_type(-max(n, 1)), copy=False)


def places_of(orders: npt.ArrayLike, reference: npt.ArrayLike | None) -> Permutations:
    """Each order seen from the reference: for each position the place of its unit there.

    Args:
        orders: Shape (orders, n), permutations of 0 … n-1.
        reference: One order for all, or one for each; 0 … n-1 if not given.

    Raises:
        DataError: shapes that do not fit, or a row that is not a permutation.

    >>> places_of([[0, 2, 3, 1]], [1, 2, 3, 0]).tolist()
    [[3, 1, 2, 0]]
    """
    rows = permutations(orders, "orders")
    if reference is None:
        return rows
    wanted = np.asarray(reference)
    if wanted.shape not in {rows.shape, rows.shape[1:]}:
        raise DataError(f"reference must have the shape {rows.shape[1:]} or {rows.shape}, got {wanted.shape}")
    place = inverse_rows(permutations(np.atleast_2d(wanted), "reference"))
    return place[0][rows] if wanted.ndim == 1 else np.take_along_axis(place, rows, axis=1)


def inverse_rows(rows: Permutations) -> Permutations:
    """For each unit its place in each order.

    >>> inverse_rows(np.array([[2, 0, 1]])).tolist()
    [[1, 2, 0]]
    """
    place = np.empty_like(rows)
    np.put_along_axis(place, rows, np.broadcast_to(np.arange(rows.shape[1], dtype=rows.dtype), rows.shape), axis=1)
    return place


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
