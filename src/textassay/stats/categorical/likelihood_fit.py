"""Maximum likelihood without random effects: estimates, their covariance, and what went wrong."""
# ruff: noqa: PLC0415 -- scipy takes a third of a second to load and most commands need none of it

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.stats.categorical.likelihoods import ConditionalLikelihood
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


_MOVES = 1e-6
"""Less than this, in a box of half-width 1, is rounding."""


def infinite_signs(rows: FloatArray) -> FloatArray | None:
    """For each parameter the sign of infinity that it tends to, 0 if it is finite, nan if it may tend to either.

    >>> infinite_signs(np.array([[1.0, 0.0], [1.0, 1.0], [-1.0, -1.0]])).tolist()  # x grows, x + y stays
    [1.0, -1.0]
    >>> infinite_signs(np.array([[1.0], [-1.0]])) is None
    True

    Args:
        rows: One a linear form, one column a parameter; no direction may leave all of them at 0.

    Returns:
        None where all estimates are finite.
    """
    scale = np.max(np.abs(rows), axis=0, initial=0.0)
    forms = np.unique(rows / np.where(scale > 0, scale, 1.0), axis=0)
    if _furthest(forms.sum(axis=0), forms) <= _MOVES:
        return None
    units = np.eye(rows.shape[1])
    ahead = np.array([_furthest(unit, forms) > _MOVES for unit in units])
    behind = np.array([_furthest(-unit, forms) > _MOVES for unit in units])
    return np.where(ahead & behind, np.nan, ahead.astype(float) - behind.astype(float))


def separation_message(names: Sequence[str], signs: npt.NDArray[np.float64]) -> str:
    """Which estimates are infinite, and what to do about it."""
    shown = {1.0: "+∞", -1.0: "-∞"}
    moving = [f"{name} ({shown.get(s, '±∞')})" for name, s in zip(names, signs.tolist(), strict=True) if s != 0]
    return (
        "the data are separated: some predictors foretell some answers without fail, so there is no largest likelihood "
        f"and no finite estimate of {', '.join(moving)}; likelihood ratios still hold; or leave out or merge the "
        "levels concerned"
    )


def _furthest(objective: FloatArray, forms: FloatArray) -> float:
    """The largest objective·d over directions d between -1 and 1 along which no form becomes negative."""
    from scipy.optimize import linprog

    found = linprog(-objective, A_ub=-forms, b_ub=np.zeros(len(forms)), bounds=(-1, 1))
    return -float(found.fun) if found.success else 0.0
