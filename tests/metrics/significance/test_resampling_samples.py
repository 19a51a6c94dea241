"""Samples, and the segments that two systems share."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from score_tables import Mean, Ratio, means, score_of, table_of

from textassay import catalogue
from textassay.errors import UsageError
from textassay.metrics import TextSegments, score_table
from textassay.metrics.significance.resampling import SystemSegments, resampled_rows, shared, weighted_sums


def test_value_is_the_corpus_score() -> None:
    score = score_of(Ratio(), np.array([[1, 4], [3, 4]], dtype=np.int32))
    table = table_of({"ratio": {"A": score}})
    assert SystemSegments.of(table, "ratio", "A").value == score.corpus == 0.25  # (4/8)²
    assert SystemSegments.of(table, "ratio", "A", np.array([1])).value == pytest.approx(9 / 16)


def test_no_segments_have_no_value() -> None:
    assert math.isnan(SystemSegments.of(means(A=[]), "mean", "A").value)


def test_statistics_that_were_not_kept_are_missed() -> None:
    table = table_of({"mean": {"A": score_of(Mean(), np.empty((0, 1)))}}, {"A": ["1", "2"]})
    with pytest.raises(UsageError, match="mean, A: the statistics of segments were not kept, but"):
        SystemSegments.of(table, "mean", "A")


def test_same_segments_need_no_rows() -> None:
    both = shared(["a", "b"], ["a", "b"])
    assert (both.one, both.other, both.left_out) == (None, None, (0, 0))


@given(st.lists(st.sampled_from("abcdef"), unique=True), st.lists(st.sampled_from("abcdef"), unique=True))
def test_shared_rows_are_the_same_items(one: list[str], other: list[str]) -> None:
    both = shared(one, other)
    rows_one = range(len(one)) if both.one is None else both.one
    rows_other = range(len(other)) if both.other is None else both.other
    items = [one[row] for row in rows_one]
    assert items == [other[row] for row in rows_other]
    assert set(items) == set(one) & set(other)
    assert both.left_out == (len(one) - len(items), len(other) - len(items))


def text_metrics() -> list[str]:
    return [name for name in catalogue.names("metric") if catalogue.find("metric", name).takes is TextSegments]


@pytest.mark.parametrize("name", text_metrics())
def test_every_metric_scores_resamples_as_it_scores_corpora(name: str) -> None:
    rng = np.random.default_rng(1)
    words = ["the", "a", "cat", "dog", "sat", "ran", "on", "under", "mat", "tree"]
    references = [" ".join(rng.choice(words, 9)) for _ in range(30)]
    texts = [
        " ".join(word if rng.random() < 0.7 else rng.choice(words) for word in each.split()) for each in references
    ]
    items = [str(number) for number in range(30)]
    by_item = {item: [reference] for item, reference in zip(items, references, strict=True)}
    table = score_table([name], items, ["A"] * 30, texts, by_item)
    sample, kept = SystemSegments.of(table, name, "A"), table.scores[name]["A"]
    assert sample.value == pytest.approx(kept.corpus, rel=1e-12)
    drawn = sample.scores(weighted_sums(resampled_rows(1, 30, 20), 20, [sample.columns])[0])
    by_hand = [kept.metric.corpus_score(np.repeat(kept.statistics, row, axis=0)) for row in resampled_rows(1, 30, 20)]
    assert drawn.tolist() == pytest.approx(by_hand, rel=1e-12)
