"""A short path for many units: the assignment problem, its cycles patched, then local search."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.kernels.tours import tour_search
from textassay.ordering.paths.distances import Floats

Whole = npt.NDArray[np.int64]
KICKS = 50
"""Kicks of the local search for each unit,"""
MOST_KICKS = 20_000
"""but no more than so many."""
_STEPS = 2**40
"""The range of distances is cut into so many steps: whole numbers add up exactly, on every machine."""


@dataclass(frozen=True, eq=False)
class NearPath:
    """A path that is short, and what no path can be shorter than."""

    order: list[int]
    bound: float
    """Cost of the best assignment: every unit gets a successor, but there may be cycles."""


def near_path(distances: Floats, start: int | None, seed: int) -> NearPath:
    """The best path that is found, for at least three units."""
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 -- scipy only where it is used

    closed, low, step = _closed(distances, start)
    n = len(closed)
    barred = closed.copy()
    np.fill_diagonal(barred, n * int(closed.max() + 1))  # no unit follows itself
    successor = np.asarray(linear_sum_assignment(barred)[1], dtype=np.int64)
    assigned = int(closed[np.arange(n), successor].sum())
    first = len(distances) if start is None else start
    begun = _walk(_patched(closed, successor), first)
    tour, _ = tour_search(closed, begun, kicks=min(KICKS * n, MOST_KICKS), seed=seed, target=assigned)
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
