"""The order of units with the least total distance between neighbours: a travelling salesperson's path."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError
from textassay.ordering.paths import all_subsets
from textassay.ordering.paths.distances import Floats, square
from textassay.ordering.paths.integer_program import proved_path
from textassay.ordering.paths.near_paths import near_path
from textassay.ordering.paths.network import network
from textassay.ordering.paths.relaxation import relaxation
from textassay.results import Record
from textassay.stats.statistic import Statistic

BOUNDED = 500
"""Up to so many units the bound is that of the linear program; beyond, that of the assignment problem."""
_EQUAL = 1e-9
"""A bound that is lower than the cost by no more than this share of it is equal to it."""


@dataclass(frozen=True, kw_only=True)
class ShortestPath(Statistic):
    """An order of units, its cost, and how far from the least possible cost it can be."""

    order: tuple[int, ...]
    """Numbers of the units (rows of the distances, from 0), from first to last."""
    cost: float
    """Sum of the distances from each unit to the next."""
    lower_bound: float
    """No order costs less; equal to the cost where `exact`."""
    exact: bool
    """Whether it is proved that no order costs less."""

    @property
    def gap(self) -> float:
        """By what share of the cost a better order could be cheaper; nan where the cost is 0 and not proved least."""
        if self.exact:
            return 0.0
        return (self.cost - self.lower_bound) / abs(self.cost) if self.cost else math.nan

    def records(self) -> list[Record]:
        """One record."""
        more: Record = {"lower_bound": self.lower_bound, "gap": self.gap, "exact": self.exact}
        order = " ".join(map(str, self.order))
        return [self.record("path cost", self.cost, n=len(self.order), order=order, **more)]


def shortest_path(
    distances: npt.ArrayLike, start: int | None = 0, *, proved_to: int = 200, time_limit: float = 10.0, seed: int = 0
) -> ShortestPath:
    """The order with the least sum of distances between neighbours, with a given first unit or any.

    Up to 20 units all subsets are gone through (Held & Karp 1962). Beyond, a path from local search (the assignment
    problem, its cycles patched, then iterated 3-opt) is compared with the bound of the linear program with subtour cuts
    (Dantzig, Fulkerson & Johnson 1954), beyond 500 units with that of the assignment problem; up to `proved_to` units
    an integer program settles what is between the two. A gap that is left is reported. `exact` says whether the order
    is proved to be a best one; of several best ones the method decides which is given.

    Args:
        distances: Shape (n, n): entry (j, k) from unit j to unit k. Need not be symmetric; the diagonal does not count.
        start: Number of the first unit, from 0; None for any.
        proved_to: Up to so many units the shortest path is searched for, not only a short one and a bound.
        time_limit: Seconds for all integer programs together, beside those of search and linear program. One that is
            stopped leaves a gap, and the result says so.
        seed: Of the local search.

    Raises:
        DataError: not a square matrix of finite numbers.
        UsageError: a first unit that there is not, or a wrong time limit or seed.

    >>> found = shortest_path([[0, 0.5528, 0.7959, 1], [0.5528, 0, 0.4523, 0.7418],
    ...                        [0.7959, 0.4523, 0, 0.5286], [1, 0.7418, 0.5286, 0]])
    >>> found.order, round(found.cost, 4), found.exact
    ((0, 1, 2, 3), 1.5337, True)
    """
    given = square(distances, "distances")
    n = len(given)
    _check(n, start, time_limit, seed)
    if n <= all_subsets.MOST:
        order = _forwards(all_subsets.best_path(given, start), given, start)
        return _result(order, path_cost(given, order), given, start, "all subsets", {})
    return _by_bounds(given, start, proved_to, time_limit, seed)


def path_cost(distances: Floats, order: npt.ArrayLike) -> float:
    """The sum of the distances from each unit to the next, rounded once."""
    units = np.asarray(order, dtype=np.int64)
    return math.fsum(distances[units[:-1], units[1:]])


def _by_bounds(given: Floats, start: int | None, proved_to: int, time_limit: float, seed: int) -> ShortestPath:
    """Many units: a path and a bound, brought together as far as they can be."""
    used: dict[str, Any] = {"seed": seed}
    near = near_path(given, start, seed)
    order, bound, how = near.order, near.bound, "local search"
    cost = path_cost(given, order)
    if len(given) <= BOUNDED and not _equal(cost, bound, given):
        net = network(given, start)
        relaxed = relaxation(net, order, cost)
        bound, how = max(bound, relaxed.bound), "local search, linear program"
        if len(given) <= proved_to and not _equal(cost, bound, given) and relaxed.bound > -np.inf:
            proved = proved_path(net, order, cost, relaxed, time_limit)
            order, bound, how = proved.order, max(bound, proved.bound), "integer program"
            used["time_limit"] = time_limit
    return _result(_forwards(order, given, start), bound, given, start, how, used)


def _forwards(order: list[int], distances: Floats, start: int | None) -> list[int]:
    """Of two orders that are the same read from the other end, the one whose first unit has the smaller number."""
    turned = start is None and order[-1] < order[0] and np.array_equal(distances, distances.T)
    return order[::-1] if turned else order


def _equal(cost: float, bound: float, distances: Floats) -> bool:
    rounding = 1e-13 * float(np.abs(distances).max())
    return cost - bound <= _EQUAL * abs(cost) + rounding


def _result(
    order: list[int], bound: float, distances: Floats, start: int | None, how: str, used: dict[str, Any]
) -> ShortestPath:
    cost = path_cost(distances, order)
    exact = _equal(cost, bound, distances)
    warnings = []
    if not exact:
        share = f" ({(cost - bound) / abs(cost):.2%} of it)" if cost else ""
        warnings.append(f"not proved to be shortest: the cost is {cost:.6g}, the bound {bound:.6g}{share}")
    return ShortestPath(
        method=f"shortest path ({how})",
        settings={
            "n": len(order),
            "start": "free" if start is None else start,
            "symmetric": bool(np.array_equal(distances, distances.T)),
            "exact": exact,
            **used,
        },
        warnings=tuple(warnings),
        order=tuple(order),
        cost=cost,
        lower_bound=cost if exact else bound,
        exact=exact,
    )


def _check(n: int, start: int | None, time_limit: float, seed: int) -> None:
    if start is not None and (isinstance(start, bool) or not isinstance(start, int | np.integer) or not 0 <= start < n):
        raise UsageError(f"start must be the number of a unit, 0 to {n - 1}, or None for any; got {start!r}")
    if not time_limit > 0:
        raise UsageError(f"time_limit must be above 0 seconds, got {time_limit!r}")
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**64:
        raise UsageError(f"seed must be a whole number from 0 to 2⁶⁴ - 1, got {seed!r}")
