"""Draws: what they are by definition, and sums over them against plain loops."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from score_tables import Mean, Ratio, means, score_of, table_of

from textassay import catalogue
from textassay.errors import UsageError
from textassay.metrics import TextSegments, score_table
from textassay.metrics.significance import resampling
from textassay.metrics.significance.resampling import (
    SystemSegments,
    all_swaps,
    resampled_rows,
    shared,
    swapped_rows,
    weighted_sums,
)


@pytest.mark.parametrize("n", [1, 2, 16, 17, 100, 5000])
def test_a_resample_has_as_many_segments_as_there_are(n: int) -> None:
    assert [int(row.sum()) for row in resampled_rows(3, n, 20)] == [n] * 20


@pytest.mark.parametrize("n", [3, 17, 40])
def test_counts_are_those_of_draws_with_replacement(n: int) -> None:
    # A segment's count is binomial(n, 1/n): P(k) = C(n, k) (1/n)^k (1 - 1/n)^(n-k); 4000 rows of n cells.
    rows = np.array(list(resampled_rows(7, n, 4000)))
    for k in range(4):
        expected = math.comb(n, k) * (1 / n) ** k * (1 - 1 / n) ** (n - k)
        assert np.mean(rows == k) == pytest.approx(expected, abs=5 * math.sqrt(expected * (1 - expected) / rows.size))
    # Two segments take draws from each other: the covariance of their counts is -1/n.
    assert np.cov(rows[:, 0], rows[:, 1])[0, 1] == pytest.approx(-1 / n, abs=0.08)
    assert rows[:, 0].var() == pytest.approx(1 - 1 / n, abs=0.12)


def test_every_sample_of_three_is_as_likely_as_it_should_be() -> None:
    # Of 27 ordered samples of 3 segments, 6 hold each once and 3 hold one of them three times.
    rows = np.array(list(resampled_rows(1, 3, 5000)))
    assert np.mean((rows == 1).all(axis=1)) == pytest.approx(6 / 27, abs=0.025)
    assert np.mean((rows == 3).any(axis=1)) == pytest.approx(3 / 27, abs=0.02)


def test_the_same_seed_gives_the_same_draws_anywhere() -> None:
    # Frozen when written: another release must not change anybody's p.
    assert next(resampled_rows(1, 20, 1)).tolist() == RESAMPLE
    assert next(swapped_rows(1, 20, 1)).tolist() == SWAPS
    assert next(resampled_rows(2, 20, 1)).tolist() != RESAMPLE


def test_swaps_are_fair_coins() -> None:
    rows = np.array(list(swapped_rows(5, 70, 4000)))
    assert set(np.unique(rows)) == {0, 1}
    assert rows.mean(axis=0) == pytest.approx(np.full(70, 0.5), abs=0.04)
    assert np.corrcoef(rows[:, 0], rows[:, 69])[0, 1] == pytest.approx(0, abs=0.07)


def test_all_swaps_are_all_different() -> None:
    assert len(np.unique(all_swaps(6), axis=0)) == 64


@given(st.integers(1, 30), st.integers(1, 9), st.integers(1, 4), st.integers(0, 99))
def test_sums_are_those_of_the_resampled_rows(n: int, rows: int, columns: int, seed: int) -> None:
    table = np.random.default_rng(seed).integers(-50, 50, (n, columns)).astype(np.int32)
    sums = weighted_sums(resampled_rows(seed, n, rows), rows, [table, table[:, :1]])
    for place, row in enumerate(resampled_rows(seed, n, rows)):
        resample = np.repeat(table, row, axis=0)
        assert sums[0][place].tolist() == resample.sum(axis=0).tolist()
        assert sums[1][place].tolist() == resample[:, :1].sum(axis=0).tolist()


def test_blocks_do_not_change_the_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    table = np.random.default_rng(1).integers(0, 50, (300, 3))
    at_once = weighted_sums(resampled_rows(1, 300, 50), 50, [table])[0]
    told: list[tuple[int, int]] = []
    monkeypatch.setattr(resampling, "_CELLS", 300 * 20)
    monkeypatch.setattr(resampling, "_FLOATS", 1400)
    in_parts = weighted_sums(resampled_rows(1, 300, 50), 50, [table], lambda *done: told.append(done))[0]
    assert in_parts.tolist() == at_once.tolist()
    assert told == [(20, 50), (40, 50), (50, 50)]


def test_many_segments_take_little_memory() -> None:
    # 300,000 × 500 draws would be 150 MB as bytes and 1.2 GB as indices.
    table = np.ones((300_000, 2), dtype=np.int32)
    tracemalloc.start()
    sums = weighted_sums(swapped_rows(1, 300_000, 500), 500, [table])[0]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert sums.shape == (500, 2)
    assert peak < 80_000_000


RESAMPLE = [3, 1, 1, 1, 1, 0, 0, 2, 0, 0, 2, 1, 2, 1, 0, 0, 2, 0, 2, 1]
SWAPS = [1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0]


# --- Samples, and the segments that two systems share ---------------------------------------------------------------


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
    sources = {item: f"name|||{texts[-row]}" for row, item in enumerate(items)}
    table = score_table([name], items, ["A"] * 30, texts, by_item, sources=sources)
    sample, kept = SystemSegments.of(table, name, "A"), table.scores[name]["A"]
    assert sample.value == pytest.approx(kept.corpus, rel=1e-12)
    drawn = sample.scores(weighted_sums(resampled_rows(1, 30, 20), 20, [sample.columns])[0])
    by_hand = [kept.metric.corpus_score(np.repeat(kept.statistics, row, axis=0)) for row in resampled_rows(1, 30, 20)]
    if kept.metric.can_be_resampled:
        assert drawn.tolist() == pytest.approx(by_hand, rel=1e-12)
    else:
        assert np.isnan(drawn).all()
