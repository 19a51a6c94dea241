"""The θ at which the criterion of a linear mixed model is least.

The criterion depends on ΛΛᵀ only, so the search needs no bounds: a θ on the diagonal may turn negative, and a variance
of 0 is an ordinary, smooth minimum. Quasi-Newton steps come near it; Newton steps with the Hessian, which the degrees
of freedom need anyway, come to rounding. A saddle (a variance of 0 that should not be 0) is left along the direction
in which the criterion falls.
"""
# ruff: noqa: PLC0415 -- scipy takes a third of a second to load and most commands need none of it

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from textassay.stats.blas_threads import one_blas_thread
from textassay.stats.mixed.random_effects import RandomEffects, RandomTerm
from textassay.stats.mixed.reml import Likelihood, MixedProducts, ProfiledFit, profiled_fit
from textassay.stats.samples import FloatArray

_STEP = 3e-4
"""Of the differences of gradients that make the Hessian; its relative error is about the square."""
_FLAT = 1e-8
"""Curvature below this share of the largest is taken for none."""
_FALLS = -1e-6
"""Curvature below this share of the largest is that of a saddle."""
_ENOUGH = 1e-14
"""No further step where it would lower the criterion by less than this."""
_CONVERGED = 1e-6
"""What may be left to gain where the minimum counts as found."""
_AT_BOUNDARY = 1e-4
"""Relative standard deviations below this become 0 if the criterion does not rise; lme4 calls them singular."""
_ESCAPES, _NEWTON_STEPS, _HALVINGS = 4, 20, 6

Objective = Callable[[FloatArray], tuple[float, FloatArray]]


@dataclass(frozen=True)
class Minimum:
    """The fit at the least criterion."""

    fit: ProfiledFit
    hessian: FloatArray
    """Of the criterion, with regard to what is free: θ, or τ where θ = `ties` τ."""
    gradient: FloatArray
    """Likewise."""
    ties: FloatArray | None = None
    """Shape (θ, τ); nothing where every θ is free."""

    @property
    def to_gain(self) -> float:
        """By how much a Newton step would still lower the criterion."""
        return _newton(self.hessian, self.gradient)[1]

    @property
    def converged(self) -> bool:
        """Whether this is a minimum: nothing to gain, and no way down."""
        curvature = np.linalg.eigvalsh(self.hessian)
        return bool(self.to_gain < _CONVERGED and curvature[0] >= _FALLS * abs(curvature[-1]))


@one_blas_thread
def least_criterion(products: MixedProducts, likelihood: Likelihood, ties: FloatArray | None = None) -> Minimum:
    """The θ with the least criterion, searched from all Λ the identity.

    Args:
        products: Of the observations.
        likelihood: Which criterion.
        ties: Shape (θ, τ), for uncorrelated effects: only θ = ties τ are searched, so that several effects have one
            variance; each θ is a multiple of one τ.
    """

    def objective(free: FloatArray) -> tuple[float, FloatArray]:
        try:
            fit = profiled_fit(products, free if ties is None else ties @ free, likelihood)
        except np.linalg.LinAlgError:  # so far off that rounding eats the identity in Λᵀ ZᵀZ Λ + I
            return math.inf, np.zeros_like(free)
        if fit.r2 <= 0:
            return math.inf, np.zeros_like(free)
        return fit.criterion, fit.gradient() if ties is None else ties.T @ fit.gradient()

    start = products.effects.start()
    free, hessian = _descend(objective, start if ties is None else _untied(ties, start))
    free = _polish(objective, free, hessian)
    free = _snapped(objective, products.effects, free, ties)
    fit = profiled_fit(products, free if ties is None else ties @ free, likelihood)
    gradient = fit.gradient() if ties is None else ties.T @ fit.gradient()
    return Minimum(fit, _hessian(objective, free), gradient, ties)


def _untied(ties: FloatArray, theta: FloatArray) -> FloatArray:
    """The τ of a θ."""
    return np.asarray(np.linalg.lstsq(ties, theta, rcond=None)[0])


