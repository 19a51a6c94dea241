"""Regression on repeated measures after Lorch and Myers, in its three forms."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.known_names import unknown
from textassay.results import Record
from textassay.stats.distributions import f_upper, t_quantile, t_upper
from textassay.stats.reading.subject_regressions import (
    Slope,
    SubjectRegressions,
    slope_tests,
    subject_regressions,
)
from textassay.stats.samples import Column, FloatArray, IntArray, check_share, coded, finite_vector, same_length
from textassay.stats.statistic import Statistic
from textassay.stats.variance.cell_means import joined_names

Form = Literal[1, 2, 3]
"""`1`: one regression of the means over subjects; `2`: one equation with subjects in it; `3`: one for each subject."""


@dataclass(frozen=True, kw_only=True)
class LorchMyers(Statistic):
    """Regression of repeated measures on one or several predictors."""

    form: Form
    slopes: tuple[Slope, ...]
    """One per predictor."""
    intercept: Slope | None
    """None in form 2."""
    per_subject: Mapping[str, tuple[float, ...]]
    """Predictor → the slope of each subject that has one, in sorted order of subjects; empty in form 1."""
    subjects: tuple[str, ...]
    """Those that were used."""
    n: int
    """Values used."""

    def __getitem__(self, name: str) -> Slope:
        """The slope of that predictor.

        Raises:
            UsageError: there is none; the message names those that there are.
        """
        for slope in self.slopes:
            if slope.name == name:
                return slope
        raise UsageError(unknown("predictor", name, (each.name for each in self.slopes)))

    @property
    def statistic_by_predictor(self) -> dict[str, float]:
        """The t (or F) of each predictor."""
        return {slope.name: slope.statistic for slope in self.slopes}

    def records(self) -> list[Record]:
        """One record per predictor, then the intercept."""
        short = "F" if self.form == 2 else "t"
        lines = [*self.slopes, *([self.intercept] if self.intercept else [])]
        return [
            self.record(
                short,
                line.statistic,
                by=line.name,
                df=line.df,
                p=line.p,
                ci=None if self.form == 2 else line.ci,
                n=self.n,
                slope=line.estimate,
                subjects=len(self.subjects),
            )
            for line in lines
        ]


def lorch_myers(
    values: npt.ArrayLike,
    subjects: Column,
    predictors: Mapping[str, npt.ArrayLike],
    *,
    form: Form = 3,
    items: Column | None = None,
    confidence: float = 0.95,
) -> LorchMyers:
    """Regression of repeated measures, such as reading times, on properties of what was read (Lorch & Myers 1990).

    Purpose: find out which properties of a text slow down reading when each participant reads many of them.

    Form 3, individual equations: values = b₀ + Σ bⱼ xⱼ for each subject alone, then t = mean(bⱼ) / (sd(bⱼ)/√n)
    over the n subjects on n-1 degrees of freedom. Form 2, a single equation with subjects in it: F = MS(xⱼ) /
    MS(xⱼ × subject) on 1 and n-1, each adjusted for the other predictors; it equals t² of form 3 where all subjects
    have the same predictor values. Form 1, the regression of the means over subjects on the predictors, tests whether
    an effect holds for other items, not for other subjects, and finds far too much; it is here to check published work.

    R: `t.test(sapply(split(d, d$subject), function(s) coef(lm(value ~ x, s))["x"]))` (form 3);
    `anova(lm(value ~ subject * x, d))` (form 2, from its mean squares).

    Example:
        >>> values, subjects, x = [1, 2, 4, 2, 4, 8, 1, 3, 3], list("aaabbbccc"), [1, 2, 3] * 3
        >>> slope = lorch_myers(values, subjects, {"length": x})["length"]  # slopes 1.5, 3, 1
        >>> round(slope.estimate, 4), round(slope.statistic, 4), slope.df, round(slope.p, 4)
        (1.8333, 3.0509, 2, 0.0927)

    Args:
        values: One number per observation.
        subjects: Whose it is.
        predictors: By name, one number per observation.
        form: Which of the three.
        items: What was read, one label per observation, for form 1; without it all observations with the same predictor
            values are one item.
        confidence: Of the intervals.

    Raises:
        DataError: unequal lengths, missing labels, missing or infinite values, or no values.
        UsageError: no predictor, or an unknown form.
    """
    check_share("confidence", confidence)
    if form not in get_args(Form):
        raise UsageError(f"form must be 1, 2 or 3, got {form!r}")
    found = subject_regressions(values, subjects, predictors)
    if form == 1:
        return _over_items(found, values, predictors, items, confidence)
    return _over_subjects(found, form, confidence)


_METHODS: dict[Form, str] = {
    1: "Lorch & Myers' regression of means over subjects",
    2: "Lorch & Myers' single equation",
    3: "Lorch & Myers' individual equations",
}


def _over_subjects(found: SubjectRegressions, form: Form, confidence: float) -> LorchMyers:
    """Forms 2 and 3."""
    warnings = found.warnings("have no slope and are excluded")
    used = int(np.count_nonzero(found.defined))
    if used < 2:
        warnings.append(f"the test is undefined: it needs slopes of at least 2 subjects, got {used}")
    slopes = found.slopes[found.defined]
    tests = single_equation_tests(found) if form == 2 else slope_tests(found, confidence)
    if form == 2 and not same_predictors(found):
        warnings.append("the predictor values differ between subjects: F is approximate; prefer form 3")
    equal = [test.name for test in tests if math.isnan(test.statistic)] if used > 1 else []
    if equal:
        what = ", ".join(equal)
        warnings.append(f"the test is undefined for {what}: it is the same for all subjects, so nothing measures it")
    return LorchMyers(
        method=_METHODS[form],
        settings=_settings(form, found, used, confidence),
        warnings=tuple(warnings),
        form=form,
        slopes=tests[: len(found.predictors)],
        intercept=tests[-1] if form == 3 else None,
        per_subject={name: tuple(slopes[:, place].tolist()) for place, name in enumerate(found.predictors)},
        subjects=tuple(name for name, own in zip(found.subjects, found.defined, strict=True) if own),
        n=int(np.count_nonzero(found.defined[found.codes])),
    )


def _settings(form: Form, found: SubjectRegressions, subjects: int, confidence: float) -> dict[str, Any]:
    return {
        "form": form,
        "predictors": ", ".join(found.predictors),
        "subjects": subjects,
        "confidence": confidence,
        "n": int(np.count_nonzero(found.defined[found.codes])) if form > 1 else found.codes.size,
    }


def _over_items(
    found: SubjectRegressions,
    values: npt.ArrayLike,
    predictors: Mapping[str, npt.ArrayLike],
    items: Column | None,
    confidence: float,
) -> LorchMyers:
    """Form 1."""
    fit = criterion_mean_regression(values, predictors, items)
    half = t_quantile((1 + confidence) / 2, fit.df) * fit.se
    lines = []
    for name, b, se, width in zip(fit.names, fit.estimates.tolist(), fit.se.tolist(), half.tolist(), strict=True):
        t = b / se if se > 0 else math.nan
        lines.append(Slope(name, b, t, fit.df, 2 * t_upper(abs(t), fit.df), (b - width, b + width)))
    perfect = not fit.warnings and not fit.se.min() > 0
    undefined = (
        ("the tests are undefined: the means lie on the line, so the error cannot be estimated",) if perfect else ()
    )
    published = (
        "published mode: the error is that between items, not between subjects, so p says nothing about other "
        "subjects and is often far too small; prefer form 3"
    )
    return LorchMyers(
        method=_METHODS[1],
        settings={**_settings(1, found, len(found.subjects), confidence), "items": fit.items},
        warnings=(published, *fit.warnings, *undefined),
        form=1,
        slopes=tuple(lines[1:]),
        intercept=lines[0],
        per_subject={},
        subjects=found.subjects,
        n=found.codes.size,
    )


@dataclass(frozen=True)
class CriterionMeans:
    """Least squares over the items' means."""

    names: tuple[str, ...]
    """`intercept`, then the predictors."""
    estimates: FloatArray
    se: FloatArray
    df: int
    items: int
    warnings: tuple[str, ...]


