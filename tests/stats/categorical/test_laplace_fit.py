"""Fits with random effects: what the search reports."""

from __future__ import annotations

import numpy as np
import pytest

from textassay.stats.categorical.laplace import find_modes
from textassay.stats.categorical.laplace_fit import RandomPart, fit_mixed, random_part
from textassay.stats.categorical.logistic_model import BinomialLikelihood
from textassay.stats.mixed.model_matrix import model_matrix
from textassay.stats.mixed.random_effects import random_effects

RNG = np.random.default_rng(3)
PERSON, ITEM = np.repeat(np.arange(12), 10), np.tile(np.arange(10), 12)
X = RNG.normal(size=120)
MATRIX = model_matrix({"x": X})
ETA = 0.5 * X + RNG.normal(size=12)[PERSON] + 0.8 * RNG.normal(size=10)[ITEM]
MODEL = BinomialLikelihood(
    (RNG.random(120) < 1 / (1 + np.exp(-ETA))).astype(float), np.ones(120), MATRIX.x, MATRIX.names
)
CROSSED = random_effects(MATRIX, {"person": PERSON, "item": ITEM})


def test_no_neighbour_is_higher():
    fit = fit_mixed(MODEL, random_part(CROSSED))
    assert fit.converged
    assert fit.n_parameters == 4
    best = find_modes(MODEL, CROSSED, fit.parameters, fit.theta).loglik
    assert best == pytest.approx(fit.loglik, rel=1e-12)
    at = np.concatenate([fit.parameters, fit.theta])
    for unit in np.eye(4):
        for step in (-0.01, 0.01):
            near = at + step * unit
            assert find_modes(MODEL, CROSSED, near[:2], near[2:]).loglik < best


def test_tied_spreads_are_one_parameter():
    tied = fit_mixed(MODEL, RandomPart(CROSSED, np.ones((2, 1))))
    free = fit_mixed(MODEL, random_part(CROSSED))
    assert tied.theta[0] == tied.theta[1]
    assert tied.n_parameters == free.n_parameters - 1
    assert tied.loglik < free.loglik
    assert min(free.theta) < tied.theta[0] < max(free.theta)


def test_diagonals_are_not_negative_whatever_way_the_search_came():
    slopes = random_effects(MATRIX, {"person": PERSON}, slopes={"person": ["x"]})
    fit = fit_mixed(MODEL, random_part(slopes))
    assert np.all(fit.theta[slopes.on_diagonal] >= 0)


def test_the_scale_of_a_slope_does_not_matter():
    logliks = []
    for scale in (1e-4, 1.0, 1e4):
        matrix = model_matrix({"x": X * scale})
        model = BinomialLikelihood(MODEL.successes, MODEL.trials, matrix.x, matrix.names)
        fit = fit_mixed(model, random_part(random_effects(matrix, {"person": PERSON}, slopes={"person": ["x"]})))
        assert fit.converged
        logliks.append(fit.loglik)
    assert logliks == pytest.approx([logliks[0]] * 3, rel=1e-9)
