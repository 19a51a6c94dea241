"""Kruskal and Wallis's one-way analysis of variance by ranks."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.results import Record
from textassay.stats.distributions import chi2_upper
from textassay.stats.samples import Column, FloatArray, GroupedValues, grouped, midranks
from textassay.stats.statistic import Statistic


@dataclass(frozen=True, kw_only=True)
class KruskalWallis(Statistic):
    """Whether groups differ, from the ranks of all values together."""

    h: float
    df: int
    p: float
    """Of χ², an approximation that is rough for groups of fewer than five."""
    epsilon2: float
    """ε² = H / (N - 1): the share of the spread of the ranks that lies between the groups."""
    groups: tuple[str, ...]
    mean_ranks: tuple[float, ...]
    sizes: tuple[int, ...]

    @property
    def n(self) -> int:
        """Values used."""
        return sum(self.sizes)

    def records(self) -> list[Record]:
        """H, and the mean rank of each group."""
        ranks = zip(self.groups, self.mean_ranks, self.sizes, strict=True)
        return [
            self.record("H", self.h, df=self.df, p=self.p, n=self.n, epsilon2=self.epsilon2),
            *(self.record("mean rank", rank, by=f"{self.by}: {name}", n=size) for name, rank, size in ranks),
        ]


def kruskal_wallis(values: npt.ArrayLike, groups: Column, *, factor: str = "group") -> KruskalWallis:
    """Kruskal & Wallis's test of k independent groups, corrected for ties.

    Purpose: find out whether several independent groups differ, by ranks.

    All N values are ranked together (ties at their mean). H = (N-1) Σ nᵢ(r̄ᵢ - r̄)² / Σ(r - r̄)², on k-1 degrees of
    freedom (Kruskal & Wallis 1952); without ties that is 12/(N(N+1)) Σ nᵢ r̄ᵢ² - 3(N+1). It takes the values as
    independent of each other.

    R: `kruskal.test(values, factor(groups))`.

    Example:
        >>> result = kruskal_wallis([1, 2, 3, 4, 5, 6], ["a", "a", "b", "b", "c", "c"])
        >>> round(result.h, 4), result.df, round(result.p, 4)  # mean ranks 1.5, 3.5, 5.5: 5 · 16 / 17.5
        (4.5714, 2, 0.1017)

    Args:
        values: One number per observation.
        groups: One label per observation.
        factor: What the labels are, for the records.

    Raises:
        DataError: unequal lengths, a missing label, or a value that is missing or infinite.
    """
    data = grouped(values, groups, factor)
    n, k = data.values.size, len(data.labels)
    ranks = midranks(data.values)
    reason = undefined_ranks(data, factor)
    means = np.bincount(data.codes, weights=ranks, minlength=k) / np.maximum(data.sizes, 1)
    h = math.nan if reason else _h(ranks, means, data)
    df = max(k - 1, 0)
    return KruskalWallis(
        method="Kruskal–Wallis test",
        settings={
            "factor": factor,
            "ties": "corrected",
            "p": "chi-squared approximation",
            "groups": k,
            "n": n,
        },
        warnings=(reason,) if reason else (),
        by=factor,
        h=h,
        df=df,
        p=math.nan if reason else chi2_upper(h, df),
        epsilon2=h / (n - 1) if n > 1 else math.nan,
        groups=data.labels,
        mean_ranks=tuple(means.tolist()),
        sizes=tuple(data.sizes.tolist()),
    )


def _h(ranks: FloatArray, means: FloatArray, data: GroupedValues) -> float:
    middle = (ranks.size + 1) / 2
    between = float(data.sizes @ (means - middle) ** 2)
    return (ranks.size - 1) * between / float(np.sum((ranks - middle) ** 2))


def undefined_ranks(data: GroupedValues, factor: str) -> str:
    """Why groups cannot be compared by their ranks; empty where they can."""
    if not data.values.size:
        return "groups cannot be compared: there are no values"
    if len(data.labels) < 2:
        return f"groups cannot be compared: {factor} has one group only ({data.labels[0]})"
    if data.values.size == len(data.labels):
        return f"groups cannot be compared: every group of {factor} has one value only"
    if np.all(data.values == data.values[0]):
        return f"groups cannot be compared: all values are equal ({data.values[0]:g})"
    return ""
