"""All pairs of metrics: adjusted p, clusters, gaps, progress, and what is refused."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pytest

from textassay.errors import UsageError
from textassay.meta.metric_comparisons import clusters_of, compare_metrics, planned_seconds
from textassay.meta.metric_differences import Agreement, Test, swap_systems, two_way_difference
from textassay.meta.two_way_bootstrap import Resamples
from textassay.pairwise import PairwiseComparison, PairwiseComparisons
from textassay.stats.adjust_p import adjust_p
from textassay.workers import Workers

RANDOM = np.random.Generator(np.random.PCG64(4))
PEOPLE = RANDOM.normal(size=8) + RANDOM.normal(size=(20, 8))
SCORES = {
    "bad": RANDOM.normal(size=(20, 8)),
    "good": PEOPLE + 0.2 * RANDOM.normal(size=(20, 8)),
    "fair": PEOPLE + RANDOM.normal(size=(20, 8)),
    "alike": PEOPLE + 0.2 * RANDOM.normal(size=(20, 8)),
}


def test_all_pairs_with_adjusted_p() -> None:
    agreement = Agreement(draws=499)
    told = []
    found = compare_metrics(PEOPLE, SCORES, agreement, progress=lambda done, of: told.append((done, of)))
    assert told == [(number, 4) for number in range(1, 5)]  # all score the same texts, so each is resampled once
    assert [pair.p_raw for pair in found.pairs] == [
        two_way_difference(PEOPLE, SCORES[pair.first], SCORES[pair.second], agreement).p for pair in found.pairs
    ]
    assert [pair.p for pair in found.pairs] == pytest.approx(adjust_p([pair.p_raw for pair in found.pairs]).adjusted)
    assert (found.pairs.adjustment, found.pairs.interval, found.liberal) == ("Holm", "single", False)
    assert found.pairs["good", "bad"].winner == "good"
    by_rate = compare_metrics(PEOPLE, SCORES, agreement, correction="benjamini-hochberg").pairs
    assert by_rate["good", "bad"].p <= found.pairs["good", "bad"].p


class Elsewhere(Workers):
    """Sends everything there and back as other processes get it, without starting any.

    Each portion is done by a worker that is lost with what it found, then by another. A real cluster does so in
    tests/metrics/test_engine.py.
    """

    def map(self, call: Any, portions: Iterable[Any]) -> Iterator[Any]:
        for portion in portions:
            sent = pickle.dumps((call, portion))
            for there in (pickle.loads(sent), pickle.loads(sent)):
                found = pickle.dumps(there[0](there[1]))
            yield pickle.loads(found)


def test_work_is_done_elsewhere_with_the_same_numbers() -> None:
    gaps = np.where(np.arange(8) == 3, np.nan, SCORES["fair"])  # compared by pairs
    scores, agreement, told = {**SCORES, "gaps": gaps}, Agreement(draws=199), []
    here = compare_metrics(PEOPLE, scores, agreement, progress=lambda done, of: told.append((done, of)))
    assert told[-1] == (8, 8)  # four metrics, and four pairs with the one that has gaps
    there = compare_metrics(PEOPLE, scores, agreement, workers=Elsewhere())
    assert here.pairs == there.pairs


_HASHED = """
import numpy as np
from textassay.meta import Agreement, Exchanges, calibrated_accuracy, compare_metrics, permute_systems, soft_accuracy
people = np.arange(90.0).reshape(10, 9) ** 1.3 % 7
scores = {name: people + np.cos(np.arange(90.0) * k).reshape(10, 9) * 9 for k, name in enumerate("bacd", 1)}
for test, agreement in (("bootstrap", Agreement(draws=99)), ("swap texts", Agreement("pearson", "systems", draws=99))):
    found = compare_metrics(people, scores, agreement, test=test)
    print(found.values, found.clusters, [(pair.first, pair.second, pair.p, pair.ci) for pair in found.pairs])
