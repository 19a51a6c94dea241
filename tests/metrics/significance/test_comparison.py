"""What both paired tests share: which segments, which correction, which records."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.significance import PairedTest as Peer
from score_tables import Mean, means, score_of, table_of

from textassay.errors import UsageError
from textassay.metrics import Metric, ScoreTable, score_table
from textassay.metrics.significance import (
    PairedOptions,
    PairedTest,
    corpus_intervals,
    paired_bootstrap,
    paired_randomisation,
)
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


# --- Options of paired tests ----------------------------------------------------------------------------------------


def test_the_first_system_is_the_baseline() -> None:
    assert PairedOptions().pairs(["A", "B", "C"]) == [("A", "B"), ("A", "C")]
    assert PairedOptions(baseline="C").pairs(["A", "B", "C"]) == [("C", "A"), ("C", "B")]
    assert PairedOptions(all_pairs=True).pairs(["A", "B", "C"]) == [("A", "B"), ("A", "C"), ("B", "C")]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"draws": 0}, "draws must be a whole number from 1 on, for example 1999; got 0"),
        ({"confidence": 1.0}, "confidence"),
        ({"form": "moses"}, "form"),
        (
            {"all_pairs": True, "baseline": "A"},
            r"all pairs have no baseline; leave out either all_pairs or baseline \(A\)",
        ),
    ],
)
def test_impossible_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        PairedOptions(**options)


def test_systems_that_are_not_there() -> None:
    with pytest.raises(UsageError, match="there is no system 'D'; use one of: A, B"):
        PairedOptions(baseline="D").pairs(["A", "B"])
    with pytest.raises(UsageError, match=r"a paired test compares systems; got 1 \(A\)"):
        PairedOptions().pairs(["A"])
    with pytest.raises(UsageError, match=r"got 0 \(none\)"):
        PairedOptions(all_pairs=True).pairs([])


# --- Paired tests against those of sacreBLEU 2.6.0, on the same texts -----------------------------------------------


N, DRAWS = 60, 2000
WORDS = "the a cat dog sat ran on under mat tree quickly and then it slept all day long"


class Theirs(Metric):
    """A metric whose statistics and scores are sacreBLEU's own, so that nothing but the test is compared."""

    name = "theirs"
    scale = (0.0, 100.0)

    def __init__(self, peer: Any) -> None:
        super().__init__()
        self.peer = peer

    def statistics(self, segments: Any) -> npt.NDArray[Any]:
        raise NotImplementedError("made in the test")

    def segment_scores(self, statistics: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        return self.from_sums(statistics, 1)

    def summands(self, statistics: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return statistics

    def from_sums(self, sums: npt.NDArray[Any], n: int) -> npt.NDArray[np.float64]:
        rows = np.reshape(sums, (-1, sums.shape[-1])).tolist()
        return np.reshape([self.peer._compute_score_from_stats(row).score for row in rows], sums.shape[:-1])


def texts(seed: int, keep: float) -> tuple[list[str], list[str], list[str]]:
    """References and two systems: the first keeps 70 % of the words, the second `keep`."""
    rng = np.random.default_rng(seed)
    references = [" ".join(rng.choice(WORDS.split(), rng.integers(6, 16))) for _ in range(N)]

    def worse(share: float) -> list[str]:
        return [
            " ".join(word if rng.random() < share else rng.choice(WORDS.split()) for word in line.split())
            for line in references
        ]

    return references, worse(0.7), worse(keep)


def table(peer: Any, references: list[str], one: list[str], other: list[str]) -> ScoreTable:
    metric = Theirs(peer)
    statistics = {
        name: np.array(peer._extract_corpus_statistics(lines, [references]))
        for name, lines in (("A", one), ("B", other))
    }
    return table_of({"theirs": {name: score_of(metric, rows) for name, rows in statistics.items()}})


def their_result(kind: str, peer: Any, references: list[str], one: list[str], other: list[str]) -> Any:
    _, found = Peer([("A", one), ("B", other)], {"m": peer}, [references], test_type=kind, n_samples=DRAWS)()
    return next(scores[1] for name, scores in found.items() if name != "System")


def agree(ours: float, theirs: float) -> bool:
    p = (ours + theirs) / 2
    return abs(ours - theirs) <= 4 * math.sqrt(2 * p * (1 - p) / DRAWS) + 2 / DRAWS


CASES = pytest.mark.parametrize(
    ("peer", "seed", "keep"),
    [
        (BLEU, 1, 0.72),
        pytest.param(BLEU, 2, 0.78, marks=pytest.mark.long),
        (CHRF, 3, 0.74),
        pytest.param(CHRF, 4, 0.70, marks=pytest.mark.long),
    ],
)


@CASES
def test_approximate_randomisation(peer: Any, seed: int, keep: float) -> None:
    lines = texts(seed, keep)
    theirs = their_result("ar", peer(), *lines)
    ours = paired_randomisation(table(peer(), *lines), PairedOptions(draws=DRAWS)).comparisons[0]
    assert ours.scores[1] == pytest.approx(theirs.score)
    assert agree(ours.p_raw, theirs.p_value)


@CASES
def test_paired_bootstrap_in_their_form(peer: Any, seed: int, keep: float) -> None:
    lines = texts(seed, keep)
    theirs = their_result("bs", peer(), *lines)
    made = table(peer(), *lines)
    ours = paired_bootstrap(made, PairedOptions(draws=DRAWS, form="sacrebleu")).comparisons[0]
    assert agree(ours.p_raw, theirs.p_value)
    valid = paired_bootstrap(made, PairedOptions(draws=DRAWS)).comparisons[0]
    assert valid.p_raw >= ours.p_raw  # theirs looks at one tail
    interval = corpus_intervals(made, draws=DRAWS).intervals[1].ci
    assert (interval[1] - interval[0]) / 2 == pytest.approx(theirs.ci, rel=0.1)


def test_with_our_own_bleu() -> None:
    references, one, other = texts(1, 0.72)
    items = [str(number) for number in range(N)]
    by_item = {item: [text] for item, text in zip(items, references, strict=True)}
    ours = score_table(["bleu"], items * 2, ["A"] * N + ["B"] * N, one + other, by_item)
    peers = table(BLEU(), references, one, other)
    options = PairedOptions(draws=500)
    for test in (paired_bootstrap, paired_randomisation):
        mine, its = test(ours, options).comparisons[0], test(peers, options).comparisons[0]
        assert mine.scores == pytest.approx(its.scores, abs=1e-9)
        assert mine.p_raw == its.p_raw  # the same draws, so the same p
