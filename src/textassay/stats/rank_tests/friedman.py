"""Friedman's test of treatments that every block has seen, with its F form."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.results import Record
from textassay.stats.distributions import chi2_upper, f_upper
from textassay.stats.samples import FloatArray, as_floats, midranks, tie_term
from textassay.stats.statistic import Statistic


@dataclass(frozen=True, kw_only=True)
class Friedman(Statistic):
    """Whether treatments differ, from their ranks within blocks."""

    chi2: float
    df: int
    p: float
    """Of χ²; rough for few blocks."""
    f: float
    """The F form of Iman & Davenport, closer to the truth than χ²; infinite where all blocks agree fully."""
    f_df: tuple[int, int]
    f_p: float
    w: float
    """Kendall's W, as the size of the effect."""
    treatments: tuple[str, ...]
    mean_ranks: tuple[float, ...]
    n: int
    """Blocks."""

    def records(self) -> list[Record]:
        """χ², its F form, and the mean rank of each treatment."""
        return [
            self.record("chi2", self.chi2, df=self.df, p=self.p, n=self.n, W=self.w),
            self.record("F", self.f, df=self.f_df, p=self.f_p, n=self.n, W=self.w),
            *(
                self.record("mean rank", rank, by=name, n=self.n)
                for name, rank in zip(self.treatments, self.mean_ranks, strict=True)
            ),
        ]


def friedman(
    ratings: npt.ArrayLike, *, blocks: Sequence[str] | None = None, treatments: Sequence[str] | None = None
) -> Friedman:
    """Friedman's test of k treatments in n blocks, corrected for ties, and its F form.

    Purpose: find out whether several systems differ when the same participants or items were ranked or rated under all
    of them.

    Each block's values become ranks; Rⱼ is the sum of ranks of treatment j, T the sum of t³ - t over all groups of t
    tied values. χ² = 12 Σ(Rⱼ - n(k+1)/2)² / (nk(k+1) - T/(k-1)) on k-1 degrees of freedom (Friedman 1937); χ² is
    n(k-1)W, W being Kendall's. F = (n-1)χ² / (n(k-1) - χ²) on k-1 and (k-1)(n-1) (Iman & Davenport 1980). Where all
    blocks agree fully F is infinite and its p the chance of that, (Πt! / k!)ⁿ⁻¹ (Conover 1999).

    R: `friedman.test(ratings)`, with one row per block; it has no F form.

    Example:
        >>> result = friedman([[1, 2, 3], [1, 3, 2], [1, 2, 3]])
        >>> round(result.chi2, 4), round(result.p, 4)  # sums 3, 7, 8: Σ(R-6)² = 14; 12·14 / (3·3·4)
        (4.6667, 0.097)
        >>> round(result.f, 4), result.f_df  # 2·4.6667 / (6 - 4.6667)
        (7.0, (2, 4))

    Args:
        ratings: Shape (blocks, treatments), complete; for example one row per participant and one column per system.
        blocks: Names for messages; numbered from 1 if not given.
        treatments: Names for the records; numbered from 1 if not given.

    Raises:
        DataError: not a table of numbers, or cells are missing or infinite; the message names them.
    """
    data = read_blocks(ratings, blocks, treatments)
    n, k = data.n, data.k
    w = math.nan if data.undefined else data.concordance
    chi2 = n * (k - 1) * w
    df, error_df = max(k - 1, 0), max((k - 1) * (n - 1), 0)
    agreed = not data.undefined and bool(np.all(data.ranks == data.ranks[0]))
    f = math.inf if agreed else (n - 1) * w / (1 - w)
    return Friedman(
        method="Friedman's test",
        settings={
            "ties": "corrected",
            "p": "chi-squared and F approximations",
            "blocks": n,
            "treatments": k,
        },
        warnings=_warnings(data, agreed=agreed),
        chi2=chi2,
        df=df,
        p=chi2_upper(chi2, df),
        f=f,
        f_df=(df, error_df),
        f_p=_chance_of_full_agreement(data) if agreed else f_upper(f, df, error_df),
        w=w,
        treatments=data.treatments,
        mean_ranks=tuple(data.mean_ranks.tolist()),
        n=n,
    )


def _warnings(data: Blocks, *, agreed: bool) -> tuple[str, ...]:
    if data.undefined:
        return (data.undefined,)
    full = ("all blocks agree fully: F is infinite, and its p is the chance of full agreement",) if agreed else ()
    return (*data.warnings, *full)


def _chance_of_full_agreement(data: Blocks) -> float:
    """That all blocks show the order of the first, if every order with its ties is as likely."""
    _, tied = np.unique(data.ranks[0], return_counts=True)
    log_orders = math.lgamma(data.k + 1) - sum(math.lgamma(size + 1) for size in tied.tolist())
    return math.exp(-(data.n - 1) * log_orders)


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
