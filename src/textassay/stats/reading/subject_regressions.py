"""One regression per subject, all of them in one go: from sums of squares and products, without a loop."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.stats.distributions import f_upper, t_quantile, t_upper
from textassay.stats.labels import Column
from textassay.stats.samples import FloatArray, IntArray, check_columns, coded, finite_vector, same_length
from textassay.stats.variance.cell_means import joined_names

_ALONE = 1e-10
"""A predictor of which less than this share is its own goes together with the others."""


@dataclass(frozen=True)
class SubjectRegressions:
    """values = intercept + Σ slope · predictor, for each subject by itself."""

    predictors: tuple[str, ...]
    subjects: tuple[str, ...]
    codes: IntArray
    """Of each value, its subject."""
    intercepts: FloatArray
    """One per subject; nan where its regression is undefined."""
    slopes: FloatArray
    """Shape (subjects, predictors)."""
    alone: FloatArray
    """Shape (subjects, predictors): the sum of squares of a predictor that is left beside the others."""
    cross: FloatArray
    """Shape (subjects, predictors + 1, predictors + 1): sums of squares and products of the predictors and, last, of
    the values, each less the subject's mean."""
    residuals: FloatArray
    """One per value; nan where the subject's regression is undefined."""
    reasons: Mapping[str, tuple[str, ...]]
    """Why subjects have no regression → which."""

    @property
    def defined(self) -> npt.NDArray[np.bool_]:
        """Whether a subject has a regression."""
        return np.isfinite(self.intercepts)

    def warnings(self, consequence: str) -> list[str]:
        """One for each reason, with the subjects that it left without a regression."""
        return [
            f"{len(who)} of {len(self.subjects)} subjects {consequence}: {why} ({joined_names(who)})"
            for why, who in self.reasons.items()
        ]


def subject_regressions(
    values: npt.ArrayLike, subjects: Column, predictors: Mapping[str, npt.ArrayLike]
) -> SubjectRegressions:
    """Least squares for each subject.

    Raises:
        DataError: unequal lengths, a missing label, a value or predictor that is not finite, or no values.
        UsageError: there is no predictor.
    """
    if not predictors:
        raise UsageError("predictors names no predictor")
    check_columns("predictors", predictors)
    y = finite_vector(values, "values")
    columns = {name: finite_vector(column, name) for name, column in predictors.items()}
    same_length(("values", y), ("subjects", subjects), *columns.items())
    if not y.size:
        raise DataError("there are no values")
    codes, names = coded(subjects, "subjects")
    data = np.column_stack([*columns.values(), y])
    counts = np.bincount(codes)
    means = _means(data, codes, counts)
    centred = data - means[codes]
    cross = _cross_products(centred, codes, len(names))
    squares = _squares(cross, counts, means)
    alone = _alone(cross[:, :-1, :-1], squares)
    fit = np.all(alone > 0, axis=1)
    slopes = np.full(alone.shape, math.nan)
    slopes[fit] = np.linalg.solve(cross[fit, :-1, :-1], cross[fit, :-1, -1:])[..., 0]
    return SubjectRegressions(
        predictors=tuple(columns),
        subjects=names,
        codes=codes,
        intercepts=means[:, -1] - np.sum(slopes * means[:, :-1], axis=1),
        slopes=slopes,
        alone=alone,
        cross=cross,
        residuals=centred[:, -1] - np.sum(slopes[codes] * centred[:, :-1], axis=1),
        reasons=_reasons(tuple(columns), names, squares, counts, fit),
    )


def _means(data: FloatArray, codes: IntArray, counts: IntArray) -> FloatArray:
    first = np.column_stack([np.bincount(codes, column) for column in data.T]) / counts[:, None]
    # The rounding of the first pass is taken out by a second, so that a large common offset costs no digits.
    left = np.column_stack([np.bincount(codes, column) for column in (data - first[codes]).T]) / counts[:, None]
    return np.asarray(first + left)


