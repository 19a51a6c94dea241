"""Fits without random effects."""

from __future__ import annotations

import numpy as np
import pytest

from textassay.stats.categorical.laplace import find_modes
from textassay.stats.categorical.likelihood_fit import (
    RandomDesign,
    fit_fixed,
    fit_mixed,
    infinite_signs,
    inverse,
    not_converged,
    random_part,
    separation_message,
)
from textassay.stats.categorical.logistic_model import BinomialLikelihood
from textassay.stats.mixed.model_matrix import model_matrix
from textassay.stats.mixed.random_effects import random_effects


def coin(successes, trials, x=None):
    columns = np.ones((len(successes), 1)) if x is None else np.column_stack([np.ones(len(x)), x])
    names = ("(intercept)", "x")[: columns.shape[1]]
    return BinomialLikelihood(np.array(successes, float), np.array(trials, float), columns, names)


def test_log_odds_of_a_coin():
    # 30 of 40: log(30/10), with variance 1/30 + 1/10.
    fit = fit_fixed(coin([30], [40]))
    assert fit.converged
    assert fit.parameters[0] == pytest.approx(np.log(3), rel=1e-12)
    assert fit.covariance[0, 0] == pytest.approx(1 / 30 + 1 / 10, rel=1e-12)
    assert fit.distance < 1e-8


def test_the_limit_of_a_separated_fit():
    # At x = 1 all succeeded: its log odds grow without end, and the intercept is that of x = 0 alone.
    fit = fit_fixed(coin([1, 4], [3, 4], [0.0, 1.0]))
    assert fit.parameters.tolist() == [pytest.approx(np.log(1 / 2), rel=1e-7), np.inf]
    assert fit.covariance[0, 0] == pytest.approx(1 / 1 + 1 / 2, rel=1e-6)
    assert np.isnan(fit.covariance[1]).all()
    assert fit.loglik == pytest.approx(coin([1], [3]).point(np.log([1 / 2])).loglik, abs=1e-8)
    assert "x (+∞);" in fit.warnings[0]


def test_a_parameter_that_may_go_either_way_is_nan():
    # Two points that both failed and nothing else but successes at another: slope and intercept pull at one line.
    fit = fit_fixed(coin([0, 0, 3], [2, 2, 3], [-1.0, -1.0, 1.0]))
    assert np.isnan(fit.parameters[0])
    assert fit.parameters[1] == np.inf
    assert "(intercept) (±∞), x (+∞);" in fit.warnings[0]


def test_singular_information_has_no_inverse():
    assert np.isnan(inverse(np.ones((2, 2)))).all()


def test_failed_searches_say_how_far_they_came():
    assert "0.5 standard errors from the maximum after 7 steps" in not_converged(0.5, 7)
    assert "no maximum was found" in not_converged(np.nan, 7)


# --- Which parameters run away --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "signs"),
    [
        ([[1, 0], [-1, 0], [0, 1], [0, -1]], None),  # everything is held from both sides
        ([[1, 0], [-1, 0], [0, 1]], [0, 1]),
        ([[1, 0], [-1, 0], [0, -1]], [0, -1]),
        ([[1, 1], [-1, -1], [1, 0]], [1, -1]),  # their sum is held
        ([[1, 1]], [np.nan, np.nan]),  # either may go either way while the sum grows
        ([[1000, 0], [-1000, 0], [0, 1e-3]], [0, 1]),  # the scale of a column does not matter
    ],
)
def test_signs(rows, signs):
    found = infinite_signs(np.array(rows, dtype=float))
    assert (found is None) if signs is None else np.array_equal(found, signs, equal_nan=True)


def test_message_names_the_infinite_ones_only():
    message = separation_message(["a", "b", "c", "d"], np.array([1.0, 0.0, -1.0, np.nan]))
    assert "a (+∞), c (-∞), d (±∞);" in message


# --- Fits with random effects: what the search reports --------------------------------------------------------------


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
    tied = fit_mixed(MODEL, RandomDesign(CROSSED, np.ones((2, 1))))
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
