"""The search for a maximum: exact on a quadratic, halved steps where a full one goes too far, no silent failure."""

import math

import numpy as np
import pytest

from textassay.stats.newton import Point, maximise


def test_a_quadratic_takes_one_step():
    matrix, top = np.array([[2.0, 0.5], [0.5, 1.0]]), np.array([3.0, -1.0])

    def hill(x):
        return Point(float(-(x - top) @ matrix @ (x - top) / 2), matrix @ (top - x), matrix)

    found = maximise(hill, np.zeros(2))
    assert found.converged
    assert found.parameters == pytest.approx(top)
    assert found.steps <= 2
    assert found.covariance() @ matrix == pytest.approx(np.eye(2))


def test_steps_that_go_too_far_or_out_of_bounds_are_halved():
    # log x - x has its maximum at 1; from 5 Newton's full step leads to -15, where the logarithm is not defined.
    def climb(x):
        if x[0] <= 0:
            return Point(-math.inf, np.zeros(1), np.eye(1))
        return Point(float(np.log(x[0]) - x[0]), 1 / x - 1, np.array([[1 / x[0] ** 2]]))

    found = maximise(climb, np.array([5.0]))
    assert found.converged
    assert found.parameters[0] == pytest.approx(1, abs=1e-9)


def test_a_climb_without_end_does_not_count_as_converged():
    # √x rises for ever; its gradient in standard errors, √(score² / information), is the fourth root of x.
    def climb(x):
        return Point(float(np.sqrt(x[0])), 0.5 / np.sqrt(x), np.array([[0.25 * x[0] ** -1.5]]))

    found = maximise(climb, np.array([1.0]))
    assert not found.converged
    assert found.gradient > 1


def test_a_singular_information_does_not_count_as_converged():
    found = maximise(lambda x: Point(0.0, np.ones(2), np.zeros((2, 2))), np.zeros(2))
    assert not found.converged
    assert math.isnan(found.gradient)


def test_nothing_to_estimate_is_done_at_once():
    found = maximise(lambda x: Point(-3.0, x, np.zeros((0, 0))), np.zeros(0))
    assert found.converged
    assert found.loglik == -3
