"""The search for a maximum: parabolas, walls, saddles, ridges."""

from __future__ import annotations

import numpy as np
import pytest

from textassay.stats.categorical.quasi_newton import Value, climb, flat_inverse, second_derivatives


def test_parabola_and_its_curvature():
    shape = np.array([[2.0, 0.5], [0.5, 1.0]])
    peak = climb(lambda at: Value(float(-at @ shape @ at / 2), -shape @ at), np.array([3.0, -4.0]))
    assert peak.converged
    np.testing.assert_allclose(peak.at, 0, atol=1e-8)
    np.testing.assert_allclose(peak.curvature, shape, rtol=1e-9)


def test_stays_where_the_function_exists():
    # log x - x has its maximum at 1 and does not exist below 0.
    def wall(at):
        return Value(float(np.log(at[0]) - at[0]), 1 / at - 1) if at[0] > 0 else None

    peak = climb(wall, np.array([0.05]))
    assert peak.converged
    assert peak.at[0] == pytest.approx(1, abs=1e-8)


def test_leaves_a_saddle():
    # (x² - 1)² has a saddle at 0, where the search begins with no slope at all.
    peak = climb(lambda at: Value(float(-((at[0] ** 2 - 1) ** 2)), -4 * at * (at**2 - 1)), np.zeros(1))
    assert peak.converged
    assert abs(peak.at[0]) == pytest.approx(1, abs=1e-8)


def test_a_ridge_is_a_maximum_along_which_nothing_changes():
    peak = climb(lambda at: Value(float(-(at[0] ** 2)), np.array([-2 * at[0], 0.0])), np.array([2.0, 5.0]))
    assert peak.converged
    np.testing.assert_allclose(flat_inverse(peak.curvature), [[0.5, 0], [0, 0]], atol=1e-9)


def test_a_slope_without_end_does_not_converge():
    peak = climb(lambda at: Value(float(at[0]), np.ones(1)), np.zeros(1))
    assert not peak.converged
    assert np.isnan(peak.distance)


def test_second_derivatives_next_to_a_wall_are_unknown():
    found = second_derivatives(lambda at: Value(0.0, -at) if at[0] < 0.001 else None, np.zeros(1))
    assert np.isnan(found).all()
    assert np.isnan(flat_inverse(found)).all()


def test_nothing_to_search():
    assert climb(lambda _: Value(1.5, np.zeros(0)), np.zeros(0)).converged


def test_must_begin_where_the_function_exists():
    with pytest.raises(ValueError, match="must exist"):
        climb(lambda _: None, np.zeros(1))
