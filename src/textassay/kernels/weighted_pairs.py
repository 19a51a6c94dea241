"""Concordant and tied pairs of a grid of texts, for many sets of weights of its rows and columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.kernels.arguments import Int32, integers
from textassay.kernels.choice import compiled_loop

Floats = npt.NDArray[np.float64]
_AT_ONCE = 1 << 20
"""Draws × texts that the fallback works on together."""


class WeightedPairs(NamedTuple):
    """Sums over pairs of different texts of the product of their weights, one for each draw."""

    rising: Floats
    """The text with the higher x has the higher y."""
    tied_x: Floats
    tied_y: Floats
    tied_both: Floats
    pairs: Floats
    """All of them."""


def weighted_pairs(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    row: npt.ArrayLike,
    column: npt.ArrayLike,
    row_weights: npt.ArrayLike,
    column_weights: npt.ArrayLike,
) -> WeightedPairs:
    """How often texts in a draw are in the same order on both sides, and tied, where rows and columns were drawn.

    A text weighs as often as its row was drawn times as often as its column was; a text and its own copy are no pair.
    Time grows with draws × texts × the binary digits of the number of values on the side that has fewer.

    Args:
        x: One whole number per text, from 0 on: the place of its value among the values of one side.
        y: The same for the other side.
        row: Which row of the grid each text is in.
        column: Which column.
        row_weights: Shape (draws, rows): how often each was drawn.
        column_weights: Shape (draws, columns).

    Returns:
        Five arrays of shape (draws,). The same numbers with the compiled loop and with its fallback, for whole weights.

    Raises:
        DataError: lists of different lengths, or a number outside what it counts.

    >>> found = weighted_pairs([0, 1, 1], [0, 1, 2], [0, 0, 0], [0, 1, 2], [[1.0]], [[2.0, 1.0, 3.0]])
    >>> [float(each[0]) for each in found]  # 2·1 + 2·3 rise, 1·3 are tied in x
    [8.0, 3.0, 0.0, 0.0, 11.0]
    """
    rows, columns = (np.ascontiguousarray(each, dtype=np.float64) for each in (row_weights, column_weights))
    if rows.ndim != 2 or columns.ndim != 2 or len(rows) != len(columns):
        raise DataError(f"weights must have the shapes (draws, rows) and (draws, columns): {rows.shape, columns.shape}")
    most = np.iinfo(np.int32).max
    highest = {"x": most, "y": most, "row": rows.shape[1] - 1, "column": columns.shape[1] - 1}
    given = dict(zip(highest, (x, y, row, column), strict=True))
    a, b, own_row, own_column = (integers(name, values, highest[name]) for name, values in given.items())
    if len({len(each) for each in (a, b, own_row, own_column)}) > 1:
        raise DataError("x, y, row and column must have one number per text")
    counts = np.zeros((len(rows), 5))
    if len(a) == 0:
        return WeightedPairs(*counts.T)
    a, b = (np.unique(side, return_inverse=True)[1] for side in (a, b))
    turned = a.max() > b.max()  # the side with fewer values is the tree's
    if turned:
        a, b = b, a
    order = np.lexsort((-a, b))
    x_codes, y_codes, own_row, own_column = (
        np.ascontiguousarray(each[order], dtype=np.int32) for each in (a, b, own_row, own_column)
    )
    texts = x_codes, y_codes, own_row, own_column
    loop = compiled_loop("weighted_pairs")
    if loop is None:
        _fallback(*texts, rows, columns, counts)
    else:
        loop.weighted_pairs(*texts, rows, columns, int(a.max()) + 1, counts)
    rising, tied_a, tied_b, tied_both, pairs = counts.T
    return WeightedPairs(rising, *((tied_b, tied_a) if turned else (tied_a, tied_b)), tied_both, pairs)


def _fallback(x: Int32, y: Int32, row: Int32, column: Int32, rows: Floats, columns: Floats, counts: Floats) -> None:
    """The plain-Python fallback: like the loop, it fills `counts`."""
    levels = list(_levels(x))
    by_x = np.argsort(x, kind="stable")
    starts_x = np.flatnonzero(np.diff(x[by_x], prepend=-1))
    starts_y = np.flatnonzero(np.diff(y, prepend=-1))
    starts_both = np.flatnonzero((np.diff(y, prepend=-1) != 0) | (np.diff(x, prepend=-1) != 0))
    step = max(_AT_ONCE // len(x), 1)
    for start in range(0, len(rows), step):
        block = slice(start, start + step)
        weights = rows[block][:, row] * columns[block][:, column]
        squares = (weights**2).sum(axis=1)
        out = counts[block]
        for zeros, ones, before, outside in levels:
            sums = np.cumsum(np.pad(weights[:, zeros], ((0, 0), (1, 0))), axis=1)
            out[:, 0] += (weights[:, ones] * (sums[:, before] - sums[:, outside])).sum(axis=1)
        sides = ((weights[:, by_x], starts_x), (weights, starts_y), (weights, starts_both))
        for place, (ordered, starts) in enumerate(sides, start=1):
            out[:, place] = ((np.add.reduceat(ordered, starts, axis=1) ** 2).sum(axis=1) - squares) / 2
        out[:, 4] = (weights.sum(axis=1) ** 2 - squares) / 2


def _levels(x: Int32) -> Iterator[tuple[npt.NDArray[np.intp], ...]]:
    """Bit by bit from the top: within numbers that agree in all higher bits, zeros that come before each one.

    Which texts have a zero and which a one, in order of their higher bits; and for each one how many zeros come before
    it, and how many of these are outside its own group.
    """
    for bit in reversed(range(int(x.max()).bit_length())):
        order = np.argsort(x >> (bit + 1), kind="stable")
        group, has = (x >> (bit + 1))[order], ((x >> bit) & 1)[order].astype(bool)
        zeros = np.concatenate([[0], np.cumsum(~has)])
        first = np.searchsorted(group, group, side="left")
        yield order[~has], order[has], zeros[:-1][has], zeros[first][has]
