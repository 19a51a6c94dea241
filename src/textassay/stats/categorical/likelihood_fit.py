"""Maximum likelihood without random effects: estimates, their covariance, and what went wrong."""
# ruff: noqa: PLC0415 -- scipy takes a third of a second to load and most commands need none of it

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.stats.categorical.laplace import (
    Gradient,
    Modes,
    explicit_gradient,
    find_modes,
    laplace_pull,
    quadrature,
    total_gradient,
)
from textassay.stats.categorical.likelihoods import ConditionalLikelihood
from textassay.stats.mixed.random_effects import RandomEffects
from textassay.stats.mixed.reml_search import canonical
from textassay.stats.newton import FunctionValue, Maximum, Optimum, climb, flat_inverse, maximise
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
        rows: One per linear form, one column per parameter; no direction may leave all of them at 0.

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
        "the data are separated: some predictors determine some answers perfectly, so there is no largest likelihood "
        f"and no finite estimate of {', '.join(moving)}; likelihood ratios still hold; or leave out or merge the "
        "levels concerned"
    )


def _furthest(objective: FloatArray, forms: FloatArray) -> float:
    """The largest objective·d over directions d between -1 and 1 along which no form becomes negative."""
    from scipy.optimize import linprog

    found = linprog(-objective, A_ub=-forms, b_ub=np.zeros(len(forms)), bounds=(-1, 1))
    return -float(found.fun) if found.success else 0.0


_SINGULAR = 1e-4
"""A standard deviation of random effects below this, on the scale of the linear predictor, is 0; as in lme4."""
_RUNAWAY = 30.0
"""A standard deviation above this is on its way to infinity."""
_FURTHEST = 2 * _RUNAWAY
"""Beyond this nothing is searched: every step there takes long and leads further."""
_MANY = 1000
"""Random effects that make an evaluation of the likelihood costly."""
_MOST_SECONDS = 0.2
"""For how long effects may take to be eliminated once; a fit needs about 150."""
_STARTS = (1.0, 0.25, 4.0)
"""Standard deviations of random effects from which the search begins; the later ones where it failed before."""


@dataclass(frozen=True)
class RandomDesign:
    """The random effects of a model and how they are integrated out."""

    effects: RandomEffects
    tied: FloatArray
    """Shape (entries of θ, free parameters τ): θ = tied τ."""
    nodes: int = 1
    """Of the quadrature; 1 is the Laplace approximation."""


def random_part(effects: RandomEffects, nodes: int = 1) -> RandomDesign:
    """Random effects whose covariances are all free."""
    return RandomDesign(effects, np.eye(effects.n_theta), nodes)


def fit_mixed(model: ConditionalLikelihood, random: RandomDesign) -> Fit:
    """The maximum of the Laplace approximation, or of the quadrature, over all parameters together.

    Separated data, and a likelihood that cannot be computed, give nan with the reason in `warnings`.

    Raises:
        DataError: so many random effects that the fit would take minutes, or not fit into memory.
    """
    _refuse_too_many(random.effects)
    fixed = maximise(model.point, model.start())
    signs = runaway_signs(model, fixed)
    if signs is not None:
        return _unfitted(model, random, separation_message(model.names, signs))
    fits = []
    for spread in _STARTS:
        search = _Search(model, random, fixed, spread)
        if search(np.zeros(search.size)) is None:
            continue
        fits.append(search.fit(climb(search, np.zeros(search.size), costly=random.effects.size > _MANY)))
        if fits[-1].converged or search.ran_away:
            return fits[-1]
    if not fits:
        return _unfitted(model, random, "the likelihood cannot be computed; check the scale of the variables")
    return max(fits, key=lambda fit: fit.loglik)


def _refuse_too_many(effects: RandomEffects) -> None:
    if effects.size > _MANY and not (effects.elimination.fits and effects.elimination.cost < _MOST_SECONDS):
        groups = ", ".join(f"{len(term.levels)} {term.group}" for term in effects.terms)
        raise DataError(f"{effects.size} random effects ({groups}) are too many for a model of categories")


class _Search:
    """The approximate log-likelihood in scaled parameters; keeps û, from which the next inner search begins."""

    def __init__(self, model: ConditionalLikelihood, random: RandomDesign, fixed: Maximum, spread: float) -> None:
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

    def __call__(self, scaled: FloatArray) -> FunctionValue | None:
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
        return FunctionValue(loglik, np.asarray(self._unit.T @ gradient))

    def fit(self, peak: Optimum) -> Fit:
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


def _units(random: RandomDesign, scales: FloatArray) -> FloatArray:
    """About one standard error of each τ: a standard deviation of 1, estimated from the term's number of levels."""
    terms = random.effects.terms
    levels = np.concatenate([np.full(len(term.entries[0]), len(term.levels)) for term in terms])
    return np.asarray(np.linalg.lstsq(np.abs(random.tied), scales / np.sqrt(2 * levels), rcond=None)[0])


def _singular_groups(effects: RandomEffects, theta: FloatArray) -> tuple[str, ...]:
    parts = zip(effects.terms, effects.factors(theta), strict=True)
    return tuple(term.group for term, factor in parts if np.any(np.diagonal(factor) == 0))


def _warnings(peak: Optimum, effects: RandomEffects, theta: FloatArray, singular: tuple[str, ...]) -> list[str]:
    found = [] if peak.converged else [not_converged(peak.distance, peak.steps)]
    found += [
        f"the random effects of {group} have a variance of 0 or a correlation of ±1 (singular fit): the data do not "
        "support all of them; a simpler model may serve better"
        for group in singular
    ]
    found += [
        f"the spread of {term.group} grows without end: its levels predict the answers almost perfectly"
        for term, spread in zip(effects.terms, _spreads(effects, theta), strict=True)
        if spread > _RUNAWAY
    ]
    return found


def _spreads(effects: RandomEffects, theta: FloatArray) -> list[float]:
    """The largest standard deviation that the effects of each grouping give to a linear predictor."""
    parts = zip(effects.terms, effects.factors(theta), strict=True)
    return [float(np.max(np.linalg.norm(term.columns @ factor, axis=1))) for term, factor in parts]


def _unfitted(model: ConditionalLikelihood, random: RandomDesign, reason: str) -> Fit:
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
