"""Means of groups whose variances differ: Welch's F and that of Brown and Forsythe."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.results import Record
from textassay.stats.distributions import f_upper
from textassay.stats.samples import Column, FloatArray, GroupedValues, grouped
from textassay.stats.statistic import Statistic


@dataclass(frozen=True, kw_only=True)
class RobustAnova(Statistic):
    """An F ratio that does not take the variances of the groups as equal."""

    f: float
    df: tuple[float, float]
    p: float
    n: int
    groups: int

    def records(self) -> list[Record]:
        """One record."""
        return [self.record("F", self.f, df=self.df, p=self.p, n=self.n, groups=self.groups)]


def welch_anova(values: npt.ArrayLike, groups: Column, *, factor: str = "group") -> RobustAnova:
    """Welch's F for the means of k groups with unequal variances.

    Purpose: find out whether the means of several groups differ when their variances do.

    With weights w = n/s², W = Σw and m = Σwȳ/W: F = [Σw(ȳ-m)²/(k-1)] / [1 + 2(k-2)/(k²-1) · Λ], where
    Λ = Σ(1-w/W)²/(n-1); on k-1 and (k²-1)/(3Λ) degrees of freedom (Welch 1951).

    R: `oneway.test(values ~ groups)`.

    Example:
        >>> result = welch_anova([1, 2, 3, 4, 6, 8], ["a", "a", "a", "b", "b", "b"])
        >>> round(result.f, 6), [round(df, 4) for df in result.df]  # two groups: the square of Welch's t = -3.0984
        (9.6, [1.0, 2.9412])

    Raises:
        DataError: unequal lengths, a missing label, or a value that is missing or infinite.
    """
    return _robust(values, groups, factor, "Welch's F", _welch, weighted=True)


def brown_forsythe(values: npt.ArrayLike, groups: Column, *, factor: str = "group") -> RobustAnova:
    """Brown and Forsythe's F for the means of k groups with unequal variances.

    Purpose: find out whether the means of several groups differ when their variances do.

    With c = (1 - n/N) s² for each group: F = Σn(ȳ - ȳ..)² / Σc on k-1 and (Σc)² / Σ(c²/(n-1)) degrees of freedom
    (Brown & Forsythe 1974). It is their test of means, not the test of variances that also has their name.

    R: `onewaytests::bf.test(values ~ groups, data)`; base R has no function for it.

    Example:
        >>> result = brown_forsythe([1, 2, 3, 4, 6, 8], ["a", "a", "a", "b", "b", "b"])
        >>> round(result.f, 6), [round(df, 4) for df in result.df]  # two groups of one size: as Welch's
        (9.6, [1.0, 2.9412])

    Raises:
        DataError: unequal lengths, a missing label, or a value that is missing or infinite.
    """
    return _robust(values, groups, factor, "Brown and Forsythe's F", _brown_forsythe, weighted=False)


_Formula = Callable[[GroupedValues, FloatArray], tuple[float, tuple[float, float]]]


def _robust(
    values: npt.ArrayLike, groups: Column, factor: str, method: str, formula: _Formula, *, weighted: bool
) -> RobustAnova:
    """The test by its formula; one that weighs groups by their variances needs all of them above 0."""
    data = grouped(values, groups, factor)
    k = len(data.labels)
    reason = ""
    variances = group_variances(data)
    if k < 2:
        reason = f"F is undefined: {factor} has {k} group(s)"
    elif data.sizes.min() < 2:
        few = [label for label, size in zip(data.labels, data.sizes.tolist(), strict=True) if size < 2]
        reason = f"F is undefined: a variance needs at least 2 values; there are fewer for {', '.join(few[:5])}"
    elif not (variances.min() if weighted else variances.max()) > 0:
        flat = [label for label, spread in zip(data.labels, variances.tolist(), strict=True) if not spread > 0]
        reason = f"F is undefined: the values of {', '.join(flat[:5])} do not vary"
    f, df = (math.nan, (math.nan, math.nan)) if reason else formula(data, variances)
    return RobustAnova(
        method=method,
        settings={"factor": factor, "groups": k, "n": data.values.size},
        warnings=(reason,) if reason else (),
        by=factor,
        f=f,
        df=df,
        p=f_upper(f, *df),
        n=data.values.size,
        groups=k,
    )


def group_variances(data: GroupedValues) -> FloatArray:
    """The variance of each group; nan for one value, 0 where values differ by rounding only."""
    squares = np.bincount(data.codes, weights=data.residuals**2, minlength=len(data.labels)) * data.varying
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(data.sizes > 1, squares / np.maximum(data.sizes - 1, 1), math.nan))


def welch_df(first: float, second: float, m: int, n: int) -> float:
    """Welch's degrees of freedom for a difference of means with these squared standard errors, of m and n values.

    By shares, because the squares of very large or small variances leave the range of floats.

    >>> round(welch_df(1.0, 1.0, 5, 5), 9)
    8.0
    """
    share = first / (first + second)
    return 1 / (share**2 / (m - 1) + (1 - share) ** 2 / (n - 1))


def _welch(data: GroupedValues, variances: FloatArray) -> tuple[float, tuple[float, float]]:
    k = len(data.labels)
    weights = data.sizes / variances
    mean = float(weights @ data.means / weights.sum())
    spread = float(np.sum((1 - weights / weights.sum()) ** 2 / (data.sizes - 1)))
    above = float(weights @ (data.means - mean) ** 2) / (k - 1)
    return above / (1 + 2 * (k - 2) / (k**2 - 1) * spread), (k - 1.0, (k**2 - 1) / (3 * spread))


def _brown_forsythe(data: GroupedValues, variances: FloatArray) -> tuple[float, tuple[float, float]]:
    k, n = len(data.labels), data.values.size
    parts = (1 - data.sizes / n) * variances
    above = float(data.sizes @ (data.means - data.values.mean()) ** 2)
    df = float(1 / np.sum((parts / parts.sum()) ** 2 / (data.sizes - 1)))
    return above / float(parts.sum()), (k - 1.0, df)
