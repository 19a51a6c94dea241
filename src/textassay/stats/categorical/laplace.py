"""The Laplace approximation of a likelihood whose random effects cannot be integrated out.

With spherical effects u ~ N(0, I), linear predictor η + Z Λ(θ) u and H = I + Λᵀ Zᵀ W Z Λ:

    log L(ψ, θ) ≈ ℓ(ψ, û) - ûᵀû/2 - log|H|/2,   û the maximum of ℓ(ψ, u) - uᵀu/2

as lme4's glmer and ordinal's clmm define it (W holds the observed second derivatives).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from textassay.stats.categorical.likelihoods import Conditional, ConditionalLikelihood
from textassay.stats.mixed.gram import gram
from textassay.stats.mixed.random_cholesky import RandomCholesky, random_cholesky
from textassay.stats.mixed.random_effects import RandomEffects, consecutive
from textassay.stats.samples import FloatArray

_STEPS = 100
_HALVINGS = 40
_DECREMENT = 1e-20
"""Of scoreᵀ H⁻¹ score, where the inner search ends: far below what differences of the gradient could see."""
_CHORDS = 12
"""Steps with one factor."""
_CONTRACTS = 0.05
"""Where a step is left with more than this share of the last one's decrement, a new factor is made."""
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
        factor = random_cholesky(effects, gram(effects, at.conditional.weight), theta)
        moved, decrement = _advanced_with(factor, model, effects, linear, theta, at)
        if moved is at:
            return Modes(at.u, at.conditional, factor, at.value) if decrement <= _GOOD_ENOUGH else None
        at = moved
    return None


def _advanced_with(
    factor: RandomCholesky,
    model: ConditionalLikelihood,
    effects: RandomEffects,
    linear: Any,
    theta: FloatArray,
    at: _At,
) -> tuple[_At, float]:
    """The place after steps with one factor, as long as they are about as good as with a new one, and scoreᵀ H⁻¹ score.

    The place is the one given where the first step leads no further.
    """
    decrement = np.inf
    for _ in range(_CHORDS):
        score = effects.scaled_back(theta, effects.transposed(at.conditional.score)) - at.u
        step = factor.solve(score)
        before, decrement = decrement, float(score @ step)
        better = None if decrement <= _DECREMENT else _advanced(model, effects, linear, theta, at, step)
        if better is None:
            break
        at = better
        if decrement > _CONTRACTS * before:
            break
    return at, decrement


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


@dataclass(frozen=True)
class Gradient:
    """Derivatives by the parameters of the likelihood and by the relative covariance."""

    parameters: FloatArray
    theta: FloatArray


@dataclass(frozen=True)
class LaplaceGradient:
    """How the approximation depends on û and H, apart from the likelihood at û itself."""

    leverage: FloatArray
    """One per observation: twice what the approximation loses for each unit of its weight."""
    columns: list[FloatArray]
    """One per term, shape (n, width): what it loses for each unit of an entry of Z Λ, over the weight."""
    modes: FloatArray
    """Twice what it loses for each unit of û while H stays as it is."""


def laplace_pull(effects: RandomEffects, theta: FloatArray, modes: Modes) -> LaplaceGradient:
    """Of log|H|/2: the leverage is the diagonal of Z Λ H⁻¹ Λᵀ Zᵀ; û itself is a maximum and pulls nothing."""
    rows = [term.columns @ factor for term, factor in zip(effects.terms, effects.factors(theta), strict=True)]
    columns = _inverse_times_rows(effects, modes.factor, rows)
    leverage = sum(np.einsum("nw,nw->n", row, column) for row, column in zip(rows, columns, strict=True))
    return LaplaceGradient(np.asarray(leverage), columns, np.zeros(effects.size))


