"""Pairs: differences, their standard errors, and probabilities with intervals inside 0 to 1."""

import math

import numpy as np
import pytest

from textassay.stats.preferences.ability_pairs import pairs_of
from textassay.stats.preferences.pair_likelihood import BRADLEY_TERRY, DAVIDSON, THURSTONE

PARAMETERS = np.array([1.0, 0.0, -2.0, 0.4, -0.5])  # three abilities, order effect, τ
COVARIANCE = np.array(
    [
        [0.20, 0.05, 0.02, 0.0, 0.01],
        [0.05, 0.10, 0.03, 0.0, 0.00],
        [0.02, 0.03, 0.30, 0.0, 0.02],
        [0.00, 0.00, 0.00, 0.1, 0.00],
        [0.01, 0.00, 0.02, 0.0, 0.04],
    ]
)
JUDGED = np.full((3, 3), 7.0)


def test_differences_by_hand():
    pairs = pairs_of("abc", BRADLEY_TERRY, PARAMETERS, COVARIANCE, JUDGED, 0.95)
    assert [(pair.first, pair.second) for pair in pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [pair.difference for pair in pairs] == [1, 3, 2]
    assert pairs[0].se == pytest.approx(math.sqrt(0.2 + 0.1 - 2 * 0.05))
    assert pairs[0].p == pytest.approx(math.erfc(1 / math.sqrt(0.2) / math.sqrt(2)))
    assert pairs[0].effect_size == pytest.approx(1 / (1 + math.exp(-1)))  # without the order effect
    assert {pair.n for pair in pairs} == {7}


@pytest.mark.parametrize("family", [BRADLEY_TERRY, DAVIDSON, THURSTONE], ids=lambda family: family.name)
def test_intervals_of_probabilities_are_the_delta_method(family):
    def log_odds(parameters):
        log_p = family.outcomes(np.array([parameters[0] - parameters[2]]), float(parameters[-1])).log_p[0, 0]
        return log_p - np.log(-np.expm1(log_p))

    step = 1e-6
    slope = np.array(
        [(log_odds(PARAMETERS + step * e) - log_odds(PARAMETERS - step * e)) / (2 * step) for e in np.eye(5)]
    )
    half = 1.959963984540054 * math.sqrt(slope @ COVARIANCE @ slope)
    pair = pairs_of("abc", family, PARAMETERS, COVARIANCE, JUDGED, 0.95)[1]
    found = [math.log(end / (1 - end)) for end in pair.effect_size_ci]
    assert found == pytest.approx([log_odds(PARAMETERS) - half, log_odds(PARAMETERS) + half], rel=1e-6)
    assert 0 < pair.effect_size_ci[0] < pair.effect_size < pair.effect_size_ci[1] < 1
