"""Bootstrap intervals of corpus scores."""

from __future__ import annotations

import math

import numpy as np
import pytest
from score_tables import Mean, Ratio, means, random_ratios, score_of, table_of

from textassay.errors import UsageError
from textassay.metrics.significance import corpus_intervals
from textassay.metrics.significance.resampling import resampled_rows
from textassay.results import RECORD_KEYS


def test_equals_scoring_each_resample() -> None:
    table = random_ratios(1, 50, 0.5)
    found = {each.system: each for each in corpus_intervals(table, draws=199, seed=4).intervals}
    for system, score in table.scores["ratio"].items():
        resamples = [
            score.metric.corpus_score(np.repeat(score.statistics, row, axis=0)) for row in resampled_rows(4, 50, 199)
        ]
        ordered = sorted(resamples)
        # 199 draws: the 2.5 % and 97.5 % points are the 5th and the 195th (Davison & Hinkley 1997, section 5.2).
        assert found[system].ci == pytest.approx((ordered[4], ordered[194]), rel=1e-12)
        assert found[system].se == pytest.approx(np.std(resamples, ddof=1), rel=1e-12)
        assert found[system].value == score.corpus
        assert found[system].n == 50


def test_standard_error_of_a_mean_is_known() -> None:
    values = np.random.default_rng(2).normal(0.5, 0.1, 400)
    found = corpus_intervals(means(A=values), draws=2000).intervals[0]
    assert found.se == pytest.approx(values.std() / 20, rel=0.06)
    assert found.ci == pytest.approx(
        (values.mean() - 1.96 * values.std() / 20, values.mean() + 1.96 * values.std() / 20), abs=0.001
    )


def test_all_metrics_and_systems_share_the_draws() -> None:
    values = np.random.default_rng(3).normal(0, 1, (40, 1))
    scores = {"one": {"A": score_of(Mean(), values), "B": score_of(Mean(), values + 1)}}
    scores["two"] = {"A": score_of(Mean(), values * 2), "B": score_of(Mean(), values)}
    ci = {(each.metric, each.system): np.array(each.ci) for each in corpus_intervals(table_of(scores)).intervals}
    assert ci["one", "B"] == pytest.approx(ci["one", "A"] + 1)
    assert ci["two", "A"] == pytest.approx(ci["one", "A"] * 2)
    assert ci["two", "B"] == pytest.approx(ci["one", "A"])


def test_seed_and_confidence() -> None:
    table = random_ratios(1, 60, 0.5)
    first, again, other = (corpus_intervals(table, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first.intervals != other.intervals
    wide, narrow = (corpus_intervals(table, confidence=c).intervals[0].ci for c in (0.99, 0.5))
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


def test_what_is_undefined_is_said() -> None:
    # The only word is in one of two segments: a quarter of the resamples have none.
    counts = np.array([[0, 0], [1, 1]], dtype=np.int32)
    result = corpus_intervals(table_of({"ratio": {"A": score_of(Ratio(), counts)}}), draws=400)
    assert result.intervals[0].undefined == pytest.approx(100, abs=30)
    assert result.warnings == (
        "A has 2 segments, with which bootstrap intervals are too narrow",
        f"ratio, A: undefined in {result.intervals[0].undefined} of 400 resamples, which are omitted",
    )
    alone = corpus_intervals(means(A=[0.5]))
    assert all(map(math.isnan, alone.intervals[0].ci))
    assert alone.warnings == ("mean, A: the interval is undefined; it needs 2 segments or more, got 1",)


def test_records() -> None:
    result = corpus_intervals(means(A=[0.5, 0.7], B=[0.1, 0.2]), draws=99, seed=5)
    assert [(record["statistic"], record["of"], record["by"]) for record in result.records()] == [
        ("corpus score", "mean", "A"),
        ("corpus score", "mean", "B"),
    ]
    record = result.records()[0]
    assert tuple(record)[: len(RECORD_KEYS)] == RECORD_KEYS
    assert record["signature"].startswith("mean|nrefs:1|")
    assert "; bootstrap interval|interval:percentile|confidence:0.95|draws:99|seed:5|version:" in record["signature"]


def test_no_systems_have_no_intervals() -> None:
    assert corpus_intervals(table_of({"mean": {}})).intervals == ()


def test_impossible_settings() -> None:
    with pytest.raises(UsageError, match="draws must be a whole number from 1 on"):
        corpus_intervals(means(A=[1.0]), draws=0)
    with pytest.raises(UsageError, match="confidence"):
        corpus_intervals(means(A=[1.0]), confidence=95)
