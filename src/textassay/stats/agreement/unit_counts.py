"""How often each unit got each category: only the cells that are not empty, so memory grows with the ratings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from textassay.stats.samples import FloatArray, IntArray

PairFunction = Callable[[IntArray, IntArray], FloatArray]
"""From the categories of two ratings of a unit to a number, whole arrays at a time; symmetric."""


def sums_by(codes: IntArray, weights: FloatArray, size: int) -> FloatArray:
    """The sum of the weights of each code from 0 to size-1."""
    return np.asarray(np.bincount(codes, weights=weights, minlength=size), dtype=float)


@dataclass(frozen=True)
class UnitCounts:
    """Cells (unit, category, count), sorted by unit."""

    unit: IntArray
    category: IntArray
    count: FloatArray
    sizes: FloatArray
    """Ratings of each unit."""

    def per_unit(self, cells: FloatArray) -> FloatArray:
        """Sum of a figure of the cells over each unit."""
        return sums_by(self.unit, cells, self.sizes.size)

    def equal_pairs(self) -> FloatArray:
        """For each unit the number of ordered pairs of ratings in the same category."""
        return self.per_unit(self.count * (self.count - 1))

    def unequal_pairs(self, figure: PairFunction) -> FloatArray:
        """For each unit the sum of `figure` over the ordered pairs of ratings in different categories.

        Goes through the cells of all units at once, first with their next neighbour in the unit, then with the one
        after that: as many steps as the busiest unit has categories, and no table of pairs.
        """
        sums = np.zeros(self.sizes.size)
        left = np.arange(self.unit.size)
        for step in range(1, self.unit.size):
            left = left[left < self.unit.size - step]
            left = left[self.unit[left] == self.unit[left + step]]
            if not left.size:
                break
            right = left + step
            products = self.count[left] * self.count[right] * figure(self.category[left], self.category[right])
            sums += sums_by(self.unit[left], 2 * products, sums.size)
        return sums


def count_units(unit: IntArray, category: IntArray, categories: int) -> UnitCounts:
    """The cells of ratings that are given by their unit and category.

    >>> counts = count_units(np.array([0, 0, 0, 1]), np.array([2, 2, 0, 1]), 3)
    >>> counts.category.tolist(), counts.count.tolist(), counts.equal_pairs().tolist()
    ([0, 2, 1], [1.0, 2.0, 1.0], [2.0, 0.0])
    """
    cells, count = np.unique(unit.astype(np.int64) * categories + category, return_counts=True)
    sizes = np.bincount(unit).astype(float)
    return UnitCounts((cells // categories).astype(np.intp), (cells % categories).astype(np.intp), count * 1.0, sizes)
