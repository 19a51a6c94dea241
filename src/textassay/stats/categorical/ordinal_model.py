"""The cumulative link model of ordered answers, with or without random effects."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

from textassay.results import Record
from textassay.stats.categorical.fitted_model import FitOptions, fitted_fields, model_settings, random_part_of
from textassay.stats.categorical.fixed_part import Setting, fixed_part
from textassay.stats.categorical.likelihood_fit import Fit
from textassay.stats.categorical.likelihood_model import LikelihoodModel
from textassay.stats.categorical.likelihood_tests import TestKind, WaldEstimate, wald_estimates
from textassay.stats.categorical.likelihoods import FAR, CumulativeLikelihood, LinkName, between
from textassay.stats.categorical.rating_scale import RatingScale, ThresholdPattern, Thresholds, contains, rating_scale
from textassay.stats.categorical.rating_scale import thresholds as thresholds_of
from textassay.stats.distributions import check_choice
from textassay.stats.labels import Column
from textassay.stats.mixed.mixed_design import MixedFormula
from textassay.stats.mixed.model_matrix import Coding, ModelMatrix


@dataclass(frozen=True, kw_only=True)
class OrdinalModel(LikelihoodModel):
    """A cumulative link model."""

    link: LinkName
    pattern: ThresholdPattern
    categories: tuple[str, ...]
    """In their order."""
    thresholds: tuple[WaldEstimate, ...]
    """Between neighbouring categories, on the latent scale: `1|2` …"""
    threshold_parameters: tuple[WaldEstimate, ...]
    """What the thresholds are made from: themselves if flexible, else centre and spacings."""

    def probabilities(self, setting: Setting, *, random: Mapping[str, str] | None = None) -> tuple[float, ...]:
        """P of each category for an observation; nan where separated data leave it open.

        Args:
            setting: A level for each factor and a number for each covariate.
            random: A level for some groupings; the effects of all other groupings are 0, which is the typical level
                and not the mean over them.

        Raises:
            UsageError: a variable, level or grouping that is missing or unknown.
        """
        eta, values = self.predictor(setting, random), [cut.estimate for cut in self.thresholds]
        if np.isinf(eta) and np.isinf(values).any():
            return (np.nan,) * len(self.categories)
        cuts = np.clip([-np.inf, *values, np.inf], -FAR, FAR)
        eta = float(np.clip(eta, -FAR / 2, FAR / 2))
        return tuple(between(self.link, cuts[1:] - eta, cuts[:-1] - eta).tolist())

    def not_containing(self, smaller: LikelihoodModel) -> str:
        """Why the other model is not a part of this one; empty where it is."""
        if not isinstance(smaller, OrdinalModel) or self.link != smaller.link:
            return "the two models have different links: they are not nested"
        if not contains(self.pattern, smaller.pattern):
            return f"{smaller.pattern} thresholds are no part of {self.pattern} ones: the models are not nested"
        return super().not_containing(smaller)

    def records(self) -> list[Record]:
        """Thresholds, coefficients, tests of terms, random effects, fit."""
        return [*(self.estimate_record("threshold", each) for each in self.thresholds), *super().records()]


def ordinal_model(  # noqa: PLR0913 -- a setting each
    ratings: Column,
    fixed: Mapping[str, Column],
    *,
    random: Mapping[str, Column] | None = None,
    link: LinkName = "logit",
    thresholds: ThresholdPattern = "flexible",
    levels: Sequence[Any] | None = None,
    terms: Sequence[str] | None = None,
    slopes: Mapping[str, Sequence[str]] | None = None,
    correlated: bool = True,
    coding: Coding = "treatment",
    factors: Collection[str] | None = None,
    tests: TestKind = "wald",
    nodes: int = 1,
    confidence: float = 0.95,
) -> OrdinalModel:
    """The cumulative link (proportional odds) model of ratings, with crossed random effects.

    Purpose: model ratings on an ordinal scale without taking its steps as equal, with participants and items as random
    effects.

    P(Y ≤ j) = F(θⱼ - xᵀβ - zᵀb), F the logistic or normal distribution function, θ₁ < θ₂ < … the thresholds and
    b ~ N(0, Σ) the random effects (McCullagh 1980; Hedeker & Gibbons 1994). A positive coefficient means higher
    ratings. Random effects are integrated out by Laplace's approximation, or by adaptive quadrature over one grouping;
    standard errors come from the second derivatives of the log-likelihood in all parameters.

    R: `ordinal::clm(ratings ~ x)`, `ordinal::clmm(ratings ~ x + (1 | participant) + (1 | item), nAGQ = nodes)`.

    Example:
        >>> result = ordinal_model([1, 2, 2, 3, 1, 2, 3, 3], {"system": ["a", "a", "a", "a", "b", "b", "b", "b"]})
        >>> effect = result.coefficients[0]
        >>> effect.name, round(effect.estimate, 4), round(effect.se, 4), round(result.loglik, 4)
        ('system[b]', 0.6529, 1.3315, -8.5357)
        >>> [round(p, 3) for p in result.probabilities({"system": "b"})]
        [0.186, 0.357, 0.457]

    Args:
        ratings: One answer per observation; numbers, or text with `levels`.
        fixed: Factors (text) and covariates (numbers) by name; empty for a model of thresholds only.
        random: Labels of the groupings that have random intercepts, by name.
        link: The distribution of the latent variable.
        thresholds: `flexible`; `symmetric` about a free centre, `symmetric2` about 0; `equidistant`.
        levels: The scale in its order; by default the numbers that occur.
        terms: Names of variables and interactions such as `system:length`; by default each variable by itself.
        slopes: For a grouping the terms whose effect differs between its levels.
        correlated: Whether intercepts and slopes of a level may be correlated.
        coding: How factors become columns: differences from the first level, or from the mean (`sum`).
        factors: Variables that are factors although their levels are numbers.
        tests: Of terms: `wald`, or `lr` (likelihood ratio; one more fit per term).
        nodes: Of the quadrature over one grouping; 1 is Laplace's approximation.
        confidence: Of all intervals.

    Raises:
        DataError: unequal lengths, missing or infinite values, one category, one level, or an answer off the scale.
        UsageError: an unknown setting, term or grouping.
    """
    check_choice("link", link, get_args(LinkName))
    options = FitOptions(tests, nodes, confidence)
    formula = MixedFormula(terms, slopes, correlated, coding, factors)
    scale = rating_scale(ratings, levels, thresholds)
    return _fitted(scale, _Model(link, thresholds, fixed, random or {}, formula), options)


@dataclass(frozen=True)
class _Model:
    """What is fitted to the ratings."""

    link: LinkName
    pattern: ThresholdPattern
    fixed: Mapping[str, Column]
    random: Mapping[str, Column]
    formula: MixedFormula


def _fitted(scale: RatingScale, asked: _Model, options: FitOptions) -> OrdinalModel:
    cuts = thresholds_of(asked.pattern, scale.categories)
    part = fixed_part(len(scale.codes), asked.fixed, asked.formula, intercept=False)
    effects = random_part_of(part.matrix, asked.random, asked.formula, options)

    def likelihood(matrix: ModelMatrix) -> CumulativeLikelihood:
        return CumulativeLikelihood(scale.codes, matrix.x, matrix.names, cuts, asked.link)

    fit, fields = fitted_fields(part, effects, likelihood, len(cuts.names), options)
    used = {"link": asked.link, "thresholds": asked.pattern, **model_settings(fields, effects, options)}
    return OrdinalModel(
        method="cumulative link mixed model" if effects else "cumulative link model",
        settings=used,
        **{**fields, "warnings": scale.warnings + fields["warnings"]},
        link=asked.link,
        pattern=asked.pattern,
        categories=scale.categories,
        answers=zlib.crc32(scale.codes.tobytes()),
        **threshold_estimates(cuts, fit, options.confidence),
    )


def threshold_estimates(cuts: Thresholds, fit: Fit, confidence: float) -> dict[str, Any]:
    """The thresholds of a fit, and the parameters that they are made from."""
    count = len(cuts.names)
    alpha, covariance = fit.parameters[:count], fit.covariance[:count, :count]
    values, spread = cuts.carried(alpha, covariance)
    return {
        "threshold_parameters": wald_estimates(cuts.names, alpha, covariance, confidence),
        "thresholds": wald_estimates(cuts.labels, values, spread, confidence),
    }
