"""Tests of fixed effects with degrees of freedom after Satterthwaite.

The variance of a contrast c'β depends on the variance parameters ψ = (θ, log σ²). With its slope g in ψ and the
asymptotic covariance 2H⁻¹ of ψ̂, where H is the Hessian of the criterion: df = 2 (c'Cc)² / (g' 2H⁻¹ g)
(Satterthwaite 1946; Giesbrecht & Burns 1985; Kuznetsova et al. 2017). Several contrasts at once: Fai & Cornelius 1996.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from textassay.stats.distributions import chi2_upper, f_upper, t_quantile, t_upper
from textassay.stats.mixed.reml_search import Minimum
from textassay.stats.samples import FloatArray

_FLAT = 1e-8
"""Directions of ψ with less curvature than this share of the largest are ignored."""
_SAME_DF = 1e-8


@dataclass(frozen=True)
class FixedEffect:
    """One line of the table of fixed effects: a coefficient, or any other linear function of them."""

    name: str
    estimate: float
    se: float
    df: float
    """Degrees of freedom after Satterthwaite."""
    t: float
    p: float
    """Two-sided."""
    ci: tuple[float, float]


@dataclass(frozen=True)
class TermTest:
    """All coefficients of a term, or as many contrasts, tested at once."""

    name: str
    f: float
    df: tuple[float, float]
    """Of the term, and of the error after Satterthwaite."""
    p: float


@dataclass(frozen=True)
class FixedInference:
    """Estimates of the fixed effects, and how well their covariance is known."""

    beta: FloatArray
    covariance: FloatArray
    changes: FloatArray
    """Shape (k, p, p): the slope of the covariance in each variance parameter."""
    uncertainty: FloatArray
    """Shape (k, k): the asymptotic covariance of the variance parameters."""

    def df(self, contrast: FloatArray) -> float:
        """Degrees of freedom of c'β; infinite if its variance does not depend on anything estimated."""
        variance = float(contrast @ self.covariance @ contrast)
        slope = self.changes @ contrast @ contrast
        spread = float(slope @ self.uncertainty @ slope)
        return math.inf if spread == 0 else 2 * variance**2 / spread  # nan stays nan

    def effect(self, name: str, contrast: FloatArray, confidence: float) -> FixedEffect:
        """c'β with its test and interval."""
        estimate = float(contrast @ self.beta)
        se = math.sqrt(float(contrast @ self.covariance @ contrast))
        df = self.df(contrast)
        t = estimate / se
        half = t_quantile(0.5 + confidence / 2, df) * se
        return FixedEffect(name, estimate, se, df, t, 2 * t_upper(abs(t), df), (estimate - half, estimate + half))

    def test(self, name: str, contrasts: FloatArray) -> TermTest:
        """F of the hypothesis that all contrasts (rows) are 0."""
        values, directions = np.linalg.eigh(contrasts @ self.covariance @ contrasts.T)
        kept = values > _FLAT * np.max(values, initial=0.0)
        rotated = directions.T[kept] @ contrasts
        rank = len(rotated)
        if not rank:
            return TermTest(name, math.nan, (0, math.nan), math.nan)
        f = float(np.sum((rotated @ self.beta) ** 2 / values[kept])) / rank
        df = _pooled_df([self.df(contrast) for contrast in rotated])
        p = chi2_upper(f * rank, rank) if math.isinf(df) else f_upper(f, rank, df)
        return TermTest(name, f, (rank, df), p)


def fixed_inference(minimum: Minimum) -> FixedInference:
    """Of a linear mixed model."""
    fit = minimum.fit
    products, spread = fit.products, fit.spread()
    covariance = fit.sigma2 * fit.relative_covariance
    # From the orthonormal basis of X back to its columns.
    back = np.asarray(np.linalg.solve(products.r, spread.root @ spread.root.T), dtype=float) * math.sqrt(fit.sigma2)
    changes, mixed = [], []
    split = products.effects.split
    parts = (split(each) for each in (spread.of_x, spread.scaled_of_x, spread.of_y, spread.u))
    for term, of_x, scaled, of_y, u in zip(products.effects.terms, *parts, strict=True):
        for row, column in zip(*term.entries, strict=True):
            inner = of_x[:, row].T @ scaled[:, column]
            changes.append(back @ (inner + inner.T) @ back.T)
            mixed.append(2 * float(of_y[:, row] @ u[:, column]) / fit.sigma2)
    slopes, cross = np.array(changes), np.array(mixed)
    if minimum.ties is not None:
        slopes, cross = np.tensordot(minimum.ties.T, slopes, 1), minimum.ties.T @ cross
    uncertainty = 2 * _inverse(_full_hessian(minimum, cross))
    return FixedInference(fit.beta, covariance, np.concatenate([slopes, covariance[None]]), uncertainty)


def _full_hessian(minimum: Minimum, mixed: FloatArray) -> FloatArray:
    """Of the criterion in θ and log σ², from that in θ with σ profiled out."""
    d = float(minimum.fit.products.df(minimum.fit.likelihood))
    inner = minimum.hessian + np.outer(mixed, mixed) / d
    return np.block([[inner, mixed[:, None]], [mixed[None, :], np.array([[d]])]])


def _inverse(matrix: FloatArray) -> FloatArray:
    """In the directions that have curvature; at a boundary some have none."""
    values, directions = np.linalg.eigh(matrix)
    kept = values > _FLAT * values[-1]
    return np.asarray((directions[:, kept] / values[kept]) @ directions[:, kept].T)


def _pooled_df(each: list[float]) -> float:
    """The df of an F that is the mean of squared t, by their common expectation E: 2E / (E - rank)."""
    if max(each) - min(each) < _SAME_DF or math.isinf(min(each)):
        return sum(each) / len(each)
    if min(each) <= 2:
        return 2.0
    total = sum(1.0 if math.isinf(df) else df / (df - 2) for df in each)
    return 2 * total / (total - len(each))
