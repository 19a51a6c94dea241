"""The gradient of the Laplace approximation, by differences."""

from __future__ import annotations

import numpy as np
import pytest

from textassay.stats.categorical.binomial_likelihood import BinomialLikelihood
from textassay.stats.categorical.cumulative_likelihood import CumulativeLikelihood
from textassay.stats.categorical.laplace import find_modes
from textassay.stats.categorical.laplace_gradient import explicit_gradient, laplace_pull, total_gradient
from textassay.stats.categorical.thresholds import thresholds
from textassay.stats.mixed.model_matrix import model_matrix
from textassay.stats.mixed.random_effects import random_effects

RNG = np.random.default_rng(7)
PERSON, ITEM = np.repeat(np.arange(8), 6), np.tile(np.arange(6), 8)
LIST, SYSTEM = (PERSON * ITEM) % 4, (PERSON + ITEM) % 3
X = RNG.normal(size=48)
MATRIX = model_matrix({"system": SYSTEM.astype(str), "x": X})
LATENT = X + RNG.normal(size=8)[PERSON] + RNG.normal(size=6)[ITEM] + RNG.logistic(size=48)
GROUPINGS = {
    "one": ({"person": PERSON}, None),
    "two": ({"person": PERSON, "item": ITEM}, None),
    "three": ({"person": PERSON, "item": ITEM, "list": LIST}, None),
    "slopes": ({"person": PERSON, "item": ITEM}, {"person": ["x"]}),
    "slopes of factors": ({"person": PERSON, "item": ITEM, "list": LIST}, {"item": ["x"], "person": ["system"]}),
}


def likelihoods():
    cuts = thresholds("flexible", tuple("1234"))
    codes = np.digitize(LATENT, [-1, 0, 1])
    yield CumulativeLikelihood(codes, MATRIX.x[:, 1:], MATRIX.names[1:], cuts, "logit")
    yield CumulativeLikelihood(codes, MATRIX.x[:, 1:], MATRIX.names[1:], cuts, "probit")
    yield BinomialLikelihood((LATENT > 0).astype(float), np.ones(48), MATRIX.x, MATRIX.names)


@pytest.mark.parametrize("grouping", GROUPINGS)
@pytest.mark.parametrize("model", list(likelihoods()), ids=["logit", "probit", "binomial"])
def test_equals_differences(model, grouping):
    random, slopes = GROUPINGS[grouping]
    effects = random_effects(MATRIX, random, slopes=slopes)
    parameters = model.start() + 0.05
    theta = effects.start() * 0.7 + 0.1 * RNG.normal(size=effects.n_theta)

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
    effects = random_effects(MATRIX, {"person": PERSON, "item": ITEM})
    theta = np.array([0.0, 0.5])
    modes = find_modes(model, effects, model.start(), theta)
    pull = laplace_pull(effects, theta, modes)
    assert total_gradient(effects, theta, modes, pull, explicit_gradient(effects, modes)).theta[0] == 0.0
