"""The likelihood of counted comparisons under a family, in abilities, an order effect and a tie parameter."""
# ruff: noqa: PLC0415 -- scipy takes a third of a second to load and most commands need none of it

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from textassay.stats.newton import LikelihoodPoint, Maximum, maximise
from textassay.stats.samples import FloatArray, IntArray


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


@dataclass(frozen=True)
class PairModel:
    """A family of outcomes for counted comparisons.

    The parameters are k abilities, the order effect γ (the advantage of being shown first) and the tie parameter τ;
    the advantage in a cell is η = ability of the first - ability of the second + γ. Those not in `free` stay at 0.
    """

    family: Family
    counts: FloatArray
    """Shape (2 or 3 outcomes, systems, systems)."""
    free: IntArray
    """Which of the k + 2 parameters are estimated."""

    @property
    def size(self) -> int:
        """Number of parameters, free or not."""
        return int(self.counts.shape[1]) + 2

    def start(self) -> FloatArray:
        """Equal abilities; half a unit of indifference where τ must be positive."""
        parameters = np.zeros(self.size)
        parameters[-1] = 0.5 if self.family.threshold else 0.0
        return parameters[self.free]

    def full(self, free: FloatArray) -> FloatArray:
        """All k + 2 parameters."""
        parameters = np.zeros(self.size)
        parameters[self.free] = free
        return parameters

    def evaluate(self, free: FloatArray) -> LikelihoodPoint:
        """Log-likelihood, its gradient and the expected (Fisher) information at the free parameters."""
        parameters = self.full(free)
        tau = float(parameters[-1])
        if self.family.threshold and tau <= 0:
            return LikelihoodPoint(-np.inf, np.zeros(free.size), np.eye(free.size))
        with np.errstate(over="ignore", under="ignore"):
            found = self.family.outcomes(advantages(parameters), tau)
            expected = self.counts.sum(axis=0) * np.exp(found.log_p)
            score = _gradient((self.counts * found.by_eta).sum(axis=0), float((self.counts * found.by_tau).sum()))
            information = _information(
                (expected * found.by_eta**2).sum(axis=0),
                (expected * found.by_eta * found.by_tau).sum(axis=0),
                float((expected * found.by_tau**2).sum()),
            )
        loglik = float((self.counts * found.log_p).sum())
        return LikelihoodPoint(loglik, score[self.free], information[np.ix_(self.free, self.free)])

    def fit(self) -> Maximum:
        """The parameters of greatest likelihood."""
        return maximise(self.evaluate, self.start())


def advantages(parameters: FloatArray) -> FloatArray:
    """η of every ordered pair of systems."""
    ability = parameters[:-2]
    return np.asarray(ability[:, None] - ability[None, :] + parameters[-2])


def free_parameters(systems: int, *, abilities: bool, order: bool, ties: bool) -> IntArray:
    """Indices of the parameters that are estimated; the first system's ability is the zero of the scale."""
    chosen = [
        *(range(1, systems) if abilities else ()),
        *([systems] if order else ()),
        *([systems + 1] if ties else ()),
    ]
    return np.array(chosen, dtype=np.intp)


def _gradient(by_eta: FloatArray, by_tau: float) -> FloatArray:
    return np.concatenate([by_eta.sum(axis=1) - by_eta.sum(axis=0), [by_eta.sum(), by_tau]])


def _information(weight: FloatArray, mixed: FloatArray, tie: float) -> FloatArray:
    """Information of all parameters from the cells' information on η, on η and τ, and on τ."""
    k = len(weight)
    rows, columns = weight.sum(axis=1), weight.sum(axis=0)
    matrix = np.zeros((k + 2, k + 2))
    matrix[:k, :k] = np.diag(rows + columns) - weight - weight.T
    matrix[:k, k] = matrix[k, :k] = rows - columns
    matrix[k, k] = weight.sum()
    matrix[:k, k + 1] = matrix[k + 1, :k] = mixed.sum(axis=1) - mixed.sum(axis=0)
    matrix[k, k + 1] = matrix[k + 1, k] = mixed.sum()
    matrix[k + 1, k + 1] = tie
    return matrix
