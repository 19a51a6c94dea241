"""Coefficients of agreement between people and a metric, of all groups of texts at once.

Everything in this part of the package is arrays of shape (items, systems), one value per text, more is better on both
sides. nan marks a text that has no value; a text counts where both sides have one.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.kernels.inversions import inversion_counts
from textassay.known_names import check_choice
from textassay.stats.samples import FloatArray, IntArray, as_floats, midranks

Coefficient = Literal["pearson", "spearman", "tau-a", "tau-b", "tau-c", "accuracy", "acc-eq"]
"""`accuracy`: the share of pairs that people order which the metric orders the same way; a metric's tie is a miss.

`acc-eq`: the share of all pairs on which both agree: the same order, or a tie on both sides (Deutsch et al. 2023).
"""
By = Literal["item", "system"]
"""`item`: the systems of each item are compared; `system`: the items of each system; None: all texts together."""

PRODUCT_MOMENT = ("pearson", "spearman")
"""Coefficients that are a sum over texts; the others are sums over pairs of texts."""
NO_CHANCE_LEVEL = ("accuracy", "acc-eq")
"""Coefficients that are not 0 where metric and people are unrelated."""
_LAST_DIGITS = 8 * float(np.finfo(float).eps)
_SHORT = 48
"""Groups of up to so many texts are compared pair by pair, all at once; longer ones are sorted."""


@dataclass(frozen=True, eq=False)
class GroupCoefficients:
    """A coefficient within each group of texts."""

    coefficient: Coefficient
    by: By | None
    values: FloatArray
    """One per group; nan where it is undefined."""
    sizes: IntArray
    """Texts with a value on both sides, per group."""
    reasons: tuple[str, ...]
    """Why a group has no value; empty where it has one."""

    @property
    def defined(self) -> int:
        """Groups with a value."""
        return int(np.count_nonzero(~np.isnan(self.values)))

    @property
    def mean(self) -> float:
        """The mean over the groups with a value; nan where there is none."""
        return float(np.nanmean(self.values)) if self.defined else math.nan

    @property
    def undefined(self) -> dict[str, int]:
        """The reasons why groups have no value, each with the number of groups."""
        return dict(Counter(filter(None, self.reasons)))


def grouped(people: npt.ArrayLike, scores: npt.ArrayLike, by: By | None, coefficient: Coefficient) -> GroupCoefficients:
    """The coefficient within each item, within each system, or of all texts together.

    >>> found = grouped([[1, 2, 3], [1, 2, 2], [1, 1, 1]], [[4, 5, 6], [5, 4, 4], [1, 2, 3]], "item", "tau-b")
    >>> found.values.tolist(), found.mean, found.undefined
    ([1.0, -1.0, nan], 0.0, {'all judgements are equal': 1})

    Args:
        people: Shape (items, systems): the mean judgement of a text; nan where nobody judged it.
        scores: Shape (items, systems): the metric's score; nan where it has none.
        by: What a group is; None makes all texts one group.
        coefficient: See `Coefficient`; `acc-eq` has no tolerance here, see `calibrated_accuracy`.

    Raises:
        DataError: shapes that differ, or an infinite value.
    """
    check_choice("coefficient", coefficient, get_args(Coefficient))
    x, y = paired_grids(people, scores)
    rows = _rows_of(x, y, by)
    values, reasons = row_coefficients(*rows, coefficient)
    return GroupCoefficients(coefficient, by, values, np.count_nonzero(~np.isnan(rows[0]), axis=1), reasons)


def vector_coefficient(people: npt.ArrayLike, scores: npt.ArrayLike, coefficient: Coefficient) -> float:
    """The coefficient of two lists of values, for example of systems' means; nan where it is undefined.

    >>> vector_coefficient([1, 2, 3, 4], [1, 3, 2, 4], "tau-a")
    0.6666666666666666
    """
    found = grouped([as_floats(people, "people")], [as_floats(scores, "scores")], "item", coefficient)
    return float(found.values[0])


def paired_grids(people: npt.ArrayLike, scores: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Both as grids, nan in both where one has no value.

    Raises:
        DataError: shapes that differ, or an infinite value.
    """
    x, y = read_grid(people, "people"), read_grid(scores, "scores")
    if x.shape != y.shape:
        raise DataError(f"people and scores must have one shape, (items, systems); they have {x.shape} and {y.shape}")
    missing = np.isnan(x) | np.isnan(y)
    if not missing.any():
        return x, y
    return np.where(missing, np.nan, x), np.where(missing, np.nan, y)


def read_grid(values: npt.ArrayLike, name: str) -> FloatArray:
    """Values of shape (items, systems), nan where there is none.

    Raises:
        DataError: another shape, or an infinite value.
    """
    grid = as_floats(values, name)
    if grid.ndim != 2:
        raise DataError(f"{name} must have the shape (items, systems); it has {grid.shape}")
    if np.isinf(grid).any():
        item, system = np.argwhere(np.isinf(grid))[0]
        raise DataError(f"{name} is infinite at item {item}, system {system}; a missing value is nan")
    return grid


