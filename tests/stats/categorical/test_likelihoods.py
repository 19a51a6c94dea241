"""The likelihood of ordered categories: every derivative by differences."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from textassay.stats.categorical.likelihoods import FAR, CumulativeLikelihood, between, cdf, densities
from textassay.stats.categorical.rating_scale import thresholds

RNG = np.random.default_rng(4)
CODES = RNG.integers(0, 5, 40)
X = RNG.normal(size=(40, 2))
STEP = 1e-5


def model(link="logit", pattern="flexible", nominal=None):
    return CumulativeLikelihood(CODES, X, ("a", "b"), thresholds(pattern, tuple("12345")), link, nominal)


def by_parameters(likelihood, parameters, shift, value):
    """Central differences of a function of the likelihood by each parameter."""
    found = []
    for unit in np.eye(len(parameters)):
        ends = [likelihood.at(likelihood.linear(parameters + s * STEP * unit), shift) for s in (1, -1)]
        found.append((value(ends[0]) - value(ends[1])) / (2 * STEP))
    return np.array(found)


@pytest.mark.parametrize("link", ["logit", "probit"])
@pytest.mark.parametrize("pattern", ["flexible", "symmetric2"])
def test_derivatives(link, pattern):
    likelihood = model(link, pattern)
    parameters = likelihood.start() + 0.1
    shift, factor = RNG.normal(size=40) / 2, RNG.normal(size=40)
    at = likelihood.at(likelihood.linear(parameters), shift)
    close = {"rtol": 1e-6, "atol": 1e-7}
    np.testing.assert_allclose(at.gradient(), by_parameters(likelihood, parameters, shift, lambda p: p.loglik), **close)
    np.testing.assert_allclose(
        at.gradient(factor), by_parameters(likelihood, parameters, shift, lambda p: factor @ p.each()), **close
    )
    np.testing.assert_allclose(
        at.score_by_parameters(factor),
        by_parameters(likelihood, parameters, shift, lambda p: factor @ p.score),
        **close,
    )
    np.testing.assert_allclose(
        at.weight_by_parameters(factor),
        by_parameters(likelihood, parameters, shift, lambda p: factor @ p.weight),
        **close,
    )
    np.testing.assert_allclose(
        -at.information(), by_parameters(likelihood, parameters, shift, lambda p: p.gradient()), **close
    )


@pytest.mark.parametrize("link", ["logit", "probit"])
def test_derivatives_by_the_predictor(link):
    likelihood = model(link)
    linear = likelihood.linear(likelihood.start())
    at, above, below = (likelihood.at(linear, shift) for shift in (0.0, STEP, -STEP))
    np.testing.assert_allclose((above.each() - below.each()) / (2 * STEP), at.score, atol=1e-8)
    np.testing.assert_allclose((below.score - above.score) / (2 * STEP), at.weight, atol=1e-8)
    np.testing.assert_allclose((above.weight - below.weight) / (2 * STEP), at.weight_slope, atol=1e-8)
    assert np.all(at.weight > 0)  # the log of an interval's probability is concave (Burridge 1981)


def test_thresholds_out_of_order_are_not_allowed():
    likelihood = model()
    assert likelihood.at(likelihood.linear(np.array([0.0, -1.0, 1.0, 2.0, 0.0, 0.0])), 0.0).loglik == -np.inf
    assert likelihood.point(np.array([0.0, -1.0, 1.0, 2.0, 0.0, 0.0])).loglik == -np.inf


def test_nominal_effects_that_are_all_alike_are_one_effect():
    common = model()
    free = CumulativeLikelihood(CODES, X[:, :1], ("a",), common.cuts, "logit", (("b",), X[:, 1:]))
    alpha = common.start()[:4]
    one = common.point(np.array([*alpha, 0.3, -0.7]))
    each = free.point(np.array([*alpha, 0.3, -0.7, -0.7, -0.7, -0.7]))
    assert each.loglik == pytest.approx(one.loglik, rel=1e-14)
    assert each.score[5:].sum() == pytest.approx(one.score[5], rel=1e-12)
    assert free.names[-1] == "b at 4|5"


def test_extreme_is_said_of_fits_far_out():
    likelihood = model()
    assert not likelihood.extreme(likelihood.start())
    assert likelihood.extreme(np.array([-3.0, -1.0, 1.0, 3.0, 10.0, 0.0]))


# --- Links: derivatives by differences, mirror images, tails --------------------------------------------------------


POINTS = np.linspace(-6, 6, 25)


@pytest.mark.parametrize(("link", "distribution"), [("logit", stats.logistic), ("probit", stats.norm)])
def test_is_the_distribution_of_scipy(link, distribution):
    np.testing.assert_allclose(cdf(link, POINTS), distribution.cdf(POINTS), rtol=1e-14)
    np.testing.assert_allclose(densities(link, POINTS).f, distribution.pdf(POINTS), rtol=1e-12)


@pytest.mark.parametrize("link", ["logit", "probit"])
def test_derivatives_are_those_of_the_density(link):
    step = 1e-5
    above, below, found = densities(link, POINTS + step), densities(link, POINTS - step), densities(link, POINTS)
    np.testing.assert_allclose((above.f - below.f) / (2 * step), found.f1, atol=1e-9)
    np.testing.assert_allclose((above.f1 - below.f1) / (2 * step), found.f2, atol=1e-9)


@pytest.mark.parametrize(("link", "distribution"), [("logit", stats.logistic), ("probit", stats.norm)])
def test_keeps_its_digits_in_the_upper_tail(link, distribution):
    upper, lower = np.array([31.0, FAR]), np.array([30.0, 30.0])
    # The survival function of scipy loses nothing there, while 1 - 1 would be 0.
    expected = distribution.sf(lower) - np.array([distribution.sf(31.0), 0.0])
    np.testing.assert_allclose(between(link, upper, lower), expected, rtol=1e-9)


@pytest.mark.parametrize("link", ["logit", "probit"])
def test_far_is_infinity(link):
    ends = densities(link, np.array([-FAR, FAR]))
    assert not np.any(ends.f)
    assert not np.any(ends.f1)
    assert not np.any(ends.f2)
    assert cdf(link, np.array([-FAR, FAR])).tolist() == [0.0, 1.0]