def criterion_mean_regression(
    values: npt.ArrayLike, predictors: Mapping[str, npt.ArrayLike], items: Column | None
) -> CriterionMeans:
    """Average over subjects, then regress the means on the predictors.

    Raises:
        DataError: an item has different values of a predictor.
    """
    y = finite_vector(values, "values")
    columns = np.column_stack([finite_vector(column, name) for name, column in predictors.items()])
    codes = _items(columns, items, tuple(predictors))
    counts = np.bincount(codes)
    means = np.bincount(codes, y) / counts
    x = np.empty((counts.size, columns.shape[1]))
    x[codes] = columns
    names = ("intercept", *predictors)
    df = counts.size - len(names)
    centre = x.mean(axis=0)
    centred = x - centre
    if df < 1 or np.linalg.matrix_rank(centred) < centred.shape[1]:
        reason = (
            f"the regression is undefined: {counts.size} items for {len(names)} coefficients, or predictors together"
        )
        nothing = np.full(len(names), math.nan)
        return CriterionMeans(names, nothing, nothing, max(df, 0), counts.size, (reason,))
    return _fitted(names, means, centred, centre, df)


def _items(columns: FloatArray, items: Column | None, predictors: tuple[str, ...]) -> IntArray:
    if items is None:
        return np.unique(columns, axis=0, return_inverse=True)[1].reshape(-1).astype(np.intp)
    same_length(("values", columns), ("items", items))
    codes, names = coded(items, "items")
    first = np.empty((len(names), columns.shape[1]))
    first[codes[::-1]] = columns[::-1]
    rows, which = np.nonzero(columns != first[codes])
    if rows.size:
        strays = [names[code] for code in np.unique(codes[rows])]
        raise DataError(
            f"{predictors[which[0]]} has several values for {len(strays)} item(s) ({joined_names(strays)}); "
            "give each version of an item its own name, or leave items out"
        )
    return codes