def explicit_gradient(effects: RandomEffects, modes: Modes) -> Gradient:
    """The derivatives of ℓ(ψ, û) by ψ and θ where û stays as it is."""
    score = modes.conditional.score
    by_theta = [
        float((term.columns[:, row] * score) @ spherical[term.codes, column])
        for term, spherical in zip(effects.terms, effects.split(modes.spherical), strict=True)
        for row, column in zip(*term.entries, strict=True)
    ]
    return Gradient(modes.conditional.gradient(), np.array(by_theta))


def total_gradient(
    effects: RandomEffects, theta: FloatArray, modes: Modes, pull: LaplaceGradient, explicit: Gradient
) -> Gradient:
    """The gradient of the approximation, from the one where û and H stay as they are and how both pull."""
    at = modes.conditional
    by_weight = pull.leverage * at.weight_slope
    adjoint = modes.factor.solve(effects.scaled_back(theta, effects.transposed(by_weight)) + pull.modes)
    shift = effects.times(effects.scaled(theta, adjoint))
    by_parameters = at.weight_by_parameters(pull.leverage) + at.score_by_parameters(shift)
    by_predictor = by_weight - shift * at.weight
    by_theta = []
    parts = zip(effects.terms, effects.split(modes.spherical), effects.split(adjoint), pull.columns, strict=True)
    for term, spherical, pulled, columns in parts:
        for row, column in zip(*term.entries, strict=True):
            each = by_predictor * spherical[term.codes, column] + at.score * pulled[term.codes, column]
            each += 2 * at.weight * columns[:, column]
            by_theta.append(float(term.columns[:, row] @ each))
    return Gradient(explicit.parameters - by_parameters / 2, explicit.theta - np.array(by_theta) / 2)


def _inverse_times_rows(effects: RandomEffects, factor: RandomCholesky, rows: Sequence[FloatArray]) -> list[FloatArray]:
    """H⁻¹ m for each row m of Z Λ, only at the effects that the row touches: shape (n, width) for each term.

    H⁻¹ is needed in parts only: of each level of the lead, between that and effects it meets, and where others meet.
    """
    order = effects.elimination
    uses, meetings, lead, n = order.entries.uses, order.meetings, order.lead, len(rows[0])
    given = np.column_stack([np.zeros((n, 0)), *rows[1:]])
    at = uses.observation * given.shape[1] + uses.column
    used = given.ravel()[at]
    # Others by others: each meeting tells two, but for a column with itself.
    inverted = factor.inverted[meetings.cell]
    apart = np.where(meetings.one == meetings.other, 0.0, inverted)
    found = np.bincount(at[meetings.one], inverted * used[meetings.other], given.size)
    found += np.bincount(at[meetings.other], apart * used[meetings.one], given.size)
    # The lead by itself, and by the others.
    first = np.einsum("nvw,nw->nv", factor.lead_inverted[lead.codes], rows[0])
    between = -factor.lead_carried[order.entries.entry]
    found += np.bincount(at, np.einsum("uw,uw->u", between, rows[0][uses.observation]), given.size)
    for place in range(lead.width):
        first[:, place] += np.bincount(uses.observation, between[:, place] * used, n)
    places = consecutive([term.width for term in order.others.terms])
    return [first, *(found.reshape(given.shape)[:, place] for place in places)]


@dataclass(frozen=True)
class _QuadratureSums:
    """What the nodes add up to."""

    loglik: float
    explicit: Gradient
    """Where nodes stay as they are."""
    by_mode: FloatArray
    """One per level: the derivative by ûₗ."""
    by_width: FloatArray
    """One per level: the derivative by σₗ, times σₗ."""


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
    pull = LaplaceGradient(rows * columns, [columns[:, None]], -2 * sums.by_mode)
    return sums.loglik, total_gradient(effects, theta, modes, pull, sums.explicit)


def _sums(
    model: ConditionalLikelihood,
    effects: RandomEffects,
    parameters: FloatArray,
    theta: FloatArray,
    modes: Modes,
    nodes: int,
) -> _QuadratureSums:
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
    return _QuadratureSums(loglik, explicit, by_node.sum(axis=1), 1 + np.sqrt(2) * widths * (by_node @ z))
