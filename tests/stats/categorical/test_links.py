"""Links: derivatives by differences, mirror images, tails."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from textassay.stats.categorical.links import FAR, between, cdf, densities

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
