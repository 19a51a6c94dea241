"""Student's and Welch's t against R, under change of scale, and on data that have none."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import nct

from textassay.errors import DataError, UsageError
from textassay.stats import anova, mean_interval, one_sample_t, paired_t, two_sample_t
from textassay.stats.variance.t_test import noncentrality_interval

GOLDEN = Path(__file__).parents[2] / "golden"
TESTS = {"one_sample_t": one_sample_t, "paired_t": paired_t, "two_sample_t": two_sample_t}
CASES = [
    pytest.param(name, case, id=f"{name}-{case['id']}")
    for name in TESTS
    for case in json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))["cases"]
]


@pytest.mark.parametrize(("name", "case"), CASES)
def test_equals_r(name, case):
    data = [case["input"][key] for key in (("values",) if name == "one_sample_t" else ("x", "y"))]
    result = TESTS[name](*data, **case.get("settings", {}))
    expected = case["expect"]
    difference, d = expected.get("mean_diff", expected.get("difference")), expected.get("cohen_dz", expected.get("d"))
    got = (result.t, result.df, result.p, result.difference, result.d, result.se)
    assert got == pytest.approx((expected["t"], expected["df"], expected["p"], difference, d, expected["se"]), rel=1e-9)
    assert result.ci == pytest.approx(expected["ci"], rel=1e-9)
    # R's pt says itself that it loses digits with a noncentrality, and uniroot stops near 1e-9.
    assert result.d_ci == pytest.approx(expected["d_ci"], rel=1e-6)


numbers = st.lists(st.integers(-60, 60), min_size=3, max_size=12)


@given(numbers, numbers, st.integers(-500, 500), st.sampled_from([0.5, 2, 8]))
def test_affine_change_leaves_t_and_turning_changes_its_sign(x, y, shift, scale):
    before = two_sample_t(x, y)
    after = two_sample_t([scale * value + shift for value in y], [scale * value + shift for value in x])
    assert after.t == pytest.approx(-before.t, rel=1e-7, abs=1e-9, nan_ok=True)
    assert (after.p, after.df) == pytest.approx((before.p, before.df), rel=1e-7, nan_ok=True)
    assert after.d == pytest.approx(-before.d, rel=1e-7, abs=1e-9, nan_ok=True)


@given(numbers, numbers)
def test_students_t_squared_is_f(x, y):
    f = anova([*x, *y], ["x"] * len(x) + ["y"] * len(y))
    t = two_sample_t(x, y, variances="equal")
    assert t.t**2 == pytest.approx(f.f, rel=1e-7, abs=1e-9, nan_ok=True)
    assert t.p == pytest.approx(f.p, rel=1e-7, nan_ok=True)


@given(numbers)
def test_paired_with_zero_is_one_sample_and_its_interval_is_that_of_the_mean(values):
    paired, single = paired_t(values, [0] * len(values)), one_sample_t(values)
    got, expected = ((each.t, *each.ci, *each.d_ci) for each in (paired, single))
    assert got == pytest.approx(expected, nan_ok=True)
    assert single.ci == pytest.approx(mean_interval(values).ci, rel=1e-9, abs=1e-9)


@given(numbers)
def test_intervals_exclude_zero_where_p_is_small(values):
    result = one_sample_t(values)
    if abs(result.p - 0.05) > 1e-6:  # also keeps out nan
        assert (result.ci[0] > 0 or result.ci[1] < 0) == (result.p < 0.05)
        assert (result.d_ci[0] > 0 or result.d_ci[1] < 0) == (result.p < 0.05)


def test_repeated_subjects_are_warned_of():
    result = paired_t([1, 2, 3, 5], [2, 2, 5, 5], subjects=["a", "a", "b", "b"])
    assert "2 subjects gave 4 pairs, 2 each. t(3) takes them as 4 independent ones" in result.warnings[0]
    assert paired_t([1, 2, 3, 5], [2, 2, 5, 5], subjects=list("abcd")).warnings == ()
    assert "unaggregated" in one_sample_t([1, 2, 3], subjects=["a", "a", "b"]).warnings[0]
    both = two_sample_t([1, 2, 4], [2, 3, 5], subjects=(["a", "b", "c"], ["a", "b", "c"]))
    assert "3 subjects gave 6 values, 2 each, the conditions within subjects" in both.warnings[0]
    assert two_sample_t([1, 2, 4], [2, 3], subjects=(["a", "b", "c"], ["d", "e"])).warnings == ()


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        (one_sample_t([]), "at least 2 values, got 0"),
        (one_sample_t([4.0]), "at least 2 values, got 1"),
        (one_sample_t([0.1, 0.1, 0.1]), r"the values do not vary (all 0.1)"),
        (paired_t([1, 2, 3], [0, 1, 2]), "the differences do not vary (all 1)"),
        # 1.1 - 1.0 and 2.1 - 2.0 differ by 1e-16; R says "data are essentially constant".
        (paired_t([1.1, 2.1, 3.1, 4.1], [1.0, 2.0, 3.0, 4.0]), "the differences do not vary (all 0.1)"),
        (one_sample_t([0.3, 0.1 + 0.2, 0.3]), "the values do not vary (all 0.3)"),
        (two_sample_t([0.3, 0.1 + 0.2], [0.7, 0.6 + 0.1]), "the values do not vary within the groups"),
        (two_sample_t([1], [2, 3]), "each group needs at least 2 values, got 1 and 2"),
        (two_sample_t([0.1, 0.1], [0.7, 0.7, 0.7]), "the values do not vary within the groups"),
    ],
)
def test_undefined_t_is_nan_with_its_reason(result, reason):
    assert all(math.isnan(value) for value in (result.t, result.p, result.d, *result.d_ci))
    assert reason in result.warnings[0]
    assert len(result.warnings) == 1


def test_one_group_that_does_not_vary_has_a_welch_t():
    # s² of the first is 0, so se² = s²y/n alone, on n-1 degrees of freedom: (2 - 5)/√(1/3).
    result = two_sample_t([2, 2, 2], [4, 5, 6])
    assert (result.t, result.df) == pytest.approx((-3 / math.sqrt(1 / 3), 2))


def test_a_very_large_t_has_no_interval_of_d_or_a_right_one():
    result = one_sample_t(1e6 + np.arange(10.0))
    assert math.isnan(result.d_ci[0]) == any("interval of d" in warning for warning in result.warnings)
    assert result.d == pytest.approx((1e6 + 4.5) / np.std(np.arange(10), ddof=1))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: paired_t([1, 2], [1, 2, 3]), DataError, "x has 2, y has 3"),
        (lambda: one_sample_t([1, math.nan]), DataError, "1 missing or infinite value"),
        (lambda: two_sample_t([1, math.inf], [1, 2]), DataError, "x has 1 missing or infinite"),
        (lambda: two_sample_t([1, 2], [1, 3], variances="same"), UsageError, "variances must be one of unequal, equal"),
        (lambda: one_sample_t([1, 2], confidence=95), UsageError, "confidence must lie between 0 and 1"),
        (lambda: paired_t([1, 2], [1, 3], subjects=["a"]), DataError, "subjects has 1, there are 2 pairs"),
    ],
)
def test_what_should_not_be_passed_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


# --- The noncentralities that a t speaks for ------------------------------------------------------------------------


@example(3.7e-108, 1, 0.8)
@given(st.floats(-25, 25), st.integers(1, 200), st.sampled_from([0.8, 0.95, 0.99]))
def test_ends_put_t_at_the_tails(t, df, confidence):
    low, high = noncentrality_interval(t, df, confidence)
    tail = (1 - confidence) / 2
    t = t if abs(t) > 1e-40 else 0.0  # scipy has no value for some that are smaller
    assert nct.sf(t, df, low) == pytest.approx(tail, rel=1e-5)
    assert nct.cdf(t, df, high) == pytest.approx(tail, rel=1e-5)


def test_turning_t_turns_the_interval():
    low, high = noncentrality_interval(1.7, 12, 0.9)
    assert noncentrality_interval(-1.7, 12, 0.9) == pytest.approx((-high, -low))


def test_undefined_t_has_no_interval():
    assert all(math.isnan(end) for end in noncentrality_interval(math.nan, 5, 0.95))
