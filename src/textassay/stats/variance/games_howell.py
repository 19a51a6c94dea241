"""All pairs of group means compared where the variances differ: Games and Howell."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.pairwise import PairwiseComparison, PairwiseComparisons
from textassay.results import Record
from textassay.stats.distributions import student_p
from textassay.stats.labels import Column
from textassay.stats.samples import check_share, grouped
from textassay.stats.statistic import Statistic
from textassay.stats.variance.letters import letters_of
from textassay.stats.variance.studentized_range import studentized_range_quantile, studentized_range_upper
from textassay.stats.variance.tukey import studentized_pairs
from textassay.stats.variance.welch import group_variances, welch_df


@dataclass(frozen=True, kw_only=True)
class GamesHowell(Statistic):
    """All pairwise comparisons of the means of k groups, each with the variances of its own two."""

    groups: tuple[str, ...]
    means: tuple[float, ...]
    pairs: PairwiseComparisons

    @property
    def n_significant(self) -> int:
        """Pairs that differ significantly, out of `len(pairs)`."""
        return self.pairs.n_significant

    @property
    def p(self) -> tuple[float, ...]:
        """The adjusted p of each pair."""
        return tuple(pair.p for pair in self.pairs)

    @property
    def letters(self) -> tuple[str, ...]:
        """Compact letter display: groups that share a letter do not differ."""
        return letters_of(self.groups, self.means, self.pairs)

    def records(self) -> list[Record]:
        """One record per pair."""
        return self.pairs.records(self)


def games_howell(values: npt.ArrayLike, groups: Column, *, alpha: float = 0.05, factor: str = "group") -> GamesHowell:
    """Games and Howell's comparison of all pairs of k group means, without equal variances.

    Purpose: find out which of several groups differ in their means when their variances differ.

    For groups i and j with e = s²/n: q = |ȳᵢ - ȳⱼ| / √((eᵢ + eⱼ)/2), compared with the studentized range of k means on
    Welch's (eᵢ + eⱼ)² / (eᵢ²/(nᵢ-1) + eⱼ²/(nⱼ-1)) degrees of freedom (Games & Howell 1976).

    R: `ptukey(q, k, df, lower.tail = FALSE)` with q and df of each pair as above.

    Example:
        >>> result = games_howell([1, 2, 3, 4, 6, 8, 9, 9, 12], ["a"] * 3 + ["b"] * 3 + ["c"] * 3)
        >>> [(pair.first, pair.second, round(pair.difference, 3), round(pair.p, 4)) for pair in result.pairs][0]
        ('a', 'b', -4.0, 0.1069)

    Raises:
        DataError: unequal lengths, a missing label, or a value that is missing or infinite.
    """
    check_share("alpha", alpha)
    data = grouped(values, groups, factor)
    k = len(data.labels)
    errors = group_variances(data) / np.maximum(data.sizes, 1)
    pairs: list[PairwiseComparison] = []
    untested: list[str] = []
    for i in range(k):
        for j in range(i + 1, k):
            difference = float(data.means[i] - data.means[j])
            both = float(errors[i] + errors[j])
            p, p_raw, t, df, half = (math.nan,) * 5
            if both > 0:
                df = welch_df(float(errors[i]), float(errors[j]), int(data.sizes[i]), int(data.sizes[j]))
                width = math.sqrt(both / 2)
                p = float(studentized_range_upper(abs(difference) / width, k, df))
                half = studentized_range_quantile(alpha, k, df) * width
                t = difference / math.sqrt(both)
                p_raw = student_p(t, df, "two-sided")
            else:
                untested.append(f"{data.labels[i]} with {data.labels[j]}")
            pairs.append(
                PairwiseComparison(
                    first=data.labels[i],
                    second=data.labels[j],
                    difference=difference,
                    ci=(difference - half, difference + half),
                    p=p,
                    p_raw=p_raw,
                    n=int(data.sizes[i] + data.sizes[j]),
                    se=math.sqrt(both) if both > 0 else math.nan,
                    test_value=t,
                    df=df,
                )
            )
    settings = {"factor": factor, "alpha": alpha, "groups": k, "n": data.values.size}
    return GamesHowell(
        method="Games–Howell",
        settings=settings,
        warnings=_warnings(k, untested),
        by=factor,
        groups=data.labels,
        means=tuple(data.means.tolist()),
        pairs=studentized_pairs("Games–Howell", settings, tuple(pairs)),
    )


def _warnings(k: int, untested: list[str]) -> tuple[str, ...]:
    if k < 2:
        return (f"no pair can be tested: there are {k} groups",)
    if untested:
        named = ", ".join(untested[:5])
        return (f"{len(untested)} pair(s) cannot be tested, for lack of two values that vary in each group: {named}",)
    return ()
