"""Short tours by local search with kicks."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.kernels.choice import compiled_loop
from textassay.kernels.tour_search_twin import search

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]
LARGEST = 2**60
"""The most that n times the highest cost may be, so that no sum leaves the range of 64 bits."""
NEAR = 12
"""For each node, so many of the cheapest nodes to stand beside it are tried."""


def tour_search(
    costs: npt.ArrayLike, tour: npt.ArrayLike, *, kicks: int, seed: int = 0, target: int | None = None
) -> tuple[Int32, int]:
    """Make a tour shorter.

    Parts of the tour are turned round (2-opt) and parts that lie side by side change places (3-opt without turning,
    which holds or-opt) until neither helps. Then, again and again, three random parts are put in the opposite order (a
    double bridge) and the tour around them is improved in the same way; what is no longer than before is kept (Johnson
    & McGeoch 1997, iterated 3-opt).

    Args:
        costs: Shape (n, n) with n of at least 3, whole numbers: from the row's node to the column's.
        tour: All nodes in the order of a tour that closes on itself; the first stays in its place.
        kicks: How often the tour is disturbed.
        seed: Of the disturbances, at least 0.
        target: Where a tour of this length is found, no more is tried.

    Returns:
        The tour and its length. The same with the compiled loop and with its twin.

    Raises:
        DataError: the wrong shape, numbers that are not whole or too large, or no tour.

    >>> around = [[0, 1, 9, 1], [1, 0, 1, 9], [9, 1, 0, 1], [1, 9, 1, 0]]
    >>> found, length = tour_search(around, [0, 2, 1, 3], kicks=0)
    >>> found.tolist(), length
    ([0, 1, 2, 3], 4)
    """
    steps = _checked_costs(costs)
    n = len(steps)
    best = np.array(tour, dtype=np.int32)
    if best.shape != (n,) or not np.array_equal(np.sort(best), np.arange(n)):
        raise DataError(f"tour must name each of the nodes 0 … {n - 1} once, got {best.tolist()[:10]}")
    symmetric = bool((steps == steps.T).all())
    after = _cheapest(steps)
    before = after if symmetric else _cheapest(steps.T)
    aim = -LARGEST if target is None else target
    loop = compiled_loop("tour_search")
    if loop is None:
        return search(steps, after, before, best, kicks, seed, aim)
    into = steps if symmetric else np.ascontiguousarray(steps.T)
    length = loop.search(steps, into, after, before, best, kicks, seed, aim, symmetric)
    return best, int(length)


def _checked_costs(costs: npt.ArrayLike) -> Int64:
    given = np.asarray(costs)
    if given.ndim != 2 or given.shape[0] != given.shape[1] or len(given) < 3:
        raise DataError(f"costs must have the shape (n, n) with n of at least 3, got {given.shape}")
    if not np.issubdtype(given.dtype, np.integer):
        raise DataError(f"costs must be whole numbers, got {given.dtype}")
    highest = max(abs(int(given.min())), abs(int(given.max())))
    if highest * len(given) > LARGEST:
        raise DataError(f"costs may be up to 2⁶⁰ / n, got {highest}")
    return np.ascontiguousarray(given, dtype=np.int64)


def _cheapest(steps: Int64) -> Int32:
    """For each row the cheapest other columns, in rising order; of equals the first."""
    n = len(steps)
    ordered = np.argsort(steps, axis=1, kind="stable")
    others = ordered[ordered != np.arange(n)[:, None]].reshape(n, n - 1)
    return np.ascontiguousarray(others[:, :NEAR], dtype=np.int32)
