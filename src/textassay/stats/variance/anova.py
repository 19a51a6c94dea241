"""Analysis of variance of independent values, with one factor or several.

With several factors the model is fitted once: X = QR, z = Q'y. Every smaller model is then a problem of the size of R,
not of the data.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.known_names import check_choice
from textassay.stats.distributions import f_upper
from textassay.stats.mixed.model_matrix import ModelMatrix, Term, model_matrix, with_interactions
from textassay.stats.samples import Column, FloatArray, GroupedValues, all_equal, finite_vector, grouped, same_length
from textassay.stats.variance.anova_table import AnovaTable, EffectLine, ErrorTerm, SumsOfSquares
from textassay.stats.variance.cell_means import unaggregated

_RANK = 1e-10
"""Columns that add less than this to the others add nothing."""
_ROUNDING = 1e-11
"""A sum of squares below this share of the total is rounding."""


@dataclass(frozen=True)
class Effect(EffectLine):
    """One line of the table of variance."""

    eta2: float
    """η²: share of the total sum of squares."""
    omega2: float
    """ω²: the same for the population, with less bias; can be slightly negative."""
    partial_eta2: float = math.nan
    """Partial η²: share of what the other factors leave."""
    generalised_eta2: float = math.nan
    """Generalised η² (Olejnik & Algina 2003): comparable between designs with other factors."""


@dataclass(frozen=True, kw_only=True)
class Anova(AnovaTable[Effect]):
    """A table of variance: effects over one error term.

    `f`, `p`, `df`, `ss`, `ms`, `eta2` and `omega2` are short for those of the only effect. `error` can be given to
    `tukey`, so that means are compared by the residual variation of this analysis.
    """

    error: ErrorTerm

    def error_of(self, effect: Effect) -> ErrorTerm:  # noqa: ARG002 -- all effects have the same
        """The error term."""
        return self.error

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

    def effect_sizes(self, effect: Effect) -> dict[str, Any]:
        """η² and ω², partial and generalised η²."""
        return {
            "eta2": effect.eta2,
            "omega2": effect.omega2,
            "partial_eta2": effect.partial_eta2,
            "generalised_eta2": effect.generalised_eta2,
        }


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
        factors = groups if isinstance(groups, Mapping) else {factor: groups}
        result = _factorial_anova(values, factors, terms=terms, sums=sums, observed=observed)
    else:
        result = anova_of(grouped(values, groups, factor), factor)
    conditions = None if isinstance(groups, Mapping) else groups
    return replace(result, warnings=(*result.warnings, *_doubts(subjects, conditions, result.n)))


def _doubts(subjects: Column | None, groups: Column | None, n: int) -> tuple[str, ...]:
    if subjects is None:
        return ()
    same_length(("values", range(n)), ("subjects", subjects))
    return unaggregated(subjects, groups, test="this F")


def anova_of(data: GroupedValues, factor: str) -> Anova:
    """One-way analysis of variance of values that are grouped already."""
    n, k = data.values.size, len(data.labels)
    centred = data.means - (float(data.values.mean()) if n else 0.0)
    between = float(data.sizes @ centred**2)
    within = float(data.residuals @ data.residuals) if data.varies_within else 0.0
    error = ErrorTerm(within, max(n - k, 0))
    reason = _undefined_one_way(data, error, factor)
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
        error: The error term.
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


def _undefined_one_way(data: GroupedValues, error: ErrorTerm, factor: str) -> str:
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


def _factorial_anova(
    values: npt.ArrayLike,
    factors: Mapping[str, Column],
    *,
    terms: Sequence[str] | None,
    sums: SumsOfSquares,
    observed: Collection[str],
) -> Anova:
    """See `anova`, which this is for several factors."""
    if not factors:
        raise DataError("there is no factor to analyse by")
    unknown = [name for name in observed if name not in factors]
    if unknown:
        raise UsageError(f"observed names {unknown[0]!r}, which is not a factor; there are {', '.join(factors)}")
    y = finite_vector(values, "values")
    same_length(("values", y), *factors.items())
    wanted = list(terms) if terms is not None else with_interactions(factors)
    matrix = model_matrix(factors, terms=wanted, coding="sum", factors=factors)
    fit = _Fit.of(matrix, y)
    error = fit.error(y.size)
    reason = _undefined(y, error)
    lost = {term: fit.loss(*_models(matrix, term, sums)) for term in matrix.terms}
    found = [term for term in matrix.terms if set(term.variables) & set(observed)]
    seen = sum(lost[term].ss for term in found)
    effects = tuple(
        effect_of(
            term.name,
            loss.ss,
            loss.df,
            error,
            fit.total,
            observed=seen if term in found else seen + loss.ss,
            defined=not reason,
        )
        for term, loss in lost.items()
    )
    return Anova(
        method="factorial ANOVA",
        settings={"terms": " + ".join(wanted), "sums of squares": sums, "n": y.size},
        warnings=tuple(filter(None, [reason, *_aliased(matrix, lost, sums)])),
        by=" and ".join(factors),
        effects=effects,
        error=error,
        n=y.size,
    )


@dataclass(frozen=True)
class _Loss:
    ss: float
    df: int


@dataclass(frozen=True)
class _Fit:
    r: FloatArray
    z: FloatArray
    """Q'y: all that any model can explain of the values."""
    left: float
    """Residual sum of squares of the full model."""
    total: float

    @classmethod
    def of(cls, matrix: ModelMatrix, y: FloatArray) -> _Fit:
        centred = y - y.mean()
        q, r = np.linalg.qr(matrix.x)
        z = q.T @ centred
        rest = centred - q @ z
        return cls(r, z, float(rest @ rest), float(centred @ centred))

    def error(self, n: int) -> ErrorTerm:
        """What the whole model leaves of n values: with empty cells Q holds directions that no column of X has."""
        left, rank = self.model(range(self.r.shape[1]))
        df = max(n - rank, 0)
        return ErrorTerm(left if df and left > _ROUNDING * self.total else 0.0, df)

    def model(self, columns: Sequence[int]) -> tuple[float, int]:
        """Sum of squares that a model with these columns leaves, and its rank."""
        part = self.r[:, list(columns)]
        solution, _, rank, _ = np.linalg.lstsq(part, self.z, rcond=_RANK)
        rest = self.z - part @ solution
        return self.left + float(rest @ rest), int(rank)

    def loss(self, without: Sequence[int], with_it: Sequence[int]) -> _Loss:
        """What a term adds to a model."""
        (before, rank_before), (after, rank_after) = self.model(without), self.model(with_it)
        difference = before - after
        return _Loss(difference if difference > _ROUNDING * self.total else 0.0, rank_after - rank_before)


