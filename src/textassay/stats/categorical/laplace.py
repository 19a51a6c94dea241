"""The Laplace approximation of a likelihood whose random effects cannot be integrated out.

With spherical effects u ~ N(0, I), linear predictor η + Z Λ(θ) u and H = I + Λᵀ Zᵀ W Z Λ:

    log L(ψ, θ) ≈ ℓ(ψ, û) - ûᵀû/2 - log|H|/2,   û the maximum of ℓ(ψ, u) - uᵀu/2

as lme4's glmer and ordinal's clmm define it (W holds the observed second derivatives).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from textassay.stats.categorical.conditional_likelihood import Conditional, ConditionalLikelihood
from textassay.stats.mixed.random_cholesky import RandomCholesky, gram, random_cholesky
from textassay.stats.mixed.random_effects import RandomEffects
from textassay.stats.samples import FloatArray

_STEPS = 100
_HALVINGS = 40
_DECREMENT = 1e-20
"""Of scoreᵀ H⁻¹ score, where the inner search ends: far below what differences of the gradient could see."""
_GOOD_ENOUGH = 1e-10
"""The same, where rounding lets no step go further."""


@dataclass(frozen=True)
class Modes:
    """Where the random effects are most probable, given the parameters."""

    spherical: FloatArray
    """û, as one vector."""
    conditional: Conditional
    """The likelihood there."""
    factor: RandomCholesky
    """L with L Lᵀ = H."""
    value: float
    """ℓ(ψ, û) - ûᵀû/2."""

    @property
    def loglik(self) -> float:
        """The Laplace approximation."""
        return self.value - self.factor.log_det / 2


@dataclass(frozen=True)
class _At:
    """Spherical effects and the penalised log-likelihood there."""

    u: FloatArray
    conditional: Conditional
    value: float


def find_modes(
    model: ConditionalLikelihood,
    effects: RandomEffects,
    parameters: FloatArray,
    theta: FloatArray,
    start: FloatArray | None = None,
) -> Modes | None:
    """û by Newton's method with halved steps; the function is concave, so there is one maximum.

    None where the parameters are not allowed, or so wild that the search does not end.
    """
    linear = model.linear(parameters)
    at = _evaluated(model, effects, linear, theta, np.zeros(effects.size) if start is None else start)
    if not np.isfinite(at.value):
        return None if start is None else find_modes(model, effects, parameters, theta)
    for _ in range(_STEPS):
        score = effects.scaled_back(theta, effects.transposed(at.conditional.score)) - at.u
        factor = random_cholesky(effects, gram(effects, at.conditional.weight), theta)
        step = factor.solve(score)
        decrement = float(score @ step)
        better = None if decrement <= _DECREMENT else _advanced(model, effects, linear, theta, at, step)
        if better is None:
            done = decrement <= _GOOD_ENOUGH
            return Modes(at.u, at.conditional, factor, at.value) if done else None
        at = better
    return None


def _evaluated(
    model: ConditionalLikelihood, effects: RandomEffects, linear: Any, theta: FloatArray, u: FloatArray
) -> _At:
    found = model.at(linear, effects.times(effects.scaled(theta, u)))
    return _At(u, found, found.loglik - float(u @ u) / 2)


def _advanced(
    model: ConditionalLikelihood, effects: RandomEffects, linear: Any, theta: FloatArray, at: _At, step: FloatArray
) -> _At | None:
    """The first point on the way along `step` that is not lower; none where rounding hides every gain."""
    slack = 4 * np.finfo(float).eps * abs(at.value)
    share = 1.0
    for _ in range(_HALVINGS):
        tried = _evaluated(model, effects, linear, theta, at.u + share * step)
        if tried.value >= at.value - slack:
            return tried
        share /= 2
    return None
