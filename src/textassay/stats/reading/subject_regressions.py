"""One regression per subject, from sums of squares and products without a loop, and what is made of them.

Residual reading times take each participant's own speed out; position effects show whether people read faster the
longer they read.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.results import Record
from textassay.stats.distributions import t_quantile, t_upper
from textassay.stats.samples import (
    Column,
    FloatArray,
    IntArray,
    check_columns,
    check_share,
    coded,
    finite_vector,
    same_length,
)
from textassay.stats.statistic import Statistic
from textassay.stats.variance.cell_means import joined_names

_ALONE = 1e-10
"""A predictor with less than this share of variation of its own counts as collinear with the others."""


@dataclass(frozen=True, kw_only=True)
class ResidualTimes(Statistic):
    """Residual of each time from its participant's own regression."""

    residuals: tuple[float, ...]
    """One per time; nan where the participant has no regression."""
    intercepts: Mapping[str, float]
    """Participant → intercept: the time of a unit apart from its length; nan where undefined."""
    slopes: Mapping[str, tuple[float, ...]]
    """Predictor → one slope per participant, in the order of `intercepts`; nan where undefined."""
    tests: tuple[Slope, ...]
    """Student's t of the slopes over participants, one per predictor."""
    n: int
    """Times that have a residual."""

    def records(self) -> list[Record]:
        """One record per predictor: the mean slope over participants, with its test."""
        return [
            self.record(
                "slope", test.estimate, by=test.name, df=test.df, p=test.p, ci=test.ci, n=self.n, t=test.statistic
            )
            for test in self.tests
        ]


def residual_times(
    times: npt.ArrayLike,
    participants: Column,
    predictors: Mapping[str, npt.ArrayLike],
    *,
    confidence: float = 0.95,
) -> ResidualTimes:
    """Residual reading times (Ferreira & Clifton 1986): each time less what the participant's own regression expects.

    Purpose: compare reading times of texts of different length, by taking each participant's own speed out.

    r = t - (b₀ + Σ bⱼ xⱼ), the b by least squares over all times of the participant. The usual predictor is the length
    of the unit in characters; its position in the experiment can be added. Units of different length can then
    be compared, and slow readers count as much as fast ones.

    R: `resid(lm(time ~ length, subset = participant == p))` for each p.

    Example:
        >>> found = residual_times([300, 350, 390, 500, 560, 650], list("aaabbb"), {"length": [3, 5, 7, 3, 5, 7]})
        >>> [round(residual, 4) for residual in found.residuals[:3]]  # 234.1667 + 22.5 · length
        [-1.6667, 3.3333, -1.6667]

    Args:
        times: One per unit that was read.
        participants: Who read it.
        predictors: By name, one number per unit.
        confidence: Of the intervals of the mean slopes.

    Raises:
        DataError: unequal lengths, missing labels, missing or infinite values, or no values.
        UsageError: no predictor.
    """
    check_share("confidence", confidence)
    found = subject_regressions(times, participants, predictors)
    used = int(np.count_nonzero(np.isfinite(found.residuals)))
    warnings = found.warnings(f"have no regression, so {found.codes.size - used} times have no residual")
    tests = slope_tests(found, confidence)[:-1]
    if any(np.isnan(test.statistic) for test in tests):
        warnings.append("the test of a slope is undefined: it needs at least 2 participants whose slopes differ")
    return ResidualTimes(
        method="residual reading times",
        settings={
            "predictors": ", ".join(found.predictors),
            "regression": "one per participant",
            "participants": len(found.subjects),
            "confidence": confidence,
            "n": used,
        },
        warnings=tuple(warnings),
        residuals=tuple(found.residuals.tolist()),
        intercepts=dict(zip(found.subjects, found.intercepts.tolist(), strict=True)),
        slopes={name: tuple(found.slopes[:, place].tolist()) for place, name in enumerate(found.predictors)},
        tests=tests,
        n=used,
    )


@dataclass(frozen=True, kw_only=True)
class PositionEffects(Statistic):
    """The course of times over positions."""

    slope: Slope
    """Mean change of the time from one position to the next over participants, with Student's t."""
    positions: tuple[float, ...]
    means: tuple[float, ...]
    """At each position the mean over participants of their own means."""
    participants: tuple[int, ...]
    """At each position, how many have a time there."""
    n: int

    @property
    def t(self) -> float:
        """Of the slope."""
        return self.slope.statistic

    @property
    def p(self) -> float:
        """Of the slope, two-sided."""
        return self.slope.p

    def records(self) -> list[Record]:
        """The slope, then the mean at each position."""
        slope = self.slope
        trend = self.record("slope", slope.estimate, df=slope.df, p=slope.p, ci=slope.ci, n=self.n, t=slope.statistic)
        places = zip(self.positions, self.means, self.participants, strict=True)
        means = [self.record("mean at position", mean, n=who, position=position) for position, mean, who in places]
        return [trend, *means]