def _rows_of(x: FloatArray, y: FloatArray, by: By | None) -> tuple[FloatArray, FloatArray]:
    if by is None:
        return x.reshape(1, -1), y.reshape(1, -1)
    check_choice("by", by, get_args(By))
    return (x, y) if by == "item" else (x.T, y.T)


def row_coefficients(x: FloatArray, y: FloatArray, coefficient: Coefficient) -> tuple[FloatArray, tuple[str, ...]]:
    """The coefficient of each row of x with the same row of y, and why a row has none; nan is in both or in neither."""
    reasons = ("", f"fewer than {_least(coefficient)} texts with a judgement and a score", *_EQUAL)
    return row_values(x, y, coefficient), tuple(reasons[code] for code in _undefined(x, y, coefficient))


def row_values(x: FloatArray, y: FloatArray, coefficient: Coefficient) -> FloatArray:
    """The coefficient of each row of x with the same row of y, nan where it is undefined."""
    there = _undefined(x, y, coefficient) == 0
    values = np.full(len(x), np.nan)
    if not there.all():
        x, y = x[there], y[there]
    if coefficient in PRODUCT_MOMENT:
        if coefficient == "spearman":
            x, y = ranked(x), ranked(y)
        values[there] = np.clip(np.sum(standardised_rows(x) * standardised_rows(y), axis=1), -1.0, 1.0)
    elif x.shape[1] > _SHORT:
        values[there] = _sorted_values(x, y, coefficient)
    else:
        values[there] = pair_table(x, y).of(coefficient)
    return values


_EQUAL = ("all judgements are equal", "all scores are equal")


def _least(coefficient: Coefficient) -> int:
    return 3 if coefficient in PRODUCT_MOMENT else 2  # two points always lie on a line


def _undefined(x: FloatArray, y: FloatArray, coefficient: Coefficient) -> IntArray:
    """0 for a row that has a value; 1: too few texts, 2: equal judgements, 3: equal scores."""
    few = np.count_nonzero(~np.isnan(x), axis=1) < _least(coefficient)
    codes = np.zeros(len(x), dtype=np.intp)
    if coefficient not in {"acc-eq", "accuracy", "tau-a"}:
        codes[constant_rows(y)] = 3
    if coefficient != "acc-eq":
        codes[constant_rows(x)] = 2
    codes[few] = 1
    return codes


def constant_rows(rows: FloatArray) -> npt.NDArray[np.bool_]:
    """Whether all values of a row are equal but for the rounding of their last digits."""
    highest, lowest = np.fmax.reduce(rows, axis=1, initial=-np.inf), np.fmin.reduce(rows, axis=1, initial=np.inf)
    with np.errstate(invalid="ignore"):
        return np.asarray(highest - lowest <= _LAST_DIGITS * np.maximum(np.abs(highest), np.abs(lowest)))


def ranked(rows: FloatArray) -> FloatArray:
    """Mid-ranks within each row; nan stays nan."""
    missing = np.isnan(rows)
    return np.where(missing, np.nan, midranks(np.where(missing, np.inf, rows)))


def centred_rows(rows: FloatArray) -> FloatArray:
    """Each row less its mean, over its largest distance from it; 0 where a value is missing or all are equal."""
    there = ~np.isnan(rows)
    counts = np.maximum(there.sum(axis=-1, keepdims=True), 1)
    filled = np.where(there, rows, 0.0)
    centred = np.where(there, filled - filled.sum(axis=-1, keepdims=True) / counts, 0.0)
    largest = np.abs(centred).max(axis=-1, keepdims=True, initial=0.0)
    flat = largest <= _LAST_DIGITS * np.abs(filled).max(axis=-1, keepdims=True, initial=0.0)
    # Divided before it is squared, so that squares stay in the range of floats.
    return np.asarray(np.where(flat, 0.0, centred / np.where(flat, 1.0, largest)))


def standardised_rows(rows: FloatArray) -> FloatArray:
    """Each row with mean 0 and sum of squares 1, and 0 where a value is missing; a constant row is all 0."""
    centred = centred_rows(rows)
    length = np.sqrt((centred**2).sum(axis=-1, keepdims=True))
    return np.asarray(centred / np.where(length > 0, length, 1.0))


@dataclass(frozen=True, eq=False)
class PairTable:
    """The pairs of texts of each row, over all of which the coefficients are sums."""

    x: npt.NDArray[np.int8]
    """Shape (rows, pairs): 1 where people prefer the first text, -1 where the second, 0 for a tie."""
    y: npt.NDArray[np.int8]
    there: npt.NDArray[np.bool_]
    """Whether both texts have a value on both sides."""
    distinct: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    """Per row the smaller number of distinct values of the two sides, for tau-c."""

    def of(self, coefficient: Coefficient) -> FloatArray:
        """The coefficient of each row; nan where it is undefined."""
        x, y = self.x, self.y
        found = from_pair_counts(
            coefficient,
            agreed=np.einsum("rp,rp->r", x, y, dtype=np.int32).astype(float),
            pairs=_count(self.there),
            ordered_x=_count(x),
            ordered_y=_count(y),
            ordered_both=_count((x != 0) & (y != 0)),
        )
        return (
            found * tau_c_factor(np.count_nonzero(self.there, axis=1), self.distinct)
            if coefficient == "tau-c"
            else found
        )


