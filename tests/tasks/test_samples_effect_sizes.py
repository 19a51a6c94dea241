from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.tasks.samples import logistic, mean_logistic, solved


@pytest.mark.parametrize(
    ("logit", "sd", "expected"),
    [
        # R 4.2.2: integrate(function(z) plogis(logit + sd * z) * dnorm(z), -Inf, Inf)$value
        (1.0, 1.0, 0.69673467),
        (-2.0, 0.5, 0.129006536),
        (0.4, 2.0, 0.560329065),
    ],
)
def test_mean_probability_over_normal_logits(logit: float, sd: float, expected: float) -> None:
    assert mean_logistic(logit, sd) == pytest.approx(expected, abs=1e-6)


@given(st.floats(-20, 20), st.floats(0, 3))
def test_mean_probability_is_symmetric_and_plain_without_spread(logit: float, sd: float) -> None:
    assert mean_logistic(logit, sd) + mean_logistic(-logit, sd) == pytest.approx(1, abs=1e-12)
    assert mean_logistic(logit, 0.0) == pytest.approx(float(logistic(logit)), abs=1e-12)


def test_logistic_overflows_nowhere() -> None:
    assert logistic([-1000.0, 0.0, 1000.0]).tolist() == [0.0, 0.5, 1.0]


@given(st.floats(0.001, 0.999))
def test_what_was_solved_for_is_reached(target: float) -> None:
    found = solved(lambda logit: mean_logistic(logit, 0.8), target, -30, 30)
    assert mean_logistic(found, 0.8) == pytest.approx(target, abs=1e-9)


def test_what_is_out_of_reach_is_undefined_and_rounding_is_not() -> None:
    assert math.isnan(solved(lambda x: x, 2.0, 0.0, 1.0))
    assert math.isnan(solved(lambda x: x, -1.0, 0.0, 1.0))
    assert solved(lambda x: x + 1e-15, 0.0, 0.0, 1.0) == 0.0
