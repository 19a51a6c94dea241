"""Parameters with standard errors and Wald tests."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from textassay.stats.distributions import normal_quantile, normal_upper
from textassay.stats.samples import FloatArray


@dataclass(frozen=True)
class WaldEstimate:
    """A parameter with its standard error and Wald test."""

    name: str
    estimate: float
    """±inf where the data are separated."""
    se: float
    z: float
    p: float
    """Two-sided, of the hypothesis that it is 0."""
    ci: tuple[float, float]


def wald_estimates(
    names: Sequence[str], values: FloatArray, covariance: FloatArray, confidence: float
) -> tuple[WaldEstimate, ...]:
    """Estimates with standard errors from their covariance."""
    width = normal_quantile((1 + confidence) / 2)
    errors = np.sqrt(np.diagonal(covariance)).tolist()
    found = []
    for name, value, se in zip(names, values.tolist(), errors, strict=True):
        z = value / se if se > 0 else math.nan
        found.append(
            WaldEstimate(name, value, se, z, 2 * normal_upper(abs(z)), (value - width * se, value + width * se))
        )
    return tuple(found)
