"""Wilcoxon's rank-sum test against R and scipy, under change of order and scale, and on data without a test."""

import json
import math
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import kruskal_wallis, sign_test, wilcoxon_rank_sum, wilcoxon_signed_rank
from textassay.stats.rank_tests.wilcoxon import paired_differences, rank_sum_tails, rank_sum_work, signed_rank_tails
from textassay.stats.samples import midranks

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "wilcoxon_rank_sum.json").read_text("utf-8"))["cases"]


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_equals_r(case):
    result = wilcoxon_rank_sum(**case["input"], **case["settings"])
    assert result.w == case["expect"]["W"]
    assert result.p == pytest.approx(case["expect"]["p"], rel=1e-12)
    assert result.exact == (case["settings"].get("p") != "asymptotic")
    assert math.isnan(result.z) == result.exact


def test_large_samples_equal_scipy():
    generator = np.random.Generator(np.random.PCG64(3))
    x, y = generator.integers(0, 20, 300), generator.integers(1, 21, 200)
    theirs = scipy.stats.mannwhitneyu(x, y, method="asymptotic", use_continuity=True)
    ours = wilcoxon_rank_sum(x, y)
    assert (ours.w, ours.exact) == (theirs.statistic, False)
    assert ours.p == pytest.approx(theirs.pvalue, rel=1e-10)


def test_seventy_five_and_seventy_five_are_exact_and_close_to_the_approximation():
    generator = np.random.Generator(np.random.PCG64(4))
    x, y = generator.integers(0, 9, 75), generator.integers(0, 9, 75)
    exact = wilcoxon_rank_sum(x, y)
    assert exact.exact
    assert exact.p == pytest.approx(wilcoxon_rank_sum(x, y, p="asymptotic").p, rel=0.01)


def test_superiority_counts_pairs():
    # Pairs of x and y: 4 > 1, 4 = 4, 2 > 1, 2 < 4: (2 + ½) / 4.
    assert wilcoxon_rank_sum([4, 2], [1, 4]).superiority == pytest.approx(2.5 / 4)


@given(st.lists(st.integers(0, 6), min_size=2, max_size=12), st.lists(st.integers(0, 6), min_size=2, max_size=12))
def test_without_continuity_z_squared_is_kruskal_and_wallis(x, y):
    found = wilcoxon_rank_sum(x, y, p="asymptotic", continuity=False)
    h = kruskal_wallis([*x, *y], ["x"] * len(x) + ["y"] * len(y)).h
    assert found.z**2 == pytest.approx(h, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        ([], [1, 2], "both samples need values, got 0 and 2"),
        ([1, 2], [], "got 2 and 0"),
        ([5, 5, 5], [5, 5], "all values are equal (5)"),
    ],
)
@pytest.mark.parametrize("p", ["auto", "asymptotic"])
def test_undefined_is_nan_with_its_reason(x, y, reason, p):
    result = wilcoxon_rank_sum(x, y, p=p)
    assert math.isnan(result.p)
    assert result.exact is False
    assert reason in result.warnings[0]


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([1, math.nan], [1, 2], "x has 1 missing or infinite"),
        ([1, 2], [math.inf], "y has 1 missing or infinite"),
        ([[1, 2]], [1, 2], "x must be a plain list"),
        ([1, 2], ["b"], "y must hold numbers only"),
    ],
)
def test_what_should_not_be_passed_is_refused(x, y, message):
    with pytest.raises(DataError, match=message):
        wilcoxon_rank_sum(x, y)


def test_wrong_settings_are_refused():
    with pytest.raises(UsageError, match="alternative must be one of"):
        wilcoxon_rank_sum([1, 2], [2, 1], alternative="larger")
    with pytest.raises(UsageError, match="p must be one of auto, exact, asymptotic; got 0"):
        wilcoxon_rank_sum([1, 2], [2, 1], p=0)
    with pytest.raises(DataError, match="got 200 and 300; use p='auto'"):
        wilcoxon_rank_sum(range(200), range(300), p="exact")


samples = st.lists(st.integers(-5, 5), min_size=1, max_size=10)


@given(samples, samples, st.integers(1, 9), st.integers(-50, 50), st.randoms(use_true_random=False))
def test_order_scale_and_sides(x, y, scale, shift, random):
    before = wilcoxon_rank_sum(x, y, alternative="greater")
    changed = [scale * value + shift for value in random.sample(x, len(x))], [scale * value + shift for value in y]
    assert wilcoxon_rank_sum(*changed, alternative="greater").p == pytest.approx(before.p, nan_ok=True)
    mirrored = wilcoxon_rank_sum(y, x, alternative="less")
    assert mirrored.p == pytest.approx(before.p, nan_ok=True)
    assert mirrored.w + before.w == len(x) * len(y)


# --- Wilcoxon's signed-rank test against R and scipy, under change of order and scale, and on data without a test ---


