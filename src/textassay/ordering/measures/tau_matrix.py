"""Kendall's tau of all pairs of many orders."""

from __future__ import annotations

import numpy as np

from textassay.kernels.inversions import inversion_counts
from textassay.ordering.measures.measure import Floats
from textassay.ordering.permutations import Orders, Permutations, inverse, numbered

_AT_ONCE = 1 << 22
"""Signs of pairs in memory at once."""
_LONG = 1024
"""From here on one pair of orders after the other takes fewer steps than all pairs of units."""


def tau_matrix(orders: Orders, others: Orders | None = None) -> Floats:
    """Kendall's tau of each order with each of the others, shape (orders, others).

    The signs of all n(n-1)/2 pairs of units are one row an order; the product of two such tables holds every S at once.

    Args:
        orders: Orders of the same units.
        others: More of them; the same ones if not given.

    Raises:
        DataError: orders of different units; the message says which.

    >>> tau_matrix(["abcd", "abdc", "dcba"]).round(4).tolist()
    [[1.0, 0.6667, -1.0], [0.6667, 1.0, -0.6667], [-1.0, -0.6667, 1.0]]
    """
    rows, units = numbered(orders)
    columns = rows if others is None else numbered(others, units)[0]
    n = len(units)
    if n < 2:
        return np.full((len(rows), len(columns)), np.nan)
    if n > _LONG:
        return _one_by_one(rows, columns)
    total = n * (n - 1) / 2
    return _s_of_all(inverse(rows), inverse(columns)) / total


def _s_of_all(rows: Permutations, columns: Permutations) -> Floats:
    """Concordant less discordant pairs; sums of up to 2²⁴ signs are exact in 32 bits."""
    first, second = np.triu_indices(rows.shape[1], 1)
    s = np.zeros((len(rows), len(columns)))
    size = max(1, min(_AT_ONCE // (len(rows) + len(columns)), 1 << 24))
    for start in range(0, len(first), size):
        one, other = first[start : start + size], second[start : start + size]
        left = _signs(rows, one, other)
        s += left @ (left if rows is columns else _signs(columns, one, other)).T
    return s


def _signs(place: Permutations, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    signs = (place[:, one] < place[:, other]).astype(np.float32)
    signs *= 2
    signs -= 1
    return signs


def _one_by_one(rows: Permutations, columns: Permutations) -> Floats:
    n = rows.shape[1]
    counts = [inversion_counts(columns, place) for place in inverse(rows)]
    return np.asarray(1 - 4 * np.array(counts) / (n * (n - 1)))
