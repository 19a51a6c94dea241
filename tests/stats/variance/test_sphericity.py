"""Sphericity of contrasts: what holds for every matrix, and a second implementation."""

import math

import numpy as np
import pandas as pd
import pingouin
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.stats.variance.sphericity import sphericity

contrasts = st.integers(2, 4).flatmap(
    lambda d: st.lists(st.lists(st.floats(-9, 9), min_size=d, max_size=d), min_size=4, max_size=9)
)


def left(table):
    """The residuals of contrasts after their means."""
    scores = np.array(table, dtype=float)
    return scores - scores.mean(axis=0)


@given(contrasts, st.floats(0.01, 100))
def test_epsilon_has_its_bounds_and_no_scale(table, scale):
    residuals = left(table)
    n, d = residuals.shape
    found = sphericity(residuals, n - 1, d + 1)
    if not math.isnan(found.gg):
        assert 1 / d <= found.gg * (1 + 1e-9)
        assert found.gg <= found.hf * (1 + 1e-9)
        assert found.hf <= 1
        assert sphericity(scale * residuals, n - 1, d + 1).gg == pytest.approx(found.gg, rel=1e-6)


def test_equal_and_uncorrelated_contrasts_are_spherical():
    # ±1 in each of two contrasts, all four combinations: cross-products 4·I, so W = 1 and ε = 1.
    found = sphericity(np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]]) * 1.0, 3, 3)
    assert (found.mauchly_w, found.gg, found.hf) == pytest.approx((1, 1, 1))
    assert found.mauchly_p == pytest.approx(1)


def test_equals_pingouin():
    # pingouin 0.7.0; its lower bounds and series are those of R. Rotating the contrasts changes nothing.
    table = np.random.default_rng(4).normal(size=(11, 4)) * [1, 2, 3, 5]
    helmert = np.array([[1, -1, 0, 0], [1, 1, -2, 0], [1, 1, 1, -3]]) / np.sqrt([[2], [6], [12]])
    found = sphericity(left(table @ helmert.T), 10, 4)
    frame = pd.DataFrame(table)
    spherical = pingouin.sphericity(frame)
    assert (found.mauchly_w, found.mauchly_p) == pytest.approx((spherical.W, spherical.pval), rel=1e-9)
    expected = [pingouin.epsilon(frame, correction=name) for name in ("gg", "hf")]
    assert [found.gg, found.hf] == pytest.approx(expected, rel=1e-9)


def test_two_subjects_and_no_subjects():
    two = sphericity(left([[1, 2], [3, 7]]), 1, 3)
    assert (two.gg, two.hf) == pytest.approx((0.5, 0.5))
    assert math.isnan(two.mauchly_w)
    assert math.isnan(two.mauchly_p)
    assert math.isnan(sphericity(left([[1, 2]]), 0, 3).gg)


def test_contrasts_that_go_together_have_no_mauchly():
    found = sphericity(left([[1, 2], [2, 4], [3, 6], [5, 10]]), 3, 3)
    assert math.isnan(found.mauchly_w)
    assert found.gg == pytest.approx(0.5)


def test_corrected_p_without_a_loss_of_degrees_is_p():
    found = sphericity(np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]]) * 1.0, 3, 3)
    # F(2, 6) = 5.143253 is the 5 % point: R's qf(.95, 2, 6).
    assert found.corrected_p(5.14325284978472, 2, 6) == pytest.approx((0.05, 0.05))
