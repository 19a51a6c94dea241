"""Abilities of systems on one scale, estimated from preferences: the result that all such models share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from textassay.errors import UsageError
from textassay.pairwise import PairwiseComparison, PairwiseComparisons
from textassay.results import Record
from textassay.stats.adjust_p import adjust_pairs
from textassay.stats.distributions import normal_quantile, normal_upper
from textassay.stats.samples import FloatArray
from textassay.stats.statistic import Statistic

CENTRED = "sum to 0"
"""How settings and records name abilities that are centred."""


@dataclass(frozen=True)
class ScaleParameter:
    """An estimate with its standard error and Wald interval."""

    name: str
    value: float
    se: float
    ci: tuple[float, float]
    p: float
    """Two-sided, of the hypothesis that it is 0 (Wald); nan where that means nothing."""


@dataclass(frozen=True)
class Ability:
    """The ability of one system."""

    system: str
    value: float
    """On the model's scale: log odds, or standard deviations for Thurstone; relative to `Abilities.reference`."""
    se: float
    ci: tuple[float, float]
    n: int
    """Judgements that it took part in."""


@dataclass(frozen=True, kw_only=True)
class Abilities(Statistic):
    """Systems on one scale, with all pairs compared."""

    systems: tuple[str, ...]
    reference: str
    """Whose ability is 0; empty where the abilities sum to 0."""
    abilities: tuple[Ability, ...]
    pairs: PairwiseComparisons
    """Wald tests; the effect size is the probability that the first is preferred, `tie` that of a tie."""
    extras: tuple[ScaleParameter, ...]
    """Further parameters: order effect, ties."""
    covariance: tuple[tuple[float, ...], ...]
    """Of the abilities when they sum to 0."""
    n: int
    """Judgements used."""
    loglik: float
    """Log-likelihood of the judgements, each for itself (no counts of orderings added)."""
    chi2: float
    """Likelihood-ratio statistic of the hypothesis that all abilities are equal."""
    df: int
    p: float
    """Of `chi2`."""
    converged: bool
    steps: int
    """Steps of the search."""
    gradient: float
    """Length of the gradient at the end, in standard errors."""
    confidence: float

    @property
    def values(self) -> tuple[float, ...]:
        """The abilities in the order of `systems`."""
        return tuple(ability.value for ability in self.abilities)

    @property
    def se(self) -> tuple[float, ...]:
        """The standard errors of `values`."""
        return tuple(ability.se for ability in self.abilities)

    def ability(self, system: str) -> Ability:
        """The ability of one system.

        Raises:
            UsageError: there is no such system.
        """
        return self.abilities[self._place(system)]

    def extra(self, name: str) -> ScaleParameter:
        """A further parameter by its name.

        Raises:
            UsageError: the model has none of that name.
        """
        for parameter in self.extras:
            if parameter.name == name:
                return parameter
        known = ", ".join(parameter.name for parameter in self.extras) or "none"
        raise UsageError(f"this model has no parameter {name!r}; it has {known}")

    def against(self, reference: str) -> Self:
        """The same model with the abilities as differences from one system.

        Raises:
            UsageError: there is no such system.
        """
        contrast = np.eye(len(self.systems))
        contrast[:, self._place(reference)] -= 1
        return self._under(contrast, reference, f"difference from {reference}")

    def centred(self) -> Self:
        """The same model with abilities that sum to 0."""
        k = len(self.systems)
        return self._under(np.eye(k) - 1 / k, "", CENTRED)

    def records(self) -> list[Record]:
        """Abilities, then pairs, then further parameters, then the test that all abilities are equal."""
        return [
            *map(self._ability_record, self.abilities),
            *self.pairs.records(self),
            *(self.record(e.name, e.value, p=e.p, ci=e.ci, n=self.n, se=e.se) for e in self.extras),
            self.record("equal abilities χ²", self.chi2, df=self.df, p=self.p, n=self.n, loglik=self.loglik),
        ]

    def _ability_record(self, one: Ability) -> Record:
        zero = self.reference or CENTRED
        return self.record("ability", one.value, ci=one.ci, n=one.n, system=one.system, se=one.se, zero=zero)

    def _place(self, system: str) -> int:
        if system not in self.systems:
            raise UsageError(f"there is no system {system!r}; there are {', '.join(self.systems)}")
        return self.systems.index(system)

    def _under(self, contrast: FloatArray, reference: str, scale: str) -> Self:
        covariance = contrast @ np.array(self.covariance) @ contrast.T
        values = contrast @ np.array(self.values)
        sizes = [ability.n for ability in self.abilities]
        return replace(
            self,
            reference=reference,
            abilities=abilities_of(self.systems, values, covariance, sizes, self.confidence),
            settings={**self.settings, "abilities": scale},
        )


def abilities_of(
    systems: Sequence[str], values: FloatArray, covariance: FloatArray, sizes: Sequence[int], confidence: float
) -> tuple[Ability, ...]:
    """Each system's ability with its standard error and interval."""
    z = normal_quantile((1 + confidence) / 2)
    errors = np.sqrt(np.maximum(np.diagonal(covariance), 0.0))
    rows = zip(systems, values.tolist(), errors.tolist(), sizes, strict=True)
    return tuple(Ability(name, value, se, (value - z * se, value + z * se), n) for name, value, se, n in rows)


def ability_pair(
    names: tuple[str, str], estimate: tuple[float, float], share: Sequence[float], tie: float, n: int, z: float
) -> PairwiseComparison:
    """Two systems compared by their abilities, p not yet adjusted.

    Args:
        names: First and second.
        estimate: Ability of the first less that of the second, and its standard error.
        share: Probability that the first is preferred in a comparison of the two, and the ends of its interval.
        tie: Probability of a tie; 0 where the model has none.
        n: Times that the two were judged against each other.
        z: Half the width of an interval, in standard errors.
    """
    difference, se = estimate
    value = difference / se if se else math.nan
    p = 2 * normal_upper(abs(value))
    return PairwiseComparison(
        first=names[0],
        second=names[1],
        difference=difference,
        ci=(difference - z * se, difference + z * se),
        p=p,
        p_raw=p,
        n=n,
        se=se,
        test_value=value,
        effect_size=share[0],
        effect_size_ci=(share[1], share[2]),
        no_effect=(1 - tie) / 2,
        more={"tie": tie},
    )


def ability_pairs(pairs: Sequence[PairwiseComparison], confidence: float) -> PairwiseComparisons:
    """All pairs of a model, adjusted after Holm; the higher ability is the better one."""
    return PairwiseComparisons(
        method="Wald tests of abilities",
        settings={"correction": "holm", "confidence": confidence},
        pairs=adjust_pairs(pairs),
        by="system",
        unit="ability",
        better="higher",
        adjustment="Holm",
        confidence=confidence,
        interval="single",
        test="z",
        effect_size="probability of preference",
    )


def scale_parameter(name: str, value: float, variance: float, confidence: float, *, tested: bool) -> ScaleParameter:
    """A further parameter; `tested` where 0 is a hypothesis worth a p."""
    z = normal_quantile((1 + confidence) / 2)
    se = math.sqrt(variance)
    p = 2 * normal_upper(abs(value) / se) if tested and se > 0 else math.nan
    return ScaleParameter(name, value, se, (value - z * se, value + z * se), p)
