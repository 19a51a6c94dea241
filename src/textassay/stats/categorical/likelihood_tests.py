"""Tests of likelihood models: Wald tests of parameters and terms, likelihood ratios of terms and nested models."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from textassay.results import Record
from textassay.stats.categorical.fixed_part import FixedPart
from textassay.stats.categorical.likelihood_fit import Fit
from textassay.stats.distributions import chi2_upper, normal_quantile, normal_upper
from textassay.stats.mixed.model_matrix import ModelMatrix, contained, term_contrasts
from textassay.stats.samples import FloatArray
from textassay.stats.statistic import Statistic


@dataclass(frozen=True, kw_only=True)
class LikelihoodRatio(Statistic):
    """χ² = 2 (log L of the larger model - log L of the smaller), on as many degrees of freedom as parameters differ.

    Wilks (1938). A variance that the smaller model sets to 0 lies on the boundary of the parameter space; there the
    p is too large, up to twice (Self & Liang 1987), and the warnings say so.
    """

    chi2: float
    df: int
    p: float
    logliks: tuple[float, float]
    """Of the smaller and of the larger model."""
    n: int

    def records(self) -> list[Record]:
        """One record."""
        smaller, larger = self.logliks
        return [
            self.record(
                "likelihood ratio χ²", self.chi2, df=self.df, p=self.p, n=self.n, loglik=larger, loglik_smaller=smaller
            )
        ]


def ratio_chi2(smaller: float, larger: float, df: int) -> tuple[float, float]:
    """χ² and p from two log-likelihoods; rounding never makes χ² negative.

    >>> chi2, p = ratio_chi2(-12.0, -10.0, 1)
    >>> chi2, round(p, 4)
    (4.0, 0.0455)
    """
    chi2 = 2 * (larger - smaller)
    if -1e-6 * max(1.0, abs(larger)) < chi2 < 0:
        chi2 = 0.0
    return chi2, chi2_upper(chi2, df) if df > 0 and chi2 >= 0 else math.nan


@dataclass(frozen=True)
class WaldEstimate:
    """A parameter with its standard error and Wald test."""

    name: str
    estimate: float
    """±inf where the data are separated."""
    se: float
    z: float
    p: float
    """Two-sided, of the hypothesis that it is 0."""
    ci: tuple[float, float]


def wald_estimates(
    names: Sequence[str], values: FloatArray, covariance: FloatArray, confidence: float
) -> tuple[WaldEstimate, ...]:
    """Estimates with standard errors from their covariance."""
    width = normal_quantile((1 + confidence) / 2)
    errors = np.sqrt(np.diagonal(covariance)).tolist()
    found = []
    for name, value, se in zip(names, values.tolist(), errors, strict=True):
        z = value / se if se > 0 else math.nan
        found.append(
            WaldEstimate(name, value, se, z, 2 * normal_upper(abs(z)), (value - width * se, value + width * se))
        )
    return tuple(found)


TestKind = Literal["wald", "lr"]
"""`wald`: from the covariance of the coefficients; `lr`: likelihood ratio, one more fit per term."""


@dataclass(frozen=True)
class TermChi2:
    """The hypothesis that a term has no effect."""

    name: str
    chi2: float
    df: int
    p: float
    kind: str
    """`Wald` or `likelihood ratio`."""


def wald_tests(part: FixedPart, estimates: FloatArray, covariance: FloatArray) -> tuple[list[TermChi2], list[str]]:
    """(Cb)ᵀ (C V Cᵀ)⁻¹ Cb for the contrasts C of type III of each term, and why some have no test.

    Type III: the term's effect averaged over the levels of what it interacts with, whatever the coding.
    """
    found, warnings = [], []
    for term in term_contrasts(part.whole, "III"):
        contrasts = term.rows[:, part.whole.x.shape[1] - len(estimates) :]
        if term.warning:
            warnings.append(term.warning.replace("F of", "χ² of", 1))
        found.append(_wald(term.name, contrasts, estimates, covariance))
    return found, warnings


def ratio_tests(part: FixedPart, fit: Fit, refit: Callable[[ModelMatrix], Fit]) -> tuple[list[TermChi2], list[str]]:
    """2 Δ log L for each term that no other one contains, as R's `drop1`, and the warnings of the smaller fits."""
    found, warnings = [], []
    for term in part.matrix.terms:
        if any(contained(term, other, part.matrix) for other in part.matrix.terms):
            continue
        smaller = refit(part.without(term))
        warnings += [f"without {term.name}: {warning}" for warning in smaller.warnings]
        chi2, p = ratio_chi2(smaller.loglik, fit.loglik, len(term.columns))
        found.append(TermChi2(term.name, chi2, len(term.columns), p, "likelihood ratio"))
    return found, warnings


def _wald(name: str, contrasts: FloatArray, estimates: FloatArray, covariance: FloatArray) -> TermChi2:
    df = len(contrasts)
    used = np.any(contrasts != 0, axis=0)  # an infinite estimate elsewhere must not spoil this test
    rows, values, spread = contrasts[:, used], estimates[used], covariance[np.ix_(used, used)]
    if not df or not np.all(np.isfinite(values)) or not np.all(np.isfinite(spread)):
        return TermChi2(name, math.nan, df, math.nan, "Wald")
    effect = rows @ values
    chi2 = float(effect @ np.linalg.solve(rows @ spread @ rows.T, effect))
    return TermChi2(name, chi2, df, chi2_upper(chi2, df), "Wald")
