"""Models of one comparison: probabilities, derivatives, symmetry, and advantages beyond all bounds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.stats.preferences.pair_families import (
    BRADLEY_TERRY,
    DAVIDSON,
    GLENN_DAVID,
    MAXDIFF,
    RAO_KUPPER,
    THURSTONE,
)

FAMILIES = [BRADLEY_TERRY, DAVIDSON, GLENN_DAVID, MAXDIFF, RAO_KUPPER, THURSTONE]
families = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
advantage = st.floats(-8, 8)
threshold = st.floats(0.05, 3)


@families
@given(eta=advantage, tau=threshold)
def test_probabilities_sum_to_one_and_turn_round_with_the_pair(family, eta, tau):
    here = family.outcomes(np.array([eta]), tau)
    there = family.outcomes(np.array([-eta]), tau)
    assert np.exp(here.log_p).sum() == pytest.approx(1, abs=1e-12)
    assert here.log_p[0] == pytest.approx(there.log_p[1], rel=1e-9)
    assert len(here.log_p) == (3 if family.ties else 2)


@families
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


@families
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
