"""Maximum likelihood with random effects: all parameters by quasi-Newton on the approximate log-likelihood.

The search starts from the fit without random effects and moves in units of its standard errors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textassay.stats.categorical.laplace import (
    Gradient,
    Modes,
    explicit_gradient,
    find_modes,
    laplace_pull,
    quadrature,
    total_gradient,
)
from textassay.stats.categorical.likelihood_fit import Fit, inverse, not_converged, runaway_signs, separation_message
from textassay.stats.categorical.likelihoods import ConditionalLikelihood
from textassay.stats.mixed.random_effects import RandomEffects
from textassay.stats.mixed.reml_search import canonical
from textassay.stats.newton import Maximum, Peak, Value, climb, flat_inverse, maximise
from textassay.stats.samples import FloatArray

_SINGULAR = 1e-4
"""A standard deviation of random effects below this, on the scale of the linear predictor, is 0; as in lme4."""
_RUNAWAY = 30.0
"""A standard deviation above this is on its way to infinity."""
_FURTHEST = 2 * _RUNAWAY
"""Beyond this nothing is searched: every step there takes long and leads further."""
_STARTS = (1.0, 0.25, 4.0)
"""Standard deviations of random effects from which the search begins; the later ones where it failed before."""


@dataclass(frozen=True)
class RandomPart:
    """The random effects of a model and how they are integrated out."""

    effects: RandomEffects
    tied: FloatArray
    """Shape (entries of θ, free parameters τ): θ = tied τ."""
    nodes: int = 1
    """Of the quadrature; 1 is the Laplace approximation."""


def random_part(effects: RandomEffects, nodes: int = 1) -> RandomPart:
    """Random effects whose covariances are all free."""
    return RandomPart(effects, np.eye(effects.n_theta), nodes)


def fit_mixed(model: ConditionalLikelihood, random: RandomPart) -> Fit:
    """The maximum of the Laplace approximation, or of the quadrature, over all parameters together.

    Separated data, and a likelihood that cannot be computed, give nan with the reason in `warnings`.
    """
    fixed = maximise(model.point, model.start())
    signs = runaway_signs(model, fixed)
    if signs is not None:
        return _unfitted(model, random, separation_message(model.names, signs))
    fits = []
    for spread in _STARTS:
        search = _Search(model, random, fixed, spread)
        if search(np.zeros(search.size)) is None:
            continue
        fits.append(search.fit(climb(search, np.zeros(search.size))))
        if fits[-1].converged or search.ran_away:
            return fits[-1]
    if not fits:
        return _unfitted(model, random, "the likelihood cannot be computed; check the scale of the variables")
    return max(fits, key=lambda fit: fit.loglik)


class _Search:
    """The approximate log-likelihood in scaled parameters; keeps û, from which the next inner search begins."""

    def __init__(self, model: ConditionalLikelihood, random: RandomPart, fixed: Maximum, spread: float) -> None:
        self._model, self._random = model, random
        self._p = len(fixed.parameters)
        scales = _scales(random.effects)
        tau = np.linalg.lstsq(random.tied, random.effects.start() * scales * spread, rcond=None)[0]
        self._start = np.concatenate([fixed.parameters, tau])
        self.size = len(self._start)
        self._unit = np.zeros((self.size, self.size))
        self._unit[: self._p, : self._p] = np.linalg.cholesky(inverse(fixed.point.information))
        self._unit[self._p :, self._p :] = np.diag(_units(random, scales))
        self._u: FloatArray | None = None
        self.ran_away = False
        """Whether the search has come to where standard deviations are on their way to infinity; it goes no further."""

    def __call__(self, scaled: FloatArray) -> Value | None:
        """The log-likelihood and its gradient."""
        parameters, theta = self._split(scaled)
        if max(_spreads(self._random.effects, theta)) > _FURTHEST:
            self.ran_away = True
            return None
        modes = self._modes(parameters, theta)
        if modes is None:
            return None
        loglik, slope = self._approximation(parameters, theta, modes)
        gradient = np.concatenate([slope.parameters, self._random.tied.T @ slope.theta])
        return Value(loglik, np.asarray(self._unit.T @ gradient))

    def fit(self, peak: Peak) -> Fit:
        """The result of a search that ended there; standard deviations that are 0 but for rounding become 0."""
        effects = self._random.effects
        parameters, theta = self._split(peak.at)
        theta = canonical(effects, theta)
        small = effects.on_diagonal & (theta < _SINGULAR * _scales(effects))
        theta = canonical(effects, np.where(small, 0.0, theta))
        modes = self._modes(parameters, theta)
        if modes is None:
            return _unfitted(self._model, self._random, not_converged(peak.distance, peak.steps))
        covariance = self._unit @ flat_inverse(peak.curvature) @ self._unit.T
        if not peak.converged:
            covariance = np.full_like(covariance, np.nan)
        singular = _singular_groups(effects, theta)
        return Fit(
            parameters,
            covariance[: self._p, : self._p],
            self._approximation(parameters, theta, modes)[0],
            self.size,
            peak.converged,
            tuple(_warnings(peak, effects, theta, singular)),
            peak.steps,
            peak.distance,
            theta,
            effects.scaled(theta, modes.spherical),
            singular,
        )

    def _split(self, scaled: FloatArray) -> tuple[FloatArray, FloatArray]:
        """ψ and θ."""
        values = self._start + self._unit @ scaled
        return values[: self._p], np.asarray(self._random.tied @ values[self._p :])

    def _modes(self, parameters: FloatArray, theta: FloatArray) -> Modes | None:
        try:
            found = find_modes(self._model, self._random.effects, parameters, theta, self._u)
        except np.linalg.LinAlgError:  # so far off that rounding eats the identity in H
            return None
        if found is not None:
            self._u = found.spherical
        return found

    def _approximation(self, parameters: FloatArray, theta: FloatArray, modes: Modes) -> tuple[float, Gradient]:
        effects = self._random.effects
        if self._random.nodes > 1:
            return quadrature(self._model, effects, parameters, theta, modes, self._random.nodes)
        pull = laplace_pull(effects, theta, modes)
        return modes.loglik, total_gradient(effects, theta, modes, pull, explicit_gradient(effects, modes))


def _scales(effects: RandomEffects) -> FloatArray:
    """For each θ one over the size of the column that its effects are multiplied by."""
    sizes = [np.sqrt(np.mean(term.columns**2, axis=0))[term.entries[0]] for term in effects.terms]
    found = np.concatenate(sizes)
    return np.asarray(1 / np.where(found > 0, found, 1.0))


def _units(random: RandomPart, scales: FloatArray) -> FloatArray:
    """About one standard error of each τ: a standard deviation of 1, known from so many levels."""
    terms = random.effects.terms
    levels = np.concatenate([np.full(len(term.entries[0]), len(term.levels)) for term in terms])
    return np.asarray(np.linalg.lstsq(np.abs(random.tied), scales / np.sqrt(2 * levels), rcond=None)[0])


def _singular_groups(effects: RandomEffects, theta: FloatArray) -> tuple[str, ...]:
    parts = zip(effects.terms, effects.factors(theta), strict=True)
    return tuple(term.group for term, factor in parts if np.any(np.diagonal(factor) == 0))


def _warnings(peak: Peak, effects: RandomEffects, theta: FloatArray, singular: tuple[str, ...]) -> list[str]:
    found = [] if peak.converged else [not_converged(peak.distance, peak.steps)]
    found += [
        f"the random effects of {group} have a variance of 0 or a correlation of ±1 (singular fit): the data do not "
        "support all of them; a simpler model may serve better"
        for group in singular
    ]
    found += [
        f"the spread of {term.group} grows without end: its levels foretell the answers almost fully"
        for term, spread in zip(effects.terms, _spreads(effects, theta), strict=True)
        if spread > _RUNAWAY
    ]
    return found


def _spreads(effects: RandomEffects, theta: FloatArray) -> list[float]:
    """The largest standard deviation that the effects of each grouping give to a linear predictor."""
    parts = zip(effects.terms, effects.factors(theta), strict=True)
    return [float(np.max(np.linalg.norm(term.columns @ factor, axis=1))) for term, factor in parts]


def _unfitted(model: ConditionalLikelihood, random: RandomPart, reason: str) -> Fit:
    size = len(model.start())
    return Fit(
        np.full(size, np.nan),
        np.full((size, size), np.nan),
        np.nan,
        size + random.tied.shape[1],
        converged=False,
        warnings=(reason,),
        theta=np.full(random.effects.n_theta, np.nan),
        modes=np.full(random.effects.size, np.nan),
    )
