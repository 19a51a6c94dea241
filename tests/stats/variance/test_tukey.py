"""Tukey's HSD and Tukey–Kramer against R and scipy, under change of labels and scale, and on data without a test."""

import json
import math
import time
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import anova, tukey

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "tukey.json").read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_equals_r_and_scipy(case):
    given_, expected = case["input"], case["expect"]
    result = tukey(given_["values"], given_["groups"], alpha=given_["alpha"])
    turned = result.pairs.turned()  # R gives second − first
    assert [f"{pair.first}-{pair.second}" for pair in turned] == expected["pairs"]
    p = [pair.p for pair in result.pairs]
    assert [pair.difference for pair in turned] == pytest.approx(expected["diff"], abs=1e-12)
    assert p == pytest.approx(expected["p_adj"], abs=1e-9)  # R's ptukey is good to about 1e-10
    assert p == pytest.approx(expected["p_scipy"], abs=1e-13)
    # R's qtukey stops early: its quantiles are good to about 1e-7, and so are its intervals, in units of their width.
    for pair, low, high in zip(turned, expected["lwr"], expected["upr"], strict=True):
        assert pair.ci == pytest.approx((low, high), abs=1e-6 * (high - low))
    if "q_crit" in expected:
        assert result.q_critical == pytest.approx(expected["q_crit"], rel=1e-6)
        assert result.n_significant == expected["n_significant"]
    if "HSD" in expected:
        assert result.hsd == pytest.approx(expected["HSD"], rel=1e-9)


def test_hsd_is_the_line_between_significant_and_not():
    case = next(case for case in GOLDEN if case["id"] == "tukey_balanced")
    result = tukey(case["input"]["values"], case["input"]["groups"])
    for pair in result.pairs:
        assert pair.significant == (abs(pair.difference) > result.hsd) == (pair.p < 0.05)
        assert pair.significant == (not pair.ci[0] < 0 < pair.ci[1])


def test_unequal_sizes_have_no_single_hsd_and_say_so():
    result = tukey([1, 2, 3, 4, 5, 7, 8], list("aaabbbb"), factor="system")
    assert math.isnan(result.hsd)
    assert result.method == "Tukey–Kramer"
    assert "differ in size (3 to 4 values)" in result.warnings[0]


def test_two_groups_are_student_t():
    # For two groups q² / 2 = t² = F, and the p-values are the same.
    values, groups = [3.1, 4.4, 2.9, 5.0, 6.1, 5.5], list("aaabbb")
    assert tukey(values, groups).pairs[0].p == pytest.approx(anova(values, groups).p, rel=1e-12)


def test_records_hold_pairs_then_hsd_then_count_then_means():
    records = tukey([1, 2, 3, 4, 5, 6, 7, 8, 9], list("aaabbbccc"), factor="system").about("clarity").records()
    shown = [record["statistic"] for record in records]
    assert shown == ["difference"] * 3 + ["HSD", "significant pairs"] + ["group mean"] * 3
    assert (records[0]["first"], records[0]["second"], records[0]["value"]) == ("a", "b", -3.0)
    assert (records[4]["value"], records[4]["pairs"]) == (3, 3)
    assert [(record["value"], record["letters"]) for record in records[5:]] == [(2.0, "c"), (5.0, "b"), (8.0, "a")]
    assert {record["of"] for record in records} == {"clarity"}


def test_forty_groups_take_well_under_a_second():
    generator = np.random.Generator(np.random.PCG64(1))
    values, groups = generator.normal(size=400), np.repeat(np.arange(40), 10)
    tukey(values, groups)  # loads scipy
    start = time.perf_counter()
    result = tukey(values, groups)
    assert time.perf_counter() - start < 1.0  # statsmodels: about 13 s
    assert len(result.pairs) == 40 * 39 / 2


values_in_groups = st.lists(st.tuples(st.integers(-20, 20), st.sampled_from("abc")), min_size=8, max_size=24)


@given(values_in_groups, st.permutations("abc"))
def test_labels_do_not_matter(data, names):
    renamed = dict(zip("abc", names, strict=True))
    values = [value for value, _ in data]
    before = tukey(values, [group for _, group in data])
    after = tukey(values, [renamed[group] for _, group in data])
    p_before = {frozenset((renamed[pair.first], renamed[pair.second])): pair.p for pair in before.pairs}
    assert len(before.pairs) == len(list(combinations(set(before.groups), 2)))
    for pair in after.pairs:
        assert pair.p == pytest.approx(p_before[frozenset((pair.first, pair.second))], abs=1e-9, nan_ok=True)


@given(values_in_groups, st.integers(-100, 100), st.integers(1, 50))
def test_affine_change_scales_differences_and_leaves_p(data, shift, scale):
    values, groups = zip(*data, strict=True)
    before = tukey(values, groups)
    assume(not math.isnan(before.q_critical))
    after = tukey([scale * value + shift for value in values], groups)
    for one, other in zip(before.pairs, after.pairs, strict=True):
        assert other.difference == pytest.approx(scale * one.difference, abs=1e-9)
        assert other.p == pytest.approx(one.p, rel=1e-7, abs=1e-10)


@pytest.mark.parametrize(
    ("values", "groups", "reason"),
    [
        ([], [], "there are no values"),
        ([1, 2, 3], ["a", "a", "a"], "one group only"),
        ([1, 2], ["a", "b"], "one value only"),
        ([4] * 6, list("aabbcc"), "all values are equal"),
        ([1, 1, 2, 2], list("aabb"), "do not vary within"),
    ],
)
def test_untestable_data_are_nan_with_their_reason(values, groups, reason):
    result = tukey(values, groups)
    assert math.isnan(result.q_critical)
    assert math.isnan(result.hsd)
    assert all(math.isnan(pair.p) and math.isnan(pair.ci[0]) and not pair.significant for pair in result.pairs)
    assert result.n_significant == 0
    assert "no pair can be tested" in result.warnings[0]
    assert reason in result.warnings[0]


def test_bad_input_is_refused():
    with pytest.raises(DataError, match="values has 3, group has 2"):
        tukey([1, 2, 3], ["a", "b"])
    with pytest.raises(DataError, match="infinite"):
        tukey([1, -math.inf, 3], ["a", "b", "b"])
    with pytest.raises(UsageError, match="alpha must lie between 0 and 1"):
        tukey([1, 2, 3, 4], list("aabb"), alpha=5)
