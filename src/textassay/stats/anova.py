"""Analysis of variance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError
from textassay.results import Record
from textassay.stats.distributions import f_upper
from textassay.stats.samples import Grouped, grouped
from textassay.stats.statistic import Statistic


@dataclass(frozen=True)
class ErrorTerm:
    """What is left over: the yardstick of the F ratios and of the comparisons that follow."""

    ss: float
    df: int

    @property
    def ms(self) -> float:
        """Mean square; nan without degrees of freedom."""
        return self.ss / self.df if self.df > 0 else math.nan


@dataclass(frozen=True)
class Effect:
    """One line of the table of variance."""

    name: str
    """The factor."""
    ss: float
    """Sum of squares."""
    df: int
    f: float
    p: float
    eta2: float
    """η²: share of the total sum of squares."""
    omega2: float
    """ω²: the same for the population, with less bias; can be slightly negative."""

    @property
    def ms(self) -> float:
        """Mean square; nan without degrees of freedom."""
        return self.ss / self.df if self.df > 0 else math.nan


@dataclass(frozen=True, kw_only=True)
class Anova(Statistic):
    """A table of variance: effects over an error term.

    `f`, `p`, `df`, `ss`, `ms`, `eta2` and `omega2` are short for those of the only effect.
    """

    effects: tuple[Effect, ...]
    error: ErrorTerm
    n: int
    """Values used."""

    @property
    def effect(self) -> Effect:
        """The only effect.

        Raises:
            UsageError: there are several; take one from `effects`.
        """
        if len(self.effects) != 1:
            raise UsageError(f"this analysis has {len(self.effects)} effects; take one from .effects by its name")
        return self.effects[0]

    @property
    def f(self) -> float:
        """The F ratio."""
        return self.effect.f

    @property
    def p(self) -> float:
        """P of an F at least as large without an effect."""
        return self.effect.p

    @property
    def df(self) -> tuple[int, int]:
        """Degrees of freedom of the effect and of the error."""
        return self.effect.df, self.error.df

    @property
    def ss(self) -> tuple[float, float]:
        """Sums of squares of the effect and of the error."""
        return self.effect.ss, self.error.ss

    @property
    def ms(self) -> tuple[float, float]:
        """Mean squares of the effect and of the error."""
        return self.effect.ms, self.error.ms

    @property
    def eta2(self) -> float:
        """η² of the effect."""
        return self.effect.eta2

    @property
    def omega2(self) -> float:
        """ω² of the effect."""
        return self.effect.omega2

    def records(self) -> list[Record]:
        """One record an effect."""
        return [
            self.record(
                "F",
                effect.f,
                by=effect.name,
                df=(effect.df, self.error.df),
                p=effect.p,
                n=self.n,
                ss=(effect.ss, self.error.ss),
                ms=(effect.ms, self.error.ms),
                eta2=effect.eta2,
                omega2=effect.omega2,
            )
            for effect in self.effects
        ]


def anova(values: npt.ArrayLike, groups: Sequence[Any] | npt.NDArray[Any], *, factor: str = "group") -> Anova:
    """One-way analysis of variance; the groups may differ in size.

    F = [SS_between / (k-1)] / [SS_within / (N-k)] with k groups and N values (Fisher 1925). η² = SS_between / SS_total;
    ω² = (SS_between - (k-1) MS_within) / (SS_total + MS_within). It takes the values as independent of each other.

    R: `summary(aov(values ~ factor(groups)))`.

    Example:
        >>> result = anova([1, 2, 3, 4, 5, 6], ["a", "a", "a", "b", "b", "b"])
        >>> result.f, result.df, round(result.p, 4)  # SS between 13.5, within 4, on 1 and 4 degrees of freedom
        (13.5, (1, 4), 0.0213)

    Args:
        values: One number an observation.
        groups: One label an observation.
        factor: What the labels are, for the records.

    Raises:
        DataError: unequal lengths, a missing label, or a value that is missing or infinite.
    """
    return anova_of(grouped(values, groups, factor), factor)


def anova_of(data: Grouped, factor: str) -> Anova:
    """One-way analysis of variance of values that are grouped already."""
    n, k = data.values.size, len(data.labels)
    centred = data.means - (float(data.values.mean()) if n else 0.0)
    between = float(data.sizes @ centred**2)
    within = float(data.residuals @ data.residuals) if data.varies_within else 0.0
    error = ErrorTerm(within, max(n - k, 0))
    reason = _undefined(data, error, factor)
    return Anova(
        method="one-way ANOVA",
        settings={"factor": factor, "groups": k, "n": n},
        warnings=(reason,) if reason else (),
        by=factor,
        effects=(_effect(factor, between, max(k - 1, 0), error, defined=not reason),),
        error=error,
        n=n,
    )


def _effect(name: str, ss: float, df: int, error: ErrorTerm, *, defined: bool) -> Effect:
    total = ss + error.ss
    eta2 = ss / total if total > 0 else math.nan
    if not defined:
        return Effect(name, ss, df, math.nan, math.nan, eta2, math.nan)
    f = ss / df / error.ms
    return Effect(name, ss, df, f, f_upper(f, df, error.df), eta2, (ss - df * error.ms) / (total + error.ms))


def _undefined(data: Grouped, error: ErrorTerm, factor: str) -> str:
    """Why there is no F; empty where there is one."""
    if not data.values.size:
        return "F is undefined: there are no values"
    if len(data.labels) < 2:
        return f"F is undefined: {factor} has one group only ({data.labels[0]})"
    if error.df < 1:
        return f"F is undefined: every group of {factor} has one value only, so nothing is left to measure error by"
    if np.all(data.values == data.values[0]):
        return f"F is undefined: all values are equal ({data.values[0]:g})"
    if error.ss == 0:
        return f"F is undefined: the values do not vary within the groups of {factor}"
    return ""