GOLDEN_WILCOXON_SIGNED_RANK = json.loads(
    (Path(__file__).parents[2] / "golden" / "wilcoxon_signed_rank.json").read_text("utf-8")
)["cases"]


@pytest.mark.parametrize("case", GOLDEN_WILCOXON_SIGNED_RANK, ids=[case["id"] for case in GOLDEN_WILCOXON_SIGNED_RANK])
def test_equals_r_wilcoxon_signed_rank(case):
    result = wilcoxon_signed_rank(**case["input"], **case["settings"])
    assert result.v == case["expect"]["V"]
    assert result.p == pytest.approx(case["expect"]["p"], rel=1e-12)
    assert result.exact == (case["settings"].get("p") != "asymptotic")
    assert math.isnan(result.z) == result.exact


def test_says_where_p_comes_from_and_what_was_left_out():
    x, y = GOLDEN_WILCOXON_SIGNED_RANK[2]["input"]["x"], GOLDEN_WILCOXON_SIGNED_RANK[2]["input"]["y"]
    exact, rough = wilcoxon_signed_rank(x, y), wilcoxon_signed_rank(x, y, p="asymptotic")
    assert exact.settings["p"] == "exact"
    assert rough.settings["p"] == "normal approximation, continuity corrected"
    assert (exact.n, exact.zeros) == (9, 1)
    assert exact.warnings == ("1 of 10 pairs are equal and excluded",)
    assert exact.settings["zeros"] == "dropped (wilcoxon)"
    # p of the exact test with ties: 0.6328125 (scipy 1.17.1 by permutation), asymptotic 0.6353 (R).
    assert (round(exact.p, 7), round(rough.p, 4)) == (0.6328125, 0.6353)


def test_pratt_equals_scipy():
    x, y = GOLDEN_WILCOXON_SIGNED_RANK[2]["input"]["x"], GOLDEN_WILCOXON_SIGNED_RANK[2]["input"]["y"]
    ours = wilcoxon_signed_rank(x, y, zeros="pratt", p="asymptotic")
    theirs = scipy.stats.wilcoxon(x, y, zero_method="pratt", correction=True, method="asymptotic")
    assert ours.p == pytest.approx(theirs.pvalue, rel=1e-12)


def test_rounding_breaks_no_tie():
    # All differences are ±0.1 but for rounding: ranks 2.5 each, three of four positive.
    result = wilcoxon_signed_rank([0.3, 1.2, 2.4, 0.8], [0.2, 1.1, 2.3, 0.9])
    assert result.v == 7.5
    assert wilcoxon_signed_rank([0.1 + 0.2, 1, 2], [0.3, 2, 3]).zeros == 1


def test_beyond_the_limit_p_is_asymptotic_and_exact_is_refused():
    x = np.arange(1.0, 502.0) * np.where(np.arange(501) % 2, 1, -1)
    assert not wilcoxon_signed_rank(x, np.zeros(501)).exact
    with pytest.raises(DataError, match="up to 500 pairs, got 501; use p='auto'"):
        wilcoxon_signed_rank(x, np.zeros(501), p="exact")
    inside = x[:500], np.zeros(500)
    rough = wilcoxon_signed_rank(*inside, p="asymptotic").p
    assert wilcoxon_signed_rank(*inside).p == pytest.approx(rough, rel=0.02)


def test_effect_size_reaches_both_ends():
    assert wilcoxon_signed_rank([2, 3, 4], [1, 1, 1]).rank_biserial == 1
    assert wilcoxon_signed_rank([1, 1, 1], [2, 3, 4]).rank_biserial == -1


@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [([], [], "there are no pairs"), ([3, 3, 3], [3, 3, 3], "all pairs are equal"), ([1], [1], "all pairs are equal")],
)
@pytest.mark.parametrize("p", ["auto", "asymptotic"])
def test_undefined_is_nan_with_its_reason_wilcoxon_signed_rank(x, y, reason, p):
    result = wilcoxon_signed_rank(x, y, p=p)
    assert all(math.isnan(value) for value in (result.v, result.p, result.z, result.rank_biserial))
    assert reason in result.warnings[0]


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([1, 2, 3], [1, 2], "x has 3, y has 2"),
        ([1, math.inf], [1, 2], "x has 1 missing or infinite"),
        ([1, 2], [None, None], "y has 2 missing or infinite value.s. of 2"),
        (["a", "b"], [1, 2], "x must hold numbers only"),
    ],
)
def test_what_should_not_be_passed_is_refused_wilcoxon_signed_rank(x, y, message):
    with pytest.raises(DataError, match=message):
        wilcoxon_signed_rank(x, y)


def test_wrong_settings_are_refused_wilcoxon_signed_rank():
    for wrong in ({"alternative": "two.sided"}, {"p": "t"}, {"zeros": "zsplit"}):
        with pytest.raises(UsageError, match=f"{next(iter(wrong))} must be one of"):
            wilcoxon_signed_rank([1, 2], [2, 1], **wrong)


