"""Logistic models against R and statsmodels, and on hard data."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from textassay.errors import DataError, UsageError
from textassay.stats import logistic_model
from textassay.stats.categorical.logistic_model import BinomialLikelihood

CASES = json.loads((Path(__file__).parents[2] / "golden" / "logistic_model.json").read_text(encoding="utf-8"))["cases"]
BY_ID = {case["id"]: case for case in CASES}


def fitted(case, **more):
    return logistic_model(case["input"]["outcomes"], case["input"]["fixed"], **{**case.get("settings", {}), **more})


@pytest.mark.parametrize("case", CASES, ids=list(BY_ID))
def test_equals_r(case):
    expected, model = case["expect"], fitted(case)
    mixed = bool(model.components)
    assert model.converged
    assert model.warnings == ()
    assert model.estimates == pytest.approx(expected["parameters"], rel=1e-5 if mixed else 1e-9)
    # glm's standard errors are those of its last step but one, glmer's come from single differences.
    errors = [each.se for each in model.coefficients]
    assert errors == pytest.approx(expected["se"], rel=2e-5 if mixed else 2e-6)
    assert [each.p for each in model.coefficients] == pytest.approx(expected["p"], rel=1e-3 if mixed else 1e-4)
    if case["id"] != "cbpp_agq10":
        assert model.loglik == pytest.approx(expected["loglik"], rel=1e-9)
    if "aic" in expected:
        assert model.aic == pytest.approx(expected["aic"], rel=1e-9)
    if "sd" in expected:
        assert [each.sd for each in model.components] == pytest.approx(expected["sd"], rel=1e-5)
    if "correlations" in expected:
        assert [each.value for each in model.correlations] == pytest.approx(expected["correlations"], rel=1e-4)
    for group, modes in expected.get("modes", {}).items():
        assert [mode for (mode,) in model.random_effects[group].values()] == pytest.approx(modes, rel=1e-4, abs=1e-6)
    if "pairs" in expected:
        # the known answers are second − first
        pairs = model.pairs(expected["pairs_of"]).turned()
        assert [pair.difference for pair in pairs] == pytest.approx(expected["pairs"]["difference"], rel=1e-5)
        assert [pair.se for pair in pairs] == pytest.approx(expected["pairs"]["se"], rel=2e-5)
        assert [pair.p for pair in pairs] == pytest.approx(expected["pairs"]["p_holm"], rel=1e-3)
    if "drop1_chi2" in expected:
        tests = fitted(case, tests="lr").tests
        assert [test.chi2 for test in tests] == pytest.approx(expected["drop1_chi2"], rel=1e-9)
        assert [test.p for test in tests] == pytest.approx(expected["drop1_p"], rel=1e-8)


def test_quadrature_of_r_leaves_the_saturated_model_out():
    case = BY_ID["cbpp_agq10"]
    successes, trials = np.array(case["input"]["outcomes"]), np.array(case["settings"]["trials"])
    saturated = stats.binom.logpmf(successes, trials, successes / trials).sum()
    assert fitted(case).loglik - saturated == pytest.approx(case["expect"]["loglik"], rel=1e-8)


def test_counts_and_single_outcomes_are_the_same_model():
    # 3 of 4 and 1 of 4 as two rows of counts or eight rows of 0 and 1: only the constant of the likelihood differs.
    counts = logistic_model([3, 1], {"system": ["a", "b"]}, trials=[4, 4])
    single = logistic_model([1, 1, 1, 0, 1, 0, 0, 0], {"system": list("aaaabbbb")})
    assert counts.estimates == pytest.approx(single.estimates, rel=1e-12)
    assert counts.loglik - single.loglik == pytest.approx(2 * math.log(4))
    assert (counts.successes, counts.trials, single.trials) == (4, 8, 8)
    assert counts.probability({"system": "a"}) == pytest.approx(0.75)


@given(st.integers(0, 10**6))
@settings(max_examples=15)
def test_equals_statsmodels(seed):
    import statsmodels.api as sm

    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=80), rng.normal(size=80)
    y = (rng.random(80) < 1 / (1 + np.exp(-x))).astype(int)
    assume(0 < y.sum() < 80)
    model = logistic_model(y, {"x": x, "z": z}, terms=["x", "z", "x:z"])
    other = sm.GLM(y, np.column_stack([np.ones(80), x, z, x * z]), family=sm.families.Binomial()).fit(tol=1e-12)
    assert model.estimates == pytest.approx(other.params, rel=1e-6, abs=1e-9)
    assert [each.se for each in model.coefficients] == pytest.approx(other.bse, rel=1e-5)


@given(st.integers(0, 10**6))
@settings(max_examples=8)
def test_swapped_outcomes_turn_all_signs(seed):
    rng = np.random.default_rng(seed)
    person, x = np.repeat(np.arange(8), 6), rng.normal(size=48)
    y = (rng.random(48) < 1 / (1 + np.exp(-x - rng.normal(size=8)[person]))).astype(int)
    one, other = (logistic_model(each, {"x": x}, random={"person": person}) for each in (y, 1 - y))
    assume(one.converged and other.converged)
    assert one.loglik == pytest.approx(other.loglik, rel=1e-8)
    assert np.array(one.estimates) == pytest.approx(-np.array(other.estimates), rel=1e-4, abs=1e-6)
    assert one.sd("person") == pytest.approx(other.sd("person"), rel=1e-3, abs=1e-4)


def test_uncorrelated_slopes_are_a_smaller_model():
    case = BY_ID["binary_slopes"]
    free, bound = fitted(case), fitted(case, correlated=False)
    assert free.n_parameters == bound.n_parameters + 1
    assert free.loglik > bound.loglik
    assert bound.correlations == ()
    assert free.against(bound).df == 1


def test_separation_is_named():
    model = logistic_model([0, 0, 1, 1, 1, 1, 0, 1], {"system": list("aaaabbcc")})
    assert model.coefficient("system[b]").estimate == math.inf
    assert model.coefficient("(intercept)").estimate == pytest.approx(0, abs=1e-8)
    assert "system[b] (+∞);" in model.warnings[0]
    assert model.probability({"system": "b"}) == 1.0
    complete = logistic_model([0, 0, 0, 1, 1, 1], {"x": [1, 2, 3, 4, 5, 6]})
    assert complete.estimates == (-math.inf, math.inf)
    assert complete.loglik == pytest.approx(0, abs=1e-6)


def test_far_predictors_that_do_not_separate_are_left_alone():
    # Log odds of ±14 and one outcome on the wrong side of each end: large, and finite.
    x = [-7.0, -6.0, 7.0, 6.5, -1.0, 1.0, 0.5, -0.5]
    model = logistic_model([0, 1, 1, 0, 0, 1, 0, 1], {"x": x})
    assert model.warnings == ()
    assert np.all(np.isfinite(model.estimates))


def test_no_variance_is_a_singular_fit_and_said():
    # Half of each level succeeded: the levels differ less than chance would have them.
    model = logistic_model([0, 1, 1, 0] * 6, {}, random={"person": np.repeat(np.arange(6), 4)})
    assert model.sd("person") == 0
    assert model.singular == ("person",)
    assert "singular" in model.warnings[0]
    assert model.estimates == pytest.approx((0,), abs=1e-9)
    assert model.coefficients[0].se == pytest.approx(math.sqrt(4 / 24), rel=1e-6)


Y = [0, 1, 1, 0, 1, 0]
X = {"x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]}


@pytest.mark.parametrize(
    ("outcomes", "fixed", "more", "error", "message"),
    [
        ([], {}, {}, DataError, "there are no outcomes"),
        ([1] * 6, X, {}, DataError, "all 6 outcomes are successes"),
        ([0] * 6, X, {}, DataError, "all 6 outcomes are failures"),
        ([0, 1, math.nan, 0, 1, 0], X, {}, DataError, "1 missing or infinite"),
        ([0, 1, math.inf, 0, 1, 0], X, {}, DataError, "index 2"),
        (
            [0, 1, 2, 0, 1, 0],
            X,
            {},
            DataError,
            r"give trials if they are counts; 1 are not, the first at index 2 \(2\)",
        ),
        ([0, 1, -1, 0, 1, 0], X, {}, DataError, "index 2"),
        ([0, 1, 0.5, 0, 1, 0], X, {}, DataError, "whole numbers"),
        (["yes"] * 6, X, {}, DataError, "numbers only"),
        (Y, X, {"trials": [1, 1]}, DataError, "trials has 2"),
        (Y, X, {"trials": [1, 0, 1, 1, 1, 1]}, DataError, "1 or more"),
        ([0, 3, 1, 0, 1, 0], X, {"trials": [2] * 6}, DataError, "between 0 and the number of trials"),
        (Y, {"x": [1.0]}, {}, DataError, "x has 1"),
        (Y, X, {"random": {"p": list("aaaaaa")}}, DataError, "one level only"),
        (Y, X, {"random": {"p": [None, *"abcde"]}}, DataError, "1 missing label"),
        (Y, X, {"random": {"p": list("aabbcc")}, "slopes": {"q": ["x"]}}, UsageError, "grouping 'q'"),
        (Y, X, {"random": {"p": list("aabbcc")}, "slopes": {"p": ["z"]}}, UsageError, "no term 'z'"),
        (Y, X, {"random": {"p": list("aabbcc")}, "slopes": {"p": ["x"]}, "nodes": 3}, UsageError, "one grouping"),
    ],
)
def test_refuses(outcomes, fixed, more, error, message):
    with pytest.raises(error, match=message):
        logistic_model(outcomes, fixed, **more)


# --- The likelihood of successes out of trials: value and derivatives -----------------------------------------------


RNG = np.random.default_rng(5)
TRIALS = RNG.integers(1, 7, 30).astype(float)
SUCCESSES = np.floor(RNG.random(30) * (TRIALS + 1))
X_BINOMIAL_LIKELIHOOD = np.column_stack([np.ones(30), RNG.normal(size=30)])
MODEL = BinomialLikelihood(SUCCESSES, TRIALS, X_BINOMIAL_LIKELIHOOD, ("(intercept)", "x"))
BETA = np.array([0.3, -0.8])


def test_is_that_of_scipy():
    p = 1 / (1 + np.exp(-X_BINOMIAL_LIKELIHOOD @ BETA))
    at = MODEL.at(MODEL.linear(BETA), 0.0)
    np.testing.assert_allclose(at.each(), stats.binom.logpmf(SUCCESSES, TRIALS, p), rtol=1e-12, atol=1e-14)
    assert at.loglik == pytest.approx(at.each().sum())


def test_derivatives():
    step, factor = 1e-5, RNG.normal(size=30)
    at, above, below = (MODEL.at(MODEL.linear(BETA), shift) for shift in (0.0, step, -step))
    np.testing.assert_allclose((above.each() - below.each()) / (2 * step), at.score, atol=1e-8)
    np.testing.assert_allclose((below.score - above.score) / (2 * step), at.weight, atol=1e-8)
    np.testing.assert_allclose((above.weight - below.weight) / (2 * step), at.weight_slope, atol=1e-8)
    for place, unit in enumerate(np.eye(2)):
        up, down = (MODEL.at(MODEL.linear(BETA + sign * step * unit), 0.0) for sign in (1, -1))
        assert (up.loglik - down.loglik) / (2 * step) == pytest.approx(at.gradient()[place], rel=1e-6)
        assert factor @ (up.each() - down.each()) / (2 * step) == pytest.approx(at.gradient(factor)[place], rel=1e-6)
        assert factor @ (up.score - down.score) / (2 * step) == pytest.approx(
            at.score_by_parameters(factor)[place], rel=1e-6
        )
        assert factor @ (up.weight - down.weight) / (2 * step) == pytest.approx(
            at.weight_by_parameters(factor)[place], rel=1e-6
        )
        np.testing.assert_allclose((down.gradient() - up.gradient()) / (2 * step), at.information()[place], rtol=1e-6)


def test_log_odds_far_out_neither_overflow_nor_vanish():
    at = MODEL.at(MODEL.linear(np.array([800.0, 0.0])), 0.0)
    assert np.isfinite(at.loglik)
    assert at.loglik == pytest.approx(float((SUCCESSES - TRIALS).sum() * 800 + MODEL.constant.sum()))
    assert MODEL.extreme(np.array([800.0, 0.0]))
    assert not MODEL.extreme(BETA)
