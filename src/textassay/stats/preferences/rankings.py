"""Rankings as sequences of choices: the best of all, the best of the rest, and so on; a tie is a choice of several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.stats.preferences.choice_sets import BoolArray
from textassay.stats.samples import FloatArray, as_floats


@dataclass(frozen=True)
class Rankings:
    """Rankings that were checked."""

    systems: tuple[str, ...]
    ranks: FloatArray
    """Shape (rankings, systems); nan where a system has no rank."""
    last: bool
    """Whether systems without rank come behind those that have one; else they were not shown."""

    @property
    def shown(self) -> BoolArray:
        """Shape (rankings, systems): what was ranked or could have been."""
        return np.ones(self.ranks.shape, dtype=bool) if self.last else ~np.isnan(self.ranks)

    @property
    def telling(self) -> BoolArray:
        """Which rankings place at least one system against another."""
        return np.asarray(~np.isnan(self.ranks).all(axis=1) & (self.shown.sum(axis=1) > 1))

    def orders(self) -> tuple[FloatArray, FloatArray]:
        """How often the row's system was placed above the column's, and how often the two were tied."""
        filled = np.where(np.isnan(self.ranks), np.inf if self.last else np.nan, self.ranks)
        above, tied = (np.zeros((filled.shape[1],) * 2) for _ in range(2))
        for system, ranks in enumerate(filled.T[:, :, None]):
            above[system] = (ranks < filled).sum(axis=0)
            tied[system] = ((ranks == filled) & np.isfinite(ranks)).sum(axis=0)
        np.fill_diagonal(tied, 0)
        return above, tied


@dataclass(frozen=True)
class Stages:
    """All choices that rankings consist of; those that left no choice are not among them."""

    left: BoolArray
    """Shape (choices, systems): what could still be chosen."""
    taken: BoolArray
    """Shape (choices, systems): what was chosen; several where they are tied."""

    @property
    def tie_sizes(self) -> tuple[int, ...]:
        """Sizes of the ties that occur."""
        return tuple(size for size in np.unique(self.taken.sum(axis=1)).tolist() if size > 1)


def read_rankings(rankings: npt.ArrayLike, systems: Sequence[str] | None, *, last: bool) -> Rankings:
    """Rankings, checked.

    Raises:
        DataError: not a table of numbers, an infinite rank, or names that do not fit.
    """
    ranks = as_floats(rankings, "rankings")
    if ranks.ndim != 2:
        raise DataError(f"rankings must have the shape (rankings, systems), got {ranks.shape}")
    bad = np.argwhere(np.isinf(ranks))
    if bad.size:
        raise DataError(f"rankings has an infinite rank in row {bad[0][0]}, column {bad[0][1]}; use nan for no rank")
    k = ranks.shape[1]
    names = [f"system {index + 1}" for index in range(k)] if systems is None else [str(name) for name in systems]
    if len(names) != k or len(set(names)) < k:
        raise DataError(
            f"rankings has {k} columns; systems must name each of them differently, got {len(set(names))} names"
        )
    return Rankings(tuple(names), ranks, last)


def stages_of(data: Rankings) -> Stages:
    """The choices of all rankings: first places, then second places, and so on."""
    waiting, left = ~np.isnan(data.ranks), data.shown
    lefts, takens = [left[:0]], [left[:0]]
    while np.any(waiting):
        best = np.where(waiting, data.ranks, np.inf).min(axis=1, keepdims=True)
        taken = waiting & (data.ranks == best)
        choice = taken.any(axis=1) & (left.sum(axis=1) > 1)
        lefts.append(left[choice])
        takens.append(taken[choice])
        waiting, left = waiting & ~taken, left & ~taken
    return Stages(np.concatenate(lefts), np.concatenate(takens))
