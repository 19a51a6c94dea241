"""Wilcoxon's rank-sum test against R and scipy, under change of order and scale, and on data without a test."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import kruskal_wallis, wilcoxon_rank_sum

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
