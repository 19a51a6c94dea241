"""The cumulative link model of ordered answers, with or without random effects, and a check of its assumption."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

from textassay.errors import DataError
from textassay.known_names import check_choice
from textassay.results import Record
from textassay.stats.categorical.fitted_model import (
    FitOptions,
    TermChi2,
    TestKind,
    WaldEstimate,
    fitted_fields,
    model_settings,
    random_part_of,
    ratio_chi2,
    wald_estimates,
)
from textassay.stats.categorical.likelihood_fit import Fit, fit_fixed
from textassay.stats.categorical.likelihood_model import LikelihoodModel
from textassay.stats.categorical.likelihoods import FAR, CumulativeLikelihood, LinkName, between
from textassay.stats.categorical.rating_scale import (
    RatingScale,
    ThresholdPattern,
    Thresholds,
    contains,
    rating_scale,
    thresholds,
)
from textassay.stats.categorical.rating_scale import thresholds as thresholds_of
from textassay.stats.mixed.mixed_design import FixedPart, MixedFormula, Setting, fixed_part
from textassay.stats.mixed.model_matrix import Coding, ModelMatrix
from textassay.stats.samples import Column, check_share
from textassay.stats.statistic import Statistic


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


@dataclass(frozen=True, kw_only=True)
class ProportionalOdds(Statistic):
    """One test per term; a small p speaks against the ordinal model's assumption."""

    tests: tuple[TermChi2, ...]
    n: int

    @property
    def chi2(self) -> tuple[float, ...]:
        """Of each term."""
        return tuple(test.chi2 for test in self.tests)

    @property
    def p(self) -> tuple[float, ...]:
        """Of each term."""
        return tuple(test.p for test in self.tests)

    def records(self) -> list[Record]:
        """One record per term."""
        return [self.record(f"{t.kind} χ²", t.chi2, by=t.name, df=t.df, p=t.p, n=self.n) for t in self.tests]


def proportional_odds(  # noqa: PLR0913 -- a setting each
    ratings: Column,
    fixed: Mapping[str, Column],
    *,
    link: LinkName = "logit",
    levels: Sequence[Any] | None = None,
    terms: Sequence[str] | None = None,
    coding: Coding = "treatment",
    factors: Collection[str] | None = None,
    alpha: float = 0.05,
) -> ProportionalOdds:
    """Whether the effect of each term is the same at all thresholds of the scale, as the ordinal model assumes.

    Purpose: check the assumption on which the ordinal model rests.

    χ² = 2 (log L of the model in which the term has a coefficient of its own at each threshold - log L of the
    cumulative link model), on (categories - 2) · columns degrees of freedom (Peterson & Harrell 1990).
    It takes observations as independent: with many of each participant its p is too small, and it serves as a warning.

    R: `ordinal::nominal_test(ordinal::clm(ratings ~ x))`.

    Example:
        >>> ratings = [1, 1, 2, 2, 3, 3, 1, 1, 1, 2, 3, 3]
        >>> result = proportional_odds(ratings, {"system": ["a"] * 6 + ["b"] * 6})
        >>> round(result.tests[0].chi2, 4), result.tests[0].df, round(result.tests[0].p, 4)
        (0.4133, 1, 0.5203)

    Args:
        ratings: One answer per observation; numbers, or text with `levels`.
        fixed: Factors (text) and covariates (numbers) by name.
        link: The distribution of the latent variable.
        levels: The scale in its order; by default the numbers that occur.
        terms: Names of variables and interactions such as `system:length`; by default each variable by itself.
        coding: How factors become columns.
        factors: Variables that are factors although their levels are numbers.
        alpha: Terms with a p below it are named in the warnings.

    Raises:
        DataError: no variable, fewer than three categories, unequal lengths, missing or infinite values.
        UsageError: an unknown setting or term.
    """
    check_choice("link", link, get_args(LinkName))
    check_share("alpha", alpha)
    scale = rating_scale(ratings, levels, "flexible")
    if len(scale.categories) < 3:
        raise DataError(f"the ratings have {len(scale.categories)} categories: with one threshold nothing can differ")
    part = fixed_part(len(scale.codes), fixed, MixedFormula(terms, coding=coding, factors=factors), intercept=False)
    if not part.matrix.terms:
        raise DataError("there is no term whose effect could be checked; give at least one variable")
    common = fit_fixed(_likelihood(scale, part, (), link))
    tests, warnings = _tests(scale, part, common, link)
    warnings += [
        f"the effect of {test.name} is not the same at all thresholds (p = {test.p:.2g}): its coefficient in the "
        "ordinal model is a mean of different effects"
        for test in tests
        if test.p < alpha
    ]
    return ProportionalOdds(
        method="likelihood-ratio test of proportional odds" if link == "logit" else "test of equal slopes",
        settings={
            "link": link,
            "terms": " + ".join(test.name for test in tests),
            "alpha": alpha,
            "n": len(scale.codes),
        },
        warnings=(*scale.warnings, *part.warnings, *common.warnings, *warnings),
        tests=tuple(tests),
        n=len(scale.codes),
    )


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


def _tests(scale: RatingScale, part: FixedPart, common: Fit, link: LinkName) -> tuple[list[TermChi2], list[str]]:
    tests, warnings = [], []
    for term in part.matrix.terms:
        free = fit_fixed(_likelihood(scale, part, term.columns, link))
        if not np.all(np.isfinite(free.parameters)):
            warnings.append(
                f"free at each threshold, {term.name} has infinite effects at some: its χ² is that of the limit"
            )
        elif not free.converged:
            warnings += [f"with {term.name} free at each threshold: {warning}" for warning in free.warnings]
        df = (len(scale.categories) - 2) * len(term.columns)
        chi2, p = ratio_chi2(common.loglik, free.loglik, df)
        tests.append(TermChi2(term.name, chi2, df, p, "likelihood ratio"))
    return tests, warnings


def _likelihood(scale: RatingScale, part: FixedPart, free: tuple[int, ...], link: LinkName) -> CumulativeLikelihood:
    """The model in which some columns have a coefficient at each threshold."""
    kept = [column for column in range(len(part.matrix.names)) if column not in free]
    names = tuple(part.matrix.names[column] for column in kept)
    cuts = thresholds("flexible", scale.categories)
    nominal = (tuple(part.matrix.names[column] for column in free), part.matrix.x[:, list(free)]) if free else None
    return CumulativeLikelihood(scale.codes, np.asarray(part.matrix.x[:, kept]), names, cuts, link, nominal)
