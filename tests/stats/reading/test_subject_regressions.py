"""One regression a subject, all at once, against one at a time."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import lorch_myers, one_sample_t, position_effects, residual_times
from textassay.stats.reading.lorch_myers import same_predictors, single_equation_tests
from textassay.stats.reading.subject_regressions import (
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
        ([1, 2, 3, 4], [10, 20, 30, 40], "their predictors are collinear"),
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


# --- Residual reading times against R's lm, and what residuals are --------------------------------------------------


GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "residual_times.json").read_text(encoding="utf-8"))
CASES = GOLDEN["cases"]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_equals_r(case):
    found = residual_times(*(case["input"][key] for key in ("times", "participants", "predictors")))
    expected = case["expect"]
    assert found.residuals == pytest.approx(expected["residuals"], rel=1e-9, abs=1e-9)
    if "slopes" in expected:
        assert found.slopes["length"] == pytest.approx(expected["slopes"], rel=1e-9)
        assert found.intercepts == pytest.approx(expected["intercepts"], rel=1e-9)
        test = found.tests[0]
        assert (test.estimate, test.statistic, test.df, test.p) == pytest.approx(
            (expected["slope"], expected["t"], expected["df"], expected["p"]), rel=1e-9
        )
        assert test.ci == pytest.approx(expected["ci"], rel=1e-9)
    assert [record["by"] for record in found.records()] == list(case["input"]["predictors"])


@given(st.integers(0, 10_000))
def test_residuals_sum_to_nothing_and_know_nothing_of_length(seed):
    random = np.random.default_rng(seed)
    who, length = np.repeat([0, 1, 2], 8), random.integers(1, 15, 24).astype(float)
    length[[0, 8, 16]] = 20  # so that each varies
    found = np.array(residual_times(random.normal(400, 80, 24), who, {"length": length}).residuals)
    for participant in range(3):
        own = who == participant
        assert found[own].sum() == pytest.approx(0, abs=1e-8)
        assert found[own] @ length[own] == pytest.approx(0, abs=1e-6)


def test_a_participant_without_a_regression_has_no_residuals():
    found = residual_times([300, 310, 400, 450], ["a", "a", "b", "b"], {"length": [5, 5, 3, 9]})
    assert [math.isnan(residual) for residual in found.residuals] == [True, True, False, False]
    assert found.n == 2
    assert "1 of 2 subjects have no regression, so 2 times have no residual: length does not vary (a)" in found.warnings
    assert "the test of a slope is undefined" in found.warnings[-1]


@pytest.mark.parametrize(
    ("times", "predictors", "error", "message"),
    [
        ([1, 2], {}, UsageError, "names no predictor"),
        ([1, 2], {"length": [1]}, DataError, "length has 1"),
        ([1, math.nan], {"length": [1, 2]}, DataError, "missing or infinite"),
        ([1, 2], {"length": [1, math.inf]}, DataError, "length has 1 missing or infinite"),
    ],
)
def test_what_should_not_be_passed_is_refused_residual_times(times, predictors, error, message):
    with pytest.raises(error, match=message):
        residual_times(times, ["a", "a"], predictors)


# --- The course of times over positions against R -------------------------------------------------------------------


GOLDEN_POSITION_EFFECTS = json.loads(
    (Path(__file__).parents[2] / "golden" / "position_effects.json").read_text(encoding="utf-8")
)
CASE = GOLDEN_POSITION_EFFECTS["cases"][0]


def test_equals_r_position_effects():
    found = position_effects(*(CASE["input"][key] for key in ("times", "participants", "positions")))
    expected = CASE["expect"]
    slope = found.slope
    assert (slope.estimate, found.t, slope.df, found.p) == pytest.approx(
        (expected["slope"], expected["t"], expected["df"], expected["p"]), rel=1e-9
    )
    assert slope.ci == pytest.approx(expected["ci"], rel=1e-9)
    assert found.means == pytest.approx(expected["means"], rel=1e-12)
    assert list(found.participants) == expected["n"]
    assert len(found.records()) == 1 + len(found.positions)


@given(st.integers(0, 10_000))
def test_slope_is_that_of_lorch_and_myers(seed):
    random = np.random.default_rng(seed)
    who, position, times = np.repeat([0, 1, 2], 5), np.tile(random.permutation(5), 3), random.normal(300, 40, 15)
    found, expected = position_effects(times, who, position), lorch_myers(times, who, {"x": position})["x"]
    assert (found.t, found.p) == pytest.approx((expected.statistic, expected.p))


def test_a_mean_is_the_mean_of_participants_means():
    # At position 1: a has 100 and 300 (mean 200), b has 400: (200 + 400)/2, not 800/3.
    found = position_effects([100, 300, 400, 250, 500], list("aabab"), [1, 1, 1, 2, 2])
    assert found.means == (300.0, 375.0)
    assert found.participants == (2, 2)


def test_one_position_has_no_slope():
    found = position_effects([1, 2, 3], ["a", "b", "b"], [1, 1, 1])
    assert math.isnan(found.t)
    assert "position does not vary (b)" in found.warnings[1]
    assert "the test of the slope is undefined" in found.warnings[-1]


@pytest.mark.parametrize(
    ("times", "positions", "settings", "error", "message"),
    [
        ([], [], {}, DataError, "there are no values"),
        ([1, 2], [1], {}, DataError, "position has 1"),
        ([1, 2], [1, math.nan], {}, DataError, "position has 1 missing or infinite"),
        ([1, 2], [1, 2], {"confidence": 2}, UsageError, "confidence must lie"),
    ],
)
def test_what_should_not_be_passed_is_refused_position_effects(times, positions, settings, error, message):
    with pytest.raises(error, match=message):
        position_effects(times, ["a"] * len(times), positions, **settings)
