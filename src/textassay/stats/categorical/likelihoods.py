"""The likelihood of ordered categories: each is an interval of a latent variable."""
# ruff: noqa: PLC0415 -- scipy takes a third of a second to load and most commands need none of it

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from textassay.stats.categorical.rating_scale import Thresholds
from textassay.stats.newton import LikelihoodPoint
from textassay.stats.samples import FloatArray, IntArray


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

    def point(self, parameters: FloatArray) -> LikelihoodPoint:
        """The log-likelihood without random effects, for Newton's method."""
        found = self.at(self.linear(parameters), 0.0)
        if not np.isfinite(found.loglik):
            return LikelihoodPoint(-np.inf, np.zeros(len(parameters)), np.eye(len(parameters)))
        return LikelihoodPoint(found.loglik, found.gradient(), found.information())


LinkName = Literal["logit", "probit"]
"""`logit`: the latent variable is logistic (proportional odds); `probit`: it is normal."""
FAR = 1e5
"""Stands for infinity: both links have reached 0 or 1 there, and products of it with a density of 0 stay 0."""


@dataclass(frozen=True)
class Densities:
    """A density and its derivatives at some points."""

    f: FloatArray
    f1: FloatArray
    """First derivative."""
    f2: FloatArray
    """Second derivative."""


def cdf(link: LinkName, t: FloatArray) -> FloatArray:
    """P(latent variable ≤ t).

    >>> cdf("logit", np.array([0.0, np.log(3)])).round(12).tolist(), cdf("probit", np.array([0.0])).tolist()
    ([0.5, 0.75], [0.5])
    """
    from scipy.special import expit, ndtr

    return np.asarray(expit(t) if link == "logit" else ndtr(t))


def between(link: LinkName, upper: FloatArray, lower: FloatArray) -> FloatArray:
    """P(lower < latent variable ≤ upper), with all digits in the upper tail too.

    Both links are symmetric, so what lies above the middle is computed from its mirror image below it, where a
    difference of distribution functions loses no digits.
    """
    above = upper + lower > 0
    return cdf(link, np.where(above, -lower, upper)) - cdf(link, np.where(above, -upper, lower))


def densities(link: LinkName, t: FloatArray) -> Densities:
    """The density at t and its first two derivatives."""
    if link == "logit":
        below, above = cdf(link, t), cdf(link, -t)
        f = below * above
        return Densities(f, f * (above - below), f * (1 - 6 * f))
    f = np.exp(-t * t / 2) / np.sqrt(2 * np.pi)
    return Densities(f, -t * f, (t * t - 1) * f)


_RARE = 1e-5
"""A fitted tail below this is a reason to look for separation."""


@dataclass(frozen=True)
class Boundaries:
    """The upper and the lower end of the interval of each observation, before random effects."""

    upper: FloatArray
    lower: FloatArray


class CumulativeLikelihood(ConditionalLikelihood):
    """P(Y ≤ j) = F(θⱼ - xᵀβ - shift), with thresholds θ = J α.

    Both ends of an observation's interval are linear in ψ = (α, β), so all derivatives by ψ are those by the two ends
    times two matrices of rows: `upper` and `lower`. Rows of the open ends of the scale are zero.
    """

    def __init__(
        self,
        codes: IntArray,
        x: FloatArray,
        names: tuple[str, ...],
        cuts: Thresholds,
        link: LinkName,
        nominal: tuple[tuple[str, ...], FloatArray] | None = None,
    ) -> None:
        """Take the categories as codes from 0; `nominal` names and columns have a coefficient at each threshold."""
        self.n, self.link, self.cuts, self.codes = len(codes), link, cuts, codes
        top = len(cuts.labels)
        jacobian = np.vstack([cuts.jacobian, np.zeros((1, cuts.jacobian.shape[1]))])
        self.names = (*cuts.names, *names)
        self.top, self.bottom = codes == top, codes == 0
        self.upper = np.hstack([jacobian[codes], -x])
        self.lower = np.hstack([jacobian[codes - 1], -x])
        if nominal is not None:
            self.upper = np.hstack([self.upper, _by_threshold(codes, nominal[1], top)])
            self.lower = np.hstack([self.lower, _by_threshold(codes - 1, nominal[1], top)])
            self.names += tuple(f"{name} at {label}" for name in nominal[0] for label in cuts.labels)
        self.upper[self.top] = 0.0
        self.lower[self.bottom] = 0.0

    def start(self) -> FloatArray:
        """Thresholds of the model without predictors, and no effects."""
        counts = np.bincount(self.codes, minlength=len(self.cuts.labels) + 1)
        shares = (np.cumsum(counts)[:-1] + 0.5) / (self.n + 1)
        logits = np.log(shares / (1 - shares))
        scale = 1.0 if self.link == "logit" else np.sqrt(3) / np.pi
        return np.concatenate([self.cuts.start(logits * scale), np.zeros(len(self.names) - len(self.cuts.names))])

    def linear(self, parameters: FloatArray) -> Boundaries:
        """Both ends of each interval."""
        upper, lower = self.upper @ parameters, self.lower @ parameters
        upper[self.top] = FAR
        lower[self.bottom] = -FAR
        return Boundaries(upper, lower)

    def at(self, linear: Boundaries, shift: FloatArray | float) -> Conditional:
        """The log-likelihood of the intervals, moved down by `shift`."""
        return _Intervals(self, linear.upper - shift, linear.lower - shift)

    def recession_rows(self) -> FloatArray:
        """The upper ends must not fall, the lower ends must not rise."""
        return np.vstack([self.upper[~self.top], -self.lower[~self.bottom]])

    def extreme(self, parameters: FloatArray) -> bool:
        """Whether an end lies so far out that almost nothing is beyond it."""
        ends = self.linear(parameters)
        inner = np.concatenate([ends.upper[~self.top], ends.lower[~self.bottom]])
        tails = between(self.link, -np.abs(inner), np.full(inner.shape, -FAR))
        return bool(tails.size) and float(tails.min()) < _RARE


