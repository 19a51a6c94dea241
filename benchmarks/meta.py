"""Meta-evaluation against the algorithms of the annual metrics tasks, both sides in one run.

    python3 run.py bench meta

15 systems × 1,500 items, 1,000 resamples. The other side is the algorithm as published (mt-metrics-eval, nlpstats):
every resample is written out and scipy computes the coefficient of each item. It is timed on a few resamples, which the
note names, and the time is multiplied. Both sides find a p or an interval of the same figure; ours exchanges or draws
whole systems, from tables that are made once. The first row is a loop of scipy's tau, by which times on another machine
can be compared. Prints a table of ratios and keeps it in `benchmarks/results/meta.json`.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import math
import sys
from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np
from _house import Row, best_of, keep, machine, shown
from scipy.stats import kendalltau, pearsonr

from textassay.meta import (
    Agreement,
    calibrated_accuracy,
    compare_metrics,
    compare_system_pairs,
    grouped,
    metric_differences,
    swap_systems,
    two_way_bootstrap,
)

SYSTEMS, ITEMS, RESAMPLES = 15, 1500, 1000
Figure = Callable[[np.ndarray, np.ndarray], float]


def grids(metrics: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """People's judgements on a scale of five, and metrics that know a part of them."""
    draw = np.random.Generator(np.random.PCG64(14))
    latent = 0.5 * draw.normal(size=SYSTEMS) + draw.normal(size=(ITEMS, SYSTEMS))
    people = np.clip(np.round(3 + latent), 1, 5)
    return people, {
        f"metric {number}": latent + (1 + 0.02 * number) * draw.normal(size=latent.shape) for number in range(metrics)
    }


def rows() -> Iterator[Row]:
    people, scores = grids(2)
    first, second = scores.values()
    loop = best_of(1, lambda: [kendalltau(a, b) for a, b in zip(people, first, strict=True)])
    yield Row(
        "tau of 1,500 items, once",
        best_of(5, lambda: grouped(people, first, "item", "tau-b")),
        "scipy loop",
        loop,
        math.nan,
    )
    for coefficient, scipy, bar in (("tau-b", kendalltau, 500), ("pearson", pearsonr, 1000)):
        agreement = Agreement(coefficient, draws=RESAMPLES)
        figure = by_item(scipy)
        ours = best_of(5, lambda settings=agreement: swap_systems(people, first, second, settings))
        yield extrapolated(
            f"item {coefficient}, permutation", ours, lambda f=figure: swapped(people, first, second, f), 1, bar
        )
    yield from system_level(people, first, second)
    ours = best_of(5, lambda: calibrated_accuracy(people, first, folds=1, chance_draws=0))
    yield Row(
        "tie calibration, 157,500 pairs",
        ours,
        "loop over sorted pairs",
        best_of(1, lambda: tie_loop(people, first)),
        25,
    )
    means = people.mean(axis=0), first.mean(axis=0), second.mean(axis=0)
    ours = best_of(5, lambda: compare_system_pairs(*means))
    yield extrapolated(
        "pairwise accuracy, swapped pairs", ours, lambda: swapped(people, first, second, pair_accuracy), 10, 1e4
    )
    ours = best_of(3, lambda: two_way_bootstrap(people, first, "pearson", draws=RESAMPLES))
    yield extrapolated(
        "item pearson, two-way bootstrap", ours, lambda: resampled(people, first, by_item(pearsonr)), 1, 1000
    )
    people, scores = grids(20)
    ours = best_of(1, lambda: compare_metrics(people, scores, Agreement("tau-b", draws=RESAMPLES), progress=said))
    print(file=sys.stderr)
    yield Row("190 pairs of 20 metrics, item tau, bootstrap", ours, "time allowed", 180.0, 1)


def system_level(people: np.ndarray, first: np.ndarray, second: np.ndarray) -> Iterator[Row]:
    """As many swaps as the peer draws; and all there are, which is what the function does by itself."""
    agreement = Agreement("pearson", "systems", draws=RESAMPLES)
    peer = best_of(1, lambda: [swapped(people, first, second, by_system) for _ in range(50)]) / 50
    counted = best_of(5, lambda: swap_systems(people, first, second, agreement))
    limit, metric_differences.SWAPPED = metric_differences.SWAPPED, 0
    drawn = best_of(5, lambda: swap_systems(people, first, second, agreement))
    metric_differences.SWAPPED = limit
    note = f"peer on 50 of {RESAMPLES} resamples"
    yield Row("system pearson, permutation", drawn, "as published, scipy", peer * RESAMPLES, 500, note)
    yield Row(
        f"system pearson, all 2^{SYSTEMS} swaps", counted, "as published, scipy", peer * 2**SYSTEMS, 500, "peer on 50"
    )


