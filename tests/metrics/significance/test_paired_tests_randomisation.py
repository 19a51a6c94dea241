"""The paired approximate randomisation test."""

from __future__ import annotations

import sys
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from score_tables import Mean, Ratio, means, random_ratios, score_of, table_of

from textassay.metrics.significance import PairedOptions, paired_randomisation
from textassay.metrics.significance.resampling import swapped_rows

MODULE = "textassay.metrics.significance.paired_tests"


def swapped_difference(one: np.ndarray, other: np.ndarray, swap: np.ndarray) -> float:
    """The size of the difference after swapping rows, by the metric itself."""
    chosen = swap.astype(bool)[:, None]
    metric = Ratio()
    return abs(metric.corpus_score(np.where(chosen, other, one)) - metric.corpus_score(np.where(chosen, one, other)))


@pytest.mark.parametrize("gain", [0.0, 0.3, 0.6])
def test_equals_plain_loops_over_the_same_swaps(gain: float) -> None:
    table = random_ratios(2, 70, gain)
    one, other = (table.scores["ratio"][name].statistics for name in "AB")
    drawn = np.array([swapped_difference(one, other, row) for row in swapped_rows(5, 70, 299)])
    found = paired_randomisation(table, PairedOptions(draws=299, seed=5)).comparisons[0]
    assert not found.exact
    assert found.p == (np.sum(drawn >= abs(found.difference) - 1e-12) + 1) / 300
    as_sacrebleu = paired_randomisation(table, PairedOptions(draws=299, seed=5, form="sacrebleu")).comparisons[0]
    assert as_sacrebleu.p == pytest.approx((np.sum(drawn > abs(found.difference)) + 1) / 300, abs=2 / 300)


@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_few_segments_are_counted_out(n: int) -> None:
    table = random_ratios(n, n, 1.0)
    one, other = (table.scores["ratio"][name].statistics for name in "AB")
    found = paired_randomisation(table).comparisons[0]
    sizes = np.array([swapped_difference(one, other, np.array(swap)) for swap in product((0, 1), repeat=n)])
    assert found.exact
    assert found.p == np.mean(sizes >= abs(found.difference) - 1e-12)


def test_by_hand() -> None:
    # Differences 1, 2, 3: sums of all 8 sign patterns are ±6, ±4, ±2, 0, 0; |sum| ≥ 6 in 2 of them.
    assert paired_randomisation(means(A=[0, 0, 0], B=[1, 2, 3])).comparisons[0].p == 0.25
    # Differences 1, 2, -3 sum to 0, which every pattern reaches.
    assert paired_randomisation(means(A=[0, 0, 3], B=[1, 2, 0])).comparisons[0].p == 1


def test_segments_that_do_not_differ_change_nothing() -> None:
    few = paired_randomisation(means(A=[0, 0, 0], B=[1, 2, 3])).comparisons[0]
    many = paired_randomisation(means(A=[0, 0, 0] + [7] * 200, B=[1, 2, 3] + [7] * 200)).comparisons[0]
    assert (many.p, many.exact, many.n) == (few.p, True, 203)


def test_draws_come_near_the_exact_p(monkeypatch: pytest.MonkeyPatch) -> None:
    table = random_ratios(9, 12, 0.6)
    exact = paired_randomisation(table).comparisons[0]
    monkeypatch.setattr(sys.modules[MODULE], "ENUMERATED", 0)  # the package has the function under the module's name
    drawn = paired_randomisation(table, PairedOptions(draws=10_000)).comparisons[0]
    assert exact.exact
    assert not drawn.exact
    assert 0.02 < exact.p < 0.98
    assert drawn.p == pytest.approx(exact.p, abs=0.02)  # 4 standard errors


def test_exact_level_without_a_difference() -> None:
    # Where systems are alike, all 2⁶ ways to share out one set of pairs are equally likely: over them p ≤ α holds for
    # a share of at most α, whatever α is.
    base = random_ratios(4, 6, 1.0).scores["ratio"]
    one, other = base["A"].statistics, base["B"].statistics
    found = []
    for swap in product((False, True), repeat=6):
        chosen = np.array(swap)[:, None]
        scores = {
            "A": score_of(Ratio(), np.where(chosen, other, one)),
            "B": score_of(Ratio(), np.where(chosen, one, other)),
        }
        found.append(paired_randomisation(table_of({"ratio": scores})).comparisons[0].p)
    p = np.array(found)
    assert all(np.mean(p <= level) <= level for level in np.unique(p))
    assert p.min() == 2 / 64


def test_level_of_drawn_p_without_a_difference() -> None:
    # 400 pairs of systems that are alike: p ≤ .05 in about 20 of them; 4 standard errors are 17.
    rng = np.random.default_rng(12)
    scores = {}
    for number in range(400):
        shared = rng.normal(0, 1, (40, 1))
        scores[str(number)] = {name: score_of(Mean(), shared + rng.normal(0, 1, (40, 1))) for name in "AB"}
    found = paired_randomisation(table_of(scores), PairedOptions(draws=399)).comparisons
    assert 4 <= sum(each.p <= 0.05 for each in found) <= 37


def test_signature_tells_exact_from_drawn() -> None:
    assert "|p:exact|correction" in paired_randomisation(random_ratios(1, 5, 1.0)).signature
    drawn = paired_randomisation(random_ratios(1, 60, 1.0), PairedOptions(draws=99, seed=7)).signature
    assert "|p:monte carlo, 0 of 1 exact|draws:99|seed:7|" in drawn


def test_sacrebleus_form_says_what_is_wrong_with_it() -> None:
    result = paired_randomisation(means(A=[1, 2], B=[1, 2]), PairedOptions(draws=99, form="sacrebleu"))
    assert result.comparisons[0].p == 0.01  # the same system twice, "significantly different"
    assert "not those that give an equal one" in result.warnings[0]


SEGMENTS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(9, 20)), min_size=1, max_size=9)


@settings(max_examples=60)
@given(SEGMENTS, st.randoms(use_true_random=False))
def test_order_of_segments_does_not_matter_to_an_exact_p(segments: list[tuple[int, int, int]], random: object) -> None:
    def p(rows: list[tuple[int, int, int]]) -> float:
        counts = np.array(rows, dtype=np.int32)
        scores = {"A": score_of(Ratio(), counts[:, [0, 2]]), "B": score_of(Ratio(), counts[:, [1, 2]])}
        return paired_randomisation(table_of({"ratio": scores})).comparisons[0].p

    shuffled = list(segments)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert p(segments) == p(shuffled)
    assert 2 ** -len(segments) <= p(segments) <= 1
