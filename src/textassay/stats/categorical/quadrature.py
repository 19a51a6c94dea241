"""Adaptive Gauss–Hermite quadrature: the integral over one random intercept a level, as exact as one likes.

About the mode ûₗ of level l, in units of the posterior's width σₗ = Hₗ^(-1/2), the integrand is summed at the nodes of
Gauss and Hermite (Liu & Pierce 1994). One node is the Laplace approximation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textassay.stats.categorical.conditional_likelihood import ConditionalLikelihood
from textassay.stats.categorical.laplace import Modes
from textassay.stats.categorical.laplace_gradient import Gradient, Pull, total_gradient
from textassay.stats.mixed.random_effects import RandomEffects
from textassay.stats.samples import FloatArray


@dataclass(frozen=True)
class _Sums:
    """What the nodes add up to."""

    loglik: float
    explicit: Gradient
    """Where nodes stay as they are."""
    by_mode: FloatArray
    """One a level: the derivative by ûₗ."""
    by_width: FloatArray
    """One a level: the derivative by σₗ, times σₗ."""


def quadrature(
    model: ConditionalLikelihood,
    effects: RandomEffects,
    parameters: FloatArray,
    theta: FloatArray,
    modes: Modes,
    nodes: int,
) -> tuple[float, Gradient]:
    """The log-likelihood and its gradient; `effects` must be one grouping with intercepts only."""
    sums = _sums(model, effects, parameters, theta, modes, nodes)
    (term,) = effects.terms
    width2 = modes.factor.inverse[:, 0, 0] ** 2
    rows = float(theta[0]) * term.columns[:, 0]
    columns = (width2 * sums.by_width)[term.codes] * rows
    pull = Pull(rows * columns, [columns[:, None]], -2 * sums.by_mode)
    return sums.loglik, total_gradient(effects, theta, modes, pull, sums.explicit)


def _sums(
    model: ConditionalLikelihood,
    effects: RandomEffects,
    parameters: FloatArray,
    theta: FloatArray,
    modes: Modes,
    nodes: int,
) -> _Sums:
    (term,) = effects.terms
    z, weights = np.polynomial.hermite.hermgauss(nodes)
    widths = modes.factor.inverse[:, 0, 0]
    places = modes.spherical[:, None] + np.sqrt(2) * widths[:, None] * z
    linear = model.linear(parameters)
    at = [model.at(linear, float(theta[0]) * term.times(u[:, None])) for u in places.T]
    heights = np.column_stack([term.transposed(each.each())[:, 0] for each in at]) - places**2 / 2
    logs = heights + np.log(weights) + z**2
    top = logs.max(axis=1, keepdims=True)
    totals = np.exp(logs - top).sum(axis=1)
    shares = np.exp(logs - top) / totals[:, None]
    loglik = float(np.sum(np.log(widths) + top[:, 0] + np.log(totals) - np.log(np.pi) / 2))
    by_theta, by_node = 0.0, np.zeros_like(places)
    by_parameters = np.zeros(len(parameters))
    for k, each in enumerate(at):
        scores = term.transposed(each.score)[:, 0]
        by_parameters += each.gradient(shares[term.codes, k])
        by_theta += float(shares[:, k] @ (scores * places[:, k]))
        by_node[:, k] = shares[:, k] * (float(theta[0]) * scores - places[:, k])
    explicit = Gradient(by_parameters, np.array([by_theta]))
    return _Sums(loglik, explicit, by_node.sum(axis=1), 1 + np.sqrt(2) * widths * (by_node @ z))