def canonical(effects: RandomEffects, theta: FloatArray) -> FloatArray:
    """The θ with the same ΛΛᵀ whose diagonals are not negative, and 0 below a 0."""
    parts = zip(effects.terms, effects.factors(theta), strict=True)
    return np.concatenate([_triangle(term, factor)[term.entries] for term, factor in parts])


def _triangle(term: RandomTerm, factor: FloatArray) -> FloatArray:
    """Cholesky's factor of ΛΛᵀ, which may be singular."""
    if not term.correlated:
        return np.abs(factor)
    left = factor @ factor.T
    found = np.zeros_like(left)
    floor = 1e-24 * float(np.max(np.diagonal(left), initial=0.0))
    for column in range(len(left)):
        if left[column, column] > floor:
            found[:, column] = left[:, column] / math.sqrt(left[column, column])
            left = left - np.outer(found[:, column], found[:, column])
    return np.tril(found)


def _descend(objective: Objective, theta: FloatArray) -> tuple[FloatArray, FloatArray]:
    """A minimum to about six digits, and its Hessian."""
    from scipy.optimize import minimize

    for _ in range(_ESCAPES):
        theta = np.asarray(minimize(objective, theta, jac=True, method="BFGS", options={"gtol": 1e-4}).x)
        hessian = _hessian(objective, theta)
        curvature, directions = np.linalg.eigh(hessian)
        if curvature[0] >= _FALLS * abs(curvature[-1]):
            break
        theta = theta + 0.3 * directions[:, 0]
    return theta, hessian


def _polish(objective: Objective, theta: FloatArray, hessian: FloatArray) -> FloatArray:
    """Newton steps until only rounding remains."""
    value, gradient = objective(theta)
    for _ in range(_NEWTON_STEPS):
        step, gain = _newton(hessian, gradient)
        if gain < _ENOUGH:
            break
        for _ in range(_HALVINGS):
            new_value, new_gradient = objective(theta + step)
            if new_value <= value + 1e-9 * max(1.0, abs(value)):  # gains below rounding cannot be seen in the value
                break
            step = step / 2
        else:
            break
        theta, value, gradient = theta + step, new_value, new_gradient
        if gain > _CONVERGED:
            hessian = _hessian(objective, theta)
    return theta


def _snapped(
    objective: Objective, effects: RandomEffects, free: FloatArray, ties: FloatArray | None = None
) -> FloatArray:
    """Variances that are 0 but for rounding, set to 0."""

    def tidy(values: FloatArray) -> FloatArray:
        return canonical(effects, values) if ties is None else np.abs(values)

    free = tidy(free)
    small = (effects.on_diagonal if ties is None else True) & (free < _AT_BOUNDARY)
    if not np.any(small):
        return free
    at_boundary = tidy(np.where(small, 0.0, free))
    return at_boundary if objective(at_boundary)[0] <= objective(free)[0] + 1e-8 else free


def _hessian(objective: Objective, theta: FloatArray) -> FloatArray:
    """By central differences of the gradient."""
    rows = []
    for place in range(len(theta)):
        step = np.zeros_like(theta)
        step[place] = _STEP * max(abs(float(theta[place])), 0.1)
        rows.append((objective(theta + step)[1] - objective(theta - step)[1]) / (2 * step[place]))
    found = np.array(rows)
    return np.asarray((found + found.T) / 2)


def _newton(hessian: FloatArray, gradient: FloatArray) -> tuple[FloatArray, float]:
    """The step to the minimum of the parabola, directions without curvature left alone, and what it gains."""
    curvature, directions = np.linalg.eigh(hessian)
    curved = np.abs(curvature) > _FLAT * np.max(np.abs(curvature), initial=1e-300)
    slope = directions.T @ gradient
    along = np.where(curved, slope / np.where(curved, np.abs(curvature), 1.0), 0.0)
    return -directions @ along, float(slope @ along) / 2
