"""The likelihood of counted comparisons under a family, in abilities, an order effect and a tie parameter."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textassay.stats.newton import Maximum, Point, maximise
from textassay.stats.preferences.pair_families import Family
from textassay.stats.samples import FloatArray, IntArray


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

    def evaluate(self, free: FloatArray) -> Point:
        """Log-likelihood, its gradient and the expected (Fisher) information at the free parameters."""
        parameters = self.full(free)
        tau = float(parameters[-1])
        if self.family.threshold and tau <= 0:
            return Point(-np.inf, np.zeros(free.size), np.eye(free.size))
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
        return Point(loglik, score[self.free], information[np.ix_(self.free, self.free)])

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
