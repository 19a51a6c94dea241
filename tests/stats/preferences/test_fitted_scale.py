"""From parameters in any contrast to a centred scale; nothing but nan where there are none."""

import math

import numpy as np
import pytest

from textassay.stats.newton import LikelihoodPoint, Maximum
from textassay.stats.preferences.fitted_scale import FittedScale, pairs_of
from textassay.stats.preferences.pair_likelihood import BRADLEY_TERRY, DAVIDSON, THURSTONE

FOUND = Maximum(np.zeros(1), LikelihoodPoint(-4.0, np.zeros(1), np.eye(1)), 3, 1e-9, converged=True)


def test_the_contrast_of_the_parameters_does_not_matter():
    covariance = np.zeros((5, 5))
    covariance[1:3, 1:3] = [[0.2, 0.1], [0.1, 0.3]]
    judged = np.full((3, 3), 4.0)
    fields = [
        FittedScale(
            ("a", "b", "c"), BRADLEY_TERRY, judged, judged.sum(axis=1), 12, 0.95,
            np.array([0.0, 1.0, 2.0, 0.0, 0.0]) + np.array([shift, shift, shift, 0, 0]), covariance,
            found=FOUND, equal_loglik=-7.0,
        ).fields()
        for shift in (0.0, 5.0)
    ]  # fmt: skip
    values = [[ability.value for ability in each["abilities"]] for each in fields]
    assert values[0] == pytest.approx([-1, 0, 1])
    assert values[1] == pytest.approx(values[0])
    assert (fields[0]["chi2"], fields[0]["df"]) == (6.0, 2)
    assert fields[0]["p"] == pytest.approx(math.exp(-3))  # χ² on 2 degrees of freedom
    assert np.array(fields[0]["covariance"]).sum() == pytest.approx(0, abs=1e-12)


def test_without_estimates_all_is_nan():
    nothing = np.zeros((2, 2))
    fields = FittedScale.undefined(("a", "b"), BRADLEY_TERRY, nothing, nothing[0], 0, 0.95).fields()
    assert not fields["converged"]
    assert all(math.isnan(fields[key]) for key in ("chi2", "p", "loglik", "gradient"))
    assert all(math.isnan(ability.value) and math.isnan(ability.se) for ability in fields["abilities"])


# --- Pairs: differences, their standard errors, and probabilities with intervals inside 0 to 1 ----------------------


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
