"""What two raters gave the same items: a confusion matrix, kept as its cells that are not empty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.stats.agreement.categories import Categories, categorise
from textassay.stats.agreement.unit_counts import sums_by
from textassay.stats.agreement.unit_ratings import label_array, present
from textassay.stats.samples import FloatArray, IntArray, as_floats, same_length


@dataclass(frozen=True)
class Confusion:
    """Cells (row, column, share of all items) and their margins."""

    row: IntArray
    column: IntArray
    share: FloatArray
    n: float
    """Items that both raters judged."""
    categories: Categories
    left_out: int = 0
    """Items without a judgement of one of the two."""

    @property
    def rows(self) -> FloatArray:
        """Shares of the categories with the first rater."""
        return sums_by(self.row, self.share, len(self.categories.labels))

    @property
    def columns(self) -> FloatArray:
        """Shares of the categories with the second rater."""
        return sums_by(self.column, self.share, len(self.categories.labels))


def confusion_of_lists(first: Any, second: Any, given: Sequence[Any] | None, measure: str) -> Confusion:
    """What two raters gave the same items, in the same order; items that one of them left out do not count.

    Raises:
        DataError: unequal lengths, infinite values, or no item that both judged.
    """
    lists = [label_array(values) for values in (first, second)]
    for name, values in zip(("first", "second"), lists, strict=True):
        if values.ndim != 1:
            raise DataError(f"{name} must be a plain list of labels; it has the shape {values.shape}")
    same_length(("first", lists[0]), ("second", lists[1]))
    both = present(lists[0], "first") & present(lists[1], "second")
    n = int(np.count_nonzero(both))
    if not n:
        raise DataError(
            f"{measure} needs items that both raters judged, and here they share none ({both.size} items given); "
            "let both judge the same items"
        )
    kinds = {values.dtype.kind for values in lists}
    merged = np.concatenate([values[both].astype(object) if len(kinds) > 1 else values[both] for values in lists])
    codes, categories = categorise(merged, given)
    size = len(categories.labels)
    cells, counts = np.unique(codes[:n].astype(np.int64) * size + codes[n:], return_counts=True)
    return Confusion(
        (cells // size).astype(np.intp), (cells % size).astype(np.intp), counts / n, n, categories, both.size - n
    )


def confusion_of_matrix(matrix: npt.ArrayLike, given: Sequence[Any] | None) -> Confusion:
    """A confusion matrix of counts; rows are the first rater's categories, columns the second's.

    Raises:
        DataError: not a square table of counts, or an empty one.
    """
    table = as_floats(matrix, "matrix")
    if table.ndim != 2 or table.shape[0] != table.shape[1]:
        raise DataError(f"matrix must be square, a row and a column for each category; got the shape {table.shape}")
    bad = np.argwhere(~np.isfinite(table) | (table < 0))
    if bad.size:
        i, j = bad[0].tolist()
        raise DataError(f"matrix must hold counts from 0 up; row {i + 1}, column {j + 1} holds {table[i, j]}")
    n = float(table.sum())
    if n == 0:
        raise DataError("matrix holds no items: all counts are 0")
    if given is not None and len(given) != len(table):
        raise DataError(f"matrix has {len(table)} categories but categories names {len(given)}")
    row, column = np.nonzero(table)
    # Without names the places are the scores, as in every program that starts from a table.
    labels = tuple(range(1, len(table) + 1)) if given is None else tuple(given)
    return Confusion(row, column, table[row, column] / n, n, Categories(labels, given=given is not None))