def position_effects(
    times: npt.ArrayLike, participants: Column, positions: npt.ArrayLike, *, confidence: float = 0.95
) -> PositionEffects:
    """The trend of times over positions, and the mean at each of them.

    Purpose: find out whether participants become faster or slower in the course of a study.

    A regression time = b₀ + b · position for each participant, then t = mean(b) / (sd(b)/√n) over the n participants
    on n-1 degrees of freedom (Lorch & Myers 1990). A trend that differs between conditions is a confound: balance the
    order, or take the position out with `residual_times`.

    R: `t.test(sapply(split(d, d$participant), function(s) coef(lm(time ~ position, s))[2]))`.

    Example:
        >>> found = position_effects([500, 450, 400, 620, 560, 530], list("aaabbb"), [1, 2, 3, 1, 2, 3])
        >>> [round(mean, 4) for mean in found.means]
        [560.0, 505.0, 465.0]
        >>> round(found.slope.estimate, 4), round(found.t, 4)  # slopes -50 and -45
        (-47.5, -19.0)

    Args:
        times: One per unit or trial.
        participants: Who read it.
        positions: Its place in the experiment (or in the text).
        confidence: Of the interval of the slope.

    Raises:
        DataError: unequal lengths, missing labels, missing or infinite values, or no values.
    """
    check_share("confidence", confidence)
    found = subject_regressions(times, participants, {"position": positions})
    slope = slope_tests(found, confidence)[0]
    warnings = found.warnings("have no slope and count in the means only")
    if math.isnan(slope.statistic):
        warnings.append("the test of the slope is undefined: it needs at least 2 participants whose slopes differ")
    places, codes = np.unique(finite_vector(positions, "positions"), return_inverse=True)
    means, counts = _means_by_position(
        finite_vector(times, "times"), found.codes, codes.reshape(-1).astype(np.intp), places.size
    )
    return PositionEffects(
        method="position effects on times",
        settings={
            "regression": "one per participant",
            "participants": len(found.subjects),
            "positions": places.size,
            "confidence": confidence,
            "n": found.codes.size,
        },
        warnings=tuple(warnings),
        slope=slope,
        positions=tuple(places.tolist()),
        means=tuple(means.tolist()),
        participants=tuple(counts.tolist()),
        n=found.codes.size,
    )


@dataclass(frozen=True)
class SubjectRegressions:
    """values = intercept + Σ slope · predictor, separately for each subject."""

    predictors: tuple[str, ...]
    subjects: tuple[str, ...]
    codes: IntArray
    """Of each value, its subject."""
    intercepts: FloatArray
    """One per subject; nan where its regression is undefined."""
    slopes: FloatArray
    """Shape (subjects, predictors)."""
    alone: FloatArray
    """Shape (subjects, predictors): the sum of squares of a predictor after the others are partialled out."""
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
    """The part of each predictor that the others do not explain; 0 where there is none."""
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
            why = f"{' and '.join(still)} does not vary" if still else "their predictors are collinear"
        found.setdefault(why, []).append(names[place])
    return {why: tuple(who) for why, who in found.items()}


def _mean_test(name: str, values: FloatArray, confidence: float) -> Slope:
    n = values.size
    mean = float(np.mean(values)) if n else math.nan
    sd = float(np.std(values, ddof=1)) if n > 1 else math.nan
    if not sd > 8 * np.finfo(float).eps * abs(mean):
        return Slope(name, mean, math.nan, max(n - 1, 0), math.nan, (math.nan, math.nan))
    se = sd / math.sqrt(n)
    half = t_quantile((1 + confidence) / 2, n - 1) * se
    return Slope(name, mean, mean / se, n - 1, 2 * t_upper(abs(mean / se), n - 1), (mean - half, mean + half))


def _means_by_position(
    times: FloatArray, subjects: IntArray, places: IntArray, size: int
) -> tuple[FloatArray, IntArray]:
    """At each place the mean of the subjects' means, and how many subjects there are."""
    cells, codes = np.unique(subjects * size + places, return_inverse=True)
    own = np.bincount(codes.reshape(-1), times) / np.bincount(codes.reshape(-1))
    counts = np.bincount(cells % size, minlength=size)
    return np.bincount(cells % size, own, size) / counts, counts
