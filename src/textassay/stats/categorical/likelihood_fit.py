"""Maximum likelihood without random effects: estimates, their covariance, and what went wrong."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textassay.stats.categorical.conditional_likelihood import ConditionalLikelihood
from textassay.stats.categorical.infinite_estimates import infinite_signs, separation_message
from textassay.stats.newton import Maximum, maximise
from textassay.stats.samples import FloatArray

_FLAT = 1e-9
"""Share of the largest curvature below which a direction has none."""


@dataclass(frozen=True)
class Fit:
    """Where the likelihood is largest."""

    parameters: FloatArray
    """±inf where the likelihood grows without end, nan where there is no estimate."""
    covariance: FloatArray
    """Of `parameters`: the inverse of minus the second derivatives; nan where there is none."""
    loglik: float
    n_parameters: int
    """Free ones, those of the random effects included."""
    converged: bool
    warnings: tuple[str, ...] = ()
    steps: int = 0
    distance: float = np.nan
    """From the maximum, in standard errors."""
    theta: FloatArray | None = None
    """Relative covariance of the random effects."""
    modes: FloatArray | None = None
    """The random effects where they are most probable, as one vector."""
    singular: tuple[str, ...] = ()
    """Groupings with a standard deviation of 0, or a correlation of ±1."""


def fit_fixed(model: ConditionalLikelihood) -> Fit:
    """A model without random effects: Newton's method, as the log-likelihood is concave."""
    found = maximise(model.point, model.start())
    signs = runaway_signs(model, found)
    if signs is not None:
        return _separated(model, found, signs)
    covariance = inverse(found.point.information)
    warnings = () if found.converged else (not_converged(found.gradient, found.steps),)
    size = len(found.parameters)
    steps, distance = found.steps, found.gradient
    return Fit(found.parameters, covariance, found.loglik, size, found.converged, warnings, steps, distance)


def runaway_signs(model: ConditionalLikelihood, found: Maximum) -> FloatArray | None:
    """The signs of infinite estimates, looked for where the fit looks suspicious only; None where all are finite."""
    if not found.parameters.size or (found.converged and not model.extreme(found.parameters)):
        return None
    return infinite_signs(model.recession_rows())


def not_converged(distance: float, steps: int) -> str:
    """That the search failed, with what to do about it."""
    where = "no maximum was found" if np.isnan(distance) else f"{distance:.2g} standard errors from the maximum"
    return f"the search did not converge ({where} after {steps} steps): do not trust the estimates; simplify the model"


def inverse(information: FloatArray) -> FloatArray:
    """The covariance of the estimates; nan where the information is singular."""
    try:
        found = np.linalg.inv(information)
    except np.linalg.LinAlgError:
        return np.full(information.shape, np.nan)
    return np.asarray((found + found.T) / 2)


def _separated(model: ConditionalLikelihood, found: Maximum, signs: FloatArray) -> Fit:
    """The limit: infinite estimates named as such, the covariance of the others from the curvature that is left."""
    moving = signs != 0
    parameters = np.where(moving, np.where(np.isnan(signs), np.nan, np.copysign(np.inf, signs)), found.parameters)
    covariance = np.asarray(np.linalg.pinv(found.point.information, rcond=_FLAT, hermitian=True), dtype=float)
    covariance[moving] = np.nan
    covariance[:, moving] = np.nan
    warnings = (separation_message(model.names, signs),)
    return Fit(parameters, covariance, found.loglik, len(parameters), True, warnings, found.steps)  # noqa: FBT003
