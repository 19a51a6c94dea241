"""What a correlation hangs on: how it changes without one item or one system, or among the best systems only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from textassay.meta.coefficients import Coefficient, grouped, paired_grids, row_coefficients, vector_coefficient
from textassay.stats.samples import FloatArray, IntArray

Level = Literal["within items", "systems"]
"""The mean of the coefficients of the items, or the coefficient of the systems' means."""
FEWEST = 3
"""Fewer systems than this have no order worth a coefficient."""


@dataclass(frozen=True)
class Influence:
    """One item or system, and what the coefficient is without it."""

    name: str
    kind: Literal["item", "system"]
    without: float
    change: float
    """The coefficient less that without it: positive where it holds the agreement up."""


@dataclass(frozen=True)
class BestSystems:
    """The coefficient among the systems that people like best."""

    systems: int
    value: float
    lowest: str
    """The last system that is among them."""


def influences(
    people: FloatArray,
    scores: FloatArray,
    coefficient: Coefficient,
    level: Level,
    *,
    items: Sequence[str],
    systems: Sequence[str],
) -> list[Influence]:
    """How the coefficient changes when each item and each system is left out; the largest changes first.

    Args:
        people: Shape (items, systems), nan where nobody judged.
        scores: The metric's, of the same shape.
        coefficient: See `Coefficient`.
        level: Which figure.
        items: Their names.
        systems: Their names.
    """
    x, y = paired_grids(people, scores)
    whole = _value(x, y, coefficient, level)
    without_items = _without_items(x, y, coefficient, level)
    found = [Influence(name, "item", value, whole - value) for name, value in zip(items, without_items, strict=True)]
    for place, name in enumerate(systems):
        value = _value(np.delete(x, place, axis=1), np.delete(y, place, axis=1), coefficient, level)
        found.append(Influence(name, "system", value, whole - value))
    known = [each for each in found if not math.isnan(each.change)]
    return sorted(known, key=lambda each: -abs(each.change))


def among_best(
    people: FloatArray, scores: FloatArray, coefficient: Coefficient, *, systems: Sequence[str]
) -> list[BestSystems]:
    """The coefficient of systems' values among all, then without the worst, down to the best three.

    Metrics that tell bad systems from good ones often cannot tell good ones apart.

    Args:
        people: One value for each system.
        scores: The metric's.
        coefficient: See `Coefficient`.
        systems: Their names.

    >>> best = among_best([1, 2, 3, 4], [1, 4, 3, 2], "tau-a", systems="abcd")
    >>> [(each.systems, round(each.value, 3), each.lowest) for each in best]
    [(4, 0.0, 'a'), (3, -1.0, 'b')]
    """
    judged, scored = np.asarray(people, dtype=float), np.asarray(scores, dtype=float)
    known = np.flatnonzero(~np.isnan(judged) & ~np.isnan(scored))
    order = known[np.argsort(-judged[known], kind="stable")]
    return [
        BestSystems(size, vector_coefficient(judged[order[:size]], scored[order[:size]], coefficient), systems[last])
        for size, last in ((size, int(order[size - 1])) for size in range(order.size, FEWEST - 1, -1))
    ]


def _value(x: FloatArray, y: FloatArray, coefficient: Coefficient, level: Level) -> float:
    if level == "within items":
        return grouped(x, y, "item", coefficient).mean
    return vector_coefficient(_means(x), _means(y), coefficient)


def _without_items(x: FloatArray, y: FloatArray, coefficient: Coefficient, level: Level) -> FloatArray:
    if level == "within items":
        values = grouped(x, y, "item", coefficient).values
        known = ~np.isnan(values)
        left = known.sum() - 1
        # an item without a coefficient takes nothing with it
        rest = (np.nansum(values) - values) / left if left > 0 else np.full(values.shape, math.nan)
        return np.where(known, rest, math.nan)
    return row_coefficients(_means_without_items(x), _means_without_items(y), coefficient)[0]


def _means(grid: FloatArray) -> FloatArray:
    there = ~np.isnan(grid)
    count = there.sum(axis=0)
    return _quotients(np.nansum(grid, axis=0), count)


def _means_without_items(grid: FloatArray) -> FloatArray:
    """Shape (items, systems): the means of systems without each item."""
    there = ~np.isnan(grid)
    count = there.sum(axis=0) - there
    rest = np.nansum(grid, axis=0) - np.where(there, grid, 0.0)
    return _quotients(rest, count)


def _quotients(sums: FloatArray, counts: IntArray) -> FloatArray:
    return np.asarray(np.divide(sums, counts, out=np.full(sums.shape, math.nan), where=counts > 0))
