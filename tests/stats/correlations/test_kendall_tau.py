"""Kendall's tau against R, scipy and enumeration, under change of order and scale, and on data without one."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from textassay.errors import DataError, UsageError
from textassay.stats import kendall_tau, kendall_tau_batch, spearman
from textassay.stats.correlations.kendall_tau import _AT_ONCE

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


# --- Very many tau at once against one at a time, with ties, large numbers and numbers close together ---------------


GOLDEN_BATCH = json.loads((Path(__file__).parents[2] / "golden" / "kendall_tau_batch.json").read_text("utf-8"))["cases"]


@pytest.mark.parametrize("case", GOLDEN_BATCH, ids=[case["id"] for case in GOLDEN_BATCH])
def test_equals_r_batch(case):
    result = kendall_tau_batch(**case["input"])
    assert result.tau.tolist() == pytest.approx(case["expect"]["tau"], rel=1e-13)


def one_by_one(x, y, variant):
    partners = np.broadcast_to(y, np.shape(x))
    return [kendall_tau(a, b, variant=variant, p="asymptotic").tau for a, b in zip(x, partners, strict=True)]


shapes = st.tuples(st.integers(1, 6), st.integers(2, 9))


@given(shapes.flatmap(lambda shape: st.tuples(*[arrays(float, shape, elements=st.integers(0, 4))] * 2)))
def test_equals_one_at_a_time(data):
    x, y = data
    for variant in ("a", "b", "c"):
        ours = kendall_tau_batch(x, y, variant=variant).tau.tolist()
        assert ours == pytest.approx(one_by_one(x, y, variant), nan_ok=True, abs=1e-13)
        same_partner = kendall_tau_batch(x, y[0], variant=variant).tau.tolist()
        assert same_partner == pytest.approx(one_by_one(x, y[0], variant), nan_ok=True, abs=1e-13)


@pytest.mark.parametrize(
    "base",
    [
        np.array([1.0, 1 + 1e-12, 1 + 2e-12, 1 - 1e-12]),  # tied in 32 bits, not in 64
        np.array([1e300, 2e300, 3e300, -1e300]),  # beyond 32 bits
        np.array([2**53, 2**53 + 1, 2**53 + 2, 2**53 + 3]),  # whole numbers that no float tells apart
        np.array([1e-320, 2e-320, 0.0, 5e-320]),  # below 32 bits
    ],
)
def test_close_and_extreme_numbers_keep_their_order(base):
    places = np.array([[0, 1, 2, 3], [3, 2, 1, 0], [0, 0, 2, 2]])
    ranks = np.argsort(np.argsort(base))[places]
    expected = one_by_one(ranks, [1, 3, 2, 4], "b")
    assert kendall_tau_batch(base[places], [1, 3, 2, 4]).tau.tolist() == pytest.approx(expected)
    assert kendall_tau_batch(np.tile([1, 3, 2, 4], (3, 1)), base[places]).tau.tolist() == pytest.approx(expected)
    # One partner of all that only 64 bits tell apart.
    partner = base[[2, 0, 3, 1]]
    whole = np.argsort(np.argsort(base))[[2, 0, 3, 1]]
    assert kendall_tau_batch(places, partner).tau.tolist() == pytest.approx(one_by_one(places, whole, "b"))


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.int64, np.float16, np.float32])
def test_any_kind_of_number(dtype):
    x = np.array([[1, 2, 3, 3], [4, 1, 1, 2]], dtype=dtype)
    assert kendall_tau_batch(x, x[::-1]).tau.tolist() == pytest.approx(one_by_one(x, x[::-1], "b"))


def test_blocks_meet_without_a_seam():
    generator = np.random.Generator(np.random.PCG64(6))
    m, n = 2 * (_AT_ONCE // 130) + 17, 130  # two full blocks and a rest; more than 127 signs a sum
    x, y = generator.normal(size=(m, n)), generator.integers(0, 9, (m, n))
    some = np.r_[0:3, _AT_ONCE // 130 - 2 : _AT_ONCE // 130 + 2, m - 3 : m]
    ours = kendall_tau_batch(x, y).tau
    assert ours.shape == (m,)
    assert ours[some].tolist() == pytest.approx(one_by_one(x[some], y[some], "b"))


def test_constant_vectors_are_nan_and_counted():
    result = kendall_tau_batch([[1, 1, 1], [1, 2, 3], [3, 1, 2]], [1, 2, 3])
    assert math.isnan(result.tau[0])
    assert result.undefined == 1
    assert result.mean == pytest.approx((1 - 1 / 3) / 2)
    assert result.warnings == ("1 of 3 have no tau: one of the two vectors is constant",)
    assert math.isnan(kendall_tau_batch([[1, 2]], [[2, 2]], variant="a").tau[0])


def test_no_vectors_have_no_mean():
    result = kendall_tau_batch(np.empty((0, 5)), np.empty((0, 5)))
    assert result.tau.size == 0
    assert math.isnan(result.mean)


def test_result_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        kendall_tau_batch([[1, 2]], [1, 2]).tau[0] = 0


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([1, 2, 3], [1, 2, 3], r"got \(3,\) and \(3,\)"),
        ([[1, 2, 3]], [[1, 2]], r"got \(1, 3\) and \(1, 2\)"),
        ([[1, 2, 3]], [1, 2], r"got \(1, 3\) and \(2,\)"),
        ([[1], [2]], [1], "at least 2 values, got 1"),
        ([[1, 2], [math.nan, 2]], [1, 2], r"x has a missing or infinite value \(nan\) in vector 1 at index 0"),
        ([[1, 2], [3, 2]], [math.inf, 2], r"y has a missing or infinite value \(inf\) in vector 0 at index 0"),
        ([["a", "b"]], [1, 2], "x must hold numbers only"),
    ],
)
def test_what_should_not_be_passed_is_refused_batch(x, y, message):
    with pytest.raises(DataError, match=message):
        kendall_tau_batch(x, y)


def test_missing_value_in_a_late_block_is_found():
    x = np.tile(np.arange(4.0), (_AT_ONCE // 4 + 9, 1))
    x[-2, 3] = np.nan
    with pytest.raises(DataError, match=f"vector {len(x) - 2} at index 3"):
        kendall_tau_batch(x, np.arange(4))


def test_unknown_variant_is_refused():
    with pytest.raises(UsageError, match="variant must be one of a, b, c"):
        kendall_tau_batch([[1, 2]], [1, 2], variant="tau-b")
