"""The shortest path by going through all subsets of units (Held & Karp 1962)."""

from __future__ import annotations

import numpy as np

from textassay.kernels.tours import MOST, held_karp
from textassay.ordering.paths.distances import Floats

__all__ = ["MOST", "best_path"]


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
