"""Modes of random effects, and the approximation, against a search without any structure."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize

from textassay.stats.categorical.laplace import explicit_gradient, find_modes, laplace_pull, quadrature, total_gradient
from textassay.stats.categorical.likelihoods import CumulativeLikelihood
from textassay.stats.categorical.logistic_model import BinomialLikelihood
from textassay.stats.categorical.rating_scale import thresholds
from textassay.stats.mixed.model_matrix import model_matrix
from textassay.stats.mixed.random_effects import random_effects

RNG = np.random.default_rng(6)
PERSON, ITEM = np.repeat(np.arange(6), 5), np.tile(np.arange(5), 6)
X = RNG.normal(size=30)
MATRIX = model_matrix({"x": X})
LATENT = X + RNG.normal(size=6)[PERSON] + RNG.normal(size=5)[ITEM] + RNG.logistic(size=30)
ORDERED = CumulativeLikelihood(
    np.digitize(LATENT, [-1, 1]), MATRIX.x[:, 1:], ("x",), thresholds("flexible", tuple("123")), "logit"
)
BINARY = BinomialLikelihood((LATENT > 0).astype(float), np.ones(30), MATRIX.x, MATRIX.names)
EFFECTS = {
    "one": random_effects(MATRIX, {"person": PERSON}),
    "crossed": random_effects(MATRIX, {"person": PERSON, "item": ITEM}),
    "slopes": random_effects(MATRIX, {"person": PERSON, "item": ITEM}, slopes={"person": ["x"]}),
}


@pytest.mark.parametrize("name", EFFECTS)
@pytest.mark.parametrize("model", [ORDERED, BINARY], ids=["ordinal", "logistic"])
def test_approximation_by_dense_algebra(model, name):
    effects, parameters = EFFECTS[name], model.start() + 0.1
    theta = effects.start() * 0.8 + 0.1
    found = find_modes(model, effects, parameters, theta)
    # Z Λ written out, column by column, û by scipy, H by the formula.
    dense = np.column_stack([effects.times(effects.scaled(theta, unit)) for unit in np.eye(effects.size)])
    linear = model.linear(parameters)
    searched = minimize(
        lambda u: u @ u / 2 - model.at(linear, dense @ u).loglik,
        np.zeros(effects.size),
        jac=lambda u: u - dense.T @ model.at(linear, dense @ u).score,
        options={"gtol": 1e-9},
    ).x
    np.testing.assert_allclose(found.spherical, searched, atol=1e-6)
    at = model.at(linear, dense @ found.spherical)
    h = np.eye(effects.size) + dense.T @ (dense * at.weight[:, None])
    expected = at.loglik - found.spherical @ found.spherical / 2 - np.linalg.slogdet(h)[1] / 2
    assert found.loglik == pytest.approx(expected, rel=1e-12)


def test_start_does_not_matter():
    effects = EFFECTS["crossed"]
    cold = find_modes(ORDERED, effects, ORDERED.start(), np.ones(2))
    warm = find_modes(ORDERED, effects, ORDERED.start(), np.ones(2), RNG.normal(size=effects.size))
    wild = find_modes(ORDERED, effects, ORDERED.start(), np.ones(2), np.full(effects.size, 1e4))
    assert cold.loglik == pytest.approx(warm.loglik, rel=1e-12) == pytest.approx(wild.loglik, rel=1e-12)


def test_without_spread_it_is_the_likelihood_itself():
    found = find_modes(ORDERED, EFFECTS["crossed"], ORDERED.start(), np.zeros(2))
    assert found.loglik == ORDERED.point(ORDERED.start()).loglik
    assert not np.any(found.spherical)


def test_parameters_that_are_not_allowed_have_no_modes():
    assert find_modes(ORDERED, EFFECTS["one"], np.array([1.0, -1.0, 0.0]), np.ones(1)) is None


# --- The gradient of the Laplace approximation, by differences ------------------------------------------------------


RNG_GRADIENT = np.random.default_rng(7)
PERSON_GRADIENT, ITEM_GRADIENT = np.repeat(np.arange(8), 6), np.tile(np.arange(6), 8)
LIST, SYSTEM = (PERSON_GRADIENT * ITEM_GRADIENT) % 4, (PERSON_GRADIENT + ITEM_GRADIENT) % 3
X_GRADIENT = RNG_GRADIENT.normal(size=48)
MATRIX_GRADIENT = model_matrix({"system": SYSTEM.astype(str), "x": X_GRADIENT})
LATENT_GRADIENT = (
    X_GRADIENT
    + RNG_GRADIENT.normal(size=8)[PERSON_GRADIENT]
    + RNG_GRADIENT.normal(size=6)[ITEM_GRADIENT]
    + RNG_GRADIENT.logistic(size=48)
)
GROUPINGS = {
    "one": ({"person": PERSON_GRADIENT}, None),
    "two": ({"person": PERSON_GRADIENT, "item": ITEM_GRADIENT}, None),
    "three": ({"person": PERSON_GRADIENT, "item": ITEM_GRADIENT, "list": LIST}, None),
    "slopes": ({"person": PERSON_GRADIENT, "item": ITEM_GRADIENT}, {"person": ["x"]}),
    "slopes of factors": (
        {"person": PERSON_GRADIENT, "item": ITEM_GRADIENT, "list": LIST},
        {"item": ["x"], "person": ["system"]},
    ),
}


def likelihoods():
    cuts = thresholds("flexible", tuple("1234"))
    codes = np.digitize(LATENT_GRADIENT, [-1, 0, 1])
    yield CumulativeLikelihood(codes, MATRIX_GRADIENT.x[:, 1:], MATRIX_GRADIENT.names[1:], cuts, "logit")
    yield CumulativeLikelihood(codes, MATRIX_GRADIENT.x[:, 1:], MATRIX_GRADIENT.names[1:], cuts, "probit")
    yield BinomialLikelihood((LATENT_GRADIENT > 0).astype(float), np.ones(48), MATRIX_GRADIENT.x, MATRIX_GRADIENT.names)


@pytest.mark.parametrize("grouping", GROUPINGS)
@pytest.mark.parametrize("model", list(likelihoods()), ids=["logit", "probit", "binomial"])
def test_equals_differences(model, grouping):
    random, slopes = GROUPINGS[grouping]
    effects = random_effects(MATRIX_GRADIENT, random, slopes=slopes)
    parameters = model.start() + 0.05
    theta = effects.start() * 0.7 + 0.1 * RNG_GRADIENT.normal(size=effects.n_theta)

    def loglik(both):
        return find_modes(model, effects, both[: len(parameters)], both[len(parameters) :]).loglik

    modes = find_modes(model, effects, parameters, theta)
    pull = laplace_pull(effects, theta, modes)
    found = total_gradient(effects, theta, modes, pull, explicit_gradient(effects, modes))
    at, step = np.concatenate([parameters, theta]), 1e-4
    expected = [(loglik(at + step * unit) - loglik(at - step * unit)) / (2 * step) for unit in np.eye(len(at))]
    np.testing.assert_allclose(np.concatenate([found.parameters, found.theta]), expected, rtol=1e-6, atol=1e-6)


def test_a_spread_of_0_is_level():
    # The approximation depends on θ² only, so its slope at 0 is 0.
    model = next(likelihoods())
    effects = random_effects(MATRIX_GRADIENT, {"person": PERSON_GRADIENT, "item": ITEM_GRADIENT})
    theta = np.array([0.0, 0.5])
    modes = find_modes(model, effects, model.start(), theta)
    pull = laplace_pull(effects, theta, modes)
    assert total_gradient(effects, theta, modes, pull, explicit_gradient(effects, modes)).theta[0] == 0.0


# --- Adaptive quadrature against integration by scipy, and its gradient by differences ------------------------------


RNG_GRADIENT_QUADRATURE = np.random.default_rng(8)
PERSON_GRADIENT_QUADRATURE = np.repeat(np.arange(5), 4)
X_GRADIENT_QUADRATURE = RNG_GRADIENT_QUADRATURE.normal(size=20)
MATRIX_GRADIENT_QUADRATURE = model_matrix({"x": X_GRADIENT_QUADRATURE})
CODES = np.digitize(
    X_GRADIENT_QUADRATURE
    + RNG_GRADIENT_QUADRATURE.normal(size=5)[PERSON_GRADIENT_QUADRATURE]
    + RNG_GRADIENT_QUADRATURE.logistic(size=20),
    [-1, 1],
)
EFFECTS_GRADIENT_QUADRATURE = random_effects(MATRIX_GRADIENT_QUADRATURE, {"person": PERSON_GRADIENT_QUADRATURE})
CUTS = thresholds("flexible", tuple("123"))


def model(rows=slice(None)):
    return CumulativeLikelihood(CODES[rows], MATRIX_GRADIENT_QUADRATURE.x[rows, 1:], ("x",), CUTS, "logit")


def at(parameters, theta, nodes):
    modes = find_modes(model(), EFFECTS_GRADIENT_QUADRATURE, parameters, theta)
    return quadrature(model(), EFFECTS_GRADIENT_QUADRATURE, parameters, theta, modes, nodes)


def test_converges_to_the_integral():
    parameters, theta = np.array([-1.0, 1.2, 0.8]), np.array([0.9])
    expected = 0.0
    for person in range(5):
        own = model(person == PERSON_GRADIENT_QUADRATURE)
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
    assert at(parameters, theta, 1)[0] == pytest.approx(
        find_modes(model(), EFFECTS_GRADIENT_QUADRATURE, parameters, theta).loglik
    )


@pytest.mark.parametrize("nodes", [1, 2, 7])
def test_gradient_equals_differences(nodes):
    parameters, theta, step = np.array([-1.0, 1.2, 0.8]), np.array([0.9]), 1e-4
    _, found = at(parameters, theta, nodes)
    for place, unit in enumerate(np.eye(3)):
        change = at(parameters + step * unit, theta, nodes)[0] - at(parameters - step * unit, theta, nodes)[0]
        assert found.parameters[place] == pytest.approx(change / (2 * step), rel=1e-6, abs=1e-7)
    change = at(parameters, theta + step, nodes)[0] - at(parameters, theta - step, nodes)[0]
    assert found.theta[0] == pytest.approx(change / (2 * step), rel=1e-6, abs=1e-7)
