"""Means of each subject (or item) in each condition: what analyses of repeated measures start from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.known_names import unknown
from textassay.stats.samples import Column, FloatArray, IntArray, check_columns, coded, finite_vector, same_length

_NAMED = 10
"""How many empty cells, or subjects, a message names."""


@dataclass(frozen=True)
class CellMeans:
    """One row per unit (subject or item), one column per condition, no cell empty."""

    means: FloatArray
    unit: str
    """What the rows are: `subject` or `item`."""
    units: tuple[str, ...]
    levels: Mapping[str, tuple[str, ...]]
    """Of each factor; the columns are their combinations, the last factor varying fastest."""
    between: Mapping[str, tuple[str, ...]]
    """Of each factor that differs between units, the level of each unit."""
    n: int
    """Values that were averaged."""
    fewest: int
    most: int
    """Values in the cell that has the fewest, and in the one that has the most."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of levels of each factor within units."""
        return tuple(len(levels) for levels in self.levels.values())

    def values(self) -> FloatArray:
        """All cell means in one list, unit by unit: the input of post hoc tests, together with the right error term."""
        return self.means.ravel()

    def labels(self, factor: str) -> tuple[str, ...]:
        """The level of that factor for each of `values()`.

        Raises:
            UsageError: there is no such factor.
        """
        if factor in self.between:
            return tuple(label for label in self.between[factor] for _ in range(self.means.shape[1]))
        if factor not in self.levels:
            raise UsageError(unknown("factor", factor, [*self.levels, *self.between]))
        place = list(self.levels).index(factor)
        return tuple(levels[place] for levels in product(*self.levels.values())) * len(self.units)

    def warnings(self) -> list[str]:
        """What was averaged, where anything was."""
        if self.most <= 1:
            return []
        each = f"{self.most}" if self.fewest == self.most else f"{self.fewest} to {self.most}"
        uneven = "" if self.fewest == self.most else "; each mean counts the same, however many values it has"
        where = f"{self.unit} and condition" if self.levels else self.unit
        return [f"{self.n} values were averaged to {self.means.size} means, {each} for each {where}{uneven}"]


def cell_means(
    values: npt.ArrayLike,
    units: Column,
    within: Mapping[str, Column],
    between: Mapping[str, Column] | None = None,
    *,
    unit: str = "subject",
) -> CellMeans:
    """Average several values of one unit in one condition.

    >>> cells = cell_means([1, 3, 5, 6, 8], ["s1", "s1", "s1", "s2", "s2"], {"order": ["a", "a", "b", "a", "b"]})
    >>> cells.means.tolist(), cells.most
    ([[2.0, 5.0], [6.0, 8.0]], 2)

    Raises:
        DataError: unequal lengths, a missing label, a value that is not finite, a factor with one level, an empty
            cell, or a unit with several levels of a factor that is said to lie between units.
    """
    vector = finite_vector(values, "values")
    check_columns("within", within)
    check_columns("between", between)
    differing = between or {}
    doubled = [name for name in within if name in differing]
    if doubled:
        raise UsageError(f"{doubled[0]} is given both within and between {unit}s; give it once")
    same_length(("values", vector), (f"{unit}s", units), *within.items(), *differing.items())
    if not vector.size:
        raise DataError("there are no values")
    rows, names = coded(units, f"{unit}s")
    columns, levels = _conditions(within, vector.size)
    width = prod(len(each) for each in levels.values())
    cells = rows * width + columns
    counts = np.bincount(cells, minlength=len(names) * width)
    _refuse_empty(counts.reshape(len(names), width), names, levels, unit)
    means = np.bincount(cells, weights=vector, minlength=counts.size) / counts
    # The rounding of the first pass is taken out by a second, so that a large common offset costs no digits.
    means += np.bincount(cells, weights=vector - means[cells], minlength=counts.size) / counts
    return CellMeans(
        means=means.reshape(len(names), width),
        unit=unit,
        units=names,
        levels=levels,
        between={name: _of_units(column, name, rows, names, unit) for name, column in differing.items()},
        n=vector.size,
        fewest=int(counts.min()),
        most=int(counts.max()),
    )


def _conditions(within: Mapping[str, Column], n: int) -> tuple[IntArray, dict[str, tuple[str, ...]]]:
    """The condition of each value as a number, and the levels of each factor."""
    columns, levels = np.zeros(n, dtype=np.intp), {}
    for name, column in within.items():
        codes, labels = coded(column, name)
        refuse_one_level(labels, name)
        columns = columns * len(labels) + codes
        levels[name] = labels
    return columns, levels


