"""All pairs of group means compared by the studentized range.

Tukey's HSD, Tukey–Kramer where the groups differ in size, Games–Howell where their variances differ.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.pairwise import PairwiseComparison, PairwiseComparisons
from textassay.results import Record
from textassay.stats.distributions import student_p, studentized_range_quantile, studentized_range_upper
from textassay.stats.group_comparisons import GroupComparisons
from textassay.stats.samples import Column, GroupedValues, check_share, grouped
from textassay.stats.variance.anova import anova_of
from textassay.stats.variance.anova_table import ErrorTerm
from textassay.stats.variance.welch import group_variances, welch_df


@dataclass(frozen=True, kw_only=True)
class Tukey(GroupComparisons):
    """All pairwise comparisons of the means of k groups."""

    means: tuple[float, ...]
    sizes: tuple[int, ...]
    hsd: float
    """The honestly significant difference: means further apart than this differ; nan where group sizes differ."""
    q_critical: float
    """Quantile of the studentized range at 1 - alpha."""
    error: ErrorTerm

    @property
    def centres(self) -> tuple[float, ...]:
        """The means."""
        return self.means

    @property
    def letters(self) -> tuple[str, ...]:
        """Compact letter display: groups that share a letter do not differ; empty where none was tested."""
        return ("",) * len(self.groups) if math.isnan(self.q_critical) else super().letters

    def records(self) -> list[Record]:
        """One record per pair, then the HSD, the count of significant pairs, and each group's mean with its letters."""
        n = sum(self.sizes)
        return [
            *super().records(),
            self.record("HSD", self.hsd, df=self.error.df, n=n, q_critical=self.q_critical),
            self.record("significant pairs", self.n_significant, n=n, pairs=len(self.pairs), alpha=self.pairs.alpha),
            *(
                self.record("group mean", mean, by=group, n=size, letters=letters)
                for group, mean, size, letters in zip(self.groups, self.means, self.sizes, self.letters, strict=True)
            ),
        ]


def tukey(
    values: npt.ArrayLike,
    groups: Column,
    *,
    alpha: float = 0.05,
    factor: str = "group",
    error: ErrorTerm | None = None,
) -> Tukey:
    """Tukey's honestly significant differences between all pairs of k group means.

    Purpose: find out which of several groups differ in their means, with one error rate for all pairs.

    For groups i and j: q = |ȳᵢ - ȳⱼ| / √(MS_within/2 · (1/nᵢ + 1/nⱼ)), compared with the studentized range of k means
    on N-k degrees of freedom (Tukey 1949; Kramer 1956 for unequal sizes). HSD = q_critical √(MS_within/n) where all
    groups have n values.

    R: `TukeyHSD(aov(values ~ factor(groups)), conf.level = 1 - alpha)`, whose differences are second − first.

    Example:
        >>> result = tukey([1, 2, 3, 4, 5, 6, 4, 6, 5], ["a"] * 3 + ["b"] * 3 + ["c"] * 3)
        >>> round(result.hsd, 4), result.n_significant, len(result.pairs)  # q = 4.3392, MS 1, n 3
        (2.5052, 2, 3)

    Args:
        values: One number per observation.
        groups: One label per observation.
        alpha: Level of all comparisons together.
        factor: What the labels are, for the records.
        error: What to compare by, if not by the variance within the groups: `anova(...).error` after an analysis with
            further factors, or an effect's own error term after one with repeated measures.

    Raises:
        DataError: unequal lengths, a missing label, or a value that is missing or infinite.
    """
    check_share("alpha", alpha)
    data = grouped(values, groups, factor)
    k, own = len(data.labels), anova_of(data, factor)
    warnings = [warning.replace("F is undefined", "no pair can be tested") for warning in own.warnings if error is None]
    if error is not None and (k < 2 or not error.ss > 0 or error.df < 1):
        warnings = [f"no pair can be tested: {k} group(s) of {factor}, and an error of {error.ss:g} on {error.df} df"]
    by = own.error if error is None else error
    balanced = k > 1 and data.sizes.min() == data.sizes.max()
    testable = not warnings
    if testable and not balanced:
        sizes = f"{data.sizes.min()} to {data.sizes.max()} values"
        warnings.append(f"the groups of {factor} differ in size ({sizes}): Tukey–Kramer, and no single HSD")
        if error is not None:
            warnings.append(f"the means of {factor} are not adjusted for the other factors of the analysis")
    q_critical = studentized_range_quantile(alpha, k, by.df) if testable else math.nan
    settings = {
        "factor": factor,
        "alpha": alpha,
        "groups": k,
        "n": data.values.size,
        "error": "within groups" if error is None else f"given, on {error.df:g} df",
    }
    method = "Tukey's HSD" if balanced else "Tukey–Kramer"
    return Tukey(
        method=method,
        settings=settings,
        warnings=tuple(warnings),
        by=factor,
        groups=data.labels,
        means=tuple(data.means.tolist()),
        sizes=tuple(data.sizes.tolist()),
        pairs=_studentized_pairs(method, settings, _tukey_pairs(data, by, q_critical)),
        hsd=q_critical * math.sqrt(by.ms / data.sizes[0]) if balanced else math.nan,
        q_critical=q_critical,
        error=by,
    )


