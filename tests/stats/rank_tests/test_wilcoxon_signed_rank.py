"""Wilcoxon's signed-rank test against R and scipy, under change of order and scale, and on data without a test."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import sign_test, wilcoxon_signed_rank
from textassay.stats.rank_tests.wilcoxon_signed_rank import paired_differences

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "wilcoxon_signed_rank.json").read_text("utf-8"))["cases"]


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_equals_r(case):
    result = wilcoxon_signed_rank(**case["input"], **case["settings"])
    assert result.v == case["expect"]["V"]
    assert result.p == pytest.approx(case["expect"]["p"], rel=1e-12)
    assert result.exact == (case["settings"].get("p") != "asymptotic")
    assert math.isnan(result.z) == result.exact


def test_says_where_p_comes_from_and_what_was_left_out():
    x, y = GOLDEN[2]["input"]["x"], GOLDEN[2]["input"]["y"]
    exact, rough = wilcoxon_signed_rank(x, y), wilcoxon_signed_rank(x, y, p="asymptotic")
    assert exact.settings["p"] == "exact"
    assert rough.settings["p"] == "normal approximation, continuity corrected"
    assert (exact.n, exact.zeros) == (9, 1)
    assert exact.warnings == ("1 of 10 pairs are equal and excluded",)
    assert exact.settings["zeros"] == "dropped (wilcoxon)"
    # p of the exact test with ties: 0.6328125 (scipy 1.17.1 by permutation), asymptotic 0.6353 (R).
    assert (round(exact.p, 7), round(rough.p, 4)) == (0.6328125, 0.6353)


def test_pratt_equals_scipy():
    x, y = GOLDEN[2]["input"]["x"], GOLDEN[2]["input"]["y"]
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
def test_undefined_is_nan_with_its_reason(x, y, reason, p):
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
def test_what_should_not_be_passed_is_refused(x, y, message):
    with pytest.raises(DataError, match=message):
        wilcoxon_signed_rank(x, y)


def test_wrong_settings_are_refused():
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
