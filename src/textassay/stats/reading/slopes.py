"""Tests of the slopes of several subjects: of their mean, and of one common slope."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from textassay.stats.distributions import f_upper, t_quantile, t_upper
from textassay.stats.reading.subject_regressions import SubjectRegressions
from textassay.stats.samples import FloatArray


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
