"""Adaptive quadrature against integration by scipy, and its gradient by differences."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad

from textassay.stats.categorical.cumulative_likelihood import CumulativeLikelihood
from textassay.stats.categorical.laplace import find_modes
from textassay.stats.categorical.quadrature import quadrature
from textassay.stats.categorical.thresholds import thresholds
from textassay.stats.mixed.model_matrix import model_matrix
from textassay.stats.mixed.random_effects import random_effects

RNG = np.random.default_rng(8)
PERSON = np.repeat(np.arange(5), 4)
X = RNG.normal(size=20)
MATRIX = model_matrix({"x": X})
CODES = np.digitize(X + RNG.normal(size=5)[PERSON] + RNG.logistic(size=20), [-1, 1])
EFFECTS = random_effects(MATRIX, {"person": PERSON})
CUTS = thresholds("flexible", tuple("123"))


def model(rows=slice(None)):
    return CumulativeLikelihood(CODES[rows], MATRIX.x[rows, 1:], ("x",), CUTS, "logit")


def at(parameters, theta, nodes):
    modes = find_modes(model(), EFFECTS, parameters, theta)
    return quadrature(model(), EFFECTS, parameters, theta, modes, nodes)


def test_converges_to_the_integral():
    parameters, theta = np.array([-1.0, 1.2, 0.8]), np.array([0.9])
    expected = 0.0
    for person in range(5):
        own = model(person == PERSON)
        linear = own.linear(parameters)
        area, _ = quad(
            lambda u, own=own, linear=linear: math.exp(own.at(linear, 0.9 * u).loglik - u * u / 2), -9, 9, epsabs=1e-13
        )
        expected += math.log(area / math.sqrt(2 * math.pi))
    errors = [abs(at(parameters, theta, nodes)[0] - expected) for nodes in (1, 5, 25)]
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 1e-9


def test_one_node_is_laplace():
    parameters, theta = np.array([-1.0, 1.2, 0.8]), np.array([0.9])
    assert at(parameters, theta, 1)[0] == pytest.approx(find_modes(model(), EFFECTS, parameters, theta).loglik)


@pytest.mark.parametrize("nodes", [1, 2, 7])
def test_gradient_equals_differences(nodes):
    parameters, theta, step = np.array([-1.0, 1.2, 0.8]), np.array([0.9]), 1e-4
    _, found = at(parameters, theta, nodes)
    for place, unit in enumerate(np.eye(3)):
        change = at(parameters + step * unit, theta, nodes)[0] - at(parameters - step * unit, theta, nodes)[0]
        assert found.parameters[place] == pytest.approx(change / (2 * step), rel=1e-6, abs=1e-7)
    change = at(parameters, theta + step, nodes)[0] - at(parameters, theta - step, nodes)[0]
    assert found.theta[0] == pytest.approx(change / (2 * step), rel=1e-6, abs=1e-7)
