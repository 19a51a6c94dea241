"""Links of cumulative models: a distribution function with its density and the density's first two derivatives."""
# ruff: noqa: PLC0415 -- scipy takes a third of a second to load and most commands need none of it

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from textassay.stats.samples import FloatArray

LinkName = Literal["logit", "probit"]
"""`logit`: the latent variable is logistic (proportional odds); `probit`: it is normal."""
FAR = 1e5
"""Stands for infinity: both links have reached 0 or 1 there, and products of it with a density of 0 stay 0."""


@dataclass(frozen=True)
class Densities:
    """A density and its derivatives at some points."""

    f: FloatArray
    f1: FloatArray
    """First derivative."""
    f2: FloatArray
    """Second derivative."""


def cdf(link: LinkName, t: FloatArray) -> FloatArray:
    """P(latent variable ≤ t).

    >>> cdf("logit", np.array([0.0, np.log(3)])).round(12).tolist(), cdf("probit", np.array([0.0])).tolist()
    ([0.5, 0.75], [0.5])
    """
    from scipy.special import expit, ndtr

    return np.asarray(expit(t) if link == "logit" else ndtr(t))


def between(link: LinkName, upper: FloatArray, lower: FloatArray) -> FloatArray:
    """P(lower < latent variable ≤ upper), with all digits in the upper tail too.

    Both links are symmetric, so what lies above the middle is computed from its mirror image below it, where a
    difference of distribution functions loses no digits.
    """
    above = upper + lower > 0
    return cdf(link, np.where(above, -lower, upper)) - cdf(link, np.where(above, -upper, lower))


def densities(link: LinkName, t: FloatArray) -> Densities:
    """The density at t and its first two derivatives."""
    if link == "logit":
        below, above = cdf(link, t), cdf(link, -t)
        f = below * above
        return Densities(f, f * (above - below), f * (1 - 6 * f))
    f = np.exp(-t * t / 2) / np.sqrt(2 * np.pi)
    return Densities(f, -t * f, (t * t - 1) * f)
