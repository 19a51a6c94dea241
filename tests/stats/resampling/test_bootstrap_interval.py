"""Quantiles of draws, and the correction of percentiles for bias and acceleration."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from textassay.stats.resampling.bootstrap_interval import (
    acceleration_of,
    bca_interval,
    order_quantile,
    percentile_interval,
)

DRAWS = np.sort(np.random.Generator(np.random.PCG64(1)).gamma(2.0, size=999))


def test_whole_places_are_draws_and_those_between_are_on_the_normal_scale():
    ordered = np.array([1.0, 2.0, 4.0, 8.0])
    assert order_quantile(ordered, 0.4) == 2.0
    share = (norm.ppf(0.5) - norm.ppf(0.4)) / (norm.ppf(0.6) - norm.ppf(0.4))
    assert order_quantile(ordered, 0.5) == pytest.approx(2 + 2 * share)
    assert (order_quantile(ordered, 0.01), order_quantile(ordered, 0.99)) == (1.0, 8.0)


def test_without_bias_and_acceleration_bca_is_the_percentile_interval():
    median = float(np.median(DRAWS))  # 499 of 999 draws lie below it
    bca = bca_interval(DRAWS, median + 1e-12, 0.0, 0.9)
    assert bca == pytest.approx(percentile_interval(DRAWS, 0.9), rel=0.01)


def test_bca_by_hand():
    value, a = float(DRAWS[599]) + 1e-9, 0.05  # 600 of 999 draws lie below
    bias = norm.ppf(600 / 999)
    ends = [norm.cdf(bias + (bias + z) / (1 - a * (bias + z))) for z in norm.ppf([0.025, 0.975])]
    assert bca_interval(DRAWS, value, a, 0.95) == pytest.approx([order_quantile(DRAWS, end) for end in ends])


def test_intervals_that_cannot_be():
    assert all(map(math.isnan, bca_interval(DRAWS, -1.0, 0.1, 0.95)))
    assert all(map(math.isnan, bca_interval(DRAWS, 2.0, math.nan, 0.95)))
    assert all(map(math.isnan, percentile_interval(np.empty(0), 0.95)))


def test_acceleration_of_a_mean_is_a_sixth_of_the_skewness_over_root_n():
    x = np.array([1.0, 2.0, 2.5, 4.0, 9.0])
    left_out = (x.sum() - x) / 4
    centred = x - x.mean()
    assert acceleration_of(left_out) == pytest.approx((centred**3).sum() / (6 * (centred**2).sum() ** 1.5))
    assert math.isnan(acceleration_of(np.full(4, 0.1)))
    assert math.isnan(acceleration_of(np.array([1.0, math.nan])))
    assert math.isnan(acceleration_of(np.empty(0)))
