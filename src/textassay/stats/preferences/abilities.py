"""Abilities of systems on one scale, estimated from preferences: the result that all such models share.

`FittedScale` turns the estimates of a fitted model into abilities and pairs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from textassay.errors import UsageError
from textassay.known_names import unknown
from textassay.pairwise import PairwiseComparison, PairwiseComparisons
from textassay.results import Record
from textassay.stats.adjust_p import adjust_pairs
from textassay.stats.distributions import chi2_upper, normal_quantile, normal_upper
from textassay.stats.newton import Maximum
from textassay.stats.preferences.pair_likelihood import Family
from textassay.stats.samples import FloatArray, IntArray
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
    """Two-sided, of the hypothesis that it is 0 (Wald); nan where that is not a hypothesis."""


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
            raise UsageError(unknown("system", system, self.systems))
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


@dataclass(frozen=True)
class FittedScale:
    """Abilities with their covariance, and what they were estimated from."""

    systems: tuple[str, ...]
    family: Family
    """How a comparison of two systems would end."""
    judged: FloatArray
    """Shape (systems, systems): how often two systems were judged against each other."""
    sizes: FloatArray
    """Judgements of each system."""
    n: int
    confidence: float
    parameters: FloatArray
    """k abilities, order effect and τ (see `pair_likelihood`), in any contrast."""
    covariance: FloatArray
    """Of all k + 2, zero for those that were not estimated."""
    extras: tuple[ScaleParameter, ...] = ()
    found: Maximum | None = None
    """None where there are no finite estimates: all figures become nan."""
    equal_loglik: float = np.nan
    """Log-likelihood with all abilities equal."""

    @classmethod
    def undefined(
        cls, systems: tuple[str, ...], family: Family, judged: FloatArray, sizes: FloatArray, n: int, confidence: float
    ) -> FittedScale:
        """A scale without estimates."""
        k = len(systems) + 2
        parameters, covariance = np.full(k, np.nan), np.full((k, k), np.nan)
        return cls(systems, family, judged, sizes, n, confidence, parameters, covariance)

    def fields(self) -> dict[str, Any]:
        """The fields of `Abilities`, centred, that do not depend on the model."""
        k = len(self.systems)
        centre = np.eye(k + 2)
        centre[:k, :k] -= 1 / max(k, 1)
        parameters, covariance = centre @ self.parameters, centre @ self.covariance @ centre.T
        sizes = [round(size) for size in self.sizes.tolist()]
        loglik = self.found.loglik if self.found else np.nan
        chi2 = float(np.maximum(2 * (loglik - self.equal_loglik), 0.0))
        return {
            "systems": self.systems,
            "reference": "",
            "abilities": abilities_of(self.systems, parameters[:k], covariance[:k, :k], sizes, self.confidence),
            "pairs": pairs_of(self.systems, self.family, parameters, covariance, self.judged, self.confidence),
            "extras": self.extras,
            "covariance": tuple(map(tuple, covariance[:k, :k].tolist())),
            "n": self.n,
            "loglik": loglik,
            "chi2": chi2,
            "df": max(k - 1, 0),
            "p": chi2_upper(chi2, k - 1) if k > 1 else np.nan,
            "converged": self.found is not None,
            "steps": self.found.steps if self.found else 0,
            "gradient": self.found.gradient if self.found else np.nan,
            "confidence": self.confidence,
        }


def pairs_of(
    systems: Sequence[str],
    family: Family,
    parameters: FloatArray,
    covariance: FloatArray,
    judged: FloatArray,
    confidence: float,
) -> PairwiseComparisons:
    """Every pair once, in the order of the systems.

    Args:
        systems: Their names.
        family: The model of one comparison.
        parameters: Of k systems the abilities, the order effect (omitted from the probabilities) and τ.
        covariance: Of all k + 2 parameters, zero for those that were not estimated.
        judged: Shape (systems, systems): how often the two were judged against each other.
        confidence: Of the intervals.
    """
    z = normal_quantile((1 + confidence) / 2)
    i, j = np.triu_indices(len(systems), 1)
    eta = parameters[i] - parameters[j]
    se = np.sqrt(covariance[i, i] + covariance[j, j] - 2 * covariance[i, j])
    with np.errstate(invalid="ignore"):  # nan, where there are no estimates, stays nan
        found = family.outcomes(eta, float(parameters[-1]))
        low, high = _interval(found.log_p[0], found.by_eta[0], found.by_tau[0], covariance, (i, j), z)
    tie = np.exp(found.log_p[2]) if family.ties else np.zeros(eta.size)
    columns = np.stack((eta, se, np.exp(found.log_p[0]), low, high, tie, judged[i, j]), axis=1).tolist()
    return ability_pairs(
        [
            ability_pair((systems[a], systems[b]), (difference, error), share, t, round(n), z)
            for a, b, (difference, error, *share, t, n) in zip(i.tolist(), j.tolist(), columns, strict=True)
        ],
        confidence,
    )


def _interval(
    log_p: FloatArray,
    by_eta: FloatArray,
    by_tau: FloatArray,
    covariance: FloatArray,
    pair: tuple[IntArray, IntArray],
    z: float,
) -> tuple[FloatArray, FloatArray]:
    """The delta method on the log odds of a win, so that no end leaves 0 to 1."""
    i, j = pair
    log_rest = np.log(-np.expm1(log_p))
    slope, tie_slope = by_eta * np.exp(-log_rest), by_tau * np.exp(-log_rest)
    variance = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
    mixed = covariance[i, -1] - covariance[j, -1]
    half = z * np.sqrt(slope**2 * variance + 2 * slope * tie_slope * mixed + tie_slope**2 * covariance[-1, -1])
    odds = log_p - log_rest
    return np.exp(-np.logaddexp(0.0, half - odds)), np.exp(-np.logaddexp(0.0, -half - odds))
