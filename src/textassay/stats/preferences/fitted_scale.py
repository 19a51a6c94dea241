"""From a fitted model of preference to what its result says of systems and pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from textassay.pairwise import PairwiseComparisons
from textassay.stats.distributions import chi2_upper, normal_quantile
from textassay.stats.newton import Maximum
from textassay.stats.preferences.abilities import ScaleParameter, abilities_of, ability_pair, ability_pairs
from textassay.stats.preferences.pair_likelihood import Family
from textassay.stats.samples import FloatArray, IntArray


@dataclass(frozen=True)
class FittedScale:
    """Abilities with their covariance, and what they were estimated from."""

    systems: tuple[str, ...]
    family: Family
    """How a comparison of two systems would end."""
    judged: FloatArray
    """Shape (systems, systems): how often two systems were judged against each other."""
    sizes: FloatArray
    """Judgements of each system."""
    n: int
    confidence: float
    parameters: FloatArray
    """k abilities, order effect and τ (see `pair_likelihood`), in any contrast."""
    covariance: FloatArray
    """Of all k + 2, zero for those that were not estimated."""
    extras: tuple[ScaleParameter, ...] = ()
    found: Maximum | None = None
    """None where there are no finite estimates: all figures become nan."""
    equal_loglik: float = np.nan
    """Log-likelihood with all abilities equal."""

    @classmethod
    def undefined(
        cls, systems: tuple[str, ...], family: Family, judged: FloatArray, sizes: FloatArray, n: int, confidence: float
    ) -> FittedScale:
        """A scale without estimates."""
        k = len(systems) + 2
        parameters, covariance = np.full(k, np.nan), np.full((k, k), np.nan)
        return cls(systems, family, judged, sizes, n, confidence, parameters, covariance)

    def fields(self) -> dict[str, Any]:
        """The fields of `Abilities`, centred, that do not depend on the model."""
        k = len(self.systems)
        centre = np.eye(k + 2)
        centre[:k, :k] -= 1 / max(k, 1)
        parameters, covariance = centre @ self.parameters, centre @ self.covariance @ centre.T
        sizes = [round(size) for size in self.sizes.tolist()]
        loglik = self.found.loglik if self.found else np.nan
        chi2 = float(np.maximum(2 * (loglik - self.equal_loglik), 0.0))
        return {
            "systems": self.systems,
            "reference": "",
            "abilities": abilities_of(self.systems, parameters[:k], covariance[:k, :k], sizes, self.confidence),
            "pairs": pairs_of(self.systems, self.family, parameters, covariance, self.judged, self.confidence),
            "extras": self.extras,
            "covariance": tuple(map(tuple, covariance[:k, :k].tolist())),
            "n": self.n,
            "loglik": loglik,
            "chi2": chi2,
            "df": max(k - 1, 0),
            "p": chi2_upper(chi2, k - 1) if k > 1 else np.nan,
            "converged": self.found is not None,
            "steps": self.found.steps if self.found else 0,
            "gradient": self.found.gradient if self.found else np.nan,
            "confidence": self.confidence,
        }


def pairs_of(
    systems: Sequence[str],
    family: Family,
    parameters: FloatArray,
    covariance: FloatArray,
    judged: FloatArray,
    confidence: float,
) -> PairwiseComparisons:
    """Every pair once, in the order of the systems.

    Args:
        systems: Their names.
        family: The model of one comparison.
        parameters: Of k systems the abilities, the order effect (omitted from the probabilities) and τ.
        covariance: Of all k + 2 parameters, zero for those that were not estimated.
        judged: Shape (systems, systems): how often the two were judged against each other.
        confidence: Of the intervals.
    """
    z = normal_quantile((1 + confidence) / 2)
    i, j = np.triu_indices(len(systems), 1)
    eta = parameters[i] - parameters[j]
    se = np.sqrt(covariance[i, i] + covariance[j, j] - 2 * covariance[i, j])
    with np.errstate(invalid="ignore"):  # nan, where there are no estimates, stays nan
        found = family.outcomes(eta, float(parameters[-1]))
        low, high = _interval(found.log_p[0], found.by_eta[0], found.by_tau[0], covariance, (i, j), z)
    tie = np.exp(found.log_p[2]) if family.ties else np.zeros(eta.size)
    columns = np.stack((eta, se, np.exp(found.log_p[0]), low, high, tie, judged[i, j]), axis=1).tolist()
    return ability_pairs(
        [
            ability_pair((systems[a], systems[b]), (difference, error), share, t, round(n), z)
            for a, b, (difference, error, *share, t, n) in zip(i.tolist(), j.tolist(), columns, strict=True)
        ],
        confidence,
    )


def _interval(
    log_p: FloatArray,
    by_eta: FloatArray,
    by_tau: FloatArray,
    covariance: FloatArray,
    pair: tuple[IntArray, IntArray],
    z: float,
) -> tuple[FloatArray, FloatArray]:
    """The delta method on the log odds of a win, so that no end leaves 0 to 1."""
    i, j = pair
    log_rest = np.log(-np.expm1(log_p))
    slope, tie_slope = by_eta * np.exp(-log_rest), by_tau * np.exp(-log_rest)
    variance = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
    mixed = covariance[i, -1] - covariance[j, -1]
    half = z * np.sqrt(slope**2 * variance + 2 * slope * tie_slope * mixed + tie_slope**2 * covariance[-1, -1])
    odds = log_p - log_rest
    return np.exp(-np.logaddexp(0.0, half - odds)), np.exp(-np.logaddexp(0.0, -half - odds))