def _cross_products(centred: FloatArray, codes: IntArray, subjects: int) -> FloatArray:
    width = centred.shape[1]
    cross = np.empty((subjects, width, width))
    for i in range(width):
        for j in range(i + 1):
            cross[:, i, j] = cross[:, j, i] = np.bincount(codes, centred[:, i] * centred[:, j], subjects)
    return cross


def _squares(cross: FloatArray, counts: IntArray, means: FloatArray) -> FloatArray:
    """How far each predictor varies; 0 where that is rounding."""
    squares = np.einsum("spp->sp", cross)[:, :-1]
    floor = counts[:, None] * (8 * np.finfo(float).eps * np.abs(means[:, :-1])) ** 2
    return np.where(squares > floor, squares, 0.0)


def _alone(cross: FloatArray, squares: FloatArray) -> FloatArray:
    """What of each predictor the others do not tell; 0 where nothing is left."""
    scale = np.sqrt(np.where(squares > 0, squares, 1.0))
    correlations = cross / (scale[:, :, None] * scale[:, None, :])
    sizes, vectors = np.linalg.eigh(correlations)
    # 1 / diagonal of the inverse, from the eigenvalues, so that a singular matrix gives 0 and no error.
    shares = 1 / np.sum(vectors**2 / np.maximum(sizes, _ALONE**2)[:, None, :], axis=2)
    return np.where(shares > _ALONE, shares, 0.0) * squares


def _reasons(
    predictors: tuple[str, ...],
    names: tuple[str, ...],
    squares: FloatArray,
    counts: IntArray,
    fit: npt.NDArray[np.bool_],
) -> dict[str, tuple[str, ...]]:
    """Why the others have no regression."""
    found: dict[str, list[str]] = {}
    for place in np.flatnonzero(~fit):
        if counts[place] <= len(predictors):
            why = f"they have no more values than predictors ({len(predictors)})"
        else:
            still = [name for name, square in zip(predictors, squares[place], strict=True) if square <= 0]
            why = f"{' and '.join(still)} does not vary" if still else "their predictors go together"
        found.setdefault(why, []).append(names[place])
    return {why: tuple(who) for why, who in found.items()}


@dataclass(frozen=True)
class Slope:
    """One predictor (or the intercept)."""

    name: str
    estimate: float
    statistic: float
    """t, or F in form 2."""
    df: float | tuple[int, int]
    p: float
    """Two-sided."""
    ci: tuple[float, float]
    """nan in form 2, which estimates nothing but tests."""


def slope_tests(found: SubjectRegressions, confidence: float) -> tuple[Slope, ...]:
    """Student's t of the subjects' slopes, and last of their intercepts: form 3."""
    own = np.column_stack([found.slopes, found.intercepts])[found.defined]
    return tuple(
        _mean_test(name, own[:, place], confidence) for place, name in enumerate([*found.predictors, "intercept"])
    )


def _mean_test(name: str, values: FloatArray, confidence: float) -> Slope:
    n = values.size
    mean = float(np.mean(values)) if n else math.nan
    sd = float(np.std(values, ddof=1)) if n > 1 else math.nan
    if not sd > 8 * np.finfo(float).eps * abs(mean):
        return Slope(name, mean, math.nan, max(n - 1, 0), math.nan, (math.nan, math.nan))
    se = sd / math.sqrt(n)
    half = t_quantile((1 + confidence) / 2, n - 1) * se
    return Slope(name, mean, mean / se, n - 1, 2 * t_upper(abs(mean / se), n - 1), (mean - half, mean + half))


def single_equation_tests(found: SubjectRegressions) -> tuple[Slope, ...]:
    """F of each predictor over its interaction with subjects, both beside all other terms.

    With own slopes bᵢ of the subjects and dᵢ what of the predictor is its own there, the interaction explains
    Σ dᵢ bᵢ² - (Σ dᵢ bᵢ)² / Σ dᵢ beside the other predictors' slopes and their interactions.
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
