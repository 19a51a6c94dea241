"""The search for a maximum: exact on a quadratic, halved steps where a full one goes too far, no silent failure."""

from __future__ import annotations

import math

import numpy as np
import pytest

from textassay.stats.newton import FunctionValue, LikelihoodPoint, climb, flat_inverse, maximise, second_derivatives


def test_a_quadratic_takes_one_step():
    matrix, top = np.array([[2.0, 0.5], [0.5, 1.0]]), np.array([3.0, -1.0])

    def hill(x):
        return LikelihoodPoint(float(-(x - top) @ matrix @ (x - top) / 2), matrix @ (top - x), matrix)

    found = maximise(hill, np.zeros(2))
    assert found.converged
    assert found.parameters == pytest.approx(top)
    assert found.steps <= 2
    assert found.covariance() @ matrix == pytest.approx(np.eye(2))


def test_steps_that_go_too_far_or_out_of_bounds_are_halved():
    # log x - x has its maximum at 1; from 5 Newton's full step leads to -15, where the logarithm is not defined.
    def climb(x):
        if x[0] <= 0:
            return LikelihoodPoint(-math.inf, np.zeros(1), np.eye(1))
        return LikelihoodPoint(float(np.log(x[0]) - x[0]), 1 / x - 1, np.array([[1 / x[0] ** 2]]))

    found = maximise(climb, np.array([5.0]))
    assert found.converged
    assert found.parameters[0] == pytest.approx(1, abs=1e-9)


def test_a_climb_without_end_does_not_count_as_converged():
    # √x rises for ever; its gradient in standard errors, √(score² / information), is the fourth root of x.
    def climb(x):
        return LikelihoodPoint(float(np.sqrt(x[0])), 0.5 / np.sqrt(x), np.array([[0.25 * x[0] ** -1.5]]))

    found = maximise(climb, np.array([1.0]))
    assert not found.converged
    assert found.gradient > 1


def test_a_singular_information_does_not_count_as_converged():
    found = maximise(lambda x: LikelihoodPoint(0.0, np.ones(2), np.zeros((2, 2))), np.zeros(2))
    assert not found.converged
    assert math.isnan(found.gradient)


def test_nothing_to_estimate_is_done_at_once():
    found = maximise(lambda x: LikelihoodPoint(-3.0, x, np.zeros((0, 0))), np.zeros(0))
    assert found.converged
    assert found.loglik == -3


# --- The search for a maximum: parabolas, walls, saddles, ridges ----------------------------------------------------


def test_parabola_and_its_curvature():
    shape = np.array([[2.0, 0.5], [0.5, 1.0]])
    peak = climb(lambda at: FunctionValue(float(-at @ shape @ at / 2), -shape @ at), np.array([3.0, -4.0]))
    assert peak.converged
    np.testing.assert_allclose(peak.at, 0, atol=1e-8)
    np.testing.assert_allclose(peak.curvature, shape, rtol=1e-9)


def test_stays_where_the_function_exists():
    # log x - x has its maximum at 1 and does not exist below 0.
    def wall(at):
        return FunctionValue(float(np.log(at[0]) - at[0]), 1 / at - 1) if at[0] > 0 else None

    peak = climb(wall, np.array([0.05]))
    assert peak.converged
    assert peak.at[0] == pytest.approx(1, abs=1e-8)


def test_leaves_a_saddle():
    # (x² - 1)² has a saddle at 0, where the search begins with no slope at all.
    peak = climb(lambda at: FunctionValue(float(-((at[0] ** 2 - 1) ** 2)), -4 * at * (at**2 - 1)), np.zeros(1))
    assert peak.converged
    assert abs(peak.at[0]) == pytest.approx(1, abs=1e-8)


def test_a_ridge_is_a_maximum_along_which_nothing_changes():
    peak = climb(lambda at: FunctionValue(float(-(at[0] ** 2)), np.array([-2 * at[0], 0.0])), np.array([2.0, 5.0]))
    assert peak.converged
    np.testing.assert_allclose(flat_inverse(peak.curvature), [[0.5, 0], [0, 0]], atol=1e-9)


def test_a_slope_without_end_does_not_converge():
    peak = climb(lambda at: FunctionValue(float(at[0]), np.ones(1)), np.zeros(1))
    assert not peak.converged
    assert np.isnan(peak.distance)


def test_second_derivatives_next_to_a_wall_are_unknown():
    found = second_derivatives(lambda at: FunctionValue(0.0, -at) if at[0] < 0.001 else None, np.zeros(1))
    assert np.isnan(found).all()
    assert np.isnan(flat_inverse(found)).all()


def test_nothing_to_search():
    assert climb(lambda _: FunctionValue(1.5, np.zeros(0)), np.zeros(0)).converged


def test_must_begin_where_the_function_exists():
    with pytest.raises(ValueError, match="must exist"):
        climb(lambda _: None, np.zeros(1))
