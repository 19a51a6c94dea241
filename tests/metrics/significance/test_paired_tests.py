"""The paired bootstrap test."""

from __future__ import annotations

import sys
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from score_tables import Mean, Rate, Ratio, means, random_ratios, score_of, table_of

from textassay.metrics.significance import PairedOptions, paired_bootstrap, paired_randomisation
from textassay.metrics.significance.resampling import resampled_rows, swapped_rows


def resampled_differences(seed: int, n: int, draws: int, gain: float) -> tuple[float, np.ndarray]:
    """The difference and those of the resamples, by plain loops over texts' statistics."""
    scores = random_ratios(seed, n, gain).scores["ratio"]
    one, other = scores["A"], scores["B"]
    drawn = [
        one.metric.corpus_score(np.repeat(other.statistics, row, axis=0))
        - one.metric.corpus_score(np.repeat(one.statistics, row, axis=0))
        for row in resampled_rows(0, n, draws)
    ]
    return other.corpus - one.corpus, np.array(drawn)


@pytest.mark.parametrize("gain", [0.0, 0.2, 0.5])
def test_equals_plain_loops_over_the_same_resamples(gain: float) -> None:
    seen, drawn = resampled_differences(3, 80, 199, gain)
    table = random_ratios(3, 80, gain)
    found = paired_bootstrap(table, PairedOptions(draws=199)).comparisons[0]
    assert found.difference == pytest.approx(seen)
    assert found.p == (np.sum(np.abs(drawn - drawn.mean()) >= abs(seen)) + 1) / 200
    assert found.won == np.mean(drawn > 0)
    assert found.ci == pytest.approx((np.sort(drawn)[4], np.sort(drawn)[194]))
    as_sacrebleu = paired_bootstrap(table, PairedOptions(draws=199, form="sacrebleu")).comparisons[0]
    centred = np.abs(drawn) - np.abs(drawn).mean()
    assert as_sacrebleu.p == (np.sum(centred > abs(seen)) + 1) / 200


def test_low_may_be_good() -> None:
    high = paired_bootstrap(random_ratios(1, 60, 0.5, Ratio)).comparisons[0]
    low = paired_bootstrap(random_ratios(1, 60, 0.5, Rate)).comparisons[0]
    assert high.p == low.p
    assert high.won == pytest.approx(1 - (low.won or 0), abs=0.01)
    assert high.won is not None
    assert high.won > 0.9


def test_level_without_a_difference() -> None:
    # 400 pairs of systems that are alike, 60 segments each. p ≤ .05 should come up in about 20 of them; the form of
    # sacreBLEU looks at one tail only, so twice as often. 4 standard errors of 400 · .05 are 17.
    rng = np.random.default_rng(11)
    scores = {}
    for number in range(400):
        shared = rng.normal(0, 1, (60, 1))
        scores[str(number)] = {name: score_of(Mean(), shared + rng.normal(0, 1, (60, 1))) for name in "AB"}
    table = table_of(scores)

    def rejected(form: str) -> int:
        found = paired_bootstrap(table, PairedOptions(draws=500, form=form)).comparisons  # type: ignore[arg-type]
        return sum(each.p <= 0.05 for each in found)

    assert 5 <= rejected("valid") <= 37
    assert 28 <= rejected("sacrebleu") <= 62


def test_sacrebleus_form_says_what_is_wrong_with_it() -> None:
    values = np.random.default_rng(1).normal(0, 1, 50)
    result = paired_bootstrap(means(A=values, B=values), PairedOptions(draws=99, form="sacrebleu"))
    assert result.comparisons[0].p == 0.01  # the same system twice, "significantly different"
    assert "form:sacreBLEU" in result.signature
    assert "which is not valid" in result.warnings[0]


def test_few_segments_are_said() -> None:
    said = paired_bootstrap(means(A=[0.1, 0.2, 0.5], B=[0.3, 0.2, 0.9])).warnings
    assert said == ("with 3 segments the paired bootstrap finds differences too easily; prefer randomisation",)
    # of several comparisons the one with the fewest is named, but for those without any
    sizes = {"A": range(40), "B": range(40), "C": range(33, 40), "D": range(90, 99)}
    scores = {name: score_of(Mean(), np.arange(float(len(own)))[:, None] ** 1.1) for name, own in sizes.items()}
    table = table_of({"mean": scores}, {name: [str(row) for row in own] for name, own in sizes.items()})
    assert "with 7 segments the paired bootstrap" in paired_bootstrap(table, PairedOptions(draws=9)).warnings[-1]


def test_undefined_resamples_count_against_the_difference() -> None:
    # Words in one segment of three only: resamples without it, (2/3)³ = .30 of all, have no score.
    one, other = np.array([[0, 0], [0, 0], [1, 4]]), np.array([[0, 0], [0, 0], [4, 4]])
    table = table_of({"ratio": {"A": score_of(Ratio(), one), "B": score_of(Ratio(), other)}})
    result = paired_bootstrap(table, PairedOptions(draws=999))
    found = result.comparisons[0]
    assert found.undefined == pytest.approx(296, abs=60)
    assert found.p == (found.undefined + 1) / 1000  # in all others the difference is the same, so |d* - mean| = 0
    assert any("undefined in" in warning for warning in result.warnings)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=20), st.integers(0, 5))
def test_p_is_a_probability(pairs: list[tuple[float, float]], seed: int) -> None:
    one, other = zip(*pairs, strict=True)
    found = paired_bootstrap(means(A=one, B=other), PairedOptions(draws=49, seed=seed)).comparisons[0]
    assert 1 / 50 <= found.p_raw <= found.p <= 1
    assert found.ci is not None
    assert found.ci[0] <= found.ci[1]


# --- The paired approximate randomisation test ----------------------------------------------------------------------


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


def test_sacrebleus_form_says_what_is_wrong_with_it_randomisation() -> None:
    result = paired_randomisation(means(A=[1, 2], B=[1, 2]), PairedOptions(draws=99, form="sacrebleu"))
    assert result.comparisons[0].p == 0.01  # the same system twice, "significantly different"
    assert "not those that give an equal one" in result.warnings[0]


SEGMENTS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(9, 20)), min_size=1, max_size=9)


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
