"""Many metrics: all pairs compared, and the clusters that can be told apart."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from time import perf_counter
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError
from textassay.known_names import check_choice
from textassay.meta.coefficients import Coefficient, read_grid
from textassay.meta.metric_differences import (
    LIBERAL,
    Agreement,
    Level,
    MetricDifference,
    Test,
    bootstrapped_difference,
    compare_correlations,
    shared_texts,
    swap_systems,
    two_way_difference,
)
from textassay.meta.pair_swaps import compare_system_pairs, compare_text_pairs
from textassay.meta.text_swaps import swap_items, swap_texts
from textassay.meta.two_way_bootstrap import Resamples, Scope, scope_of
from textassay.pairwise import PairwiseComparison, PairwiseComparisons
from textassay.stats.adjust_p import Correction, adjust_pairs
from textassay.stats.samples import FloatArray
from textassay.workers import HERE, Progress, Workers


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
    workers: Workers = HERE,
    progress: Progress | None = None,
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
            pairwise accuracies, both of systems' means; `text pairs` acc-eq within items.
        test: See `Test`.
        correction: Of p, for example `holm` or `benjamini-hochberg`.
        workers: Who does the work, metric by metric and pair by pair; the numbers are the same.
        progress: Told how many parts of the work are done, of how many.

    Raises:
        DataError: shapes that differ, or an infinite value.
        UsageError: a test that is not one of this coefficient and level.
    """
    agreement = agreement or Agreement()
    check_choice("test", test, get_args(Test))
    if test not in _ANY:
        needed, level = needed_figure(test, agreement.coefficient, agreement.level)
        if (agreement.coefficient, agreement.level) != (needed, level):
            got = f"{agreement.coefficient} at the level {agreement.level}"
            raise UsageError(f"{test} compares the coefficient {needed} at the level {level}; got {got}")
    x = read_grid(people, "people")
    grids = {name: read_grid(grid, name) for name, grid in scores.items()}
    values = {name: agreement.value(x, grid) for name, grid in grids.items()}
    resamples = Resamples.drawn(x.shape[0], x.shape[1], agreement.draws, agreement.seed)
    differences = _differences(x, grids, agreement, test, resamples, workers, progress)
    found = [_as_pair(a, b, differences[a, b]) for a, b in combinations(grids, 2)]
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
        interval="none" if test in LIBERAL else "single",
    )
    ordered = dict(sorted(values.items(), key=lambda entry: (math.isnan(entry[1]), -entry[1])))
    scope = scope_of(resamples) if test == "bootstrap" else ""
    return MetricComparisons(ordered, compared, clusters_of(list(ordered), compared), test in LIBERAL, scope)


_ANY: tuple[Test, ...] = ("bootstrap", "swap systems", "swap items", "swap texts")
"""Tests of any coefficient."""
_SWAPPING = {"swap systems": swap_systems, "swap items": swap_items, "swap texts": swap_texts}
_NEEDS: dict[Test, tuple[Coefficient, Level]] = {
    "system pairs": ("accuracy", "systems"),
    "text pairs": ("acc-eq", "item"),
}


def needed_figure(test: Test, coefficient: Coefficient, level: Level) -> tuple[Coefficient, Level]:
    """What a test compares: the given coefficient and level, unless it has its own."""
    return (coefficient, level) if test in _ANY else _NEEDS.get(test, ("pearson", "systems"))


def _differences(
    people: FloatArray,
    grids: Mapping[str, FloatArray],
    agreement: Agreement,
    test: Test,
    resamples: Resamples,
    workers: Workers,
    progress: Progress | None,
) -> dict[tuple[str, str], MetricDifference]:
    """Every pair compared; metrics that score the same texts are resampled once each, and not for every pair."""
    every = list(combinations(grids, 2))
    shared = [
        (a, b) for a, b in every if test == "bootstrap" and np.array_equal(np.isnan(grids[a]), np.isnan(grids[b]))
    ]
    alone = list(dict.fromkeys(name for pair in shared for name in pair))
    others = [pair for pair in every if pair not in set(shared)]
    work: list[Callable[[], Any]] = [
        *(partial(_value_and_samples, people, grids[name], agreement, resamples) for name in alone),
        *(partial(_compared, people, grids[a], grids[b], agreement, test) for a, b in others),
    ]
    done = []
    for result in workers.map(_do, work):
        done.append(result)
        if progress is not None:
            progress(len(done), len(work))
    drawn = dict(zip(alone, done, strict=False))
    found = dict(zip(others, done[len(alone) :], strict=True))
    for a, b in shared:
        values, samples = zip(drawn[a], drawn[b], strict=True)
        found[a, b] = bootstrapped_difference(values, samples, resamples, agreement.confidence)
    return found


def planned_seconds(
    people: FloatArray, grids: Mapping[str, FloatArray], agreement: Agreement, test: Test, workers: Workers = HERE
) -> float:
    """About how long all pairs will take, from a small part of the work: some draws, or the first pair."""
    first, second, *_ = grids.values()
    pairs = len(grids) * (len(grids) - 1) // 2
    if test != "bootstrap":
        return _seconds(partial(_compared, people, first, second, agreement, test)) * pairs / workers.processes
    few, many = _PILOT
    started = perf_counter()
    resamples = Resamples.drawn(people.shape[0], people.shape[1], many, agreement.seed)
    drawing = (perf_counter() - started) / many * agreement.draws
    some = replace(resamples, systems=resamples.systems[:few], items=resamples.items[:few])
    spent = [_seconds(partial(_value_and_samples, people, first, agreement, each)) for each in (some, resamples)]
    each_draw = max(spent[1] - spent[0], 0.0) / (many - few)
    alike = all(np.array_equal(np.isnan(first), np.isnan(grid)) for grid in grids.values())
    samples = len(grids) if alike else 2 * pairs
    return drawing + samples * (spent[0] + each_draw * (agreement.draws - few)) / workers.processes


_PILOT = 100, 400
"""Draws of a first small and a first larger part, which tell the time of a draw from that of what is made once. Fewer
would stay in the processor's cache and look quicker than most are."""


def _seconds(work: Callable[[], Any]) -> float:
    started = perf_counter()
    work()
    return perf_counter() - started


def _do(work: Callable[[], Any]) -> Any:
    return work()


def _value_and_samples(
    people: FloatArray, grid: FloatArray, agreement: Agreement, resamples: Resamples
) -> tuple[float, FloatArray]:
    return agreement.value(people, grid), agreement.samples(people, grid, resamples)


def _compared(
    people: FloatArray, one: FloatArray, other: FloatArray, agreement: Agreement, test: Test
) -> MetricDifference:
    """Two metrics over the texts that both have."""
    match test:
        case "bootstrap":
            return two_way_difference(people, one, other, agreement)
        case "swap systems" | "swap items" | "swap texts":
            return _SWAPPING[test](people, one, other, agreement)
        case "text pairs":
            return compare_text_pairs(people, one, other, draws=agreement.draws, seed=agreement.seed)
    means = [np.nanmean(grid, axis=0) for grid in shared_texts(people, one, other)]
    if test == "system pairs":
        return compare_system_pairs(means[0], means[1], means[2])
    return compare_correlations(means[0], means[1], means[2], test, confidence=agreement.confidence)


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
