"""Correlations: their tests, intervals, and the comparison of two that share a variable."""

from __future__ import annotations

import math

import numpy as np
from _calibration import Check, Draw
from _calibration_claims import (
    STRINGENT,
    coverage,
    coverage_near,
    covers,
    rejects,
    size,
    size_near,
    size_within,
)
from _calibration_nulls import attained, spearman_counts, tau_counts
from _calibration_theory import ALPHA, FloatArray, pearson_coverage

from textassay.stats import (
    hittner,
    kendall_tau,
    meng,
    partial_correlation,
    pearson,
    spearman,
    steiger,
    williams,
    zou,
)

_COUNTED = "exact: its attainable level, counted"
_RHO = 0.6
_RANK_RHO = 6 / math.pi * math.asin(_RHO / 2)  # Spearman's of a bivariate normal distribution (Pearson 1907)
_TAU = 2 / math.pi * math.asin(_RHO)  # Kendall's of the same (Greiner 1909)
_TESTS = (williams, steiger, meng, hittner)


def checks() -> tuple[Check, ...]:
    """All of this family."""
    return (
        Check("20 independent pairs", _independent(20), (
            size("pearson", "t"),
            size_near("spearman", "Edgeworth series", why=STRINGENT),
        )),
        Check("6 independent pairs", _permuted, (
            size("pearson", "permutation", is_=36 / 720, why="exact: 18 of the 720 orders on each side"),
        )),
        Check("8 independent pairs", _ranks, (
            size("spearman", "exact", is_=attained(spearman_counts(8)), why=_COUNTED),
            size("kendall_tau", "exact", is_=attained(tau_counts(8)), why=_COUNTED),
        )),
        Check("8 independent pairs of ratings 1 to 3", _tied, (
            size_within("kendall_tau", "exact, with ties", high=ALPHA, why="exact: at or below .05"),
        )),
        Check("30 independent pairs of ratings 1 to 5", _rated, (
            size_near("spearman", "t, with ties"),
            size_near("kendall_tau", "asymptotic, with ties"),
        )),
        Check("30 normal pairs, ρ = .6", _correlated, (
            coverage("pearson", "Fisher", is_=pearson_coverage(_RHO, 30), why="density of r (Hotelling 1953)"),
            coverage_near("spearman", "Bonett & Wright"),
            coverage_near("kendall_tau", "Fieller, Hartley & Pearson"),
        )),
        *_partial(),
        *_compared(),
    )  # fmt: skip


def _independent(n: int) -> Draw:
    def draw(random: np.random.Generator) -> list[float]:
        x, y = random.normal(size=(2, n))
        return [rejects(pearson(x, y).p), rejects(spearman(x, y).p)]

    return draw


def _permuted(random: np.random.Generator) -> list[float]:
    x, y = random.exponential(size=(2, 6))
    return [rejects(pearson(x, y, p="permutation").p)]


def _ranks(random: np.random.Generator) -> list[float]:
    x, y = random.normal(size=(2, 8))
    return [rejects(spearman(x, y).p), rejects(kendall_tau(x, y).p)]


def _tied(random: np.random.Generator) -> list[float]:
    x, y = random.integers(1, 4, size=(2, 8))
    return [rejects(kendall_tau(x, y, p="exact").p)]


def _rated(random: np.random.Generator) -> list[float]:
    x, y = random.integers(1, 6, size=(2, 30))
    return [rejects(spearman(x, y).p), rejects(kendall_tau(x, y).p)]


def _correlated(random: np.random.Generator) -> list[float]:
    x, noise = random.normal(size=(2, 30))
    y = _RHO * x + math.sqrt(1 - _RHO**2) * noise
    rank = covers(spearman(x, y).ci, _RANK_RHO)
    return [covers(pearson(x, y).ci, _RHO), rank, covers(kendall_tau(x, y).ci, _TAU)]


def _partial() -> tuple[Check, ...]:
    as_of = "as r of n - k normal pairs (Fisher 1924; Hotelling 1953)"
    return (
        Check("20 values that correlate through 2 covariates only", _confounded(0.0), (
            size("partial_correlation"),
        )),
        Check("20 values, one of them related to 2 covariates", _related, (
            size_near("partial_correlation", "of ranks"),
        )),
        Check("20 values, partial ρ = .6 given 2 covariates", _confounded(_RHO), (
            coverage("partial_correlation", is_=pearson_coverage(_RHO, 18), why=as_of),
        )),
    )  # fmt: skip


def _confounded(rho: float) -> Draw:
    def draw(random: np.random.Generator) -> list[float]:
        covariates, (x, noise) = random.normal(size=(20, 2)), random.normal(size=(2, 20))
        y = rho * x + math.sqrt(1 - rho**2) * noise
        x, y = x + covariates.sum(axis=1), y + covariates.sum(axis=1)
        found = partial_correlation(x, y, covariates)
        return [covers(found.ci, rho) if rho else rejects(found.p)]

    return draw


def _related(random: np.random.Generator) -> list[float]:
    # Where both are related to the covariates, the partial correlation of ranks is not 0 even if that of values is.
    covariates, (x, y) = random.normal(size=(20, 2)), random.normal(size=(2, 20))
    return [rejects(partial_correlation(x + covariates.sum(axis=1), y, covariates, coefficient="spearman").p)]


def _compared() -> tuple[Check, ...]:
    same = np.array([[1, 0.5, 0.5], [0.5, 1, 0.6], [0.5, 0.6, 1]])
    apart = np.array([[1, 0.6, 0.4], [0.6, 1, 0.5], [0.4, 0.5, 1]])
    return (
        Check("30 triples, ρ₁₂ = ρ₁₃ = .5, ρ₂₃ = .6", _triples(same), tuple(size_near(t.__name__) for t in _TESTS)),
        Check("30 triples, ρ₁₂ = .6, ρ₁₃ = .4, ρ₂₃ = .5", _difference(apart), (coverage_near("zou"),)),
    )


def _three(random: np.random.Generator, root: FloatArray) -> tuple[float, float, float, int]:
    r = np.asarray(np.corrcoef(root @ random.normal(size=(3, 30))))
    return float(r[0, 1]), float(r[0, 2]), float(r[1, 2]), 30


def _triples(correlations: FloatArray) -> Draw:
    root = np.asarray(np.linalg.cholesky(correlations), dtype=float)

    def draw(random: np.random.Generator) -> list[float]:
        seen = _three(random, root)
        return [rejects(test(*seen).p) for test in _TESTS]

    return draw


def _difference(correlations: FloatArray) -> Draw:
    root = np.asarray(np.linalg.cholesky(correlations), dtype=float)
    truth = float(correlations[0, 1] - correlations[0, 2])
    return lambda random: [covers(zou(*_three(random, root)).ci, truth)]
