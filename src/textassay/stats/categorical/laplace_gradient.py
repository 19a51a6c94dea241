"""The exact gradient of the Laplace approximation (and of quadrature about the same modes).

û moves with the parameters, and so does H. Both are followed by one more solve with H, whatever the number of
parameters: what the approximation gains by moving û (the adjoint) is spread over the derivatives of û's equation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from textassay.stats.categorical.laplace import Modes
from textassay.stats.mixed.random_cholesky import RandomCholesky
from textassay.stats.mixed.random_effects import RandomEffects, RandomTerm
from textassay.stats.samples import FloatArray, IntArray


@dataclass(frozen=True)
class Gradient:
    """Derivatives by the parameters of the likelihood and by the relative covariance."""

    parameters: FloatArray
    theta: FloatArray


@dataclass(frozen=True)
class Pull:
    """How the approximation depends on û and H, beside the likelihood at û itself."""

    leverage: FloatArray
    """One an observation: twice what the approximation loses for each unit of its weight."""
    columns: list[FloatArray]
    """One a term, shape (n, width): what it loses for each unit of an entry of Z Λ, over the weight."""
    modes: FloatArray
    """Twice what it loses for each unit of û while H stays as it is."""


def laplace_pull(effects: RandomEffects, theta: FloatArray, modes: Modes) -> Pull:
    """Of log|H|/2: the leverage is the diagonal of Z Λ H⁻¹ Λᵀ Zᵀ; û itself is a maximum and pulls nothing."""
    rows = [term.columns @ factor for term, factor in zip(effects.terms, effects.factors(theta), strict=True)]
    columns = _inverse_times_rows(effects, modes.factor, rows)
    leverage = sum(np.einsum("nw,nw->n", row, column) for row, column in zip(rows, columns, strict=True))
    return Pull(np.asarray(leverage), columns, np.zeros(effects.size))


def explicit_gradient(effects: RandomEffects, modes: Modes) -> Gradient:
    """The derivatives of ℓ(ψ, û) by ψ and θ where û stays as it is."""
    score = modes.conditional.score
    by_theta = [
        float((term.columns[:, row] * score) @ spherical[term.codes, column])
        for term, spherical in zip(effects.terms, effects.split(modes.spherical), strict=True)
        for row, column in zip(*term.entries, strict=True)
    ]
    return Gradient(modes.conditional.gradient(), np.array(by_theta))


def total_gradient(effects: RandomEffects, theta: FloatArray, modes: Modes, pull: Pull, explicit: Gradient) -> Gradient:
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

    H⁻¹ is needed in blocks only: of each level of the first term, between that and the others, and of the others.
    """
    first, *others = effects.terms
    rest = np.linalg.inv(factor.rest) if others else factor.rest
    upper = factor.inverse.transpose(0, 2, 1)
    cross = upper @ factor.cross.reshape(len(first.levels), first.width, -1)
    spread = cross @ rest.T
    own = upper @ factor.inverse + spread @ spread.transpose(0, 2, 1)
    found = [np.einsum("nvw,nw->nv", own[first.codes], rows[0])]
    crossed, dense = -(spread @ rest), rest.T @ rest
    places = _places(others)
    for index, place in enumerate(places, start=1):
        between = crossed[first.codes[:, None], :, place]  # (n, width of this term, width of the first)
        found[0] = found[0] + np.einsum("nwv,nw->nv", between, rows[index])
        total = np.einsum("nwv,nv->nw", between, rows[0])
        for other, other_place in enumerate(places, start=1):
            total = total + np.einsum("nvw,nw->nv", dense[place[:, :, None], other_place[:, None, :]], rows[other])
        found.append(total)
    return found


def _places(terms: Sequence[RandomTerm]) -> list[IntArray]:
    """For each term, shape (n, width): where the effects of an observation stand among those of these terms."""
    starts = np.cumsum([0, *(term.size for term in terms)])
    return [
        start + term.codes[:, None] * term.width + np.arange(term.width)
        for start, term in zip(starts, terms, strict=False)
    ]
