"""One regression a subject, all at once, against one at a time."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import one_sample_t
from textassay.stats.reading.subject_regressions import (
    same_predictors,
    single_equation_tests,
    slope_tests,
    subject_regressions,
)


@given(st.integers(0, 10_000), st.sampled_from([0, 1e3, 1e7]))
def test_equals_least_squares_one_at_a_time(seed, offset):
    random = np.random.default_rng(seed)
    subjects = np.sort(random.integers(0, 4, 40))
    x, z = offset + random.normal(size=40), random.normal(size=40) * 50
    y = random.normal(size=40) + offset
    found = subject_regressions(y, subjects, {"x": x, "z": z})
    for place, name in enumerate(found.subjects):
        own = subjects == int(name)
        if not found.defined[place]:
            assert own.sum() < 3
            continue
        columns = np.column_stack([np.ones(own.sum()), x[own] - offset, z[own]])
        b, *_ = np.linalg.lstsq(columns, y[own] - offset, rcond=None)
        assert found.slopes[place] == pytest.approx(b[1:], rel=1e-5, abs=1e-6)
        assert found.residuals[own] == pytest.approx(y[own] - offset - columns @ b, abs=1e-6 * max(1, offset / 1e4))
        if own.sum() > 3:
            inverse = np.linalg.inv(columns.T @ columns)
            assert found.alone[place] == pytest.approx(1 / np.diagonal(inverse)[1:], rel=1e-5)


@pytest.mark.parametrize(
    ("x", "z", "why"),
    [
        ([0.1, 0.1, 0.1, 0.1], [1, 2, 3, 5], "x does not vary"),
        ([0.1] * 4, [0.7] * 4, "x and z does not vary"),
        ([1, 2, 3, 4], [10, 20, 30, 40], "their predictors go together"),
        ([1e9 + 0.1] * 4, [1, 2, 3, 5], "x does not vary"),
    ],
)
def test_a_subject_without_a_regression_has_its_reason(x, z, why):
    found = subject_regressions(
        [1, 2, 4, 3, 1, 2, 5, 3], ["bad"] * 4 + ["good"] * 4, {"x": [*x, 1, 2, 3, 4], "z": [*z, 2, 1, 1, 3]}
    )
    assert found.reasons == {why: ("bad",)}
    assert found.defined.tolist() == [False, True]
    assert np.isnan(found.residuals).tolist() == [True] * 4 + [False] * 4
    assert found.warnings("are out") == [f"1 of 2 subjects are out: {why} (bad)"]


def test_fewer_values_than_coefficients():
    found = subject_regressions([1, 2, 1, 2, 4], list("aabbb"), {"x": [1, 2, 1, 2, 3], "z": [3, 4, 1, 3, 2]})
    assert found.reasons == {"they have no more values than predictors (2)": ("a",)}


@pytest.mark.parametrize(
    ("values", "subjects", "predictors", "error", "message"),
    [
        ([1, 2], ["a", "a"], {}, UsageError, "names no predictor"),
        ([], [], {"x": []}, DataError, "there are no values"),
        ([1, 2], ["a", "a"], {"x": [1, 2, 3]}, DataError, "values has 2, subjects has 2, x has 3"),
        ([1, 2], ["a", "a"], {"x": [1, math.nan]}, DataError, "x has 1 missing or infinite"),
        ([1, 2], ["a", "a"], {"x": ["long", "short"]}, DataError, "x must hold numbers only"),
    ],
)
def test_what_should_not_be_passed_is_refused(values, subjects, predictors, error, message):
    with pytest.raises(error, match=message):
        subject_regressions(values, subjects, predictors)


# --- Tests of slopes over subjects: when the two forms agree, and when there is none --------------------------------


@given(st.integers(0, 10_000), st.integers(1, 3))
def test_f_is_t_squared_where_all_read_the_same(seed, predictors):
    # With one design matrix X for all: SS(x) = n b̄²/c and SS(x × subject) = Σ(b - b̄)²/c, c = diagonal of (X'X)⁻¹.
    random = np.random.default_rng(seed)
    x = {f"x{place}": np.tile(random.normal(size=7), 5) for place in range(predictors)}
    found = subject_regressions(random.normal(size=35), np.repeat(np.arange(5), 7), x)
    assert same_predictors(found)
    for f, t in zip(single_equation_tests(found), slope_tests(found, 0.95), strict=False):
        assert f.statistic == pytest.approx(t.statistic**2, rel=1e-6)
        assert (f.estimate, f.p) == pytest.approx((t.estimate, t.p), rel=1e-6)


def test_slopes_are_tested_as_any_sample():
    random = np.random.default_rng(4)
    found = subject_regressions(random.normal(size=30), np.repeat(np.arange(6), 5), {"x": random.normal(size=30)})
    expected = one_sample_t(found.slopes[:, 0], confidence=0.9)
    slope = slope_tests(found, 0.9)[0]
    assert (slope.statistic, slope.p, slope.df) == pytest.approx((expected.t, expected.p, expected.df))
    assert slope.ci == pytest.approx(expected.ci)
    assert not same_predictors(found)


def test_one_subject_and_equal_slopes_have_no_test():
    single = subject_regressions([1, 2, 4], ["a"] * 3, {"x": [1, 2, 3]})
    equal = subject_regressions([1, 2, 3, 4, 5, 6], list("aaabbb"), {"x": [1, 2, 3] * 2})
    for found in (single, equal):
        for test in (*single_equation_tests(found), slope_tests(found, 0.95)[0]):
            assert math.isnan(test.statistic)
            assert math.isnan(test.p)