pairs = st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=14)


@given(pairs, st.randoms(use_true_random=False))
def test_order_of_pairs_does_not_matter_and_order_of_samples_mirrors(data, random):
    x, y = zip(*data, strict=True)
    before = wilcoxon_signed_rank(x, y, alternative="greater")
    shuffled = random.sample(data, len(data))
    again = wilcoxon_signed_rank([a for a, _ in shuffled], [b for _, b in shuffled], alternative="greater")
    mirrored = wilcoxon_signed_rank(y, x, alternative="less")
    assert again.p == pytest.approx(before.p, nan_ok=True)
    assert mirrored.p == pytest.approx(before.p, nan_ok=True)
    assert mirrored.rank_biserial == pytest.approx(-before.rank_biserial, nan_ok=True)


@given(pairs, st.integers(1, 30), st.integers(-100, 100))
def test_affine_change_changes_nothing(data, scale, shift):
    x, y = np.array(data, dtype=float).T
    before, after = wilcoxon_signed_rank(x, y), wilcoxon_signed_rank(scale * x / 7 + shift, scale * y / 7 + shift)
    assert (after.n, after.zeros) == (before.n, before.zeros)
    assert after.p == pytest.approx(before.p, nan_ok=True)


@given(pairs)
def test_equal_sizes_make_it_a_sign_test(data):
    # Where all differences have one size their ranks are equal, and only the signs are left.
    signs = [np.sign(a - b) for a, b in data]
    assert wilcoxon_signed_rank(signs, np.zeros(len(signs))).p == pytest.approx(sign_test(signs).p, nan_ok=True)


# --- Differences whose ties survive the rounding of floats ----------------------------------------------------------


tenths = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=1, max_size=30)


@given(tenths, st.sampled_from([10, 100, 3, 7]))
def test_equal_decimal_differences_stay_equal(pairs, unit):
    whole = np.array([x - y for x, y in pairs])
    found = paired_differences(np.array([x / unit for x, _ in pairs]), np.array([y / unit for _, y in pairs]))
    assert np.array_equal(np.sign(found), np.sign(whole))
    for i, j in zip(range(len(pairs)), range(1, len(pairs)), strict=False):
        assert (abs(found[i]) == abs(found[j])) == (abs(whole[i]) == abs(whole[j]))


def test_true_differences_are_kept_apart():
    found = paired_differences(np.array([1.0, 1.0 + 1e-13, -1e-13]), np.zeros(3))
    assert len(set(np.abs(found).tolist())) == 3
    assert found[2] < 0


def test_nothing_gives_nothing():
    assert paired_differences(np.array([]), np.array([])).size == 0


# --- Distributions of sums of ranks against plain enumeration and against R's own tables ----------------------------


numbers = st.lists(st.integers(1, 5), min_size=2, max_size=9)


@given(numbers, st.data())
def test_signed_ranks_equal_plain_enumeration(values, data):
    ranks = midranks(np.array(values, dtype=float))
    signs = data.draw(st.lists(st.booleans(), min_size=len(values), max_size=len(values)))
    observed = float(ranks[signs].sum())
    sums = [sum(r for r, on in zip(ranks, row, strict=True) if on) for row in product([0, 1], repeat=len(values))]
    expected = np.mean([s <= observed for s in sums]), np.mean([s >= observed for s in sums])
    assert signed_rank_tails(ranks, observed) == pytest.approx(expected, abs=1e-15)


@given(numbers, st.data())
def test_rank_sums_equal_plain_enumeration(values, data):
    ranks = midranks(np.array(values, dtype=float))
    size = data.draw(st.integers(1, len(values) - 1))
    observed = float(ranks[:size].sum())
    sums = [sum(drawn) for drawn in combinations(ranks.tolist(), size)]
    expected = np.mean([s <= observed for s in sums]), np.mean([s >= observed for s in sums])
    assert rank_sum_tails(ranks, size, observed) == pytest.approx(expected, abs=1e-14)


def test_many_values_equal_r():
    # R 4.2.2: psignrank(3000, 150), pwilcox(900, 50, 50); R's W is R - m(m+1)/2.
    assert signed_rank_tails(np.arange(1.0, 151.0), 3000.0)[0] == pytest.approx(1.5652030880071e-07, rel=1e-11, abs=0)
    lower, _ = rank_sum_tails(np.arange(1.0, 101.0), 50, 900.0 + 50 * 51 / 2)
    assert lower == pytest.approx(0.00776197261535618, rel=1e-11)


def test_work_does_not_depend_on_which_sample_comes_first():
    assert rank_sum_work(10, 90) == rank_sum_work(90, 10)
    assert rank_sum_work(10, 90) < rank_sum_work(50, 50)