def from_pair_counts(
    coefficient: Coefficient,
    *,
    agreed: FloatArray,
    pairs: FloatArray,
    ordered_x: FloatArray,
    ordered_y: FloatArray,
    ordered_both: FloatArray,
) -> FloatArray:
    """A coefficient of pairs from (weighted) counts: concordant less discordant ones, all, and those without a tie.

    For tau-c this is tau-a, to be multiplied by `tau_c_factor`. nan where there is nothing to divide by.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        match coefficient:
            case "tau-a" | "tau-c":
                return np.asarray(agreed / pairs)
            case "tau-b":
                return np.asarray(agreed / np.sqrt(ordered_x * ordered_y))
            case "accuracy":
                return np.asarray((agreed + ordered_both) / 2 / ordered_x)
        tied = pairs - ordered_x - ordered_y + ordered_both
        return np.asarray(((agreed + ordered_both) / 2 + tied) / pairs)


def tau_c_factor(pairs: npt.NDArray[Any], distinct: npt.NDArray[Any]) -> FloatArray:
    """Stuart's tau-c over tau-a: all pairs over the most that can be concordant with so many distinct values."""
    n = (1 + np.sqrt(1 + 8.0 * pairs)) / 2
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((n - 1) * distinct / (n * (distinct - 1)))


def _count(chosen: npt.NDArray[Any]) -> FloatArray:
    return np.asarray(np.count_nonzero(chosen, axis=1), dtype=float)


def pair_table(x: FloatArray, y: FloatArray) -> PairTable:
    """All pairs of each row; nan is in both or in neither."""
    first, second = np.triu_indices(x.shape[1], 1)
    there = ~np.isnan(x)
    return PairTable(
        signs(x, first, second),
        signs(y, first, second),
        there[:, first] & there[:, second],
        np.minimum(distinct_values(x), distinct_values(y)),
    )


def signs(rows: FloatArray, first: IntArray, second: IntArray) -> npt.NDArray[np.int8]:
    """1 where the first text of a pair is higher, -1 where the second is, 0 for a tie and where one is missing."""
    one, other = rows[:, first], rows[:, second]
    return (one > other).astype(np.int8) - (one < other).astype(np.int8)


def distinct_values(rows: FloatArray) -> IntArray:
    """How many different values each row has."""
    ordered = np.sort(rows, axis=1)  # nan last
    return np.asarray((~np.isnan(ordered[:, :1])).sum(axis=1) + (ordered[:, 1:] > ordered[:, :-1]).sum(axis=1))


def _sorted_values(x: FloatArray, y: FloatArray, coefficient: Coefficient) -> FloatArray:
    """Coefficients of pairs for long rows, in n log n steps each (after Knight 1966).

    Sorted by x, and by y where x is tied, pairs are discordant where y falls. Missing texts come last on both sides.
    """
    codes_x, tied_x, distinct_x = _sorted_codes(x)
    codes_y, tied_y, distinct_y = _sorted_codes(y)
    n = x.shape[1]
    together = np.sort(codes_x * n + codes_y, axis=1)
    tied_both = _ties(together)
    discordant = inversion_counts(np.argsort(together % n, axis=1, kind="stable").astype(np.int32))
    present = np.count_nonzero(~np.isnan(x), axis=1).astype(float)
    pairs = present * (present - 1) / 2
    both = pairs - tied_x - tied_y + tied_both
    found = from_pair_counts(
        coefficient,
        agreed=both - 2 * discordant,
        pairs=pairs,
        ordered_x=pairs - tied_x,
        ordered_y=pairs - tied_y,
        ordered_both=both,
    )
    return found * tau_c_factor(pairs, np.minimum(distinct_x, distinct_y)) if coefficient == "tau-c" else found


def _sorted_codes(rows: FloatArray) -> tuple[npt.NDArray[np.int64], IntArray, IntArray]:
    """Whole numbers in the order of the values, equal for equal ones; tied pairs; distinct values."""
    order = np.argsort(rows, axis=1, kind="stable")  # nan last, each a value of its own
    ordered = np.take_along_axis(rows, order, axis=1)
    codes = np.empty(rows.shape, dtype=np.int64)
    np.put_along_axis(codes, order, _run_starts(ordered), axis=1)
    return codes, _ties(ordered), distinct_values(ordered)


def _run_starts(ordered: npt.NDArray[Any]) -> IntArray:
    """For each place of an ordered row the first place with the same value."""
    starts = np.ones(ordered.shape, dtype=bool)
    starts[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    return np.asarray(np.maximum.accumulate(np.where(starts, np.arange(ordered.shape[1]), 0), axis=1))


def _ties(ordered: npt.NDArray[Any]) -> IntArray:
    """Pairs of equal values of each ordered row."""
    return np.asarray((np.arange(ordered.shape[1]) - _run_starts(ordered)).sum(axis=1))
