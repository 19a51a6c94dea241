"""From the columns of a likelihood model to the fields of its result: fit, tests of terms, random effects.

Tests are Wald's, of parameters and terms, and likelihood ratios, of terms and nested models.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, get_args

import numpy as np

from textassay.errors import UsageError
from textassay.known_names import check_choice
from textassay.results import Record
from textassay.stats.categorical.likelihood_fit import Fit, RandomDesign, fit_fixed, fit_mixed, random_part
from textassay.stats.categorical.likelihoods import ConditionalLikelihood
from textassay.stats.distributions import chi2_upper, normal_quantile, normal_upper
from textassay.stats.mixed.mixed_design import FixedPart, MixedFormula
from textassay.stats.mixed.mixed_model import EffectCorrelation, VarianceComponent
from textassay.stats.mixed.model_matrix import ModelMatrix, contained, term_contrasts
from textassay.stats.mixed.random_effects import RandomEffects, random_effects
from textassay.stats.samples import Column, FloatArray, check_share
from textassay.stats.statistic import Statistic

TestKind = Literal["wald", "lr"]
"""`wald`: from the covariance of the coefficients; `lr`: likelihood ratio, one more fit per term."""
Build = Callable[[ModelMatrix], ConditionalLikelihood]
"""From columns of the fixed part to a likelihood."""


@dataclass(frozen=True)
class FitOptions:
    """How a model is fitted and tested."""

    tests: TestKind = "wald"
    nodes: int = 1
    """Of the quadrature; 1 is the Laplace approximation."""
    confidence: float = 0.95

    def __post_init__(self) -> None:
        """Refuse what cannot be.

        Raises:
            UsageError: with the value seen.
        """
        check_choice("tests", self.tests, get_args(TestKind))
        check_share("confidence", self.confidence)
        if not 1 <= self.nodes <= 100:
            raise UsageError(f"nodes must lie between 1 (Laplace) and 100, got {self.nodes}")


def random_part_of(
    matrix: ModelMatrix, random: Mapping[str, Column] | None, formula: MixedFormula, options: FitOptions
) -> RandomDesign | None:
    """The random effects; None where there are none.

    Raises:
        DataError: unequal lengths, a missing label, or a grouping with one level.
        UsageError: slopes without their grouping or term, or quadrature over more than one intercept.
    """
    if not random:
        if formula.slopes:
            raise UsageError(f"slopes name the grouping {next(iter(formula.slopes))!r}, but random has no grouping")
        if options.nodes > 1:
            raise UsageError("nodes are for random effects, and random has no grouping")
        return None
    effects = random_effects(matrix, random, slopes=formula.slopes, correlated=formula.correlated)
    if options.nodes > 1 and (len(effects.terms) > 1 or effects.terms[0].width > 1):
        raise UsageError("quadrature is for one grouping with random intercepts; use nodes=1 (Laplace) for others")
    return random_part(effects, options.nodes)


def fit_model(model: ConditionalLikelihood, random: RandomDesign | None) -> Fit:
    """The maximum of the likelihood, or of its approximation where there are random effects."""
    return fit_fixed(model) if random is None else fit_mixed(model, random)


def fitted_fields(
    part: FixedPart, random: RandomDesign | None, build: Build, first: int, options: FitOptions
) -> tuple[Fit, dict[str, Any]]:
    """The fit, and the fields of `LikelihoodModel` that it gives.

    Args:
        part: The fixed part.
        random: The random part.
        build: The likelihood of some columns of the fixed part.
        first: Place of the first coefficient among the parameters.
        options: How to fit and test.
    """
    fit = fit_model(build(part.matrix), random)
    values, covariance = fit.parameters[first:], fit.covariance[first:, first:]
    warnings = [*part.warnings, *fit.warnings]
    if options.tests == "lr":
        tests, more = ratio_tests(part, fit, lambda matrix: fit_model(build(matrix), random))
    else:
        tests, more = wald_tests(part, values, covariance)
    return fit, {
        "coefficients": wald_estimates(part.matrix.names, values, covariance, options.confidence),
        "tests": tuple(tests),
        **random_fields(random.effects if random else None, fit),
        "loglik": fit.loglik,
        "n": len(part.matrix.x),
        "n_parameters": fit.n_parameters,
        "converged": fit.converged,
        "singular": fit.singular,
        "confidence": options.confidence,
        "design": part.design,
        "covariance": covariance,
        "warnings": tuple(dict.fromkeys(warnings + more)),
    }


def model_settings(fields: Mapping[str, Any], random: RandomDesign | None, options: FitOptions) -> dict[str, Any]:
    """What every such model says of itself."""
    groups = random.effects.terms if random else ()
    return {
        "terms": " + ".join(term.name for term in fields["design"].terms) or "none",
        "random": " + ".join(_random_term_name(group.group, group.names) for group in groups) or "none",
        "integration": _integration(random),
        "tests": options.tests,
        "n": fields["n"],
    }


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


def _random_term_name(group: str, names: tuple[str, ...]) -> str:
    return f"{group} ({', '.join(names)})" if len(names) > 1 else group


def _integration(random: RandomDesign | None) -> str:
    if random is None:
        return "none"
    return "Laplace" if random.nodes == 1 else f"adaptive Gauss–Hermite ({random.nodes} nodes)"


def random_fields(effects: RandomEffects | None, fit: Fit) -> dict[str, Any]:
    """The random effects of a fit as fields of `LikelihoodModel`."""
    components, correlations, modes = [], [], {}
    if effects is not None and fit.theta is not None and fit.modes is not None:
        parts = zip(effects.terms, effects.factors(fit.theta), effects.split(fit.modes), strict=True)
        for term, factor, found in parts:
            covariance = factor @ factor.T
            sds = np.sqrt(np.diagonal(covariance)).tolist()
            components += [
                VarianceComponent(term.group, name, sd, len(term.levels))
                for name, sd in zip(term.names, sds, strict=True)
            ]
            for one, other in combinations(range(term.width), 2) if term.correlated else ():
                both = sds[one] * sds[other]
                value = float(covariance[one, other]) / both if both > 0 else math.nan
                correlations.append(EffectCorrelation(term.group, term.names[one], term.names[other], value))
            modes[term.group] = dict(zip(term.levels, map(tuple, found.tolist()), strict=True))
    return {"components": tuple(components), "correlations": tuple(correlations), "random_effects": modes}
