"""What theory says of choices: two shares compared, and the bias of log odds, without drawing anything."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from _calibration_theory import ALPHA, FloatArray, Z
from scipy.integrate import quad
from scipy.special import expit, logit, xlogy
from scipy.stats import binom, chi2, norm


@dataclass(frozen=True)
class TwoShares:
    """Two groups of n yes or no answers, in which yes has these probabilities: all n² outcomes, each with its own.

    Outcomes without a yes or without a no in a group are left out; the probabilities of the others sum to 1.
    """

    n: int
    first: float
    second: float

    def _outcomes(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        yes = np.arange(1, self.n)
        chance = np.outer(binom.pmf(yes, self.n, self.first), binom.pmf(yes, self.n, self.second))
        first, second = np.meshgrid(yes, yes, indexing="ij")
        return first.astype(float), second.astype(float), chance / chance.sum()

    def _log_odds(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The difference of log odds of all outcomes, its standard error, and the probability."""
        first, second, chance = self._outcomes()
        variance = sum(1 / yes + 1 / (self.n - yes) for yes in (first, second))
        return logit(second / self.n) - logit(first / self.n), np.sqrt(variance), chance

    def wald_size(self) -> float:
        """How often Wald's test rejects."""
        difference, se, chance = self._log_odds()
        return float(chance[np.abs(difference) >= Z * se].sum())

    def wald_coverage(self) -> float:
        """How often Wald's interval holds the true difference of log odds."""
        difference, se, chance = self._log_odds()
        return float(chance[np.abs(difference - logit(self.second) + logit(self.first)) <= Z * se].sum())

    def ratio_size(self) -> float:
        """How often the likelihood-ratio test rejects."""
        first, second, chance = self._outcomes()
        both = first + second
        g2 = 2 * (self._loglik(first, self.n) + self._loglik(second, self.n) - self._loglik(both, 2 * self.n))
        return float(chance[g2 >= chi2.isf(ALPHA, 1)].sum())

    @staticmethod
    def _loglik(yes: FloatArray, n: int) -> FloatArray:
        return np.asarray(xlogy(yes, yes / n) + xlogy(n - yes, 1 - yes / n))

    def mean(self) -> float:
        """Mean of the estimated difference of log odds."""
        difference, _, chance = self._log_odds()
        return float((difference * chance).sum())


def logistic_bias(design: FloatArray, coefficients: FloatArray, trials: int) -> FloatArray:
    """Bias of the maximum of the likelihood to the first order (Cox & Snell 1968; McCullagh & Nelder 1989, 15.2).

    Each row of the design stands for so many trials.
    """
    share = expit(design @ coefficients)
    weights = trials * share * (1 - share)
    inverse = np.linalg.inv(design.T @ (weights[:, None] * design))
    leverage = np.einsum("ij,jk,ik->i", design, inverse, design)
    return np.asarray(inverse @ (design.T @ (weights * leverage * (share - 0.5))))


def choice_design_effect(sd: float, answers: int) -> float:
    """How many times larger the variance of a share is where so many answers come from each participant.

    The participants' log odds are normal about 0 with this standard deviation; 1 + (answers - 1) · the correlation of
    two answers of one participant (Kish 1965).
    """
    spread = quad(lambda z: (expit(sd * z) - 0.5) ** 2 * norm.pdf(z), -math.inf, math.inf)[0]
    return 1 + (answers - 1) * float(spread) / 0.25
