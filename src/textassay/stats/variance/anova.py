"""Analysis of variance."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy.typing as npt

from textassay.errors import UsageError
from textassay.results import Record
from textassay.stats.distributions import check_choice, f_upper
from textassay.stats.labels import Column
from textassay.stats.samples import Grouped, all_equal, grouped, same_length
from textassay.stats.statistic import Statistic
from textassay.stats.variance.cell_means import unaggregated


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
    partial_eta2: float = math.nan
    """Partial η²: share of what the other factors leave."""
    generalised_eta2: float = math.nan
    """Generalised η² (Olejnik & Algina 2003): comparable between designs with other factors."""

    @property
    def ms(self) -> float:
        """Mean square; nan without degrees of freedom."""
        return self.ss / self.df if self.df > 0 else math.nan


@dataclass(frozen=True, kw_only=True)
class Anova(Statistic):
    """A table of variance: effects over an error term.

    `f`, `p`, `df`, `ss`, `ms`, `eta2` and `omega2` are short for those of the only effect. `error` can be given to
    `tukey`, so that means are compared by what this analysis leaves over.
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

    def __getitem__(self, name: str) -> Effect:
        """The effect of that name, such as `system` or `system:text`.

        Raises:
            UsageError: there is none; the message names those that there are.
        """
        for effect in self.effects:
            if effect.name == name:
                return effect
        raise UsageError(f"there is no effect {name!r}; there are {', '.join(each.name for each in self.effects)}")

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
        """One record per effect."""
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
                partial_eta2=effect.partial_eta2,
                generalised_eta2=effect.generalised_eta2,
            )
            for effect in self.effects
        ]


SumsOfSquares = Literal["I", "II", "III"]
"""`I`: each term after those before it; `II`: after all that do not contain it; `III`: after all others."""


def anova(
    values: npt.ArrayLike,
    groups: Column | Mapping[str, Column],
    *,
    factor: str = "group",
    terms: Sequence[str] | None = None,
    sums: SumsOfSquares = "II",
    observed: Collection[str] = (),
    subjects: Column | None = None,
) -> Anova:
    """Analysis of variance, one-way or factorial; groups and cells may differ in size.

    Purpose: find out whether the means of several groups of independent values differ, by one factor or by several and
    their interactions.

    F = [SS_effect / df_effect] / [SS_error / df_error] (Fisher 1925). One-way with k groups and N values: SS_between on
    k-1 and SS_within on N-k. With several factors the sum of squares of a term is what the model loses without it:
    type II (default; Langsrud 2003) leaves out the interactions that contain it too, type III does not and codes the
    levels to sum to zero, type I takes the terms one after the other. η² = SS_effect / SS_total;
    ω² = (SS_effect - df MS_error) / (SS_total + MS_error). It takes the values as independent of each other.

    R: `summary(aov(values ~ factor(groups)))`; `car::Anova(lm(values ~ a * b), type = 2)`, for type III
    with `contr.sum`.

    Example:
        >>> result = anova([1, 2, 3, 4, 5, 6], ["a", "a", "a", "b", "b", "b"])
        >>> round(result.f, 4), result.df, round(result.p, 4)  # SS between 13.5 on 1, within 4 on 4 degrees of freedom
        (13.5, (1, 4), 0.0213)
        >>> both = anova([1, 2, 3, 6], {"system": ["a", "a", "b", "b"], "text": [1, 2, 1, 2]}, terms=["system", "text"])
        >>> [(effect.name, round(effect.ss, 4)) for effect in both.effects]  # means 1.5 and 4.5; 2 and 4; error 1
        [('system', 9.0), ('text', 4.0)]

    Args:
        values: One number per observation.
        groups: One label per observation; or several factors, each under its name.
        factor: What the labels are, for the records, where there is one factor.
        terms: Factors and interactions such as `system:text`; by default all factors with all their interactions.
        sums: The type of the sums of squares.
        observed: Factors that were found and not made, such as expertise: generalised η² counts their variance in.
        subjects: Who gave each value; a warning follows where a subject gave several: values must be independent.

    Raises:
        DataError: unequal lengths, a missing label, a factor with one level, or a value that is missing or infinite.
        UsageError: an unknown type of sums of squares, or a term that names a factor that is not there.
    """
    check_choice("sums", sums, get_args(SumsOfSquares))
    if isinstance(groups, Mapping) or terms is not None or observed:
        from textassay.stats.variance.factorial import factorial_anova  # noqa: PLC0415 -- it builds on this module

        factors = groups if isinstance(groups, Mapping) else {factor: groups}
        result = factorial_anova(values, factors, terms=terms, sums=sums, observed=observed)
    else:
        result = anova_of(grouped(values, groups, factor), factor)
    conditions = None if isinstance(groups, Mapping) else groups
    return replace(result, warnings=(*result.warnings, *_doubts(subjects, conditions, result.n)))


def _doubts(subjects: Column | None, groups: Column | None, n: int) -> tuple[str, ...]:
    if subjects is None:
        return ()
    same_length(("values", range(n)), ("subjects", subjects))
    return unaggregated(subjects, groups, test="this F")


def anova_of(data: Grouped, factor: str) -> Anova:
    """One-way analysis of variance of values that are grouped already."""
    n, k = data.values.size, len(data.labels)
    centred = data.means - (float(data.values.mean()) if n else 0.0)
    between = float(data.sizes @ centred**2)
    within = float(data.residuals @ data.residuals) if data.varies_within else 0.0
    error = ErrorTerm(within, max(n - k, 0))
    reason = _undefined(data, error, factor)
    total = between + within
    return Anova(
        method="one-way ANOVA",
        settings={"factor": factor, "groups": k, "n": n},
        warnings=(reason,) if reason else (),
        by=factor,
        effects=(effect_of(factor, between, max(k - 1, 0), error, total, defined=not reason),),
        error=error,
        n=n,
    )


def effect_of(
    name: str,
    ss: float,
    df: int,
    error: ErrorTerm,
    total: float,
    *,
    observed: float | None = None,
    defined: bool = True,
) -> Effect:
    """One line of the table.

    Args:
        name: The term.
        ss: Its sum of squares.
        df: Its degrees of freedom.
        error: What is left over.
        total: The sum of squares around the grand mean.
        observed: Sum of squares of the terms with a factor that was found and not made, this one included if it is one
            of them; by default this term's own.
        defined: Whether there is an F.
    """
    eta2 = ss / total if total > 0 else math.nan
    partial = ss / (ss + error.ss) if ss + error.ss > 0 else math.nan
    whole = (ss if observed is None else observed) + error.ss
    sizes = {"partial_eta2": partial, "generalised_eta2": ss / whole if whole > 0 else math.nan}
    if not defined or df < 1:
        return Effect(name, ss, df, math.nan, math.nan, eta2, math.nan, **sizes)
    f = ss / df / error.ms
    omega2 = (ss - df * error.ms) / (total + error.ms)
    return Effect(name, ss, df, f, f_upper(f, df, error.df), eta2, omega2, **sizes)


def _undefined(data: Grouped, error: ErrorTerm, factor: str) -> str:
    """Why there is no F; empty where there is one."""
    if not data.values.size:
        return "F is undefined: there are no values"
    if len(data.labels) < 2:
        return f"F is undefined: {factor} has one group only ({data.labels[0]})"
    if error.df < 1:
        return f"F is undefined: every group of {factor} has one value only, so the error cannot be estimated"
    if all_equal(data.values):
        return f"F is undefined: all values are equal ({data.values[0]:g})"
    if error.ss == 0:
        return f"F is undefined: the values do not vary within the groups of {factor}"
    return ""
