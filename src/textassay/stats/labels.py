"""Labels as whole numbers: columns of systems, participants or items coded in one pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.kernels.numbering import first_seen

Column = Sequence[Any] | npt.NDArray[Any]
"""One label per observation."""

_TABLE = 1 << 16
"""Whole-number labels that span no more than this are coded by a table; others are sorted."""
_GAPS = 1 << 8
"""Whole-number labels that span no more than this are taken as they are where gaps are allowed."""


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
                "leave those rows out, and say how many, before computing"
            )


def _is_missing(label: Any) -> bool:
    try:
        return label is None or bool(label != label)  # noqa: PLR0124 -- nan
    except TypeError:  # what can't say whether it equals itself, as pandas' NA
        return True
