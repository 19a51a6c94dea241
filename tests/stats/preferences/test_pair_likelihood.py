"""The likelihood of counted comparisons: gradient, information, fixed parameters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.stats.preferences.pair_likelihood import (
    BRADLEY_TERRY,
    DAVIDSON,
    GLENN_DAVID,
    MAXDIFF,
    RAO_KUPPER,
    THURSTONE,
    PairModel,
    advantages,
    free_parameters,
)

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


# --- Models of one comparison: probabilities, derivatives, symmetry, and advantages beyond all bounds ---------------


FAMILIES = [BRADLEY_TERRY, DAVIDSON, GLENN_DAVID, MAXDIFF, RAO_KUPPER, THURSTONE]
families_pair_families = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
advantage = st.floats(-8, 8)
threshold = st.floats(0.05, 3)


@families_pair_families
@given(eta=advantage, tau=threshold)
def test_probabilities_sum_to_one_and_turn_round_with_the_pair(family, eta, tau):
    here = family.outcomes(np.array([eta]), tau)
    there = family.outcomes(np.array([-eta]), tau)
    assert np.exp(here.log_p).sum() == pytest.approx(1, abs=1e-12)
    assert here.log_p[0] == pytest.approx(there.log_p[1], rel=1e-9)
    assert len(here.log_p) == (3 if family.ties else 2)


@families_pair_families
@given(eta=advantage, tau=threshold)
def test_derivatives_are_those_of_the_log_probabilities(family, eta, tau):
    step = 1e-5
    at = family.outcomes(np.array([eta]), tau)
    by_eta = (
        family.outcomes(np.array([eta + step]), tau).log_p - family.outcomes(np.array([eta - step]), tau).log_p
    ) / (2 * step)
    by_tau = (
        family.outcomes(np.array([eta]), tau + step).log_p - family.outcomes(np.array([eta]), tau - step).log_p
    ) / (2 * step)
    assert at.by_eta == pytest.approx(by_eta, rel=1e-5, abs=1e-6)
    assert at.by_tau == pytest.approx(by_tau, rel=1e-5, abs=1e-6)


@families_pair_families
@pytest.mark.parametrize("eta", [30.0, 800.0, -800.0, 1e5])
def test_large_advantages_do_not_overflow(family, eta):
    found = family.outcomes(np.array([eta]), 0.7)
    for part in (found.log_p, found.by_eta, found.by_tau):
        assert np.all(np.isfinite(part))
    assert found.log_p.max() == pytest.approx(0, abs=1e-6)


def test_values_by_hand():
    nothing = np.zeros(1)
    assert np.exp(BRADLEY_TERRY.outcomes(np.log([3.0]), 0).log_p[:, 0]) == pytest.approx([0.75, 0.25])
    assert np.exp(MAXDIFF.outcomes(np.log([3.0]), 0).log_p[:, 0]) == pytest.approx([0.9, 0.1])
    # 2 : 1/2 : ν = 1, so 4/7, 1/7, 2/7
    assert np.exp(DAVIDSON.outcomes(np.log([4.0]), 0).log_p[:, 0]) == pytest.approx([4 / 7, 1 / 7, 2 / 7])
    # θ = 2: win 1/(1+2), loss 1/(1+2), tie the rest
    assert np.exp(RAO_KUPPER.outcomes(nothing, np.log(2)).log_p[:, 0]) == pytest.approx([1 / 3, 1 / 3, 1 / 3])
    # Φ(1) = .8413447460685429
    assert np.exp(THURSTONE.outcomes(np.ones(1), 0).log_p[0, 0]) == pytest.approx(0.8413447460685429)
    assert np.exp(GLENN_DAVID.outcomes(nothing, 1.0).log_p[2, 0]) == pytest.approx(2 * 0.8413447460685429 - 1)