print(permute_systems(people, scores["a"], "tau-b", Exchanges(draws=99)), calibrated_accuracy(people, scores["a"]))
print(soft_accuracy(people, scores["a"]))
"""


@pytest.mark.long
def test_numbers_do_not_depend_on_the_hash_seed() -> None:
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", _HASHED], env={**os.environ, "PYTHONHASHSEED": seed}, stdout=subprocess.PIPE
        )
        for seed in "012"  # sets of these names have three different orders
    ]
    said = [run.communicate(timeout=60)[0] for run in runs]
    assert len(set(said)) == 1
    assert all(run.returncode == 0 for run in runs)


def test_clusters_and_the_best() -> None:
    found = compare_metrics(PEOPLE, SCORES, Agreement(draws=499))
    assert set(found.clusters[0]) == {"good", "alike"} == set(found.not_worse_than_best())
    assert found.clusters[1:] == (("fair",), ("bad",))
    assert list(found.values)[2:] == ["fair", "bad"]
    assert found.scope == "for systems and items like these"


def test_a_cluster_ends_only_where_all_above_beat_all_below() -> None:
    def pair(first: str, second: str, p: float) -> PairwiseComparison:
        return PairwiseComparison(first=first, second=second, difference=1.0, p=p, p_raw=p, n=9)

    pairs = (pair("a", "b", 0.01), pair("a", "c", 0.01), pair("b", "c", 0.2))
    made = PairwiseComparisons(method="demo", pairs=pairs, adjustment="none", better="higher")
    assert clusters_of(["a", "b", "c"], made) == (("a",), ("b", "c"))
    pairs = (pair("a", "b", 0.2), pair("a", "c", 0.01), pair("b", "c", 0.2))
    made = PairwiseComparisons(method="demo", pairs=pairs, adjustment="none", better="higher")
    assert clusters_of(["a", "b", "c"], made) == (("a", "b", "c"),)
    assert clusters_of(["a"], made) == (("a",),)


@pytest.mark.parametrize(
    ("test", "agreement"),
    [
        ("swap systems", Agreement("tau-b", draws=99)),
        ("swap items", Agreement("tau-b", "systems", draws=99)),
        ("swap texts", Agreement("pearson", "systems", draws=99)),
        ("text pairs", Agreement("acc-eq")),
        ("williams", Agreement("pearson", "systems")),
        ("meng", Agreement("pearson", "systems")),
        ("system pairs", Agreement("accuracy", "systems")),
    ],
)
def test_every_test_compares_all_pairs(test: Test, agreement: Agreement) -> None:
    found = compare_metrics(PEOPLE, SCORES, agreement, test=test)
    assert len(found.pairs) == 6
    assert all(0 < pair.p <= 1 for pair in found.pairs)
    assert found.liberal == (test not in {"williams", "meng"})
    assert found.pairs["good", "bad"].difference == pytest.approx(found.values["good"] - found.values["bad"])
    assert found.scope == ""


def test_metrics_with_different_gaps_are_compared_over_what_both_have() -> None:
    lacking = SCORES["fair"].copy()
    lacking[:, 3] = np.nan
    found = compare_metrics(PEOPLE, {"good": SCORES["good"], "fair": lacking}, Agreement(draws=99))
    alone = two_way_difference(PEOPLE, SCORES["good"], lacking, Agreement(draws=99))
    assert (found.pairs[0].difference, found.pairs[0].n) == (alone.difference, 7)
    swapped = compare_metrics(PEOPLE, {"good": SCORES["good"], "fair": lacking}, Agreement(), test="swap systems")
    assert swapped.pairs[0].p == swap_systems(PEOPLE, SCORES["good"], lacking).p


def test_tests_of_correlations_need_systems_means() -> None:
    with pytest.raises(UsageError, match="williams compares the coefficient pearson at the level systems; got tau-b"):
        compare_metrics(PEOPLE, SCORES, test="williams")
    with pytest.raises(UsageError, match="system pairs compares the coefficient accuracy"):
        compare_metrics(PEOPLE, SCORES, test="system pairs")


@pytest.mark.parametrize(
    ("test", "jobs", "seconds"),
    [
        ("bootstrap", 1, 4 * (3 + 0.1 * 999)),  # four metrics, each resampled once
        ("bootstrap", 2, 2 * (3 + 0.1 * 999)),
        ("swap systems", 1, 6 * 7),  # six pairs
    ],
)
def test_how_long_it_takes_follows_from_a_small_part(
    test: Test, jobs: int, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0.0]

    def sampled(_: Any, __: Any, ___: Any, resamples: Resamples) -> None:
        clock[0] += 3 + 0.1 * len(resamples.items)

    def compared(*_: Any) -> None:
        clock[0] += 7

    module = "textassay.meta.metric_comparisons"
    monkeypatch.setattr(f"{module}.perf_counter", lambda: clock[0])
    monkeypatch.setattr(f"{module}._value_and_samples", sampled)
    monkeypatch.setattr(f"{module}._compared", compared)
    found = planned_seconds(PEOPLE, SCORES, Agreement(draws=999), test, Workers(jobs))
    assert found == pytest.approx(seconds)