def _fitted(
    names: tuple[str, ...], means: FloatArray, centred: FloatArray, centre: FloatArray, df: int
) -> CriterionMeans:
    inverse = np.linalg.inv(centred.T @ centred)
    slopes = inverse @ (centred.T @ (means - means.mean()))
    left = means - means.mean() - centred @ slopes
    # The residuals of means that lie on the line are rounding.
    rounding = means.size * (8 * np.finfo(float).eps * float(np.max(np.abs(means)))) ** 2
    variance = ss / df if (ss := float(left @ left)) > rounding else 0.0
    intercept = float(means.mean() - centre @ slopes)
    spread = [1 / means.size + float(centre @ inverse @ centre), *np.diagonal(inverse)]
    return CriterionMeans(
        names, np.array([intercept, *slopes]), np.sqrt(variance * np.array(spread)), df, means.size, ()
    )


def single_equation_tests(found: SubjectRegressions) -> tuple[Slope, ...]:
    """F of each predictor over its interaction with subjects, both adjusted for all other terms.

    With own slopes bᵢ of the subjects and dᵢ what of the predictor is its own there, the interaction explains
    Σ dᵢ bᵢ² - (Σ dᵢ bᵢ)² / Σ dᵢ after adjustment for the other predictors' slopes and their interactions.
    """
    use = found.defined
    pooled = found.cross[use].sum(axis=0)
    df = int(np.count_nonzero(use)) - 1
    if df < 1:
        undefined = (math.nan, math.nan)
        return tuple(Slope(name, math.nan, math.nan, (1, max(df, 0)), math.nan, undefined) for name in found.predictors)
    inverse = np.linalg.inv(pooled[:-1, :-1])
    common = inverse @ pooled[:-1, -1]
    tests = []
    for place, name in enumerate(found.predictors):
        weights, slopes = found.alone[use, place], found.slopes[use, place]
        centred = slopes - weights @ slopes / weights.sum()
        error = float(weights @ centred**2) / df
        ss = float(common[place] ** 2 / inverse[place, place])
        small = error <= (8 * np.finfo(float).eps) ** 2 * float(weights @ slopes**2)
        f = math.nan if small else ss / error
        tests.append(Slope(name, float(common[place]), f, (1, df), f_upper(f, 1, df), (math.nan, math.nan)))
    return tuple(tests)


def same_predictors(found: SubjectRegressions) -> bool:
    """Whether all subjects have predictors of the same spread, as where all read the same."""
    products = found.cross[found.defined, :-1, :-1]
    return bool(np.all(np.abs(products - products[:1]) <= 1e-9 * np.abs(products).max(initial=0)))