def refuse_one_level(labels: Sequence[str], name: str) -> None:
    """Refuse a factor that compares nothing.

    Raises:
        DataError: with its only level.
    """
    if len(labels) < 2:
        raise DataError(f"{name} has one level only ({', '.join(labels)}): there is nothing to compare; leave it out")


def _of_units(column: Column, name: str, rows: IntArray, units: Sequence[str], unit: str) -> tuple[str, ...]:
    """The one level that each unit has."""
    codes, labels = coded(column, name)
    refuse_one_level(labels, name)
    own = np.zeros(len(units), dtype=np.intp)
    own[rows[::-1]] = codes[::-1]
    strays = np.unique(rows[codes != own[rows]])
    if strays.size:
        first = strays[0]
        seen = ", ".join(labels[code] for code in np.unique(codes[rows == first]))
        raise DataError(
            f"{name} is said to lie between {unit}s, but {strays.size} of {len(units)} {unit}s have several of its "
            f"levels, the first {units[first]} ({seen}); say that it lies within {unit}s"
            + (", or give each version of an item its own name" if unit == "item" else "")
        )
    return tuple(labels[code] for code in own)


def _refuse_empty(counts: IntArray, units: Sequence[str], levels: Mapping[str, Sequence[str]], unit: str) -> None:
    empty = np.argwhere(counts == 0)
    if not empty.size:
        return
    conditions = list(product(*levels.values()))
    cells = [" × ".join([units[row], *conditions[column]]) for row, column in empty]
    incomplete = [units[row] for row in dict.fromkeys(empty[:, 0].tolist())]
    if np.all(np.count_nonzero(counts, axis=1) == 1):
        raise DataError(
            f"{', '.join(levels)} is said to lie within {unit}s, but every {unit} has one condition only; say that it "
            f"lies between {unit}s"
        )
    raise DataError(
        f"{len(cells)} of {counts.size} cells ({unit} × {' × '.join(levels)}) have no value: {joined_names(cells)}. "
        f"Leave out {len(incomplete)} {unit}(s) ({joined_names(incomplete)}), and say so, "
        "or use mixed_model, which takes them as they are"
    )


def joined_names(names: Sequence[str]) -> str:
    """The names in a row; of many the first ones and the number of the others."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def unaggregated(
    subjects: Column | None, conditions: Column | None = None, *, test: str, of: str = "values"
) -> tuple[str, ...]:
    """A warning that names the design where a subject has several rows; nothing where each has one.

    Rows of one subject resemble each other. A test that takes them as independent counts the same person several
    times: its degrees of freedom are too many and its p is too small.

    >>> unaggregated(["s1", "s2", "s3"], test="a t test")
    ()
    >>> print(unaggregated(["s1", "s1", "s2", "s2"], list("abab"), test="this F")[0])
    unaggregated repeated measures: 2 subjects gave 4 values, 2 each, the conditions within subjects. this F takes \
them as 4 independent ones, and its p is too small: average to one value for each subject and condition and use \
rm_anova (with items: by_subjects_items), or use mixed_model

    Args:
        subjects: One label per row; None where it is not known, which warns of nothing.
        conditions: One label per row: what the test compares.
        test: How the sentence calls the test.
        of: What the rows are: `values` or `pairs`.
    """
    if subjects is None:
        return ()
    rows, names = coded(subjects, "subjects")
    if len(names) == rows.size:
        return ()
    counts = np.bincount(rows)
    each = f"{counts[0]}" if counts.min() == counts.max() else f"{counts.min()} to {counts.max()}"
    design, remedy = _design(rows, conditions)
    warning = (
        f"unaggregated repeated measures: {len(names)} subjects gave {rows.size} {of}, {each} each{design}. "
        f"{test} takes them as {rows.size} independent ones, and its p is too small: {remedy}, or use mixed_model"
    )
    return (warning,)


def _design(rows: IntArray, conditions: Any) -> tuple[str, str]:
    single = "average to one value for each subject first"
    if conditions is None:
        return "", f"{single} (with items: by_subjects_items)"
    codes, labels = coded(conditions, "conditions")
    cells = np.unique(rows * len(labels) + codes).size
    if cells == np.unique(rows).size:
        return ", the conditions between subjects", single
    both = "average to one value for each subject and condition and use rm_anova (with items: by_subjects_items)"
    return ", the conditions within subjects", both
