"""What one comparison of two texts may end with: win, tie or loss, as the models of preference have it.

A family gives, for the advantage η of the first text and the tie parameter τ, the log-probability of each outcome and
its derivatives. Everything stays on the log scale, so that no advantage, however large, overflows.
"""
# ruff: noqa: PLC0415 -- scipy is imported when first asked

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from textassay.stats.samples import FloatArray


@dataclass(frozen=True)
class Outcomes:
    """The outcomes of comparisons: the first axis is (win, loss) or (win, loss, tie), the others are those of η."""

    log_p: FloatArray
    by_eta: FloatArray
    """Derivative of `log_p` by η."""
    by_tau: FloatArray
    """Derivative of `log_p` by τ; zero where there are no ties."""


@dataclass(frozen=True)
class Family:
    """A model of one comparison."""

    name: str
    """As a reader knows it."""
    outcomes: Callable[[FloatArray, float], Outcomes]
    ties: bool = False
    """Whether a tie is an outcome of its own."""
    threshold: bool = False
    """Whether τ is half the width of a zone of indifference, and so must be positive."""


def _log_logistic(x: FloatArray) -> FloatArray:
    return np.asarray(-np.logaddexp(0.0, -x))


def _logistic(x: FloatArray) -> FloatArray:
    return np.exp(_log_logistic(x))


def _bradley_terry(eta: FloatArray, tau: float) -> Outcomes:  # noqa: ARG001 -- without ties
    by_eta = np.stack([_logistic(-eta), -_logistic(eta)])
    return Outcomes(np.stack([_log_logistic(eta), _log_logistic(-eta)]), by_eta, np.zeros_like(by_eta))


def _maxdiff(eta: FloatArray, tau: float) -> Outcomes:
    found = _bradley_terry(2 * eta, tau)
    return Outcomes(found.log_p, 2 * found.by_eta, found.by_tau)


def _davidson(eta: FloatArray, tau: float) -> Outcomes:
    weights = np.stack([eta / 2, -eta / 2, np.full_like(eta, tau)])
    log_p = weights - np.logaddexp.reduce(weights, axis=0)
    p = np.exp(log_p)
    shape = (3,) + (1,) * eta.ndim
    slope, tie = np.array([0.5, -0.5, 0.0]).reshape(shape), np.array([0.0, 0.0, 1.0]).reshape(shape)
    return Outcomes(log_p, slope - (p[0] - p[1]) / 2, tie - p[2])


def _rao_kupper(eta: FloatArray, tau: float) -> Outcomes:
    # P(tie) = F(η+τ) - F(η-τ) = F(τ+η) F(τ-η) (1 - e^-2τ) for the logistic F.
    width = float(np.log(-np.expm1(-2 * tau)))
    ends = [eta - tau, -eta - tau]
    log_p = np.stack([*map(_log_logistic, ends), _log_logistic(tau + eta) + _log_logistic(tau - eta) + width])
    upper, lower = _logistic(-tau - eta), _logistic(eta - tau)
    win, loss = _logistic(tau - eta), _logistic(tau + eta)
    return Outcomes(
        log_p,
        np.stack([win, -loss, upper - lower]),
        np.stack([-win, -loss, upper + lower + 2 / np.expm1(2 * tau)]),
    )


def _hazard(x: FloatArray) -> FloatArray:
    """φ(x) / Φ(x), the slope of log Φ."""
    from scipy.special import log_ndtr

    return np.asarray(np.exp(_log_density(x) - log_ndtr(x)))


def _log_density(x: FloatArray) -> FloatArray:
    return np.asarray(-(x**2) / 2 - np.log(2 * np.pi) / 2)


def _thurstone(eta: FloatArray, tau: float) -> Outcomes:  # noqa: ARG001 -- without ties
    from scipy.special import log_ndtr

    by_eta = np.stack([_hazard(eta), -_hazard(-eta)])
    return Outcomes(np.stack([log_ndtr(eta), log_ndtr(-eta)]), by_eta, np.zeros_like(by_eta))


def _glenn_david(eta: FloatArray, tau: float) -> Outcomes:
    from scipy.special import log_ndtr

    # Both ends are brought to the lower tail, where Φ keeps its digits; the probability between them stays the same.
    size = np.abs(eta)
    near, far = log_ndtr(tau - size), log_ndtr(-tau - size)
    log_tie = near + np.log(-np.expm1(far - near))
    upper, lower = (np.exp(_log_density(end) - log_tie) for end in (tau + eta, tau - eta))
    win, loss = _hazard(eta - tau), _hazard(-eta - tau)
    return Outcomes(
        np.stack([log_ndtr(eta - tau), log_ndtr(-eta - tau), log_tie]),
        np.stack([win, -loss, upper - lower]),
        np.stack([-win, -loss, upper + lower]),
    )


BRADLEY_TERRY = Family("Bradley–Terry", _bradley_terry)
"""P(win) = 1/(1 + e^-η)."""
MAXDIFF = Family("maxdiff", _maxdiff)
"""P(win) = 1/(1 + e^-2η): of two systems, one is the best and the other the worst."""
DAVIDSON = Family("Bradley–Terry–Davidson", _davidson, ties=True)
"""P(win) : P(tie) : P(loss) = e^(η/2) : e^τ : e^(-η/2)."""
RAO_KUPPER = Family("Rao–Kupper", _rao_kupper, ties=True, threshold=True)
"""P(win) = 1/(1 + e^(τ-η)), P(loss) = 1/(1 + e^(τ+η)), and a tie otherwise."""
THURSTONE = Family("Thurstone case V", _thurstone)
"""P(win) = Φ(η)."""
GLENN_DAVID = Family("Thurstone–Glenn–David", _glenn_david, ties=True, threshold=True)
"""P(win) = Φ(η-τ), P(loss) = Φ(-η-τ), and a tie otherwise."""
