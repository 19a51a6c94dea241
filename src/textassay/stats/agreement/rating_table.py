"""A complete table of numbers, raters by items, for the measures that allow no gaps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.stats.samples import FloatArray, as_floats

_NAMED = 5
"""How many names a message lists."""


@dataclass(frozen=True)
class RatingTable:
    """Numbers of the shape (raters, items), with names for messages."""

    values: FloatArray
    raters: Sequence[str]
    items: Sequence[str]


def read_table(
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
