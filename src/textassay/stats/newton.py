"""The maximum of a concave log-likelihood: Newton's method, or Fisher's scoring, with halved steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from textassay.stats.blas_threads import one_blas_thread
from textassay.stats.samples import FloatArray

TOLERANCE = 1e-18
"""Of scoreᵀ information⁻¹ score, the squared length of the gradient in standard errors."""
_GOOD_ENOUGH = 1e-12
"""The same, where rounding of the log-likelihood lets no step go further."""
_STEPS = 200
_HALVINGS = 40


@dataclass(frozen=True)
class LikelihoodPoint:
    """A log-likelihood at some parameters; -inf where they are not allowed."""

    loglik: float
    score: FloatArray
    """The gradient."""
    information: FloatArray
    """Minus the matrix of second derivatives, or its expectation."""


@dataclass(frozen=True)
class Maximum:
    """Where the search ended."""

    parameters: FloatArray
    point: LikelihoodPoint
    steps: int
    gradient: float
    """Length of the gradient in standard errors: √(scoreᵀ information⁻¹ score); nan where it has none."""
    converged: bool

    @property
    def loglik(self) -> float:
        """The log-likelihood there."""
        return self.point.loglik

    def covariance(self) -> FloatArray:
        """The inverse of the information.

        Raises:
            numpy.linalg.LinAlgError: it has none.
        """
        return np.asarray(np.linalg.inv(self.point.information))


@one_blas_thread
def maximise(evaluate: Callable[[FloatArray], LikelihoodPoint], start: FloatArray) -> Maximum:
    """Climb from `start` until the gradient, in standard errors, is practically zero.

    The parameters must be identified: where the information is singular on the way, the search ends without having
    converged, as it does after 200 steps.

    >>> def coin(parameters: FloatArray) -> LikelihoodPoint:  # 3 heads, 1 tail, log odds θ
    ...     p = 1 / (1 + np.exp(-parameters[0]))
    ...     return LikelihoodPoint(3 * np.log(p) + np.log(1 - p), np.array([3 - 4 * p]), np.array([[4 * p * (1 - p)]]))
    >>> found = maximise(coin, np.zeros(1))
    >>> found.converged, round(float(found.parameters[0]), 12) == round(float(np.log(3)), 12)
    (True, True)
    """
    parameters, point = start, evaluate(start)
    decrement = np.nan
    for step in range(_STEPS):
        if not parameters.size:
            return Maximum(parameters, point, step, 0.0, converged=True)
        try:
            direction: FloatArray = np.linalg.solve(point.information, point.score).astype(float, copy=False)
        except np.linalg.LinAlgError:
            return Maximum(parameters, point, step, np.nan, converged=False)
        decrement = float(point.score @ direction)
        if 0 <= decrement <= TOLERANCE:
            return Maximum(parameters, point, step, decrement**0.5, converged=True)
        advanced = _advanced(evaluate, parameters, direction, point.loglik)
        if advanced is None:
            break
        parameters, point = advanced
    return Maximum(parameters, point, step + 1, abs(decrement) ** 0.5, converged=abs(decrement) <= _GOOD_ENOUGH)


def _advanced(
    evaluate: Callable[[FloatArray], LikelihoodPoint], parameters: FloatArray, direction: FloatArray, loglik: float
) -> tuple[FloatArray, LikelihoodPoint] | None:
    """The first point on the way along `direction` that is not lower; none where rounding hides every gain."""
    slack = 4 * np.finfo(float).eps * abs(loglik)
    share = 1.0
    for _ in range(_HALVINGS):
        tried = parameters + share * direction
        point = evaluate(tried)
        if point.loglik >= loglik - slack:
            return tried, point
        share /= 2
    return None


_QUASI_NEWTON_STEPS = 200
_QUASI_NEWTON_HALVINGS = 30
_LONGEST = 3.0
"""Of one step: a line search from further away would often begin where the function does not exist."""
_SMALL = 1e-4
"""Largest entry of the gradient where BFGS hands over to Newton."""
_CONVERGED = 1e-4
"""Distance from the maximum, in standard errors, that counts as having arrived."""
_MOVED = 1e-3
"""Distance, in standard errors, within which the second derivatives are the same."""
_REACHED = 1e-7
"""Distance from the maximum at which further steps are not worth their cost."""
_DIFFERENCE = 0.02
"""Step of the numerical second derivatives."""
_POLISHING = 5
_ESCAPES = 4
_FLAT = 1e-7
"""Share of the largest curvature below which a direction has none: variances of 0 leave some that change nothing."""
_SADDLE = 1e-5
"""Share of the largest curvature by which it must be negative to be that of a saddle."""
_LEVEL = 1e-3
"""Largest gradient along a direction without curvature where the function counts as level."""


@dataclass(frozen=True)
class FunctionValue:
    """A function and its gradient at one place."""

    value: float
    gradient: FloatArray


Objective = Callable[[FloatArray], FunctionValue | None]
"""None where the function does not exist."""


@dataclass(frozen=True)
class Optimum:
    """Where the search ended."""

    at: FloatArray
    value: float
    curvature: FloatArray
    """Minus the matrix of second derivatives; nan where the function does not exist all around."""
    distance: float
    """√(gradientᵀ curvature⁻¹ gradient): from the maximum, in standard errors; nan where this is no maximum."""
    steps: int

    @property
    def converged(self) -> bool:
        """Whether this is a maximum."""
        return self.distance <= _CONVERGED


@one_blas_thread
def climb(objective: Objective, start: FloatArray, *, costly: bool = False) -> Optimum:
    """Search the maximum from `start`, where the function must exist.

    Second derivatives of a costly function are differences at one distance, at most 1e-4 off in units of a maximum's
    own curvature; of others at two.

    >>> def bell(at: FloatArray) -> FunctionValue:
    ...     return FunctionValue(float(-np.cosh(at[0] - 3)), -np.sinh(at - 3))
    >>> peak = climb(bell, np.zeros(1))
    >>> peak.converged, round(float(peak.at[0]), 9), round(float(peak.curvature[0, 0]), 9)
    (True, 3.0, 1.0)
    """
    at, here, steps = _bfgs(objective, start)
    curvature = second_derivatives(objective, at, costly=costly)
    for _ in range(_ESCAPES):
        upwards = _way_out(curvature)
        if upwards is None:
            break
        at, here, more = _bfgs(objective, _higher(objective, at, upwards))
        curvature, steps = second_derivatives(objective, at, costly=costly), steps + more
    step, distance = _newton(curvature, here.gradient)
    for _ in range(_POLISHING):
        if not distance > _REACHED:  # nan, too
            break
        new = objective(at + step)
        if new is None or new.value < here.value - _slack(here.value):
            break
        far = distance > (_MOVED if costly else _CONVERGED)
        at, here, steps = at + step, new, steps + 1
        if far:
            curvature = second_derivatives(objective, at, costly=costly)
        step, distance = _newton(curvature, here.gradient)
    return Optimum(at, here.value, curvature, distance, steps)


def second_derivatives(objective: Objective, at: FloatArray, *, costly: bool = False) -> FloatArray:
    """Minus the second derivatives, by central differences of the gradient at two distances (Richardson), or one."""
    rows = []
    for direction in np.eye(len(at)):
        if costly:
            rows.append(_difference(objective, at, direction * _DIFFERENCE / 2))
            continue
        wide, narrow = (_difference(objective, at, direction * step) for step in (_DIFFERENCE, _DIFFERENCE / 2))
        rows.append((4 * narrow - wide) / 3)
    found = -np.array(rows).reshape(len(at), len(at))
    return np.asarray((found + found.T) / 2)


def _difference(objective: Objective, at: FloatArray, step: FloatArray) -> FloatArray:
    above, below = objective(at + step), objective(at - step)
    if above is None or below is None:
        return np.full(len(at), np.nan)
    return (above.gradient - below.gradient) / (2 * float(np.linalg.norm(step)))


def _newton(curvature: FloatArray, gradient: FloatArray) -> tuple[FloatArray, float]:
    """The step to the maximum and its length in standard errors; nan where the function is not curved downwards."""
    if not gradient.size:
        return gradient, 0.0
    nowhere = np.full(gradient.shape, np.nan)
    if not np.all(np.isfinite(curvature)):
        return nowhere, np.nan
    values, directions = np.linalg.eigh(curvature)
    along = directions.T @ gradient
    curved = values > _FLAT * values[-1]
    if values[-1] <= 0 or values[0] < -_SADDLE * values[-1] or np.any(np.abs(along[~curved]) > _LEVEL):
        return nowhere, np.nan
    share = np.where(curved, along / np.where(curved, values, 1.0), 0.0)
    return directions @ share, float(np.sqrt(share @ along))


def flat_inverse(curvature: FloatArray) -> FloatArray:
    """The inverse of the curvature, directions without curvature omitted; nan where it is not known."""
    if not np.all(np.isfinite(curvature)):
        return np.full(curvature.shape, np.nan)
    return np.asarray(np.linalg.pinv(curvature, rcond=_FLAT, hermitian=True), dtype=float)


def _way_out(curvature: FloatArray) -> FloatArray | None:
    """The direction in which a saddle leads upwards; None where there is none."""
    if not curvature.size or not np.all(np.isfinite(curvature)):
        return None
    values, directions = np.linalg.eigh(curvature)
    return np.asarray(directions[:, 0]) if values[0] < -_SADDLE * abs(values[-1]) else None


def _higher(objective: Objective, at: FloatArray, direction: FloatArray) -> FloatArray:
    """The better one of two places to both sides of a saddle; the saddle itself if neither exists."""
    sides = [(found.value, sign) for sign in (1.0, -1.0) if (found := objective(at + sign * direction)) is not None]
    return at + max(sides)[1] * direction if sides else at


def _bfgs(objective: Objective, start: FloatArray) -> tuple[FloatArray, FunctionValue, int]:
    """Climb until the gradient is small, or no step leads higher."""
    at, here = start, objective(start)
    if here is None:
        raise ValueError("the function must exist where the search begins")
    inverse = np.eye(len(at))
    for count in range(_QUASI_NEWTON_STEPS):
        if np.max(np.abs(here.gradient), initial=0.0) < _SMALL:
            return at, here, count
        direction = inverse @ here.gradient
        if direction @ here.gradient <= 0:  # the matrix is unreliable because of rounding
            inverse, direction = np.eye(len(at)), here.gradient
        direction = direction * min(1.0, _LONGEST / float(np.linalg.norm(direction)))
        found = _line_search(objective, at, here, direction)
        if found is None:
            return at, here, count
        at, new, step = at + found[1], found[0], found[1]
        inverse = _updated(inverse, step, here.gradient - new.gradient)
        here = new
    return at, here, _QUASI_NEWTON_STEPS


def _line_search(
    objective: Objective, at: FloatArray, here: FunctionValue, direction: FloatArray
) -> tuple[FunctionValue, FloatArray] | None:
    slope = float(direction @ here.gradient)
    share = 1.0
    for _ in range(_QUASI_NEWTON_HALVINGS):
        new = objective(at + share * direction)
        if new is not None and new.value >= here.value + 1e-4 * share * slope - _slack(here.value):
            return new, share * direction
        share /= 2
    return None


def _updated(inverse: FloatArray, step: FloatArray, change: FloatArray) -> FloatArray:
    """BFGS's matrix after a step over which the gradient fell by `change`; left alone where it did not fall."""
    product = float(step @ change)
    if product <= 1e-12 * float(np.linalg.norm(step) * np.linalg.norm(change)):
        return inverse
    turned = np.eye(len(step)) - np.outer(step, change) / product
    return np.asarray(turned @ inverse @ turned.T + np.outer(step, step) / product)


def _slack(value: float) -> float:
    return 16 * float(np.finfo(float).eps) * abs(value)