def extrapolated(what: str, ours: float, peer: Callable[[], object], times: int, bar: float) -> Row:
    """A peer timed on some resamples."""
    spent = best_of(1, lambda: [peer() for _ in range(times)])
    note = f"peer on {times} of {RESAMPLES} resamples"
    return Row(what, ours, "as published, scipy", spent * RESAMPLES / times, bar, note)


def said(done: int, of: int) -> None:
    """The progress bar of the many pairs."""
    print(f"\r[{'#' * (40 * done // of):<40}] {done}/{of} pairs", end="", file=sys.stderr, flush=True)


_DRAW = np.random.Generator(np.random.PCG64(1))


def swapped(people: np.ndarray, first: np.ndarray, second: np.ndarray, figure: Figure) -> float:
    """One resample: every text of the two metrics is swapped or not, then both figures are computed again."""
    swap = _DRAW.random(first.shape) < 0.5
    return figure(people, np.where(swap, second, first)) - figure(people, np.where(swap, first, second))


def resampled(people: np.ndarray, scores: np.ndarray, figure: Figure) -> float:
    """One resample of items and systems."""
    items, systems = _DRAW.integers(ITEMS, size=ITEMS), _DRAW.integers(SYSTEMS, size=SYSTEMS)
    return figure(people[items][:, systems], scores[items][:, systems])


def by_item(coefficient: Callable[..., object]) -> Figure:
    """The mean over items of scipy's coefficient."""

    def figure(people: np.ndarray, scores: np.ndarray) -> float:
        varying = [(x, y) for x, y in zip(people, scores, strict=True) if np.ptp(x) > 0 and np.ptp(y) > 0]
        return float(np.mean([coefficient(x, y).statistic for x, y in varying]))  # type: ignore[attr-defined]

    return figure


def by_system(people: np.ndarray, scores: np.ndarray) -> float:
    return float(pearsonr(people.mean(axis=0), scores.mean(axis=0)).statistic)


def pair_accuracy(people: np.ndarray, scores: np.ndarray) -> float:
    x, y = people.mean(axis=0), scores.mean(axis=0)
    return float(np.mean([(x[a] - x[b]) * (y[a] - y[b]) > 0 for a, b in combinations(range(SYSTEMS), 2)]))


def tie_loop(people: np.ndarray, scores: np.ndarray) -> tuple[float, float]:
    """The best ε and its accuracy: pairs in the order of their distance; each changes the counts of its item."""
    size = SYSTEMS * (SYSTEMS - 1) // 2
    right, tied = np.zeros(ITEMS), np.zeros(ITEMS)
    pairs = []
    for item in range(ITEMS):
        x, y = people[item], scores[item]
        for a, b in combinations(range(SYSTEMS), 2):
            agreed = bool((x[a] - x[b]) * (y[a] - y[b]) > 0)
            right[item] += agreed
            pairs.append((float(abs(y[a] - y[b])), item, bool(x[a] == x[b]), agreed))
    pairs.sort()
    total = float(np.mean(right / size))
    best = (total, 0.0)
    for distance, item, level, agreed in pairs:
        before = (right[item] + tied[item]) / size
        right[item] -= agreed
        tied[item] += level
        total += ((right[item] + tied[item]) / size - before) / ITEMS
        if total > best[0]:
            best = (total, distance)
    return best


def main(arguments: list[str]) -> int:
    if arguments:
        print("bench meta takes no arguments", file=sys.stderr)
        return 2
    about = machine()
    print(", ".join(f"{key} {value}" for key, value in about.items()))
    found: list[Row] = []
    for row in rows():
        found.append(row)
        print(shown(row), flush=True)
    keep("meta", about, found)
    return 0 if all(not row.bar > 0 or row.ratio >= row.bar for row in found) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
