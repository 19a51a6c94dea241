"""Ratings of units by raters, read from a table or from long form.

`Ratings` may have gaps and are kept as one row per value; `UnitCounts` counts their categories, only the cells that
are not empty, so memory grows with the ratings; `RatingTable` is for the measures that allow no gaps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.stats.samples import FloatArray, IntArray, as_floats, coded, same_length


@dataclass(frozen=True)
class LongRatings:
    """Ratings in long form, one row per value; takes memory for the values that there are, not for the gaps.

    >>> LongRatings(values=[3, 4, 2], raters=["ann", "bob", "ann"], units=["t1", "t1", "t2"]).units[2]
    't2'
    """

    values: Sequence[Any] | npt.NDArray[Any]
    raters: Sequence[Any] | npt.NDArray[Any]
    units: Sequence[Any] | npt.NDArray[Any]


RatingsLike = npt.ArrayLike | LongRatings
"""A table of the shape (raters, units) with nan or None where a rating is missing, or long form."""


@dataclass(frozen=True)
class Ratings:
    """The ratings that are there, one row per value, sorted by unit."""

    values: npt.NDArray[Any]
    """Numbers, or labels."""
    unit: IntArray
    """The unit of each value, counted from 0; units without a value are excluded."""
    sizes: IntArray
    """How many values each unit has."""
    raters: int
    measure: str
    """Name of the measure, for messages."""

    @property
    def n(self) -> int:
        """Number of values."""
        return self.values.size

    @property
    def units(self) -> int:
        """Number of units that have a value."""
        return self.sizes.size

    @property
    def single(self) -> int:
        """Units with one value only."""
        return int(np.count_nonzero(self.sizes == 1))

    def need_shared_units(self) -> None:
        """Refuse ratings in which no two raters rated the same unit.

        Raises:
            DataError: with the number of values, raters and units.
        """
        if not np.any(self.sizes >= 2):
            raise DataError(
                f"{self.measure} needs units that at least two raters rated, and here no two raters share one "
                f"({self.n} values by {self.raters} raters of {self.units} units); let raters rate the same units"
            )

    def pairable(self) -> Ratings:
        """Only the units with two values or more.

        Raises:
            DataError: there are none.
        """
        self.need_shared_units()
        kept = self.sizes >= 2
        if kept.all():
            return self
        rows = kept[self.unit]
        renumbered = (np.cumsum(kept) - 1)[self.unit[rows]]
        return replace(self, values=self.values[rows], unit=renumbered, sizes=self.sizes[kept])


def read_numbers(ratings: RatingsLike, measure: str) -> Ratings:
    """Ratings that are numbers.

    Raises:
        DataError: not numbers, the wrong shape, infinite values, or a rater who rated a unit twice.
    """
    if isinstance(ratings, LongRatings):
        return _of_long(ratings, as_floats(ratings.values, "values"), measure)
    return _of_table(as_floats(ratings, "ratings"), measure)


def read_ratings(ratings: RatingsLike, measure: str) -> Ratings:
    """Ratings that are labels of any kind: numbers, or an array of objects.

    Raises:
        DataError: the wrong shape, infinite values, or a rater who rated a unit twice.
    """
    if isinstance(ratings, LongRatings):
        return _of_long(ratings, label_array(ratings.values), measure)
    return _of_table(label_array(ratings), measure)


def label_array(values: Any) -> npt.NDArray[Any]:
    """The values as floats where all are numbers or missing, else as objects.

    Text stays text: "1" is a label and not a number.

    >>> label_array([1, None, 2]), label_array(["1", None])
    (array([ 1., nan,  2.]), array(['1', None], dtype=object))
    """
    array = values if isinstance(values, np.ndarray) else np.array(values, dtype=object)
    if array.dtype.kind in "biuf":
        return array.astype(float)
    array = array.astype(object)
    if any(isinstance(value, str) for value in array.flat):
        return array
    try:
        return array.astype(float)
    except (TypeError, ValueError):
        return array


def present(values: npt.NDArray[Any], where: str) -> npt.NDArray[np.bool_]:
    """Which values are there: neither None nor nan.

    Raises:
        DataError: a number is infinite.
    """
    if values.dtype.kind == "f":
        if np.isinf(values).any():
            place = tuple(np.argwhere(np.isinf(values))[0].tolist())
            raise DataError(
                f"{where} has {int(np.isinf(values).sum())} infinite value(s), the first at index "
                f"{place if len(place) > 1 else place[0]}; correct them or mark them as missing (nan)"
            )
        return np.asarray(~np.isnan(values))
    there = [value is not None and value == value for value in values.flat]  # noqa: PLR0124 -- nan is not itself
    return np.array(there, dtype=bool).reshape(values.shape)


def _of_table(table: npt.NDArray[Any], measure: str) -> Ratings:
    if table.ndim != 2:
        raise DataError(
            f"ratings must be a table of the shape (raters, units), got {table.shape}; "
            "rows of unequal length or long lists go in as LongRatings(values, raters, units)"
        )
    by_unit = table.T
    unit, rater = np.nonzero(present(table, "ratings").T)
    return _sorted(by_unit[unit, rater], unit, table.shape[0], measure)


def _of_long(long: LongRatings, values: npt.NDArray[Any], measure: str) -> Ratings:
    if values.ndim != 1:
        raise DataError(f"values must be a plain list, got the shape {values.shape}")
    same_length(("values", values), ("raters", long.raters), ("units", long.units))
    rater, rater_names = coded(long.raters, "raters")
    unit, unit_names = coded(long.units, "units")
    there = present(values, "values")
    values, rater, unit = values[there], rater[there], unit[there]
    cells, first, times = np.unique(unit * len(rater_names) + rater, return_index=True, return_counts=True)
    if cells.size < unit.size:
        row = first[np.argmax(times > 1)]
        raise DataError(
            f"rater {rater_names[rater[row]]} has {int(times.max())} values for unit {unit_names[unit[row]]}; "
            "keep one value per rater and unit (kendall_w takes repeats within a rater)"
        )
    order = np.argsort(unit, kind="stable")
    return _sorted(values[order], unit[order], len(rater_names), measure)


def _sorted(values: npt.NDArray[Any], unit: IntArray, raters: int, measure: str) -> Ratings:
    if not values.size:
        raise DataError(f"{measure} has nothing to work on: all ratings are missing")
    starts = np.concatenate([[True], unit[1:] != unit[:-1]])
    numbered = np.cumsum(starts) - 1  # units without a value leave no gap in the numbers
    return Ratings(values, numbered.astype(np.intp), np.bincount(numbered), raters, measure)


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


_NAMED = 5
"""How many names a message lists."""


@dataclass(frozen=True)
class RatingTable:
    """Numbers of the shape (raters, items), with names for messages."""

    values: FloatArray
    raters: Sequence[str]
    items: Sequence[str]


def read_rating_table(
    ratings: npt.ArrayLike, raters: Sequence[str] | None = None, items: Sequence[str] | None = None
) -> RatingTable:
    """A table of numbers that may have gaps; raters and items without names are numbered from 1.

    Raises:
        DataError: not a table of numbers, or names that are too many or too few.
    """
    table = as_floats(ratings, "ratings")
    if table.ndim != 2:
        raise DataError(f"ratings must have the shape (raters, items), got {table.shape}")
    m, n = table.shape
    return RatingTable(table, _names(raters, m, "rater"), _names(items, n, "item"))


def refuse_gaps(table: RatingTable, measure: str) -> None:
    """Refuse a table with missing or infinite cells.

    Raises:
        DataError: with the first of them by name.
    """
    cells = np.argwhere(~np.isfinite(table.values))
    if cells.size:
        named = some([f"{table.raters[i]} × {table.items[j]}" for i, j in cells])
        raise DataError(
            f"{measure} needs every rater's value for every item; missing or infinite: {named}. "
            "Leave out those raters or those items"
        )


def some(names: Sequence[str]) -> str:
    """The first few names, and how many more there are.

    >>> some(["ann", "bob"]), some(list("abcdefg"))
    ('ann, bob', 'a, b, c, d, e and 2 more')
    """
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _names(names: Sequence[str] | None, size: int, kind: str) -> Sequence[str]:
    if names is None:
        return [f"{kind} {index + 1}" for index in range(size)]
    if len(names) != size:
        raise DataError(f"there are {size} {kind}s in ratings but {len(names)} names for them")
    return names
