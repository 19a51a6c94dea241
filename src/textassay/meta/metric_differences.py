"""Which of two metrics agrees better with people."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError
from textassay.known_names import check_choice
from textassay.meta.coefficients import NO_CHANCE_LEVEL, By, Coefficient, grouped, paired_grids
from textassay.meta.metric_swaps import Scale, Swaps, all_swaps, figures_by_swap, on_one_scale, pooled_figures_by_swap
from textassay.meta.two_way_bootstrap import Resamples, Scope, bootstrap_samples, scope_of, system_level_samples
from textassay.pairwise import NO_INTERVAL
from textassay.seeds import Stream
from textassay.stats.correlations.dependent_correlations import hittner, meng, steiger, williams, zou
from textassay.stats.distributions import Alternative, check_alternative
from textassay.stats.resampling.bootstrap import percentile_interval
from textassay.stats.resampling.resamples import check_draws, random_signs
from textassay.stats.samples import FloatArray, as_floats, check_share

Level = Literal["item", "system", "texts", "systems"]
"""Agreement within items, within systems, of all texts together, or of systems' means."""
Test = Literal[
    "bootstrap",
    "swap systems",
    "swap items",
    "swap texts",
    "williams",
    "steiger",
    "meng",
    "hittner",
    "system pairs",
    "text pairs",
]
"""`bootstrap`: systems and items drawn again; leads, as it alone keeps its level where metrics differ in how much of
their errors belongs to systems. `swap systems`: the two metrics' scores of whole systems swapped. `swap items`
and `swap texts`: those of whole items, or of each text. `williams` and its kin: Pearson correlations of systems' means.
`system pairs` and `text pairs`: a sign test on pairs of systems, or of an item's texts, as if these were independent.
All but the bootstrap and `williams` and its kin are liberal.
"""
LIBERAL: tuple[Test, ...] = ("swap systems", "swap items", "swap texts", "system pairs", "text pairs")
"""Tests that reject too often in some null cases: see docs/calibration.md."""
SWAPPED = 20
"""All swaps of up to so many systems are counted, where that is not too much work."""
_WORK = 400_000_000


@dataclass(frozen=True)
class Agreement:
    """What is compared, and how it is resampled.

    Raises:
        UsageError: an unknown or impossible setting.
    """

    coefficient: Coefficient = "tau-b"
    level: Level = "item"
    draws: int = 1999
    """Resamples, or swaps where these are not counted."""
    confidence: float = 0.95
    seed: int = 0
    """The same draws for all metrics."""

    def __post_init__(self) -> None:
        check_choice("coefficient", self.coefficient, get_args(Coefficient))
        check_choice("level", self.level, get_args(Level))
        check_share("confidence", self.confidence)
        check_draws(self.draws)

    def value(self, people: FloatArray, scores: FloatArray) -> float:
        """The agreement of a metric with people; nan where it is undefined."""
        x, y = paired_grids(people, scores)
        if self.level == "systems":
            there = ~np.isnan(x).all(axis=0)
            x, y = (np.nanmean(grid[:, there], axis=0, keepdims=True) for grid in (x, y))
            return grouped(x, y, "item", self.coefficient).mean
        return grouped(x, y, _GROUPS[self.level], self.coefficient).mean

    def samples(self, people: FloatArray, scores: FloatArray, resamples: Resamples) -> FloatArray:
        """The agreement in each draw of systems and items."""
        x, y = paired_grids(people, scores)
        if self.level == "systems":
            return system_level_samples(x, y, self.coefficient, resamples)
        return bootstrap_samples(x, y, self.coefficient, _GROUPS[self.level], resamples)


_GROUPS: dict[Level, By | None] = {"item": "item", "system": "system", "texts": None}


@dataclass(frozen=True, eq=False)
class MetricDifference:
    """Two metrics compared: first less second."""

    test: Test
    first: float
    second: float
    """The agreement of each, over the texts that both have scores for."""
    p: float
    """Two-sided."""
    ci: tuple[float, float] = NO_INTERVAL
    exact: bool = False
    least_p: float = math.nan
    resamples: int = 0
    n: int = 0
    """Systems; for `system pairs` and `text pairs` the pairs that one metric alone orders as people do."""
    scope: Scope = ""
    reason: str = ""

    @property
    def difference(self) -> float:
        """First less second."""
        return self.first - self.second


