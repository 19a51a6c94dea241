"""The likelihood of successes out of trials, with the log odds as linear predictor."""
# ruff: noqa: PLC0415 -- scipy takes a third of a second to load and most commands need none of it

from __future__ import annotations

from functools import cached_property

import numpy as np

from textassay.stats.categorical.conditional_likelihood import Conditional, ConditionalLikelihood
from textassay.stats.samples import FloatArray

_EXTREME_LOG_ODDS = 11.5
"""About 1 in 100,000: a reason to look for separation."""


class BinomialLikelihood(ConditionalLikelihood):
    """P(y successes of m) = C(m, y) μ^y (1-μ)^(m-y) with log(μ / (1-μ)) = xᵀβ + shift."""

    def __init__(self, successes: FloatArray, trials: FloatArray, x: FloatArray, names: tuple[str, ...]) -> None:
        """Take one row an observation."""
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
