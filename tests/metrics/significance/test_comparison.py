"""What both paired tests share: which segments, which correction, which records."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from score_tables import Mean, means, score_of, table_of

from textassay.metrics import ScoreTable
from textassay.metrics.significance import PairedOptions, PairedTest, paired_bootstrap, paired_randomisation
from textassay.results import RECORD_KEYS
from textassay.stats import adjust_p

Test = Callable[..., PairedTest]
TESTS = pytest.mark.parametrize("test", [paired_bootstrap, paired_randomisation])
OPTIONS = PairedOptions(draws=199, seed=3)


def three_systems(seed: int, n: int = 40) -> ScoreTable:
    rng = np.random.default_rng(seed)
    base = rng.normal(0.5, 0.1, n)
    return means(A=base, B=base + rng.normal(0.02, 0.1, n), C=base + rng.normal(0.05, 0.1, n))


@TESTS
def test_equal_systems_do_not_differ(test: Test) -> None:
    values = np.random.default_rng(1).normal(0, 1, 50)
    found = test(means(A=values, B=values), OPTIONS).comparisons[0]
    assert (found.difference, found.p_raw, found.p) == (0, 1, 1)


@TESTS
def test_p_does_not_depend_on_which_system_is_the_baseline(test: Test) -> None:
    table = three_systems(2)
    one = test(table, OPTIONS).comparisons[0]
    other = test(table, PairedOptions(draws=199, seed=3, baseline="B")).comparisons[0]
    assert (one.baseline, one.system, other.baseline, other.system) == ("A", "B", "B", "A")
    assert one.p_raw == other.p_raw
    assert one.difference == -other.difference


@TESTS
def test_the_seed_decides(test: Test) -> None:
    table = three_systems(4)
    assert test(table, OPTIONS) == test(table, OPTIONS)
    assert test(table, OPTIONS).comparisons != test(table, PairedOptions(draws=199, seed=4)).comparisons


@TESTS
def test_holm_corrects_the_comparisons_of_each_metric(test: Test) -> None:
    table = three_systems(5)
    twice = table_of({"one": table.scores["mean"], "two": table.scores["mean"]})
    found = test(twice, PairedOptions(draws=199, seed=3, all_pairs=True)).comparisons
    assert [(each.metric, each.baseline, each.system) for each in found] == [
        (metric, *pair) for metric in ("one", "two") for pair in (("A", "B"), ("A", "C"), ("B", "C"))
    ]
    for metric in ("one", "two"):
        own = [each for each in found if each.metric == metric]
        assert tuple(each.p for each in own) == adjust_p([each.p_raw for each in own]).adjusted
    assert [each.p_raw for each in found[:3]] == [each.p_raw for each in found[3:]]  # the same draws for every metric


@TESTS
def test_only_segments_of_both_count_and_the_others_are_said(test: Test) -> None:
    rng = np.random.default_rng(6)
    a, b = rng.normal(0, 1, (50, 1)), rng.normal(0.3, 1, (45, 1))
    items = {"A": [f"i{row}" for row in range(50)], "B": [f"i{row}" for row in range(10, 55)][::-1]}
    result = test(table_of({"mean": {"A": score_of(Mean(), a), "B": score_of(Mean(), b)}}, items), OPTIONS)
    by_hand = test(means(A=a[10:], B=b[::-1][:40]), OPTIONS).comparisons[0]
    found = result.comparisons[0]
    assert (found.n, found.left_out) == (40, (10, 5))
    assert (found.p, found.scores) == (by_hand.p, pytest.approx(by_hand.scores))
    said = "B and A are compared on the 40 segments of both; 10 of A and 5 of B are omitted"
    assert said in result.warnings


@TESTS
def test_nothing_in_common_has_no_p(test: Test) -> None:
    scores = {"mean": {name: score_of(Mean(), np.ones((3, 1))) for name in "AB"}}
    result = test(table_of(scores, {"A": ["1", "2", "3"], "B": ["4", "5", "6"]}), OPTIONS)
    assert math.isnan(result.comparisons[0].p)
    assert math.isnan(result.comparisons[0].p_raw)
    assert "mean, B and A: p is undefined, since no segment is in both" in result.warnings


@TESTS
def test_an_undefined_score_has_no_p(test: Test) -> None:
    result = test(means(A=[0.1, 0.2, 0.3], B=[0.1, math.nan, 0.3]), OPTIONS)
    assert math.isnan(result.comparisons[0].p)
    assert "mean, B and A: p is undefined, since a score is undefined" in result.warnings


@TESTS
def test_records(test: Test) -> None:
    result = test(three_systems(7), OPTIONS)
    record = result.records()[0]
    assert tuple(record)[: len(RECORD_KEYS)] == RECORD_KEYS
    assert (record["statistic"], record["of"], record["by"], record["n"]) == ("difference", "mean", "system", 40)
    assert (record["first"], record["second"], record["adjustment"], record["family"]) == ("B", "A", "Holm", 2)
    assert record["p_raw"] <= record["p"]
    assert record["favours"] == ("B" if record["value"] > 0 else "A")
    assert record["value"] == record["system_score"] - record["baseline_score"]
    assert record["signature"] == f"{result.comparisons[0].signature}; {result.signature}"
    assert "correction:holm by metric" in record["signature"]
    assert "draws:199|seed:3" in record["signature"]


@TESTS
def test_progress_is_told(test: Test) -> None:
    told: list[tuple[int, int]] = []
    test(three_systems(8), OPTIONS, progress=lambda *done: told.append(done))
    assert told == [(199, 199)]
