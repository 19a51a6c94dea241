"""Kendall's tau of two orders, by the adjacent transpositions that turn one into the other."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.kernels.inversions import inversion_counts
from textassay.ordering.measures.measure import Floats, Measure
from textassay.ordering.orders import Order, Units, places_in
from textassay.ordering.permutations import inverse, permutations, places_of

TAU = Measure("Kendall's tau", "inversions", inversion_counts, lambda s, n: 1 - 4 * s / (n * (n - 1)))


def inversions(order: Order, reference: Order, *, units: Units = "same") -> int:
    """The least number of adjacent transpositions that turn one order into the other, in n log n steps.

    >>> inversions([2, 1, 3, 5, 4], [1, 2, 3, 4, 5])
    2
    """
    return int(inversion_counts(places_in(order, reference, units)[None])[0])


def tau(order: Order, reference: Order, *, units: Units = "same") -> float:
    """Kendall's tau of an order with a reference.

    tau = 1 - 2 S / (n(n-1)/2), S the least number of adjacent transpositions between the two, which is the number of
    pairs that stand the other way round (Kendall 1938; Lapata 2006): 1 the same, -1 reversed, 0 on average by chance
    (2/n where the first unit is fixed; see `tau_test`). Counted in n log n steps. Undefined (nan) for fewer than two
    units.

    R: `cor(match(order, reference), seq_along(order), method = "kendall")`.

    Args:
        order: Unit ids from first to last.
        reference: The same of the order to compare with.
        units: `same` refuses missing, extra and repeated units; `common` compares those that both have.

    Raises:
        DataError: missing, extra or repeated units, with their names.
        UsageError: not orders of units.

    >>> round(tau([0, 2, 3, 1], [1, 2, 3, 0]), 4)  # as lists of numbers, unlike as ranks, 5 of 6 pairs are turned
    -0.6667
    >>> round(tau("BACDE", "ABCDE"), 4)
    0.8
    """
    return TAU.of(order, reference, units)


def tau_batch(orders: npt.ArrayLike, reference: npt.ArrayLike | None = None) -> Floats:
    """Kendall's tau of many orders of the numbers 0 … n-1, a million short ones in a fraction of a second.

    Args:
        orders: Shape (orders, n).
        reference: One order for all, or one for each; 0 … n-1 if not given.

    Raises:
        DataError: shapes that do not fit, or a row that is no permutation.

    >>> tau_batch([[0, 2, 3, 1], [0, 1, 2, 3]], [1, 2, 3, 0]).round(4).tolist()
    [-0.6667, 0.0]
    """
    rows = np.asarray(orders)
    wanted = None if reference is None else np.asarray(reference)
    if wanted is not None and wanted.ndim == 2:
        return TAU.of_places(places_of(rows, wanted))
    if rows.ndim != 2 or rows.dtype.kind not in "iu" or (wanted is not None and wanted.shape != rows.shape[1:]):
        shape = None if wanted is None else wanted.shape
        raise DataError(
            f"orders must have the shape (orders, n) and reference (n,) or the same, got {rows.shape}, {shape}"
        )
    # The loop sees for itself whether every row is a permutation, and looks up places as it goes.
    place = None if wanted is None else inverse(permutations(wanted[None], "reference"))[0]
    return TAU.values(inversion_counts(rows, place), rows.shape[1])
