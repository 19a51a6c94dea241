"""Arrays as the statistics want them: checked once, with errors that name the place; labels coded as whole numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.kernels.numbering import first_seen

Column = Sequence[Any] | npt.NDArray[Any]
"""One label per observation."""
_TABLE = 1 << 16
"""Whole-number labels that span no more than this are coded by a table; others are sorted."""
_GAPS = 1 << 8
"""Whole-number labels that span no more than this are taken as they are where gaps are allowed."""
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.intp]
_LAST_DIGITS = 8 * float(np.finfo(float).eps)
"""Values that differ by no more than this share of their size differ by rounding only."""


def finite_vector(values: npt.ArrayLike, name: str) -> FloatArray:
    """The values as a vector of floats.

    Raises:
        DataError: not a vector of numbers, or a value is missing or infinite.
    """
    vector = as_floats(values, name)
    if vector.ndim != 1:
        raise DataError(f"{name} must be a plain list of numbers; it has the shape {vector.shape}")
    bad = np.flatnonzero(~np.isfinite(vector))
    if bad.size:
        raise DataError(
            f"{name} has {bad.size} missing or infinite value(s) of {vector.size}, the first at index {bad[0]} "
            f"({vector[bad[0]]}); remove them, and report how many, before computing"
        )
    return vector


def as_floats(values: npt.ArrayLike, name: str) -> FloatArray:
    """The values as an array of floats of any shape; `None` becomes nan.

    Raises:
        DataError: something in it is not a number.
    """
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise DataError(f"{name} must hold numbers only: {error}") from None
    return array


def same_length(*vectors: tuple[str, Sequence[Any] | npt.NDArray[Any]]) -> None:
    """Refuse vectors, given as (name, values), of unequal length.

    Raises:
        DataError: with the name and length of each; or one is not a list.
    """
    for name, values in vectors:
        _check_list(name, values)
    if len({len(values) for _, values in vectors}) > 1:
        lengths = ", ".join(f"{name} has {len(values)}" for name, values in vectors)
        raise DataError(f"the lengths must be equal: {lengths}")


def all_equal(values: FloatArray, *made_of: FloatArray) -> bool:
    """Whether all values are equal but for the rounding of their last digits.

    Differences and the like carry the rounding of the larger numbers that they are `made_of`. Without this, 1.1 - 1.0
    and 2.1 - 2.0 would vary, by 1e-16, and would give a t of 1e15.

    >>> all_equal(np.array([0.3, 0.1 + 0.2])), all_equal(np.array([0.3, 0.31]))
    (True, False)
    """
    if not values.size:
        return True
    size = max(float(np.max(np.abs(part))) for part in (values, *made_of))
    return bool(np.ptp(values) <= _LAST_DIGITS * size)


def check_columns(name: str, columns: object) -> None:
    """Refuse what is not a mapping from names to columns.

    Raises:
        UsageError: a plain list, say.
        DataError: a column that is not a list.
    """
    if columns is None:
        return
    if not isinstance(columns, Mapping):
        seen = type(columns).__name__
        raise UsageError(f"{name} must give each column under its name, for example {{'system': labels}}; got a {seen}")
    for each, column in columns.items():
        _check_list(each, column)


def check_share(name: str, value: float) -> None:
    """Refuse a confidence or level that is not strictly between 0 and 1.

    Raises:
        UsageError: with the value seen.
    """
    if not 0 < value < 1:
        raise UsageError(f"{name} must lie between 0 and 1 (for example 0.95 or 0.05), got {value}")


@dataclass(frozen=True)
class GroupedValues:
    """Values that fall into groups, the groups in sorted order."""

    values: FloatArray
    labels: tuple[str, ...]
    codes: IntArray
    """For each value the index of its group in `labels`."""
    sizes: IntArray
    means: FloatArray

    @property
    def residuals(self) -> FloatArray:
        """Each value less the mean of its group."""
        return self.values - self.means[self.codes]

    @property
    def varying(self) -> npt.NDArray[np.bool_]:
        """For each group, whether it holds values that differ by more than rounding, which residuals carry."""
        first = np.zeros(len(self.labels))
        first[self.codes[::-1]] = self.values[::-1]
        beside = first[self.codes]
        size = np.maximum(np.abs(self.values), np.abs(beside))
        differs = np.abs(self.values - beside) > _LAST_DIGITS * size
        return np.bincount(self.codes, weights=differs, minlength=len(self.labels)) > 0

    @property
    def varies_within(self) -> bool:
        """Whether any group holds two different values."""
        return bool(np.any(self.varying))


def grouped(values: npt.ArrayLike, groups: Column, factor: str) -> GroupedValues:
    """Values and their groups, checked and sorted by group.

    Numbers sort as numbers, all else as text.

    Raises:
        DataError: unequal lengths, a missing label, or a value that is not finite.
    """
    vector = finite_vector(values, "values")
    same_length(("values", vector), (factor, groups))
    codes, labels = coded(groups, factor)
    sizes = np.bincount(codes, minlength=len(labels))
    means = np.bincount(codes, weights=vector, minlength=len(labels)) / np.maximum(sizes, 1)
    # The rounding of the first pass is taken out by a second, so that a large common offset costs no digits.
    means += np.bincount(codes, weights=vector - means[codes], minlength=len(labels)) / np.maximum(sizes, 1)
    return GroupedValues(vector, labels, codes, sizes, means)


def coded(column: Column, name: str) -> tuple[IntArray, tuple[str, ...]]:
    """One column of labels as numbers from 0, and what they stand for, in sorted order; see `code_labels`.

    Raises:
        DataError: a label is missing or cannot be one.
    """
    labels, (codes,) = code_labels((name, column))
    return codes, labels


def code_labels(*columns: tuple[str, Column], gaps: bool = False) -> tuple[tuple[str, ...], list[npt.NDArray[np.intp]]]:
    """The labels of all columns, given as (name, values), and each column as indices into them.

    Numbers sort as numbers, all else as text. With `gaps`, whole numbers that lie close together may come with labels
    between them that no column has; the caller finds them where it counts, and a pass over the columns is saved.

    >>> labels, (first, second) = code_labels(("first", ["b", "a"]), ("second", ["c", "b"]))
    >>> labels, first.tolist(), second.tolist()
    (('a', 'b', 'c'), [1, 0], [2, 1])

    Raises:
        DataError: a label is missing or cannot be one.
    """
    filled = [values for _, values in columns if len(values)]
    if filled and all(_whole_numbers(values) for values in filled):
        return _coded_numbers([np.asarray(values, dtype=np.int64) for _, values in columns], gaps=gaps)
    seen: dict[Any, int] = {}
    found = [_looked_up(values, seen, name) for name, values in columns]
    _refuse_missing(seen, columns)
    try:
        labels = sorted(seen)
    except TypeError:
        labels = sorted(seen, key=str)
    place = np.empty(len(labels), dtype=np.intp)
    place[[seen[label] for label in labels]] = np.arange(len(labels))
    return tuple(str(label) for label in labels), [place[codes] for codes in found]


def midranks(values: FloatArray) -> FloatArray:
    """Ranks from 1 along the last axis; equal values share the mean of their ranks.

    >>> midranks(np.array([10.0, 30.0, 20.0, 20.0])).tolist()
    [1.0, 4.0, 2.5, 2.5]
    """
    n = values.shape[-1]
    order = np.argsort(values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=-1)
    place = np.broadcast_to(np.arange(n), values.shape)
    starts = np.ones(values.shape, dtype=bool)
    starts[..., 1:] = ordered[..., 1:] != ordered[..., :-1]
    ends = np.ones(values.shape, dtype=bool)
    ends[..., :-1] = starts[..., 1:]
    first = np.maximum.accumulate(np.where(starts, place, 0), axis=-1)
    last = np.minimum.accumulate(np.where(ends, place, n)[..., ::-1], axis=-1)[..., ::-1]
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=-1)
    return ranks


def tie_term(ranks: FloatArray) -> FloatArray:
    """Σ(t³ - t) over the groups of t tied values, along the last axis.

    >>> float(tie_term(np.array([1.0, 2.5, 2.5, 4.0])))
    6.0
    """
    # Squared midranks of a tied group fall short of those of untied ranks by (t³ - t)/12.
    n = ranks.shape[-1]
    untied = n * (n + 1) * (2 * n + 1) / 6
    return np.asarray(12 * (untied - np.sum(ranks**2, axis=-1)))


def _whole_numbers(column: Column) -> bool:
    # A list of text takes long to become an array, so its first label is asked before the rest.
    if not isinstance(column, np.ndarray) and not isinstance(column[0], (int, np.integer)):
        return False
    array = np.asarray(column)
    return array.ndim == 1 and array.dtype.kind == "i"


def _coded_numbers(
    columns: list[npt.NDArray[np.int64]], *, gaps: bool
) -> tuple[tuple[str, ...], list[npt.NDArray[np.intp]]]:
    low = min(int(column.min()) for column in columns if column.size)
    span = max(int(column.max()) for column in columns if column.size) - low + 1
    if span > _TABLE:
        labels, codes = np.unique(np.concatenate(columns), return_inverse=True)
        parts = np.split(codes.reshape(-1), np.cumsum([column.size for column in columns])[:-1])
        return tuple(map(str, labels.tolist())), [part.astype(np.intp, copy=False) for part in parts]
    shifted = [(column - low if low else column).astype(np.intp, copy=False) for column in columns]
    if gaps and span <= _GAPS:
        return tuple(map(str, range(low, low + span))), shifted
    used = np.zeros(span, dtype=bool)
    for column in shifted:
        used |= np.bincount(column, minlength=span) > 0
    place = np.cumsum(used) - 1
    return tuple(map(str, (np.flatnonzero(used) + low).tolist())), [place[column] for column in shifted]


def _looked_up(column: Column, seen: dict[Any, int], name: str) -> npt.NDArray[Any]:
    """The column as numbers in the order in which labels were first seen."""
    try:
        return first_seen(column.tolist() if hasattr(column, "tolist") else column, seen)
    except DataError as error:
        raise DataError(f"{name} must be a plain list of labels: {error}") from None


def _refuse_missing(seen: dict[Any, int], columns: Sequence[tuple[str, Column]]) -> None:
    if not any(_is_missing(label) for label in seen):
        return
    for name, values in columns:
        missing = [index for index, label in enumerate(values) if _is_missing(label)]
        if missing:
            raise DataError(
                f"{name} has {len(missing)} missing label(s), the first at index {missing[0]}; "
                "leave those rows out, and report how many, before computing"
            )


def _is_missing(label: Any) -> bool:
    try:
        return label is None or bool(label != label)  # noqa: PLR0124 -- nan
    except TypeError:  # what can't say whether it equals itself, as pandas' NA
        return True


def _check_list(name: str, values: object) -> None:
    if not hasattr(values, "__len__") or getattr(values, "ndim", 1) == 0:
        raise DataError(f"{name} must be a plain list, one entry per observation; got {values!r}")
