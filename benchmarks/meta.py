"""Meta-evaluation against the tools of the annual metrics tasks, both sides in one run.

    python3 run.py bench meta
    python3 run.py bench meta growth          # up to 30 systems × 10,000 items × 40 metrics; draws the figure
    python3 run.py bench meta growth draw     # draws what was measured last

15 systems × 1,500 items, 1,000 resamples; a peer is timed on a few, which the note names, and its time is multiplied.
Both sides find a p or an interval of the same figure; ours exchanges or draws whole systems, from tables that are made
once. nlpstats is the package itself. mt-metrics-eval is not on PyPI (the package of that name is another): its
algorithms are written out in `_meta_peers.py`, and count where their time is within 30 % of the one that was measured
with mt-metrics-eval itself, scaled by a loop of scipy's tau in the same run. Where scipy has become slower since, and
with it the peer, ours is compared with the lesser of the two times.

Times are seconds of processor time in one thread on both sides, which other work on the machine hardly changes. Prints
a table and keeps it in `benchmarks/results/meta.json`.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import math
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from _house import Row, best_of, keep, machine
from _meta_growth import draw, grids, measure
from _meta_peers import calibrate_ties, mean_pearson, mean_tau, swapped_pairs, swapped_texts
from nlpstats.correlations.bootstrap import bootstrap
from nlpstats.correlations.permutation import permutation_test
from scipy.stats import kendalltau

from textassay.meta import (
    Agreement,
    calibrated_accuracy,
    compare_metrics,
    compare_text_pairs,
    grouped,
    metric_differences,
    swap_systems,
    two_way_bootstrap,
)

SYSTEMS, ITEMS, RESAMPLES = 15, 1500, 1000
_TAU = 797e-6
"""Seconds of one of scipy's tau in the run in which mt-metrics-eval itself was timed."""
_NEAR = 1.3


@dataclass(frozen=True)
class PeerRow(Row):
    """A comparison with an algorithm that was written out, or with the peer itself."""

    measured: float = math.nan
    """Seconds of the peer itself elsewhere, scaled to this run; nan where the peer itself was timed."""

    @property
    def near(self) -> bool:
        """Whether the time is that of the peer."""
        return math.isnan(self.measured) or 1 / _NEAR <= self.theirs / self.measured <= _NEAR

    @property
    def counts(self) -> bool:
        """Too quick a copy would be unfair to us, too slow a one to the peer: then the measured time counts."""
        return self.near or self.theirs > self.measured

    @property
    def ratio(self) -> float:
        """How often ours goes into the lesser time."""
        return float(np.nanmin([self.theirs, self.measured])) / self.ours

    @property
    def met(self) -> bool:
        """Whether the bar is reached, by a time that counts."""
        return not self.bar > 0 or (self.counts and self.ratio >= self.bar)

    def shown(self) -> str:
        """One line of the table."""
        known = "itself" if math.isnan(self.measured) else f"{self.measured:.4g} s"
        how = "yes" if self.near else "by the time of the peer itself" if self.counts else "no"
        bar = f"{self.bar:,.0f}×" if self.bar > 0 else ""
        return (
            f"{self.what:<44}{self.ours:>10.4f} s{self.theirs:>11.4g} s{known:>12}{self.ratio:>10,.0f}×{bar:>9}  "
            f"{how:<31}{self.peer}{' · ' + self.note if self.note else ''}{'' if self.met else '  <-- below'}"
        )


HEAD = f"{'':<44}{'ours':>12}{'peer':>13}{'published':>12}{'ratio':>11}{'bar':>9}  counts"


def processor_time(times: int, call: Callable[[], object]) -> float:
    """Seconds of the quickest run."""
    spent = []
    for _ in range(times):
        start = time.process_time()
        call()
        spent.append(time.process_time() - start)
    return min(spent)


class Peers:
    """Times the other side, each beside a loop of scipy's tau."""

    def __init__(self, people: np.ndarray, scores: np.ndarray) -> None:
        self.rows = list(zip(people, scores, strict=True))

    def loop(self) -> float:
        """Seconds of scipy's tau of every item."""
        return processor_time(1, lambda: [kendalltau(x, y) for x, y in self.rows])

    def written_out(
        self, what: str, ours: float, seconds: Callable[[], float], published: float, bar: float
    ) -> PeerRow:
        """An algorithm; `published` is the time of the peer itself in the run in which a tau took `_TAU`."""
        before = self.loop()
        spent = seconds()
        scale = (before + self.loop()) / 2 / len(self.rows) / _TAU
        return PeerRow(what, ours, "as mt-metrics-eval", spent, bar, measured=published * scale)


def each_of(resamples: Iterator[float], times: int) -> float:
    """Seconds of all resamples, from some; the first has to prepare."""
    next(resamples)
    return processor_time(1, lambda: [next(resamples) for _ in range(times)]) * RESAMPLES / times


