"""The logistic model of yes and no, or of successes out of trials, with or without random effects."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.stats.categorical.binomial_likelihood import BinomialLikelihood
from textassay.stats.categorical.fitted_model import FitOptions, fitted_fields, model_settings, random_part_of
from textassay.stats.categorical.fixed_part import Setting, fixed_part
from textassay.stats.categorical.likelihood_model import LikelihoodModel
from textassay.stats.categorical.links import cdf
from textassay.stats.categorical.term_chi2 import TestKind
from textassay.stats.labels import Column
from textassay.stats.mixed.mixed_design import MixedFormula
from textassay.stats.mixed.model_matrix import Coding, ModelMatrix
from textassay.stats.samples import FloatArray, finite_vector, same_length


@dataclass(frozen=True, kw_only=True)
class LogisticModel(LikelihoodModel):
    """A logistic model: coefficients are log odds, or differences of log odds."""

    successes: int
    """Of all observations together."""
    trials: int

    def probability(self, setting: Setting, *, random: Mapping[str, str] | None = None) -> float:
        """P of success for an observation.

        Args:
            setting: A level for each factor and a number for each covariate.
            random: A level for some groupings; the effects of all other groupings are 0, which is the typical level
                and not the mean over them.

        Raises:
            UsageError: a variable, level or grouping that is missing or unknown.
        """
        return float(cdf("logit", np.array(self.predictor(setting, random))))


def logistic_model(  # noqa: PLR0913 -- a setting each
    outcomes: npt.ArrayLike,
    fixed: Mapping[str, Column],
    *,
    random: Mapping[str, Column] | None = None,
    slopes: Mapping[str, Sequence[str]] | None = None,
    correlated: bool = True,
    trials: npt.ArrayLike | None = None,
    terms: Sequence[str] | None = None,
    coding: Coding = "treatment",
    factors: Collection[str] | None = None,
    tests: TestKind = "wald",
    nodes: int = 1,
    confidence: float = 0.95,
) -> LogisticModel:
    """The logistic (mixed) model of choices, correct answers, or any other yes and no.

    log(μ / (1 - μ)) = xᵀβ + zᵀb, y of m trials with P(success) = μ, and b ~ N(0, Σ) the random effects (Berkson 1944;
    Breslow & Clayton 1993; Jaeger 2008 on why not ANOVA of percentages). Random effects are integrated out by Laplace's
    approximation, or by adaptive quadrature over one grouping; standard errors come from the second derivatives of the
    log-likelihood in all parameters.

    R: `glm(outcomes ~ x, binomial)`, `lme4::glmer(outcomes ~ x + (1 | participant) + (1 | item), binomial)`; with
    `nAGQ = nodes` lme4 has another constant in the log-likelihood of counts.

    Example:
        >>> result = logistic_model([0, 1, 0, 0, 1, 1, 0, 1], {"system": ["a", "a", "a", "a", "b", "b", "b", "b"]})
        >>> effect = result.coefficient("system[b]")  # 3/1 against 1/3: log 9, with variance 1/1 + 1/3 + 1/1 + 1/3
        >>> round(effect.estimate, 4), round(effect.se, 4), round(result.probability({"system": "b"}), 4)
        (2.1972, 1.633, 0.75)

    Args:
        outcomes: 0 or 1 (or False or True) an observation; with `trials` the number of successes.
        fixed: Factors (text) and covariates (numbers) by name; empty for an intercept only.
        random: Labels of the groupings that have random intercepts, by name.
        slopes: For a grouping the terms whose effect differs between its levels.
        correlated: Whether intercepts and slopes of a level may be correlated.
        trials: Trials of each observation; 1 if not given.
        terms: Names of variables and interactions such as `system:length`; by default each variable by itself.
        coding: How factors become columns: differences from the first level, or from the mean (`sum`).
        factors: Variables that are factors although their levels are numbers.
        tests: Of terms: `wald`, or `lr` (likelihood ratio; one more fit a term).
        nodes: Of the quadrature over one grouping; 1 is Laplace's approximation.
        confidence: Of all intervals.

    Raises:
        DataError: unequal lengths, missing or infinite values, one level, or outcomes that are all the same or no
            counts of successes.
        UsageError: an unknown setting, term or grouping.
    """
    options = FitOptions(tests, nodes, confidence)
    successes, tried = _counts(outcomes, trials)
    formula = MixedFormula(terms, slopes, correlated, coding, factors)
    part = fixed_part(len(successes), fixed, formula, intercept=True)
    effects = random_part_of(part.matrix, random, formula, options)

    def likelihood(matrix: ModelMatrix) -> BinomialLikelihood:
        return BinomialLikelihood(successes, tried, matrix.x, matrix.names)

    _, fields = fitted_fields(part, effects, likelihood, 0, options)
    return LogisticModel(
        method="logistic mixed model" if effects else "logistic model",
        settings=model_settings(fields, effects, options),
        **fields,
        successes=int(successes.sum()),
        trials=int(tried.sum()),
        answers=zlib.crc32(np.stack([successes, tried]).tobytes()),
    )


def _counts(outcomes: npt.ArrayLike, trials: npt.ArrayLike | None) -> tuple[FloatArray, FloatArray]:
    """Successes and trials of each observation, checked."""
    successes = finite_vector(outcomes, "outcomes")
    tried = np.ones(successes.size) if trials is None else finite_vector(trials, "trials")
    same_length(("outcomes", successes), ("trials", tried))
    if not successes.size:
        raise DataError("there are no outcomes")
    _refuse(successes != np.round(successes), successes, "outcomes", "counts are whole numbers")
    _refuse((tried != np.round(tried)) | (tried < 1), tried, "trials", "there must be 1 or more, a whole number")
    most = "0 or 1; give trials if they are counts" if trials is None else "between 0 and the number of trials"
    _refuse((successes < 0) | (successes > tried), successes, "outcomes", f"each must be {most}")
    total = successes.sum()
    if total in (0, tried.sum()):
        raise DataError(
            f"all {successes.size} outcomes are {'failures' if total == 0 else 'successes'}: nothing varies"
        )
    return successes, tried


def _refuse(bad: npt.NDArray[np.bool_], values: FloatArray, name: str, rule: str) -> None:
    found = np.flatnonzero(bad)
    if found.size:
        raise DataError(f"{name}: {rule}; {found.size} are not, the first at index {found[0]} ({values[found[0]]:g})")