def two_way_difference(
    people: npt.ArrayLike, first: npt.ArrayLike, second: npt.ArrayLike, agreement: Agreement | None = None
) -> MetricDifference:
    """The difference of two metrics' agreement with systems and items drawn again, the same for both metrics.

    The interval has the draws' percentiles less their bias; p is twice the share of draws (less bias) beyond 0, with
    one draw added on each side. With fewer than 6 systems only items are drawn, and both hold for these systems.
    """
    agreement = agreement or Agreement()
    x, a, b = shared_texts(people, first, second)
    resamples = Resamples.drawn(x.shape[0], x.shape[1], agreement.draws, agreement.seed)
    values = [agreement.value(x, scores) for scores in (a, b)]
    samples = [agreement.samples(x, scores, resamples) for scores in (a, b)]
    return bootstrapped_difference(values, samples, resamples, agreement.confidence)


def bootstrapped_difference(
    values: Sequence[float], samples: Sequence[FloatArray], resamples: Resamples, confidence: float
) -> MetricDifference:
    """The same from the two agreements and their draws."""
    first, second = values
    n = resamples.systems.shape[1]
    drawn = samples[0] - samples[1]
    ordered = np.sort(drawn[~np.isnan(drawn)])
    reason = (
        "an agreement is undefined"
        if math.isnan(first - second)
        else "too few systems and no items to draw from"
        if resamples.resampled == "nothing"
        else "an agreement is undefined in more than half of the draws"
        if ordered.size < drawn.size / 2
        else ""
    )
    if reason:
        return MetricDifference("bootstrap", first, second, math.nan, n=n, reason=reason)
    ordered = ordered - (ordered.mean() - (first - second))
    beyond = min(np.count_nonzero(ordered <= 1e-12), np.count_nonzero(ordered >= -1e-12))
    return MetricDifference(
        "bootstrap",
        first,
        second,
        min(1.0, 2 * (int(beyond) + 1) / (ordered.size + 1)),
        ci=percentile_interval(ordered, confidence),
        least_p=2 / (ordered.size + 1),
        resamples=ordered.size,
        n=n,
        scope=scope_of(resamples),
    )


def swap_systems(
    people: npt.ArrayLike,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    agreement: Agreement | None = None,
    *,
    scale: Scale = "standardised",
    alternative: Alternative = "two-sided",
) -> MetricDifference:
    """The difference of two metrics' agreement, and its p from swapping the two metrics' scores of whole systems.

    Scores are brought to one scale first. All 2^S swaps of up to 20 systems are counted where that is not too much
    work, else drawn. The null hypothesis is that the two metrics' scores are exchangeable, which is more than equal
    agreement: two metrics that agree equally, one of which errs about systems and the other about single texts, are
    rejected in a tenth of cases at .05 (8 systems × 50 items), where the two-way bootstrap keeps its level.

    >>> people = np.arange(12.0).reshape(3, 4) ** 1.5
    >>> found = swap_systems(people, people, -people, Agreement("tau-a"))
    >>> found.difference, found.exact, found.resamples
    (2.0, True, 16)
    """
    agreement = agreement or Agreement()
    coefficient, level = agreement.coefficient, agreement.level
    check_choice("scale", scale, get_args(Scale))
    check_alternative(alternative)
    x, a, b = shared_texts(people, first, second)
    a, b = (on_one_scale(scores, scale) for scores in (a, b))
    if level == "systems":
        x, a, b = (system_means(grid) for grid in (x, a, b))
    elif level == "system":
        raise UsageError("swapping systems compares agreement within items, of all texts, or of systems' means")
    elif level == "texts" and coefficient != "pearson":
        raise UsageError("swapping systems compares agreement of all texts by pearson only; use scale='ranked'")
    size = x.shape[1]
    steps = size if level == "texts" else _work(x, a, b, coefficient)
    exact = size <= SWAPPED and (1 << size) * steps <= _WORK
    figures = _pooled if level == "texts" else figures_by_swap
    if exact:  # the first swaps nothing, the last everything: complements in reverse order
        one = figures(x, a, b, coefficient, all_swaps(size))
        other, observed = one[::-1], (float(one[0]), float(one[-1]))
    else:
        none, swaps = np.zeros((1, size), dtype=bool), _random_swaps(size, agreement)
        own, one, other = np.split(
            figures(x, a, b, coefficient, np.concatenate([none, ~none, swaps, ~swaps])), [2, 2 + len(swaps)]
        )
        observed = float(own[0]), float(own[1])
    return swapped_difference("swap systems", observed, one - other, size, alternative, exact=exact)


