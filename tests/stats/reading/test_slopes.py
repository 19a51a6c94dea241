"""Tests of slopes over subjects: when the two forms agree, and when there is none."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.stats import one_sample_t
from textassay.stats.reading.slopes import same_predictors, single_equation_tests, slope_tests
from textassay.stats.reading.subject_regressions import subject_regressions


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