def _models(matrix: ModelMatrix, term: Term, sums: SumsOfSquares) -> tuple[list[int], list[int]]:
    """The columns of the two models whose difference is the term's sum of squares."""
    if sums == "I":
        others: Iterable[Term] = matrix.terms[: matrix.terms.index(term)]
    elif sums == "II":
        others = (other for other in matrix.terms if other is not term and not term.within(other))
    else:
        others = (other for other in matrix.terms if other is not term)
    columns = [0, *(column for other in others for column in other.columns)]
    return columns, [*columns, *term.columns]


def _undefined(y: FloatArray, error: ErrorTerm) -> str:
    """Why there is no F; empty where there is one."""
    if all_equal(y):
        return f"F is undefined: all values are equal ({y[0]:g})"
    if error.df < 1:
        return (
            "F is undefined: the model has as many columns as there are values, so there are no residual degrees "
            "of freedom; leave out the highest interaction by `terms`"
        )
    return "F is undefined: the values do not vary within the cells" if error.ss == 0 else ""


def _aliased(matrix: ModelMatrix, lost: Mapping[Term, _Loss], sums: SumsOfSquares) -> Iterable[str]:
    """Terms of which the design leaves only a part to be seen, because cells are empty or factors are confounded."""
    for term in matrix.terms:
        if lost[term].df < len(term.columns):
            yield (
                f"{term.name} has {lost[term].df} of its {len(term.columns)} degrees of freedom: "
                "cells of the design are empty, or factors are confounded"
                + ("; type III is then undefined, use type II" if sums == "III" else "")
            )
