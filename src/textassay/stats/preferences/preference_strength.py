"""The cumulative link model of preference strength: systems on one scale, by how much one was preferred."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.known_names import check_choice
from textassay.pairwise import PairwiseComparisons
from textassay.results import Record
from textassay.stats.categorical.fitted_model import WaldEstimate, fit_model, ratio_chi2, wald_estimates
from textassay.stats.categorical.likelihood_fit import Fit, RandomDesign
from textassay.stats.categorical.likelihoods import CumulativeLikelihood, LinkName, cdf
from textassay.stats.categorical.rating_scale import RatingScale, Thresholds, rating_scale, thresholds
from textassay.stats.distributions import normal_quantile
from textassay.stats.mixed.mixed_model import VarianceComponent
from textassay.stats.mixed.random_effects import RandomEffects, RandomTerm
from textassay.stats.preferences.abilities import (
    CENTRED,
    Abilities,
    abilities_of,
    ability_pair,
    ability_pairs,
    scale_parameter,
)
from textassay.stats.preferences.separation import not_on_one_scale
from textassay.stats.samples import Column, FloatArray, check_share, code_labels, coded, finite_vector, same_length


@dataclass(frozen=True, kw_only=True)
class PreferenceStrength(Abilities):
    """Systems on one scale, with the thresholds between degrees of preference."""

    link: LinkName
    categories: tuple[str, ...]
    """From the strongest preference for a to the strongest for b."""
    thresholds: tuple[WaldEstimate, ...]
    """Mirrored about 0: `0|1` lies as far above it as `-1|0` below."""
    components: tuple[VarianceComponent, ...]
    """How far the tastes of a grouping's levels spread about each system's ability."""
    random_effects: Mapping[str, Mapping[str, tuple[float, ...]]]
    """By grouping and level the deviation for each system, in the order of `systems`, where it is most probable."""
    singular: tuple[str, ...]
    """Groupings without spread."""

    def records(self) -> list[Record]:
        """Abilities, pairs and tests, then thresholds, then the spread of tastes."""
        return [
            *super().records(),
            *(self.record("threshold", t.estimate, by=t.name, ci=t.ci, n=self.n, se=t.se) for t in self.thresholds),
            *(self.record("SD", c.sd, by=c.group, n=self.n, effect=c.name, levels=c.levels) for c in self.components),
        ]


def preference_strength(  # noqa: PLR0913 -- a setting each
    strengths: npt.ArrayLike,
    system_a: Column,
    system_b: Column,
    *,
    random: Mapping[str, Column] | None = None,
    left: Column | None = None,
    link: LinkName = "logit",
    levels: Sequence[float] | None = None,
    confidence: float = 0.95,
) -> PreferenceStrength:
    """Abilities of systems from signed strengths of preference, all pairs compared.

    Purpose: put systems on one scale when participants say which of two texts is better and by how much.

    P(Y ≤ j) = F(θⱼ - (λ_b - λ_a + δ s)), where Y < 0 prefers system a and Y > 0 system b, λ are the abilities, s = ±1
    says whether b or a was on the left, and the thresholds are mirrored, θ₋ⱼ = -θⱼ (Tutz 1986; Agresti 1992): to swap
    the two systems of a row and the sign of its strength changes nothing. With two degrees it is Bradley and Terry's
    model. The steps of the scale need not be equal, and no strength is counted twice, unlike in an ANOVA of both signs.

    With `random` each participant (or item) has a taste of its own: λ_b + v_b with v ~ N(0, τ²) for each system,
    integrated out by Laplace's approximation. Without it all answers count as independent: too small standard errors.

    R: `ordinal::clm(strength ~ x2 + x3, threshold = "symmetric2")` with x = 1 for system b, -1 for system a, else 0.

    Example:
        >>> a, b = ["p"] * 6 + ["q"] * 3, ["q"] * 6 + ["r"] * 3
        >>> result = preference_strength([1, 2, 1, 0, -1, 2, -1, -2, 1], a, b)
        >>> round(result.pairs[0].difference, 4), round(result.pairs[0].p_raw, 4)  # p − q
        (-1.2109, 0.1382)

    Args:
        strengths: Negative where a was preferred, positive where b, 0 for neither; the further from 0, the stronger.
        system_a: One label per comparison.
        system_b: The other system.
        random: Labels of groupings (participants, items) whose levels have tastes of their own, by name.
        left: The system that was shown on the left; adds the advantage of that side to the model.
        link: The distribution of the latent variable.
        levels: The whole scale; by default the strengths that occur, on both sides of 0.
        confidence: Of all intervals.

    Raises:
        DataError: unequal lengths, missing or infinite values, a system against itself, a scale that differs between
            the sides, strengths that are all the same, or a grouping with one level.
        UsageError: an unknown setting.
    """
    check_choice("link", link, get_args(LinkName))
    check_share("confidence", confidence)
    design = strength_design(strengths, (system_a, system_b), left, levels)
    tastes = own_tastes(design, random) if random else None
    fitted = fit_strengths(design, tastes, link)
    return PreferenceStrength(
        method=f"cumulative link {'mixed ' if tastes else ''}model of preference strength",
        settings={
            "abilities": CENTRED,
            "link": link,
            "degrees": len(design.scale.categories),
            "random": ", ".join(random) if random else "none",
            "side effect": "no" if left is None else "yes",
            "n": len(design.x),
        },
        warnings=(*design.scale.warnings, *fitted.fit.warnings),
        **fitted.fields(confidence),
        link=link,
        categories=design.scale.categories,
        components=_components(tastes, fitted.fit),
        random_effects=_modes(tastes, fitted.fit),
        singular=fitted.fit.singular,
        confidence=confidence,
    )


def _components(tastes: RandomDesign | None, fit: Fit) -> tuple[VarianceComponent, ...]:
    if tastes is None or fit.theta is None:
        return ()
    parts = zip(tastes.effects.terms, tastes.effects.factors(fit.theta), strict=True)
    return tuple(
        VarianceComponent(term.group, "taste", float(factor[0, 0]), len(term.levels)) for term, factor in parts
    )


def _modes(tastes: RandomDesign | None, fit: Fit) -> dict[str, dict[str, tuple[float, ...]]]:
    if tastes is None or fit.modes is None:
        return {}
    return {
        term.group: dict(zip(term.levels, map(tuple, found.tolist()), strict=True))
        for term, found in zip(tastes.effects.terms, tastes.effects.split(fit.modes), strict=True)
    }


LEFT = "left side"
"""The advantage of being shown on the left, as a parameter."""


@dataclass(frozen=True)
class StrengthDesign:
    """Comparisons of two systems each."""

    systems: tuple[str, ...]
    scale: RatingScale
    x: FloatArray
    """Shape (n, systems): 1 for system b, -1 for system a, else 0."""
    side: FloatArray
    """Shape (n, 1): 1 where b was on the left, -1 where a was; (n, 0) where that is not known."""
    judged: FloatArray
    """Shape (systems, systems): how often two were compared; symmetric."""
    disconnected: str
    """Why the systems are not all on one scale; empty where they are."""

    @property
    def columns(self) -> FloatArray:
        """Of the model: the first system is at 0."""
        return np.hstack([self.x[:, 1:], self.side])

    @property
    def names(self) -> tuple[str, ...]:
        """Of these columns."""
        return (*self.systems[1:], *[LEFT] * self.side.shape[1])


def strength_design(
    strengths: npt.ArrayLike, pair: tuple[Column, Column], left: Column | None, levels: Sequence[float] | None
) -> StrengthDesign:
    """Comparisons, checked.

    Raises:
        DataError: unequal lengths, missing values, a system against itself, one system, a scale that is not the same
            on both sides, or a left side that is neither system.
    """
    values = finite_vector(strengths, "strengths")
    same_length(("strengths", values), ("system_a", pair[0]), ("system_b", pair[1]))
    if not values.size:
        raise DataError("there are no comparisons")
    systems, (a, b) = code_labels(("system_a", pair[0]), ("system_b", pair[1]))
    if np.any(a == b):
        row = int(np.flatnonzero(a == b)[0])
        raise DataError(f"system_a and system_b are the same ({systems[a[row]]}) at index {row}; leave such rows out")
    rows = np.arange(values.size)
    x = np.zeros((values.size, len(systems)))
    x[rows, b], x[rows, a] = 1.0, -1.0
    judged = np.bincount(a * len(systems) + b, minlength=len(systems) ** 2).reshape(len(systems), -1).astype(float)
    judged = judged + judged.T
    scale = rating_scale(values, _mirrored(values, levels), "symmetric2", name="strengths")
    side = np.zeros((values.size, 0)) if left is None else _side(left, pair)
    return StrengthDesign(systems, scale, x, side, judged, not_on_one_scale(judged > 0, systems))


def own_tastes(design: StrengthDesign, random: Mapping[str, Column]) -> RandomDesign:
    """For each level of each grouping a deviation for each system, all with one variance per grouping.

    Raises:
        DataError: unequal lengths, a missing label, or a grouping with one level.
    """
    n = len(design.x)
    terms = []
    for group, labels in random.items():
        if len(labels) != n:
            raise DataError(f"the lengths must be equal: the grouping {group} has {len(labels)}, strengths has {n}")
        codes, levels = coded(labels, group)
        if len(levels) < 2:
            raise DataError(
                f"the grouping {group} has one level only ({', '.join(levels)}): its variance cannot be estimated"
            )
        terms.append(RandomTerm(group, levels, codes, design.x, design.systems, correlated=False))
    terms.sort(key=lambda term: -term.size)
    tied = np.repeat(np.eye(len(terms)), len(design.systems), axis=0)
    return RandomDesign(RandomEffects(tuple(terms)), tied)


def _mirrored(values: FloatArray, levels: Sequence[float] | None) -> list[float]:
    """The scale from the strongest preference for a to the strongest for b."""
    if levels is None:
        sizes = np.unique(np.abs(values))
        return [*(-sizes[sizes > 0][::-1]).tolist(), *sizes.tolist()]
    scale = np.sort(finite_vector(levels, "levels"))
    if not np.array_equal(scale, -scale[::-1]):
        raise DataError(f"the scale of strengths must be the same on both sides of 0, got {scale.tolist()}")
    return [float(value) for value in scale]


def _side(left: Column, pair: tuple[Column, Column]) -> FloatArray:
    same_length(("left", left), ("system_a", pair[0]))
    _, (shown, a, b) = code_labels(("left", left), ("system_a", pair[0]), ("system_b", pair[1]))
    stray = np.flatnonzero((shown != a) & (shown != b))
    if stray.size:
        raise DataError(
            f"left must name one of the two systems; at index {stray[0]} it is {left[int(stray[0])]!r}, "
            f"the systems are {pair[0][int(stray[0])]!r} and {pair[1][int(stray[0])]!r}"
        )
    return np.where(shown == b, 1.0, -1.0)[:, None]


def fit_strengths(design: StrengthDesign, tastes: RandomDesign | None, link: LinkName) -> FittedStrength:
    """The model, and the same with all abilities equal; nan with its reason where systems are not on one scale."""
    cuts = thresholds("symmetric2", design.scale.categories)

    def fitted(columns: FloatArray, names: tuple[str, ...]) -> Fit:
        return fit_model(CumulativeLikelihood(design.scale.codes, columns, names, cuts, link), tastes)

    def of_equals() -> Fit:
        return fitted(design.side, design.names[len(design.systems) - 1 :])

    fit = fitted(design.columns, design.names) if not design.disconnected else replace(of_equals(), loglik=np.nan)
    # Without a likelihood there is no ratio, and the search for equal abilities would run after infinite tastes.
    equal = of_equals() if np.isfinite(fit.loglik) else fit
    if design.disconnected or not np.all(np.isfinite(fit.parameters)):
        size = len(cuts.names) + len(design.names)
        reasons = fit.warnings if not design.disconnected else (design.disconnected,)
        nothing = np.full((size, size), np.nan)
        fit = replace(fit, parameters=nothing[0], covariance=nothing, converged=False, warnings=reasons)
    return FittedStrength(design, cuts, link, fit, equal)


@dataclass(frozen=True)
class FittedStrength:
    """Parameters: thresholds, abilities of all systems but the first, the advantage of the left side if it is known."""

    design: StrengthDesign
    cuts: Thresholds
    link: LinkName
    fit: Fit
    equal: Fit
    """With all abilities equal."""

    def fields(self, confidence: float) -> dict[str, Any]:
        """The fields of `PreferenceStrength` that come from the likelihood."""
        design, fit, first = self.design, self.fit, len(self.cuts.names)
        k = len(design.systems)
        place = np.zeros((k, len(fit.parameters)))
        place[1:, first : first + k - 1] = np.eye(k - 1)
        centred = place - place.mean(axis=0)
        spread = centred @ fit.covariance @ centred.T
        sizes = design.judged.sum(axis=0).astype(int).tolist()
        cuts, cut_spread = self.cuts.carried(fit.parameters[:first], fit.covariance[:first, :first])
        chi2, p = ratio_chi2(self.equal.loglik, fit.loglik, k - 1)
        return {
            "systems": design.systems,
            "reference": "",
            "abilities": abilities_of(design.systems, centred @ fit.parameters, spread, sizes, confidence),
            "pairs": self._pairs(place, confidence),
            "extras": self._extras(confidence),
            "covariance": tuple(map(tuple, spread.tolist())),
            "n": len(design.x),
            "loglik": fit.loglik,
            "chi2": chi2,
            "df": k - 1,
            "p": p,
            "converged": fit.converged,
            "steps": fit.steps,
            "gradient": fit.distance,
            "thresholds": wald_estimates(self.cuts.labels, cuts, cut_spread, confidence),
        }

    def _extras(self, confidence: float) -> tuple[Any, ...]:
        if LEFT not in self.design.names:
            return ()
        value, variance = float(self.fit.parameters[-1]), float(self.fit.covariance[-1, -1])
        return (scale_parameter(LEFT, value, variance, confidence, tested=True),)

    def _pairs(self, place: FloatArray, confidence: float) -> PairwiseComparisons:
        """All pairs; P(preferred) = F(difference - first threshold above 0), and so are the ends of its interval."""
        z = normal_quantile((1 + confidence) / 2)
        tie = np.zeros(place.shape[1])
        if len(self.cuts.labels) % 2 == 0:  # two thresholds about 0, and between them neither is preferred
            tie[0] = 1.0
        pairs = list(combinations(range(len(place)), 2))
        contrasts = np.array([place[first] - place[second] for first, second in pairs])
        differences, errors = self._estimated(contrasts)
        centre, width = self._estimated(contrasts - tie)
        shares = [cdf(self.link, centre + step * width).tolist() for step in (0.0, -z, z)]
        other = cdf(self.link, self._estimated(-contrasts - tie)[0])
        ties = (1 - np.array(shares[0]) - other).tolist() if tie.any() else [0.0] * len(pairs)
        rows = zip(pairs, differences.tolist(), errors.tolist(), *shares, ties, strict=True)
        names, judged = self.design.systems, self.design.judged
        found = [
            ability_pair((names[i], names[j]), (difference, se), share, t, round(float(judged[i, j])), z)
            for (i, j), difference, se, *share, t in rows
        ]
        return ability_pairs(found, confidence)

    def _estimated(self, contrasts: FloatArray) -> tuple[FloatArray, FloatArray]:
        values = contrasts @ self.fit.parameters
        return values, np.sqrt(np.einsum("ij,jk,ik->i", contrasts, self.fit.covariance, contrasts))
