"""The maximum of a concave log-likelihood: Newton's method, or Fisher's scoring, with halved steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from textassay.stats.samples import FloatArray

TOLERANCE = 1e-18
"""Of scoreᵀ information⁻¹ score, the squared length of the gradient in standard errors."""
_GOOD_ENOUGH = 1e-12
"""The same, where rounding of the log-likelihood lets no step go further."""
_STEPS = 200
_HALVINGS = 40


@dataclass(frozen=True)
class Point:
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
    point: Point
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


def maximise(evaluate: Callable[[FloatArray], Point], start: FloatArray) -> Maximum:
    """Climb from `start` until the gradient, in standard errors, is as good as zero.

    The parameters must be identified: where the information is singular on the way, the search ends without having
    converged, as it does after 200 steps.

    >>> def coin(parameters: FloatArray) -> Point:  # 3 heads, 1 tail, log odds θ
    ...     p = 1 / (1 + np.exp(-parameters[0]))
    ...     return Point(3 * np.log(p) + np.log(1 - p), np.array([3 - 4 * p]), np.array([[4 * p * (1 - p)]]))
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
    evaluate: Callable[[FloatArray], Point], parameters: FloatArray, direction: FloatArray, loglik: float
) -> tuple[FloatArray, Point] | None:
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