def system_means(grid: FloatArray) -> FloatArray:
    """Shape (1, systems): the mean of the texts that are there."""
    there = ~np.isnan(grid)
    if there.all():
        return np.asarray(grid.mean(axis=0, keepdims=True))
    return np.asarray(np.where(there, grid, 0.0).sum(axis=0, keepdims=True) / there.sum(axis=0))


def _work(x: FloatArray, a: FloatArray, b: FloatArray, coefficient: Coefficient) -> int:
    """Steps of one swap: those of all texts where denominators change, else one per pair of systems."""
    tabled = coefficient in {"tau-a", *NO_CHANCE_LEVEL} and not np.isnan(a + b).any()
    return x.shape[1] ** 2 // 2 if tabled else x.size * (1 if coefficient == "pearson" else x.shape[1])


def _random_swaps(systems: int, agreement: Agreement) -> Swaps:
    return np.asarray(random_signs(Stream(agreement.seed, "exchanges", "metrics"), systems, agreement.draws) > 0)


def _pooled(x: FloatArray, a: FloatArray, b: FloatArray, _: Coefficient, swaps: Swaps) -> FloatArray:
    return pooled_figures_by_swap(x, a, b, swaps)


def swapped_difference(
    test: Test,
    observed: tuple[float, float],
    differences: FloatArray,
    systems: int,
    alternative: Alternative,
    *,
    exact: bool,
) -> MetricDifference:
    """The p of the observed difference among those after swaps; an undefined one counts as extreme, to be safe."""
    own = observed[0] - observed[1]
    if math.isnan(own):
        return MetricDifference(test, *observed, math.nan, n=systems, reason="an agreement is undefined")
    every = differences if exact else np.append(differences, own)
    sided = {"two-sided": (np.abs(every), abs(own)), "greater": (every, own), "less": (-every, -own)}
    distance, own = sided[alternative]
    return MetricDifference(
        test,
        *observed,
        int(np.count_nonzero(~(distance < own - 1e-10))) / every.size,
        exact=exact,
        least_p=(2 if exact and alternative == "two-sided" else 1) / every.size,
        resamples=differences.size,
        n=systems,
    )


def compare_correlations(
    people: npt.ArrayLike,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    test: Literal["williams", "steiger", "meng", "hittner"] = "williams",
    *,
    confidence: float = 0.95,
) -> MetricDifference:
    """Two metrics' Pearson correlations with people over systems: the tests for correlations that share a variable.

    Of lists of one value per system; where one has none, the system is left out of all three. The interval is Zou's.

    >>> found = compare_correlations([1, 2, 3, 4, 5], [1, 2, 3, 5, 4], [2, 1, 4, 3, 5])
    >>> round(found.difference, 3), found.n
    (0.1, 5)
    """
    tests = {"williams": williams, "steiger": steiger, "meng": meng, "hittner": hittner}
    check_choice("test", test, tuple(tests))
    x, a, b = shared_texts(*(np.atleast_2d(as_floats(values, "values")) for values in (people, first, second)))
    pearson = Agreement("pearson")
    r12, r13, r23 = (pearson.value(one, other) for one, other in ((x, a), (x, b), (a, b)))
    n = x.shape[1]
    if math.isnan(r12 + r13 + r23) or n < 4:
        return MetricDifference(test, r12, r13, math.nan, n=n, reason="a correlation is undefined, or under 4 systems")
    found = tests[test](r12, r13, r23, n)
    interval = zou(r12, r13, r23, n, confidence=confidence)
    return MetricDifference(test, r12, r13, found.p, ci=interval.ci, n=n, reason="; ".join(found.warnings))


def shared_texts(
    people: npt.ArrayLike, first: npt.ArrayLike, second: npt.ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The grids with the texts that all three have, without empty items and systems."""
    x, a = paired_grids(people, first)
    b = paired_grids(people, second)[1]
    missing = np.isnan(a) | np.isnan(b)
    if not missing.any():
        return x, a, b
    items, systems = ~missing.all(axis=1), ~missing.all(axis=0)
    x, a, b = (np.where(missing, np.nan, grid)[items][:, systems] for grid in (x, a, b))
    return x, a, b