class _Intervals(Conditional):
    """P of an interval and its derivatives; a and b are the densities at its ends over P."""

    def __init__(self, model: CumulativeLikelihood, upper: FloatArray, lower: FloatArray) -> None:
        self._model, self._upper, self._lower = model, upper, lower
        ordered = bool(np.all(upper > lower))
        self._p = between(model.link, upper, lower) if ordered else np.zeros(1)
        allowed = ordered and bool(np.all(self._p > 0))
        self.loglik = float(np.sum(np.log(self._p))) if allowed else -np.inf

    def each(self) -> FloatArray:
        return np.asarray(np.log(self._p))

    @cached_property
    def _ends(self) -> tuple[Densities, Densities]:
        """Densities at the upper and at the lower end, over P."""
        return tuple(  # type: ignore[return-value]
            Densities(found.f / self._p, found.f1 / self._p, found.f2 / self._p)
            for found in (densities(self._model.link, end) for end in (self._upper, self._lower))
        )

    @cached_property
    def score(self) -> FloatArray:
        above, below = self._ends
        return below.f - above.f

    @cached_property
    def _curvature(self) -> FloatArray:
        """(f′ at the upper end - f′ at the lower end) / P."""
        above, below = self._ends
        return above.f1 - below.f1

    @cached_property
    def weight(self) -> FloatArray:
        return self.score**2 - self._curvature

    @cached_property
    def _score_by_ends(self) -> tuple[FloatArray, FloatArray]:
        """∂score by the upper and by the lower end."""
        above, below = self._ends
        return -above.f1 - self.score * above.f, below.f1 + self.score * below.f

    @cached_property
    def _weight_by_ends(self) -> tuple[FloatArray, FloatArray]:
        above, below = self._ends
        up, down = self._score_by_ends
        return (
            2 * self.score * up - above.f2 + self._curvature * above.f,
            2 * self.score * down + below.f2 - self._curvature * below.f,
        )

    @cached_property
    def weight_slope(self) -> FloatArray:
        up, down = self._weight_by_ends
        return -(up + down)

    def gradient(self, factor: FloatArray | None = None) -> FloatArray:
        above, below = self._ends
        return self._by_parameters(above.f, -below.f, 1.0 if factor is None else factor)

    def score_by_parameters(self, factor: FloatArray) -> FloatArray:
        return self._by_parameters(*self._score_by_ends, factor)

    def weight_by_parameters(self, factor: FloatArray) -> FloatArray:
        return self._by_parameters(*self._weight_by_ends, factor)

    def information(self) -> FloatArray:
        above, below = self._ends
        upper, lower = self._model.upper, self._model.lower
        up = upper * (above.f1 - above.f**2)[:, None] + lower * (above.f * below.f)[:, None]
        down = upper * (above.f * below.f)[:, None] - lower * (below.f1 + below.f**2)[:, None]
        return -np.asarray(upper.T @ up + lower.T @ down)

    def _by_parameters(self, up: FloatArray, down: FloatArray, factor: FloatArray | float) -> FloatArray:
        return np.asarray(self._model.upper.T @ (up * factor) + self._model.lower.T @ (down * factor))


def _by_threshold(place: IntArray, columns: FloatArray, count: int) -> FloatArray:
    """Each column, with the opposite sign, once for each threshold: its values where the observation is there."""
    at = (place[:, None] == np.arange(count)).astype(float)
    return -np.asarray(np.einsum("nt,nc->nct", at, columns)).reshape(len(place), -1)
