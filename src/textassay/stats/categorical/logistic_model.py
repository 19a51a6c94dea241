"""The logistic model of yes and no, or of successes out of trials, with or without random effects."""
# ruff: noqa: PLC0415 -- scipy takes a third of a second to load and most commands need none of it

from __future__ import annotations

import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.stats.categorical.fitted_model import FitOptions, TestKind, fitted_fields, model_settings, random_part_of
from textassay.stats.categorical.likelihood_model import LikelihoodModel
from textassay.stats.categorical.likelihoods import Conditional, ConditionalLikelihood, cdf
from textassay.stats.mixed.mixed_design import MixedFormula, Setting, fixed_part
from textassay.stats.mixed.model_matrix import Coding, ModelMatrix
from textassay.stats.samples import Column, FloatArray, finite_vector, same_length


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

    Purpose: model yes-or-no answers, such as correct or preferred, with participants and items as random effects.

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
        tests: Of terms: `wald`, or `lr` (likelihood ratio; one more fit per term).
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


_EXTREME_LOG_ODDS = 11.5
"""About 1 in 100,000: a reason to look for separation."""


class BinomialLikelihood(ConditionalLikelihood):
    """P(y successes of m) = C(m, y) μ^y (1-μ)^(m-y) with log(μ / (1-μ)) = xᵀβ + shift."""

    def __init__(self, successes: FloatArray, trials: FloatArray, x: FloatArray, names: tuple[str, ...]) -> None:
        """Take one row per observation."""
        from scipy.special import gammaln

        self.n, self.names, self.x = len(successes), names, x
        self.successes, self.trials = successes, trials
        ways = gammaln(trials + 1) - gammaln(successes + 1) - gammaln(trials - successes + 1)
        self.constant = np.asarray(ways, dtype=float)

    def start(self) -> FloatArray:
        """No effects."""
        return np.zeros(self.x.shape[1])

    def linear(self, parameters: FloatArray) -> FloatArray:
        """Xβ."""
        return np.asarray(self.x @ parameters)

    def at(self, linear: FloatArray, shift: FloatArray | float) -> Conditional:
        """The log-likelihood at these log odds."""
        return _LogOdds(self, linear + shift)

    def recession_rows(self) -> FloatArray:
        """Log odds must not fall where there was a success, nor rise where there was a failure."""
        return np.vstack([self.x[self.successes > 0], -self.x[self.successes < self.trials]])

    def extreme(self, parameters: FloatArray) -> bool:
        """Whether some log odds are far out."""
        return bool(np.any(np.abs(self.linear(parameters)) > _EXTREME_LOG_ODDS))


class _LogOdds(Conditional):
    def __init__(self, model: BinomialLikelihood, eta: FloatArray) -> None:
        self._model, self._eta = model, eta
        loglik = float(np.sum(self.each()))
        self.loglik = loglik if np.isfinite(loglik) else -np.inf

    def each(self) -> FloatArray:
        model = self._model
        return np.asarray(model.successes * self._eta - model.trials * np.logaddexp(0, self._eta) + model.constant)

    @cached_property
    def _mu(self) -> FloatArray:
        from scipy.special import expit

        return np.asarray(expit(self._eta))

    @cached_property
    def score(self) -> FloatArray:
        return self._model.successes - self._model.trials * self._mu

    @cached_property
    def weight(self) -> FloatArray:
        return self._model.trials * self._mu * (1 - self._mu)

    @cached_property
    def weight_slope(self) -> FloatArray:
        return self.weight * (1 - 2 * self._mu)

    def gradient(self, factor: FloatArray | None = None) -> FloatArray:
        return np.asarray(self._model.x.T @ (self.score if factor is None else self.score * factor))

    def score_by_parameters(self, factor: FloatArray) -> FloatArray:
        return -np.asarray(self._model.x.T @ (self.weight * factor))

    def weight_by_parameters(self, factor: FloatArray) -> FloatArray:
        return np.asarray(self._model.x.T @ (self.weight_slope * factor))

    def information(self) -> FloatArray:
        return np.asarray((self._model.x * self.weight[:, None]).T @ self._model.x)
