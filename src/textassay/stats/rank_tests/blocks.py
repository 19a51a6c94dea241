"""A complete table of blocks × treatments, ranked within each block: what Friedman's test and its kin start from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.stats.samples import FloatArray, as_floats, midranks, tie_term

_NAMED = 5
"""How many names a message holds."""


@dataclass(frozen=True)
class Blocks:
    """Ranks of the treatments within each block."""

    ranks: FloatArray
    """Shape (blocks, treatments); ties at their mean."""
    treatments: tuple[str, ...]
    undefined: str = ""
    """Why they cannot be compared; empty where they can."""
    warnings: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """Number of blocks."""
        return len(self.ranks)

    @property
    def k(self) -> int:
        """Number of treatments."""
        return len(self.treatments)

    @property
    def mean_ranks(self) -> FloatArray:
        """Of each treatment; nan without blocks."""
        return np.asarray(self.ranks.sum(axis=0) / self.n) if self.n else np.full(self.k, np.nan)

    @property
    def ties(self) -> float:
        """Σ(t³ - t) over the groups of t tied values of all blocks."""
        return float(tie_term(self.ranks).sum()) if self.ranks.size else 0.0

    @property
    def concordance(self) -> float:
        """Kendall's W: the spread of the rank sums as a share of the largest that it can be with these ties."""
        sums = self.ranks.sum(axis=0)
        spread = float(np.sum((sums - self.n * (self.k + 1) / 2) ** 2))
        return 12 * spread / (self.n**2 * (self.k**3 - self.k) - self.n * self.ties)


def read_blocks(
    table: npt.ArrayLike, blocks: Sequence[str] | None = None, treatments: Sequence[str] | None = None
) -> Blocks:
    """The table checked and ranked.

    Raises:
        DataError: not a table of numbers, or cells are missing or infinite; the message names them.
    """
    values = as_floats(table, "ratings")
    if values.ndim != 2:
        raise DataError(f"ratings must have the shape (blocks, treatments), got {values.shape}")
    n, k = values.shape
    rows, columns = _names(blocks, n, "block"), _names(treatments, k, "treatment")
    _refuse_missing(values, rows, columns)
    ranks = midranks(values) if values.size else values
    flat = [name for name, row in zip(rows, values, strict=True) if k and np.all(row == row[0])]
    return Blocks(ranks, columns, *_remarks(n, k, flat))


def _remarks(n: int, k: int, flat: list[str]) -> tuple[str, tuple[str, ...]]:
    if n < 2 or k < 2:
        return f"treatments cannot be compared: at least 2 blocks and 2 treatments are needed, got {n} and {k}", ()
    if len(flat) == n:
        return "treatments cannot be compared: in every block all values are equal", ()
    return "", (f"all values are equal, so they add nothing but ties, in {_some(flat)}",) if flat else ()


def _names(names: Sequence[str] | None, size: int, kind: str) -> tuple[str, ...]:
    if names is None:
        return tuple(f"{kind} {index + 1}" for index in range(size))
    if len(names) != size:
        raise DataError(f"there are {size} {kind}s in ratings but {len(names)} names for them")
    return tuple(map(str, names))


def _refuse_missing(table: FloatArray, blocks: Sequence[str], treatments: Sequence[str]) -> None:
    cells = np.argwhere(~np.isfinite(table))
    if cells.size:
        named = _some([f"{blocks[i]} × {treatments[j]}" for i, j in cells])
        raise DataError(
            f"every block needs a value for every treatment; missing or infinite: {named}. "
            "Leave out those blocks or those treatments"
        )


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
