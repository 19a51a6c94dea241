"""Paired comparisons as counts: who won, lost and tied against whom, in which order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.stats.samples import Column, FloatArray, IntArray, as_floats, code_labels, same_length

WIN, LOSS, TIE = 0, 1, 2
"""Places of the outcomes on the first axis of the counts."""
_BLOCK = 1 << 15


@dataclass(frozen=True)
class ComparisonCounts:
    """All that the models of preference need to know of any number of comparisons."""

    systems: tuple[str, ...]
    counts: FloatArray
    """Shape (3, systems, systems): wins, losses and ties of the row's system, shown first, against the column's."""

    @property
    def n(self) -> int:
        """Number of comparisons."""
        return round(float(self.counts.sum()))

    @property
    def ties(self) -> int:
        """Number of ties."""
        return round(float(self.counts[TIE].sum()))

    def won(self) -> FloatArray:
        """Wins of the row's system over the column's, in either order."""
        return np.asarray(self.counts[WIN] + self.counts[LOSS].T)

    def tied(self) -> FloatArray:
        """Ties of the two, in either order; symmetric."""
        return np.asarray(self.counts[TIE] + self.counts[TIE].T)

    def without_order(self) -> FloatArray:
        """The counts with every pair in one order only, that of the systems."""
        won = self.won()
        return np.triu(np.stack([won, won.T, self.tied()]), 1)


def read_comparisons(first: Column, second: Column, outcome: npt.ArrayLike) -> ComparisonCounts:
    """Comparisons counted, one pass over the rows.

    Raises:
        DataError: unequal lengths, a missing label, a system against itself, or an outcome other than 1, 0, -1.
    """
    results = _outcomes(outcome)
    same_length(("first", first), ("second", second), ("outcome", results))
    systems, (one, other) = code_labels(("first", first), ("second", second), gaps=True)
    counts = _counted(results, one, other, len(systems))[[2, 0, 1]].astype(float)
    if np.any(np.diagonal(counts, axis1=1, axis2=2)):
        row = int(np.flatnonzero(one == other)[0])
        raise DataError(
            f"first and second are the same system ({systems[one[row]]}) at index {row}; "
            "a comparison needs two systems: leave such rows out"
        )
    met = counts.sum(axis=(0, 1)) + counts.sum(axis=(0, 2)) > 0
    names = tuple(name for name, used in zip(systems, met.tolist(), strict=True) if used)
    return ComparisonCounts(names, counts[:, met][:, :, met])


def _counted(results: IntArray, one: IntArray, other: IntArray, k: int) -> IntArray:
    """How often each outcome of each pair is there, (outcomes × k × k).

    A block at a time: what is in between stays in the processor's cache, however many rows there are.
    """
    counts = np.zeros(3 * k * k, dtype=np.int64)
    for start in range(0, len(results), _BLOCK):
        block = slice(start, start + _BLOCK)
        place = results[block] + 1
        place *= k
        place += one[block]
        place *= k
        place += other[block]
        counts += np.bincount(place, minlength=3 * k * k)
    return counts.reshape(3, k, k)


def comparisons_of_matrices(
    wins: npt.ArrayLike, ties: npt.ArrayLike | None, systems: Sequence[str] | None = None
) -> ComparisonCounts:
    """Comparisons from counts that are there already; who was shown first is not known.

    Args:
        wins: Shape (systems, systems): how often the row's system won against the column's; the diagonal is ignored.
        ties: The same for ties: symmetric with each tie in both places, or on one side of the diagonal only.
        systems: Their names; numbered from 1 if not given.

    Raises:
        DataError: not square, not counts, or of unequal size.
    """
    won = _square(wins, "wins")
    k = len(won)
    tied = np.zeros((k, k)) if ties is None else _square(ties, "ties")
    names = [f"system {index + 1}" for index in range(k)] if systems is None else [str(name) for name in systems]
    if not len(tied) == len(names) == k:
        raise DataError(f"the sizes must be equal: wins has {k}, ties {len(tied)}, systems {len(names)}")
    if len(set(names)) < k:
        raise DataError("systems names one system twice; give each row of wins a name of its own")
    if not np.array_equal(tied, tied.T):
        if np.any((tied > 0) & (tied.T > 0)):
            raise DataError("ties must be symmetric, or filled on one side of the diagonal only")
        tied = tied + tied.T
    return ComparisonCounts(tuple(names), np.triu(np.stack([won, won.T, tied]), 1))


def _outcomes(outcome: npt.ArrayLike) -> npt.NDArray[np.int64]:
    array = outcome if isinstance(outcome, np.ndarray) else _as_array(outcome)
    truths = array.dtype.kind == "b"
    if array.dtype.kind != "i":
        array = as_floats(array, "outcome")
    if array.ndim != 1 or truths:
        raise DataError("outcome must be a plain list of 1 (first won), -1 (second won) and 0 (tie)")
    # Whole numbers are judged by their ends; only others need every value compared.
    wrong = array.size > 0 and (array.min() < -1 or array.max() > 1)
    if wrong or array.dtype.kind == "f":
        bad = np.flatnonzero(~np.isin(array, (-1, 0, 1)))
        if bad.size:
            raise DataError(
                f"outcome must be 1 (first won), -1 (second won) or 0 (tie); {bad.size} value(s) are not, the first at "
                f"index {bad[0]} ({array[bad[0]]}); take the sign of graded preferences, leave out missing ones"
            )
    return array.astype(np.int64, copy=False)


def _as_array(outcome: npt.ArrayLike) -> npt.NDArray[Any]:
    try:
        return np.asarray(outcome)
    except ValueError as error:
        raise DataError(f"outcome must hold numbers only: {error}") from None


def _square(values: npt.ArrayLike, name: str) -> FloatArray:
    matrix = as_floats(values, name).copy()
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise DataError(f"{name} must have the shape (systems, systems), got {matrix.shape}")
    np.fill_diagonal(matrix, 0)
    bad = np.argwhere(~(np.isfinite(matrix) & (matrix >= 0) & (matrix == np.round(matrix))))
    if bad.size:
        row, column = bad[0]
        raise DataError(f"{name} must hold counts; row {row}, column {column} holds {matrix[row, column]}")
    return matrix
