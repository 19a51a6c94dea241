"""From a fitted model of preference to what its result says of systems and pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from textassay.stats.distributions import chi2_upper
from textassay.stats.newton import Maximum
from textassay.stats.preferences.abilities import ScaleParameter, abilities_of
from textassay.stats.preferences.ability_pairs import pairs_of
from textassay.stats.preferences.pair_likelihood import Family
from textassay.stats.samples import FloatArray


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
