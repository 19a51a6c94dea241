"""The likelihood of counted comparisons: gradient, information, fixed parameters."""

import numpy as np
import pytest

from textassay.stats.preferences.pair_families import BRADLEY_TERRY, DAVIDSON, GLENN_DAVID, RAO_KUPPER, THURSTONE
from textassay.stats.preferences.pair_likelihood import PairModel, advantages, free_parameters

COUNTS = np.random.Generator(np.random.PCG64(5)).integers(1, 9, size=(3, 4, 4)).astype(float) * (1 - np.eye(4))
families = pytest.mark.parametrize(
    "family", [BRADLEY_TERRY, DAVIDSON, GLENN_DAVID, RAO_KUPPER, THURSTONE], ids=lambda family: family.name
)


def model_of(family, *, order=True):
    counts = COUNTS if family.ties else COUNTS[:2]
    return PairModel(family, counts, free_parameters(4, abilities=True, order=order, ties=family.ties))


@families
def test_score_is_the_gradient_of_the_log_likelihood(family):
    model = model_of(family)
    at = model.start() + np.linspace(0.1, 0.5, model.free.size)
    step = 1e-6
    slopes = [
        (model.evaluate(at + step * unit).loglik - model.evaluate(at - step * unit).loglik) / (2 * step)
        for unit in np.eye(at.size)
    ]
    assert model.evaluate(at).score == pytest.approx(slopes, rel=1e-5, abs=1e-4)


@families
def test_information_is_the_expected_square_of_the_score(family):
    # At given parameters, average the score's outer product over all outcomes of one comparison in one cell.
    model = model_of(family)
    at = model.start() + 0.3
    total = np.zeros((at.size, at.size))
    eta = advantages(model.full(at))
    log_p = family.outcomes(eta, float(model.full(at)[-1])).log_p
    for i, j in np.argwhere(model.counts.sum(axis=0) > 0):
        for outcome in range(len(model.counts)):
            single = np.zeros_like(model.counts)
            single[outcome, i, j] = 1
            score = PairModel(family, single, model.free).evaluate(at).score
            total += model.counts[:, i, j].sum() * np.exp(log_p[outcome, i, j]) * np.outer(score, score)
    assert model.evaluate(at).information == pytest.approx(total, rel=1e-9, abs=1e-9)


def test_a_threshold_below_zero_is_out_of_bounds():
    model = model_of(RAO_KUPPER)
    at = model.start()
    at[-1] = -0.1
    assert model.evaluate(at).loglik == -np.inf


def test_parameters_that_are_not_free_stay_at_zero():
    free = free_parameters(4, abilities=False, order=True, ties=True)
    model = PairModel(DAVIDSON, COUNTS, free)
    full = model.full(np.array([0.4, -0.7]))
    assert full.tolist() == [0, 0, 0, 0, 0.4, -0.7]
    # With equal abilities the maximum reproduces the shares: log odds of first over second, and of a tie.
    win, loss, tie = COUNTS.sum(axis=(1, 2))
    assert model.fit().parameters == pytest.approx([np.log(win / loss), np.log(tie / np.sqrt(win * loss))])
