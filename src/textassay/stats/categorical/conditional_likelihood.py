"""What the mixed models ask of a likelihood: how it and its derivatives depend on a linear predictor.

Observation i has the log-density ℓᵢ(ηᵢ + shiftᵢ, ψ), where the shift is what random effects add to the linear predictor
η and ψ are all other parameters. The Laplace approximation and its gradient need no more than is written here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from textassay.stats.newton import Point
from textassay.stats.samples import FloatArray


class Conditional(ABC):
    """The log-likelihood at some parameters and some shift of the linear predictor; derivatives when asked for."""

    loglik: float
    """The sum over observations; -inf where the parameters are not allowed, and then there are no derivatives."""

    @property
    @abstractmethod
    def score(self) -> FloatArray:
        """∂ℓ/∂η of each observation."""

    @property
    @abstractmethod
    def weight(self) -> FloatArray:
        """-∂²ℓ/∂η² of each observation."""

    @property
    @abstractmethod
    def weight_slope(self) -> FloatArray:
        """∂weight/∂η of each observation."""

    @abstractmethod
    def each(self) -> FloatArray:
        """ℓ of each observation."""

    @abstractmethod
    def gradient(self, factor: FloatArray | None = None) -> FloatArray:
        """Σ factorᵢ ∂ℓᵢ/∂ψ; without factors the gradient by ψ."""

    @abstractmethod
    def score_by_parameters(self, factor: FloatArray) -> FloatArray:
        """Σ factorᵢ ∂scoreᵢ/∂ψ."""

    @abstractmethod
    def weight_by_parameters(self, factor: FloatArray) -> FloatArray:
        """Σ factorᵢ ∂weightᵢ/∂ψ."""

    @abstractmethod
    def information(self) -> FloatArray:
        """-∂²ℓ/∂ψ∂ψᵀ at a fixed shift."""


class ConditionalLikelihood(ABC):
    """A model of the observations given the random effects."""

    n: int
    """Observations."""
    names: tuple[str, ...]
    """Of the parameters ψ."""

    @abstractmethod
    def start(self) -> FloatArray:
        """Parameters that are allowed, to begin a search from."""

    @abstractmethod
    def linear(self, parameters: FloatArray) -> Any:
        """What `at` needs of the parameters, computed once for many shifts."""

    @abstractmethod
    def at(self, linear: Any, shift: FloatArray | float) -> Conditional:
        """The log-likelihood where random effects add `shift` to the linear predictor."""

    @abstractmethod
    def recession_rows(self) -> FloatArray:
        """Rows r so that the log-likelihood never falls along a direction d if, and only if, r·d ≥ 0 for all of them.

        A direction with r·d > 0 for some of them has no maximum: the data are separated.
        """

    @abstractmethod
    def extreme(self, parameters: FloatArray) -> bool:
        """Whether some fitted probability is so near 0 or 1 that the data may be separated."""

    def point(self, parameters: FloatArray) -> Point:
        """The log-likelihood without random effects, for Newton's method."""
        found = self.at(self.linear(parameters), 0.0)
        if not np.isfinite(found.loglik):
            return Point(-np.inf, np.zeros(len(parameters)), np.eye(len(parameters)))
        return Point(found.loglik, found.gradient(), found.information())
