"""Modes of random effects, and the approximation, against a search without any structure."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from textassay.stats.categorical.binomial_likelihood import BinomialLikelihood
from textassay.stats.categorical.cumulative_likelihood import CumulativeLikelihood
from textassay.stats.categorical.laplace import find_modes
from textassay.stats.categorical.thresholds import thresholds
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
