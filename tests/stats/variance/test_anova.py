"""One-way ANOVA against R, by hand, under change of labels and scale, and on data that have no F."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import Anova, Effect, ErrorTerm, anova

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "anova.json").read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_equals_r(case):
    result = anova(case["input"]["values"], case["input"]["groups"])
    expected = case["expect"]
    assert list(result.df) == expected["df"]
    assert result.ss == pytest.approx(expected["ss"], rel=1e-12)
    assert result.f == pytest.approx(expected["F"], rel=1e-12)
    assert result.p == pytest.approx(expected["p"], rel=1e-10)
    if "ms" in expected:
        assert result.ms == pytest.approx(expected["ms"], rel=1e-12)
    if "eta2" in expected:
        assert (result.eta2, result.omega2) == pytest.approx((expected["eta2"], expected["omega2"]), rel=1e-12)


def test_by_hand():
    # Means 2, 5, 8 around 5: SS between = 3·(9 + 0 + 9) = 54 on 2 df; SS within = 3·2 = 6 on 6 df; F = 27 / 1.
    # η² = 54/60; ω² = (54 - 2·1) / (60 + 1).
    result = anova([1, 2, 3, 4, 5, 6, 7, 8, 9], list("aaabbbccc"), factor="system")
    assert result.ss == (54.0, 6.0)
    assert result.ms == (27.0, 1.0)
    assert (result.f, result.df, result.n) == (27.0, (2, 6), 9)
    assert (result.eta2, result.omega2) == pytest.approx((0.9, 52 / 61))


def test_record_has_the_table_of_variance():
    (record,) = anova([1, 2, 3, 4], ["x", "x", "y", "y"], factor="system").about("clarity").records()
    assert (record["statistic"], record["of"], record["by"]) == ("F", "clarity", "system")
    assert record["df"] == (1, 2)
    assert record["n"] == 4
    assert record["ss"] == (4.0, 1.0)


def test_large_offset_costs_no_digits():
    values = [4.17, 5.58, 5.18, 6.11, 4.5, 4.61]
    plain = anova(values, list("aabbcc"))
    moved = anova([round(value * 100) + 10**12 for value in values], list("aabbcc"))
    assert moved.f == pytest.approx(plain.f, rel=1e-9)


values_in_groups = st.lists(
    st.tuples(st.integers(-50, 50).map(lambda number: number / 4), st.sampled_from("abcd")), min_size=6, max_size=40
)


@given(values_in_groups, st.permutations("abcd"), st.randoms(use_true_random=False))
def test_labels_and_order_do_not_matter(data, names, random):
    renamed = dict(zip("abcd", names, strict=True))
    shuffled = random.sample(data, len(data))
    before = anova([value for value, _ in data], [group for _, group in data])
    after = anova([value for value, _ in shuffled], [renamed[group] for _, group in shuffled])
    assert after.f == pytest.approx(before.f, rel=1e-9, abs=1e-12, nan_ok=True)
    assert after.df == before.df


@given(values_in_groups, st.integers(-1000, 1000), st.integers(1, 64), st.booleans())
def test_affine_change_leaves_f(data, shift, scale, negative):
    values, groups = zip(*data, strict=True)
    factor = -scale if negative else scale
    before = anova(values, groups)
    assume(not math.isnan(before.f))
    after = anova([factor * value + shift for value in values], groups)
    assert after.f == pytest.approx(before.f, rel=1e-8, abs=1e-10)
    assert after.eta2 == pytest.approx(before.eta2, rel=1e-8, abs=1e-10)


@given(values_in_groups)
def test_sums_of_squares_add_up(data):
    values, groups = zip(*data, strict=True)
    result = anova(values, groups)
    assert sum(result.ss) == pytest.approx(float(np.var(values) * len(values)), abs=1e-8)
    assert sum(result.df) == len(values) - 1


@pytest.mark.parametrize(
    ("values", "groups", "reason"),
    [
        ([], [], "there are no values"),
        ([1, 2, 3], ["a", "a", "a"], "one group only (a)"),
        ([1, 2, 3], ["a", "b", "c"], "one value only"),
        ([0.1] * 4, ["a", "a", "b", "b"], "all values are equal (0.1)"),
        ([0.1, 0.1, 0.1, 0.7, 0.7, 0.7], list("aaabbb"), "do not vary within"),
        ([0.1 + 0.2, 0.3, 0.3, 0.7, 0.7, 0.6 + 0.1], list("aaabbb"), "do not vary within"),
    ],
)
def test_undefined_f_is_nan_with_its_reason(values, groups, reason):
    result = anova(values, groups, factor="system")
    assert math.isnan(result.f)
    assert math.isnan(result.p)
    assert reason in result.warnings[0]


@pytest.mark.parametrize(
    ("values", "groups", "message"),
    [
        ([1, 2], ["a"], "values has 2, system has 1"),
        ([1, math.nan, math.inf], list("aab"), "2 missing or infinite value.s. of 3, the first at index 1 .nan."),
        ([1, 2, 3], ["a", None, "b"], "1 missing label.s., the first at index 1"),
        ([1, 2, 3], ["a", math.nan, "b"], "1 missing label"),
        (["low", "high"], ["a", "b"], "must hold numbers only"),
        ([[1, 2], [3, 4]], ["a", "b"], r"plain list of numbers; it has the shape \(2, 2\)"),
    ],
)
def test_what_should_not_be_passed_is_refused(values, groups, message):
    with pytest.raises(DataError, match=message):
        anova(values, groups, factor="system")


def test_number_labels_sort_as_numbers_and_mixed_ones_as_text():
    assert anova([1, 2, 3, 4], [10, 2, 10, 2]).settings["groups"] == 2
    assert anova([1, 2, 3, 5], [1, "a", 1, "a"]).df == (1, 2)


def test_settings_for_several_factors_count_with_one_too():
    values, groups = [1, 2, 3, 5, 6, 9], list("aaabbb")
    with pytest.raises(UsageError, match=r"sums must be one of I, II, III; got 'IV'"):
        anova(values, groups, sums="IV")
    with pytest.raises(UsageError, match="names 'text'"):
        anova(values, groups, factor="system", terms=["text"])
    observed = anova(values, groups, factor="system", observed=["system"])
    assert observed.f == pytest.approx(anova(values, groups).f)


def test_short_names_need_a_single_effect():
    effects = tuple(Effect(name, 1.0, 1, 1.0, 0.5, 0.1, 0.1) for name in ("system", "text"))
    result = Anova(method="two-way ANOVA", effects=effects, error=ErrorTerm(1.0, 1), n=4)
    with pytest.raises(UsageError, match="has 2 effects"):
        _ = result.f


def test_several_values_of_one_subject_are_warned_of():
    values, groups = [1, 2, 3, 4], list("xxyy")
    assert anova(values, groups, subjects=list("abcd")).warnings == ()
    (warning,) = anova(values, groups, subjects=list("abab")).warnings
    assert "2 subjects gave 4 values" in warning
    assert "rm_anova" in warning
    assert "rm_anova" not in anova(values, groups).warnings
    with pytest.raises(DataError, match="subjects has 3"):
        anova(values, groups, subjects=list("aab"))
