"""Kendall's tau against R, scipy and enumeration, under change of order and scale, and on data without one."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import kendall_tau, spearman

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "kendall_tau.json").read_text("utf-8"))["cases"]


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_equals_r(case):
    result, expected = kendall_tau(**case["input"], **case.get("settings", {})), case["expect"]
    assert result.tau == pytest.approx(expected["tau"], rel=1e-13)
    # R takes the upper tail of the exact distribution from 1, which costs it digits.
    lost = 1e-8 if case["id"] == "exact_forty_nine" else 1e-12
    assert result.p == pytest.approx(expected["p"], rel=lost, abs=0)
    assert result.exact == math.isnan(result.z)


def test_all_variants_and_counts_of_the_case_with_ties():
    case = next(case for case in GOLDEN if case["id"] == "tau_variants_ties")
    expected = case["expect"]
    for variant in ("a", "b", "c"):
        result = kendall_tau(**case["input"], variant=variant)
        assert result.tau == pytest.approx(expected[f"tau_{variant}"], rel=1e-12)
        assert result.p == pytest.approx(expected["p"], rel=1e-12)
        assert result.records()[0]["statistic"] == f"tau-{variant}"
    counts = result.counts
    assert (counts.concordant, counts.discordant, counts.tied_both) == (expected["C"], expected["D"], 2)
    assert counts.tied_x - counts.tied_both == expected["ties_x_only"]
    assert counts.tied_y - counts.tied_both == expected["ties_y_only"]
    assert counts.gamma == pytest.approx(expected["gamma"], rel=1e-12)
    assert counts.somers_d == pytest.approx(expected["somers_d"], rel=1e-12)


def test_three_systems_show_one_third():
    assert kendall_tau([0.31, 0.35, 0.62], [2.1, 2.9, 4.4]).p == 1 / 3
    assert kendall_tau([0.31, 0.35, 0.62], [4.4, 2.9, 2.1]).p == 1 / 3


def test_exact_reaches_further_than_r_and_says_where_it_ends():
    x = np.arange(170.0)
    y = np.concatenate([x[85:], x[:85]])
    result = kendall_tau(x, y)
    assert result.exact
    theirs = scipy.stats.kendalltau(x, y, method="exact")  # scipy 1.17.1 counts at any n when asked
    assert result.p == pytest.approx(theirs.pvalue, rel=1e-9)
    assert 0 < kendall_tau(x, x).p < 1e-300
    assert kendall_tau(np.arange(171.0), np.arange(171.0)[::-1]).settings["p"] == "normal approximation"
    with pytest.raises(DataError, match="up to 170 pairs without ties, got 171; use p='auto'"):
        kendall_tau(np.arange(171.0), np.arange(171.0), p="exact")
    with pytest.raises(DataError, match="up to 9 pairs with ties, got 10"):
        kendall_tau([1] * 5 + [2] * 5, range(10), p="exact")


def test_ties_are_exact_for_few_and_asymptotic_for_more():
    few, more = kendall_tau([1, 2, 2, 4], [1, 2, 3, 4]), kendall_tau([1, 1, *range(2, 10)], range(10))
    assert few.settings["p"] == "exact permutation"
    assert few.p == pytest.approx(1 / 6)  # 2 of 4! orders put the tied pair either way, doubled
    assert (more.settings["p"], more.exact) == ("normal approximation", False)


def test_interval_is_fieller_hartley_and_pearson():
    case = next(case for case in GOLDEN if case["id"] == "mtcars")
    result = kendall_tau(**case["input"], confidence=0.9)
    half = 1.6448536269514722 * math.sqrt(0.437 / 28)  # n = 32
    assert result.ci == pytest.approx([math.tanh(math.atanh(result.tau) + sign * half) for sign in (-1, 1)], rel=1e-12)
    assert result.settings["ci"] == "Fieller-Hartley-Pearson"


def test_small_and_perfect_data_say_what_they_cannot_give():
    four, five = kendall_tau([1, 2, 3, 4], [1, 2, 4, 3]), kendall_tau(range(5), range(5))
    assert math.isnan(four.ci[0])
    assert four.warnings == ("the interval is undefined: it needs at least 5 pairs, got 4",)
    assert five.ci == (1.0, 1.0)
    assert "perfect" in five.warnings[0]
    assert kendall_tau([1, 2], [5, 9]).p == 1.0  # both orders of two are as extreme


@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        ([], [], "at least 2 pairs, got 0"),
        ([1], [2], "at least 2 pairs, got 1"),
        ([3, 3, 3], [1, 2, 3], "x is constant (always 3)"),
        ([1, 2, 3], [0, 0, 0], "y is constant (always 0)"),
    ],
)
@pytest.mark.parametrize("variant", ["a", "b", "c"])
def test_undefined_is_nan_with_its_reason(x, y, reason, variant):
    result = kendall_tau(x, y, variant=variant)
    assert all(math.isnan(value) for value in (result.tau, result.p, result.z, *result.ci))
    assert result.counts is None
    assert reason in result.warnings[0]
    assert math.isnan(result.records()[0]["gamma"])


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([1, 2, 3], [1, 2], "x has 3, y has 2"),
        ([1, math.nan, 3], [1, 2, 3], "x has 1 missing or infinite"),
        ([1, 2, 3], [1, None, math.inf], "y has 2 missing or infinite"),
        (["a", "b"], [1, 2], "x must hold numbers only"),
    ],
)
def test_what_should_not_be_passed_is_refused(x, y, message):
    with pytest.raises(DataError, match=message):
        kendall_tau(x, y)


def test_wrong_settings_are_refused():
    with pytest.raises(UsageError, match="variant must be one of a, b, c; got 'd'"):
        kendall_tau([1, 2, 3], [1, 2, 3], variant="d")
    with pytest.raises(UsageError, match="p must be one of"):
        kendall_tau([1, 2, 3], [1, 2, 3], p="permutation")
    with pytest.raises(UsageError, match="confidence must lie between 0 and 1"):
        kendall_tau([1, 2, 3], [1, 2, 3], confidence=95)


pairs = st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=2, max_size=20)


@given(pairs, st.integers(1, 30), st.integers(-100, 100), st.sampled_from("abc"))
def test_only_the_order_counts_and_turning_it_mirrors(data, scale, shift, variant):
    x, y = zip(*data, strict=True)
    before = kendall_tau(x, y, variant=variant)
    assume(not math.isnan(before.tau))
    after = kendall_tau([(scale * value + shift) ** 3 for value in x], y, variant=variant)
    turned = kendall_tau([-value for value in x], y, variant=variant)
    assert (after.tau, after.p) == pytest.approx((before.tau, before.p), abs=1e-12)
    assert (-turned.tau, turned.p) == pytest.approx((before.tau, before.p), abs=1e-12)


@given(pairs, st.randoms(use_true_random=False))
def test_order_of_pairs_and_of_variables_does_not_matter(data, random):
    shuffled = random.sample(data, len(data))
    before = kendall_tau([x for x, _ in data], [y for _, y in data])
    after = kendall_tau([y for _, y in shuffled], [x for x, _ in shuffled])
    assert (after.tau, after.p) == pytest.approx((before.tau, before.p), abs=1e-12, nan_ok=True)


@given(st.permutations(range(12)))
def test_bound_with_spearman(order):
    # Daniels (1950): -1 ≤ 3 tau - 2 rho ≤ 1; reached where both are 1 or both -1.
    tau, rho = kendall_tau(range(12), order).tau, spearman(range(12), order).r
    assert -1 - 1e-9 <= 3 * tau - 2 * rho <= 1 + 1e-9
