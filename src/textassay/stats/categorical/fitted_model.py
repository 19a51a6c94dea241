"""From the columns of a model to the fields of its result: fit, tests of terms, random effects."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, get_args

import numpy as np

from textassay.errors import UsageError
from textassay.stats.categorical.fixed_part import FixedPart
from textassay.stats.categorical.likelihood_fit import Fit, RandomDesign, fit_fixed, fit_mixed, random_part
from textassay.stats.categorical.likelihood_tests import TestKind, ratio_tests, wald_estimates, wald_tests
from textassay.stats.categorical.likelihoods import ConditionalLikelihood
from textassay.stats.distributions import check_choice
from textassay.stats.mixed.mixed_design import MixedFormula
from textassay.stats.mixed.mixed_model import EffectCorrelation, VarianceComponent
from textassay.stats.mixed.model_matrix import ModelMatrix
from textassay.stats.mixed.random_effects import RandomEffects, random_effects
from textassay.stats.samples import Column, check_share


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


Build = Callable[[ModelMatrix], ConditionalLikelihood]
"""From columns of the fixed part to a likelihood."""


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
