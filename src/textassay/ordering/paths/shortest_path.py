"""The order of units with the least total distance between neighbours: a travelling salesperson's path.

Few units: all subsets (Held & Karp 1962). Many: the assignment problem, its cycles patched, then local search; the
bound of the linear program and integer programming then prove it, or say how far it may be from the shortest.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError
from textassay.kernels.tours import MOST, held_karp, tour_search
from textassay.ordering.paths.integer_program import network, proved_path, relaxation
from textassay.ordering.permutations import Floats
from textassay.ordering.unit_similarity import square
from textassay.results import Record
from textassay.stats.statistic import Statistic

BOUNDED = 500
"""Up to this number of units the bound is that of the linear program; beyond, that of the assignment problem."""
_EQUAL = 1e-9
"""A bound that is lower than the cost by no more than this share of it is equal to it."""
Whole = npt.NDArray[np.int64]
KICKS = 50
"""Kicks of the local search for each unit,"""
MOST_KICKS = 20_000
"""but no more than this number."""
_STEPS = 2**40
"""The range of distances is cut into this number of steps: whole numbers add up exactly, on every machine."""


Clock = Callable[[], float]
"""Tells the seconds since some moment."""


class TimeLimit:
    """Seconds that all of it may take, if there is a clock; without one, what is left is never less.

    >>> seconds = iter([0.0, 4.0, 11.0])
    >>> limit = TimeLimit(10.0, lambda: next(seconds))
    >>> limit.left(), limit.is_over()
    (6.0, True)
    """

    def __init__(self, seconds: float, clock: Clock | None) -> None:
        self.seconds = seconds
        self._clock = clock
        self._start = 0.0 if clock is None else clock()

    @property
    def stop(self) -> Callable[[], bool] | None:
        """What to ask whether the time is over; None without a clock."""
        return None if self._clock is None else self.is_over

    def left(self) -> float:
        """Seconds, 0 or less if the time is over."""
        return self.seconds if self._clock is None else self.seconds - (self._clock() - self._start)

    def is_over(self) -> bool:
        """Whether no time is left."""
        return self.left() <= 0


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
    distances: npt.ArrayLike,
    start: int | None = 0,
    *,
    proved_to: int = 200,
    time_limit: float = 10.0,
    seed: int = 0,
    clock: Clock | None = None,
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
        proved_to: Up to this number of units the shortest path is searched for, not only a short one and a bound.
        time_limit: Seconds for all integer programs together; with a clock, for local search and linear programs as
            well. What is stopped leaves a gap, and the result says so.
        seed: Of the local search.
        clock: What tells the seconds, such as `time.monotonic`. Without one, local search takes as long as it takes,
            and the same seed gives the same order anywhere; 1000 units take some ten seconds.

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
    if n <= MOST:
        order = _forwards(best_path(given, start), given, start)
        return _result(order, path_cost(given, order), given, start, "all subsets", {})
    return _by_bounds(given, start, proved_to, seed, TimeLimit(time_limit, clock))


def path_cost(distances: Floats, order: npt.ArrayLike) -> float:
    """The sum of the distances from each unit to the next, rounded once."""
    units = np.asarray(order, dtype=np.int64)
    return math.fsum(distances[units[:-1], units[1:]])


def _by_bounds(given: Floats, start: int | None, proved_to: int, seed: int, limit: TimeLimit) -> ShortestPath:
    """Many units: a path and a bound, brought together as far as they can be."""
    used: dict[str, Any] = {"seed": seed}
    near = near_path(given, start, seed, limit.stop)
    order, bound, how = near.order, near.bound, "local search"
    if limit.is_over():
        used |= {"time_limit": limit.seconds, "stopped": how}
    cost = path_cost(given, order)
    if len(given) <= BOUNDED and not _equal(cost, bound, given) and not limit.is_over():
        net = network(given, start)
        relaxed = relaxation(net, order, cost, limit.stop)
        bound, how = max(bound, relaxed.bound), "local search, linear program"
        left = limit.left()
        if len(given) <= proved_to and not _equal(cost, bound, given) and relaxed.bound > -np.inf and left > 0:
            proved = proved_path(net, order, cost, relaxed, left)
            order, bound, how = proved.order, max(bound, proved.bound), "integer program"
            used["time_limit"] = limit.seconds
        elif left <= 0:
            used |= {"time_limit": limit.seconds, "stopped": "linear program"}
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
        if "stopped" in used:
            said = f"{used['stopped']} was stopped by the time limit of {used['time_limit']:g} seconds"
            warnings.append(f"{said}; more time may give a shorter path, and another run another one")
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


def best_path(distances: Floats, start: int | None) -> list[int]:
    """The units in the order of a shortest path; the first is given, or free."""
    n = len(distances)
    if n == 1:
        return [0]
    if start is None:
        return _through_first(distances)
    units = [start, *(unit for unit in range(n) if unit != start)]
    return [units[place] for place in _from_first(distances[np.ix_(units, units)])]


def _from_first(distances: Floats) -> list[int]:
    """The shortest path from unit 0, read off the table from its end."""
    if len(distances) == 1:
        return [0]
    table = held_karp(distances)
    subset = len(table) - 1
    last = int(np.argmin(table[subset]))
    backwards = [last + 1]
    while subset != 1 << last:
        subset ^= 1 << last
        last = int(np.argmin(table[subset] + distances[1:, last + 1]))
        backwards.append(last + 1)
    return [0, *reversed(backwards)]


def _through_first(distances: Floats) -> list[int]:
    """The shortest path with unit 0 anywhere: some units lead to it, the others come after it.

    That takes half the memory of a table in which every unit can be the first.
    """
    after = _least(distances)
    before = _least(distances.T)
    earlier = int(np.argmin(before + after[::-1]))  # the complement of S has the number 2ᵐ - 1 - S
    m = len(distances) - 1
    to = [0, *(unit + 1 for unit in range(m) if earlier >> unit & 1)]
    on = [0, *(unit + 1 for unit in range(m) if not earlier >> unit & 1)]
    backwards = [to[place] for place in _from_first(distances.T[np.ix_(to, to)])]
    forwards = [on[place] for place in _from_first(distances[np.ix_(on, on)])]
    return [*reversed(backwards), *forwards[1:]]


def _least(distances: Floats) -> Floats:
    """For each subset of the other units, the least cost of going from unit 0 through all of it."""
    least: Floats = held_karp(distances).min(axis=1)
    least[0] = 0.0
    return least


@dataclass(frozen=True, eq=False)
class NearPath:
    """A path that is short, and what no path can be shorter than."""

    order: list[int]
    bound: float
    """Cost of the best assignment: every unit gets a successor, but there may be cycles."""


def near_path(distances: Floats, start: int | None, seed: int, stop: Callable[[], bool] | None = None) -> NearPath:
    """The best path that is found, for at least three units, unless the search is stopped before."""
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 -- scipy only where it is used

    closed, low, step = _closed(distances, start)
    n = len(closed)
    barred = closed.copy()
    np.fill_diagonal(barred, n * int(closed.max() + 1))  # no unit follows itself
    successor = np.asarray(linear_sum_assignment(barred)[1], dtype=np.int64)
    assigned = int(closed[np.arange(n), successor].sum())
    first = len(distances) if start is None else start
    begun = _walk(_patched(closed, successor), first)
    kicks = min(KICKS * n, MOST_KICKS)
    tour, _ = tour_search(closed, begun, kicks=kicks, seed=seed, target=assigned, stop=stop)
    order = [unit for unit in tour.tolist() if unit < len(distances)]
    # Each rounding may have added half a step.
    bound = (len(distances) - 1) * low + (assigned - n / 2) * step
    return NearPath(order, float(bound))


def _closed(distances: Floats, start: int | None) -> tuple[Whole, float, float]:
    """The path as a tour: the way back to the first costs nothing; a free first follows a unit that is none.

    In whole steps above the least distance, with that distance and the step's size.
    """
    n = len(distances)
    apart = distances[~np.eye(n, dtype=bool)]
    low, high = float(apart.min()), float(apart.max())
    step = (high - low) / _STEPS
    rounded = np.rint((distances - low) / (step or 1.0)).astype(np.int64)
    np.fill_diagonal(rounded, 0)
    if start is None:
        rounded = np.pad(rounded, (0, 1))
    else:
        rounded[:, start] = 0
    return np.ascontiguousarray(rounded), low, step


def _patched(costs: Whole, successor: Whole) -> Whole:
    """One cycle of all: the two largest are joined where that costs least, until one is left (Karp 1979)."""
    successor = successor.copy()
    cycles = sorted(_cycles(successor), key=len)
    while len(cycles) > 1:
        one, other = np.array(cycles.pop()), np.array(cycles.pop())
        # a → a' and b → b' become a → b' and b → a'.
        added = costs[np.ix_(one, successor[other])] + costs[np.ix_(other, successor[one])].T
        lost = costs[one, successor[one]][:, None] + costs[other, successor[other]][None, :]
        a, b = np.unravel_index(int(np.argmin(added - lost)), added.shape)
        successor[[one[a], other[b]]] = successor[[other[b], one[a]]]
        cycles.append([*one.tolist(), *other.tolist()])
    return successor


def _cycles(successor: Whole) -> list[list[int]]:
    left = dict.fromkeys(range(len(successor)))
    found = []
    while left:
        found.append(_walk(successor, next(iter(left))))
        for node in found[-1]:
            del left[node]
    return found


def _walk(successor: Whole, first: int) -> list[int]:
    order = [first]
    while (following := int(successor[order[-1]])) != first:
        order.append(following)
    return order