def rows() -> Iterator[PeerRow]:
    people, scores = grids(SYSTEMS, ITEMS, 2)
    first, second = scores.values()
    peers = Peers(people, first)
    yield PeerRow(
        "tau of 1,500 items, once",
        processor_time(5, lambda: grouped(people, first, "item", "tau-b")),
        "scipy loop",
        peers.loop(),
        math.nan,
    )
    yield from permutations(peers, people, first, second)
    yield from pairs(peers, people, first, second)
    turned = people.T, first.T
    for coefficient, name, bar in (("pearson", "pearson", 1000), ("tau-b", "kendall", math.nan)):
        ours = processor_time(3, lambda own=coefficient: two_way_bootstrap(people, first, own, draws=RESAMPLES))
        theirs = processor_time(1, lambda own=name: bootstrap(*turned, "input", own, "both", n_resamples=1))
        note = f"peer on 1 of {RESAMPLES} resamples"
        yield PeerRow(f"item {coefficient}, two-way bootstrap", ours, "nlpstats", theirs * RESAMPLES, bar, note)
    people, scores = grids(SYSTEMS, ITEMS, 20)
    ours = best_of(1, lambda: compare_metrics(people, scores, Agreement("tau-b", draws=RESAMPLES), progress=said))
    print(file=sys.stderr)
    yield PeerRow(
        "190 pairs of 20 metrics, item tau, bootstrap", ours, "time allowed", 180.0, 1, "by the clock, one core"
    )


def permutations(peers: Peers, people: np.ndarray, first: np.ndarray, second: np.ndarray) -> Iterator[PeerRow]:
    """Two metrics compared by swapping their scores."""
    turned = first.T, second.T, people.T
    for coefficient, name, figure, published, bar in (
        ("tau-b", "kendall", mean_tau(people), 639.0, 500),
        ("pearson", "pearson", mean_pearson(people), 1006.0, 1000),
    ):
        agreement = Agreement(coefficient, draws=RESAMPLES)
        ours = processor_time(5, lambda own=agreement: swap_systems(people, first, second, own))
        what = f"item {coefficient}, permutation"
        theirs = partial(each_of, swapped_texts(first, second, figure), 2)
        yield peers.written_out(what, ours, theirs, published, bar)
        seconds = processor_time(1, lambda own=name: permutation_test(*turned, "input", own, "both", n_resamples=1)) / 2
        yield PeerRow(what, ours, "nlpstats", seconds * RESAMPLES, bar, f"peer on 1 of {RESAMPLES} resamples")
    means = [grid.mean(axis=0, keepdims=True) for grid in (people, first, second)]
    agreement = Agreement("pearson", "systems", draws=RESAMPLES)
    limit, metric_differences.SWAPPED = metric_differences.SWAPPED, 0  # as many as the peer draws
    ours = processor_time(9, lambda: swap_systems(*means, agreement, scale="as is"))
    whole = processor_time(9, lambda: swap_systems(people, first, second, agreement))
    metric_differences.SWAPPED = limit
    theirs = partial(each_of, swapped_texts(means[1], means[2], mean_pearson(means[0])), 300)
    yield peers.written_out("system pearson, permutation, from means", ours, theirs, 1.2, 500)
    spent = processor_time(1, lambda: permutation_test(*turned, "system", "pearson", "systems", n_resamples=50)) / 51
    yield PeerRow("system pearson, permutation, from texts", whole, "nlpstats", spent * RESAMPLES, 500, "peer on 50")


def pairs(peers: Peers, people: np.ndarray, first: np.ndarray, second: np.ndarray) -> Iterator[PeerRow]:
    """Ties calibrated, and pairs of texts swapped."""
    ours = processor_time(9, lambda: calibrated_accuracy(people, first, folds=1, chance_draws=0))
    theirs = partial(processor_time, 2, lambda: calibrate_ties(people, first))
    yield peers.written_out("tie calibration, 157,500 pairs", ours, theirs, 2.1, 25)
    best = calibrated_accuracy(people, first, folds=1, chance_draws=0)
    if abs(calibrate_ties(people, first)[0] - best.in_sample) > 1e-9:
        raise AssertionError("the two sides calibrate differently")
    epsilons = best.epsilon, calibrated_accuracy(people, second, folds=1, chance_draws=0).epsilon
    ours = processor_time(9, lambda: compare_text_pairs(people, first, second, epsilons=epsilons))
    theirs = partial(each_of, swapped_pairs(people, first, second, epsilons), 3)
    yield peers.written_out("pairwise accuracy, swapped pairs", ours, theirs, 394.0, 1e4)


def said(done: int, of: int) -> None:
    """The progress bar of the many pairs."""
    print(f"\r[{'#' * (40 * done // of):<40}] {done}/{of} parts", end="", file=sys.stderr, flush=True)


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["growth"]:
        if arguments[1:] != ["draw"]:
            measure()
        draw()
        return 0
    if arguments:
        print("bench meta takes no arguments but growth, growth draw", file=sys.stderr)
        return 2
    about = machine("nlpstats")
    print(", ".join(f"{key} {value}" for key, value in about.items()))
    print(HEAD)
    found: list[PeerRow] = []
    for row in rows():
        found.append(row)
        print(row.shown(), flush=True)
    keep("meta", about, found)
    return 0 if all(row.met for row in found) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
