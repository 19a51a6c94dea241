"""Many metrics: all pairs compared, and the clusters that can be told apart."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import get_args

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError
from textassay.meta.coefficients import read_grid
from textassay.meta.metric_differences import (
    LIBERAL,
    Agreement,
    MetricDifference,
    Test,
    bootstrapped_difference,
    compare_correlations,
    compare_system_pairs,
    shared_texts,
    swap_systems,
    two_way_difference,
)
from textassay.meta.two_way_bootstrap import Resamples, Scope, scope_of
from textassay.pairwise import PairwiseComparison, PairwiseComparisons
from textassay.stats.adjust_p import Correction, adjust_pairs
from textassay.stats.distributions import check_choice
from textassay.stats.samples import FloatArray


@dataclass(frozen=True, eq=False)
class MetricComparisons:
    """All pairs of metrics."""

    values: Mapping[str, float]
    """The agreement of each metric with people, highest first."""
    pairs: PairwiseComparisons
    clusters: tuple[tuple[str, ...], ...]
    """Metrics in the order of their agreement: all of a cluster are significantly better than all of the next."""
    liberal: bool
    """Whether the test rejects too often."""
    scope: Scope

    def not_worse_than_best(self) -> tuple[str, ...]:
        """The metrics that cannot be told from the best one, that one first."""
        best, *others = self.values
        return (best, *(name for name in others if not self.pairs[best, name].significant))


def compare_metrics(
    people: npt.ArrayLike,
    scores: Mapping[str, npt.ArrayLike],
    agreement: Agreement | None = None,
    *,
    test: Test = "bootstrap",
    correction: Correction = "holm",
    progress: Callable[[int, int], None] | None = None,
) -> MetricComparisons:
    """All pairs of metrics compared, with p adjusted for all of them, and the clusters that can be told apart.

    >>> people = np.arange(42.0).reshape(6, 7) % 11
    >>> found = compare_metrics(people, {"good": people, "same": 2 * people, "bad": people % 3}, Agreement(draws=199))
    >>> found.clusters, found.not_worse_than_best()
    ((('good', 'same'), ('bad',)), ('good', 'same'))

    Args:
        people: Shape (items, systems).
        scores: Metric → shape (items, systems), more is better.
        agreement: Coefficient, level and draws. `williams` and its kin compare Pearson correlations, `system pairs`
            pairwise accuracies, both of systems' means.
        test: See `Test`.
        correction: Of p, for example `holm` or `benjamini-hochberg`.
        progress: Told how many pairs are done, of how many.

    Raises:
        DataError: shapes that differ, or an infinite value.
        UsageError: a test that is not one of this coefficient and level.
    """
    agreement = agreement or Agreement()
    check_choice("test", test, get_args(Test))
    if test not in _ANY:
        needed = "accuracy" if test == "system pairs" else "pearson"
        if (agreement.coefficient, agreement.level) != (needed, "systems"):
            got = f"{agreement.coefficient} at the level {agreement.level}"
            raise UsageError(f"{test} compares the coefficient {needed} at the level systems; got {got}")
    x = read_grid(people, "people")
    grids = {name: read_grid(grid, name) for name, grid in scores.items()}
    values = {name: agreement.value(x, grid) for name, grid in grids.items()}
    pairs = _Pairs(x, grids, agreement, test)
    found: list[PairwiseComparison] = []
    every = list(combinations(grids, 2))
    for number, (a, b) in enumerate(every, start=1):
        found.append(_as_pair(a, b, pairs.compared(a, b)))
        if progress is not None:
            progress(number, len(every))
    compared = PairwiseComparisons(
        method=f"metrics compared by {test}",
        settings={
            "coefficient": agreement.coefficient,
            "level": agreement.level,
            "test": test,
            "draws": agreement.draws,
            "seed": agreement.seed,
        },
        pairs=adjust_pairs(found, method=correction),
        by="metric",
        unit=agreement.coefficient,
        better="higher",
        adjustment="Holm" if correction == "holm" else correction,
        confidence=agreement.confidence,
        interval="none" if test in {"swap systems", "system pairs"} else "single",
    )
    ordered = dict(sorted(values.items(), key=lambda entry: (math.isnan(entry[1]), -entry[1])))
    scope = scope_of(pairs.resamples) if test == "bootstrap" else ""
    return MetricComparisons(ordered, compared, clusters_of(list(ordered), compared), test in LIBERAL, scope)


_ANY: tuple[Test, ...] = ("bootstrap", "swap systems")
"""Tests of any coefficient."""


class _Pairs:
    """The comparisons of pairs; a metric's draws are made once."""

    def __init__(self, people: FloatArray, grids: Mapping[str, FloatArray], agreement: Agreement, test: Test) -> None:
        self.people, self.grids, self.agreement, self.test = people, grids, agreement, test
        self.resamples = Resamples.drawn(people.shape[0], people.shape[1], agreement.draws, agreement.seed)
        self.drawn: dict[str, tuple[float, FloatArray]] = {}

    def compared(self, a: str, b: str) -> MetricDifference:
        one, other = self.grids[a], self.grids[b]
        if self.test == "swap systems":
            return swap_systems(self.people, one, other, self.agreement)
        if self.test != "bootstrap":
            means = [np.nanmean(grid, axis=0) for grid in shared_texts(self.people, one, other)]
            if self.test == "system pairs":
                return compare_system_pairs(means[0], means[1], means[2])
            return compare_correlations(means[0], means[1], means[2], self.test, confidence=self.agreement.confidence)
        if not np.array_equal(np.isnan(one), np.isnan(other)):  # over the texts that both have
            return two_way_difference(self.people, one, other, self.agreement)
        (value, samples), (other_value, other_samples) = self._samples(a), self._samples(b)
        return bootstrapped_difference(
            (value, other_value), (samples, other_samples), self.resamples, self.agreement.confidence
        )

    def _samples(self, name: str) -> tuple[float, FloatArray]:
        if name not in self.drawn:
            grid = self.grids[name]
            found = self.agreement.samples(self.people, grid, self.resamples)
            self.drawn[name] = self.agreement.value(self.people, grid), found
        return self.drawn[name]


def _as_pair(a: str, b: str, found: MetricDifference) -> PairwiseComparison:
    return PairwiseComparison(
        first=a, second=b, difference=found.difference, ci=found.ci, p=found.p, p_raw=found.p, n=found.n,
        more={"least_p": found.least_p, "exact": found.exact, "reason": found.reason},
    )  # fmt: skip


def clusters_of(names: Sequence[str], pairs: PairwiseComparisons) -> tuple[tuple[str, ...], ...]:
    """Names, best first, cut wherever every one above is significantly better than every one below."""
    clusters: list[tuple[str, ...]] = []
    start = 0
    for cut in range(1, len(names) + 1):
        above, below = names[start:cut], names[cut:]
        if all(pairs[a, b].winner == a for a in above for b in below):
            clusters.append(tuple(above))
            start = cut
    return tuple(clusters)
