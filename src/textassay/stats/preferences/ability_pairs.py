"""All pairs of systems compared by their abilities: differences, Wald tests, probabilities of preference."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from textassay.pairwise import PairwiseComparisons
from textassay.stats.distributions import normal_quantile
from textassay.stats.preferences.abilities import ability_pair, ability_pairs
from textassay.stats.preferences.pair_likelihood import Family
from textassay.stats.samples import FloatArray, IntArray


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
        parameters: Of k systems the abilities, the order effect (left out of the probabilities) and τ.
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