@dataclass(frozen=True, kw_only=True)
class GamesHowell(GroupComparisons):
    """All pairwise comparisons of the means of k groups, each with the variances of its own two."""

    means: tuple[float, ...]

    @property
    def centres(self) -> tuple[float, ...]:
        """The means."""
        return self.means


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
        warnings=_games_howell_warnings(k, untested),
        by=factor,
        groups=data.labels,
        means=tuple(data.means.tolist()),
        pairs=_studentized_pairs("Games–Howell", settings, tuple(pairs)),
    )


def _studentized_pairs(
    method: str, settings: Mapping[str, Any], pairs: tuple[PairwiseComparison, ...]
) -> PairwiseComparisons:
    """All pairs of means, adjusted by the studentized range; the settings name factor and alpha."""
    alpha = settings["alpha"]
    return PairwiseComparisons(
        method=method,
        settings=settings,
        pairs=pairs,
        by=settings["factor"],
        adjustment="Tukey",
        family=len(pairs),
        alpha=alpha,
        confidence=1 - alpha,
        interval="simultaneous",
        test="t",
    )


def _tukey_pairs(data: GroupedValues, error: ErrorTerm, q_critical: float) -> tuple[PairwiseComparison, ...]:
    k = len(data.labels)
    first, second = np.triu_indices(k, 1)
    differences = data.means[first] - data.means[second]
    widths = np.full(first.shape, math.nan)
    p = widths.copy()
    if not math.isnan(q_critical):
        widths = np.sqrt(error.ms / 2 * (1 / data.sizes[first] + 1 / data.sizes[second]))
        p = studentized_range_upper(np.abs(differences) / widths, k, error.df)
    t = differences / (math.sqrt(2) * widths)
    sizes = data.sizes[first] + data.sizes[second]
    columns = (first, second, differences, q_critical * widths, math.sqrt(2) * widths, t, p, sizes)
    return tuple(
        PairwiseComparison(
            first=data.labels[i],
            second=data.labels[j],
            difference=d,
            ci=(d - half, d + half),
            p=adjusted,
            p_raw=math.nan if math.isnan(value) else student_p(value, error.df, "two-sided"),
            n=n,
            se=se,
            test_value=value,
            df=error.df,
        )
        for i, j, d, half, se, value, adjusted, n in zip(*(column.tolist() for column in columns), strict=True)
    )


def _games_howell_warnings(k: int, untested: list[str]) -> tuple[str, ...]:
    if k < 2:
        return (f"no pair can be tested: there are {k} groups",)
    if untested:
        named = ", ".join(untested[:5])
        return (
            f"{len(untested)} pair(s) cannot be tested, since each group needs at least two different values: {named}",
        )
    return ()
