"""The cumulative link model of preference strength: systems on one scale, by how much one was preferred."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

import numpy.typing as npt

from textassay.results import Record
from textassay.stats.categorical.laplace_fit import RandomPart
from textassay.stats.categorical.likelihood_fit import Fit
from textassay.stats.categorical.links import LinkName
from textassay.stats.categorical.wald_estimate import WaldEstimate
from textassay.stats.labels import Column
from textassay.stats.mixed.mixed_result import VarianceComponent
from textassay.stats.preferences.abilities import CENTRED, Abilities
from textassay.stats.preferences.fitted_strength import fit_strengths
from textassay.stats.preferences.strength_design import own_tastes, strength_design
from textassay.stats.samples import check_share
from textassay.stats.tails import check_choice


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

    P(Y ≤ j) = F(θⱼ - (λ_b - λ_a + δ s)), where Y < 0 prefers system a and Y > 0 system b, λ are the abilities, s = ±1
    says whether b or a was on the left, and the thresholds are mirrored, θ₋ⱼ = -θⱼ (Tutz 1986; Agresti 1992): to swap
    the two systems of a row and the sign of its strength changes nothing. With two degrees it is Bradley and Terry's
    model. The steps of the scale need not be equal, and no strength is counted twice, unlike in an ANOVA of both signs.

    With `random` each participant (or item) has a taste of its own: λ_b + v_b with v ~ N(0, τ²) for each system,
    integrated out by Laplace's approximation. Without it the answers of a participant count as independent of each
    other, and standard errors are too small.

    R: `ordinal::clm(strength ~ x2 + x3, threshold = "symmetric2")` with x = 1 for system b, -1 for system a, else 0.

    Example:
        >>> a, b = ["p"] * 6 + ["q"] * 3, ["q"] * 6 + ["r"] * 3
        >>> result = preference_strength([1, 2, 1, 0, -1, 2, -1, -2, 1], a, b)
        >>> pair = result.pairs[0]
        >>> pair.first, pair.second, round(pair.difference, 4), round(pair.p, 4)
        ('p', 'q', -1.2109, 0.1382)

    Args:
        strengths: Negative where a was preferred, positive where b, 0 for neither; the further from 0, the stronger.
        system_a: One label a comparison.
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


def _components(tastes: RandomPart | None, fit: Fit) -> tuple[VarianceComponent, ...]:
    if tastes is None or fit.theta is None:
        return ()
    parts = zip(tastes.effects.terms, tastes.effects.factors(fit.theta), strict=True)
    return tuple(
        VarianceComponent(term.group, "taste", float(factor[0, 0]), len(term.levels)) for term, factor in parts
    )


def _modes(tastes: RandomPart | None, fit: Fit) -> dict[str, dict[str, tuple[float, ...]]]:
    if tastes is None or fit.modes is None:
        return {}
    return {
        term.group: dict(zip(term.levels, map(tuple, found.tolist()), strict=True))
        for term, found in zip(tastes.effects.terms, tastes.effects.split(fit.modes), strict=True)
    }
