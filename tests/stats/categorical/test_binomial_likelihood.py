"""The likelihood of successes out of trials: value and derivatives."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from textassay.stats.categorical.binomial_likelihood import BinomialLikelihood

RNG = np.random.default_rng(5)
TRIALS = RNG.integers(1, 7, 30).astype(float)
SUCCESSES = np.floor(RNG.random(30) * (TRIALS + 1))
X = np.column_stack([np.ones(30), RNG.normal(size=30)])
MODEL = BinomialLikelihood(SUCCESSES, TRIALS, X, ("(intercept)", "x"))
BETA = np.array([0.3, -0.8])


def test_is_that_of_scipy():
    p = 1 / (1 + np.exp(-X @ BETA))
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
