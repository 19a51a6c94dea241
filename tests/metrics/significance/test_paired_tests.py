"""The paired bootstrap test."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from score_tables import Mean, Rate, Ratio, means, random_ratios, score_of, table_of

from textassay.metrics.significance import PairedOptions, paired_bootstrap
from textassay.metrics.significance.resampling import resampled_rows


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


def test_undefined_resamples_count_against_the_difference() -> None:
    # Words in one segment of three only: resamples without it, (2/3)³ = .30 of all, have no score.
    one, other = np.array([[0, 0], [0, 0], [1, 4]]), np.array([[0, 0], [0, 0], [4, 4]])
    table = table_of({"ratio": {"A": score_of(Ratio(), one), "B": score_of(Ratio(), other)}})
    result = paired_bootstrap(table, PairedOptions(draws=999))
    found = result.comparisons[0]
    assert found.undefined == pytest.approx(296, abs=60)
    assert found.p == (found.undefined + 1) / 1000  # in all others the difference is the same, so |d* - mean| = 0
    assert any("undefined in" in warning for warning in result.warnings)


@settings(max_examples=30)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=20), st.integers(0, 5))
def test_p_is_a_probability(pairs: list[tuple[float, float]], seed: int) -> None:
    one, other = zip(*pairs, strict=True)
    found = paired_bootstrap(means(A=one, B=other), PairedOptions(draws=49, seed=seed)).comparisons[0]
    assert 1 / 50 <= found.p_raw <= found.p <= 1
    assert found.ci is not None
    assert found.ci[0] <= found.ci[1]
