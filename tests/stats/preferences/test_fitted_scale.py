"""From parameters in any contrast to a centred scale; nothing but nan where there are none."""

import math

import numpy as np
import pytest

from textassay.stats.newton import LikelihoodPoint, Maximum
from textassay.stats.preferences.fitted_scale import FittedScale
from textassay.stats.preferences.pair_likelihood import BRADLEY_TERRY

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
