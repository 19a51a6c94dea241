"""Fits without random effects."""

from __future__ import annotations

import numpy as np
import pytest

from textassay.stats.categorical.likelihood_fit import (
    fit_fixed,
    infinite_signs,
    inverse,
    not_converged,
    separation_message,
)
from textassay.stats.categorical.logistic_model import BinomialLikelihood


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
