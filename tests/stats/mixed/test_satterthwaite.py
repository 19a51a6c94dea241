"""Degrees of freedom that balanced designs give in closed form, and their pooling."""

from __future__ import annotations

import math

import numpy as np
import pytest

from textassay.stats import mixed_model
from textassay.stats.mixed.satterthwaite import FixedInference

DRAW = np.random.default_rng(4)
GROUP = np.repeat(np.arange(8), 6)
X = np.tile(np.arange(6.0), 8)
Y = DRAW.normal(size=8)[GROUP] + 0.3 * X + DRAW.normal(size=48)


def known(**changed) -> FixedInference:
    fields = {
        "beta": np.array([1.0, 2.0]),
        "covariance": np.diag([1.0, 4.0]),
        "changes": np.array([np.diag([1.0, 0.0]), np.diag([0.0, 2.0])]),
        "uncertainty": np.diag([0.5, 0.25]),
    }
    return FixedInference(**{**fields, **changed})


def test_balanced_random_intercepts_have_whole_degrees_of_freedom() -> None:
    # Classical strata: the intercept (at the centre of x) on 8 - 1, the slope on 48 - 8 - 1.
    model = mixed_model(Y, {"x": X - X.mean()}, {"g": GROUP})
    assert model.coefficient("(intercept)").df == pytest.approx(7, rel=1e-6)
    assert model.coefficient("x").df == pytest.approx(39, rel=1e-6)


def test_balanced_random_slopes_have_one_less_than_the_groups() -> None:
    model = mixed_model(Y + X * DRAW.normal(size=8)[GROUP], {"x": X}, {"g": GROUP}, slopes={"g": ["x"]})
    assert model.coefficient("x").df == pytest.approx(7, rel=1e-5)


def test_by_hand() -> None:
    # c = (1, 0): variance 1, slope (1, 0), its variance 0.5: df = 2·1/0.5. c = (0, 1): 2·16 / (4·0.25).
    inference = known()
    assert inference.df(np.array([1.0, 0.0])) == 4
    assert inference.df(np.array([0.0, 1.0])) == 32
    effect = inference.effect("b", np.array([0.0, 1.0]), 0.95)
    assert (effect.estimate, effect.se, effect.t) == (2.0, 2.0, 1.0)
    assert effect.p == pytest.approx(0.3248127137)  # R 4.2.2: 2 * pt(-1, 32)
    assert effect.ci == pytest.approx((2 - 2 * 2.036933, 2 + 2 * 2.036933), rel=1e-6)  # qt(.975, 32)


def test_pooled_by_hand() -> None:
    # F = (1/1 + 4/4) / 2; E = 4/2 + 32/30, df = 2E / (E - 2) = 5.75.
    test = known().test("both", np.eye(2))
    assert test.f == 1
    assert test.df == pytest.approx((2, 5.75))
    assert test.p == pytest.approx(0.4239383047)  # R 4.2.2: pf(1, 2, 5.75, lower.tail = FALSE)


def test_hypothesis_does_not_depend_on_how_it_is_written() -> None:
    inference = known()
    one, other = inference.test("", np.eye(2)), inference.test("", np.array([[1.0, 1.0], [2.0, -1.0], [3.0, 0.0]]))
    assert other.f == pytest.approx(one.f)
    assert other.df[0] == 2


def test_small_degrees_of_freedom_pool_to_2() -> None:
    assert known(uncertainty=np.diag([2.0, 0.25])).test("", np.eye(2)).df == (2, 2.0)


def test_known_variances_are_tested_by_z_and_chi2() -> None:
    inference = known(changes=np.zeros((2, 2, 2)))
    effect = inference.effect("a", np.array([1.0, 0.0]), 0.95)
    assert math.isinf(effect.df)
    assert effect.p == pytest.approx(0.3173105)  # 2 * pnorm(-1)
    assert inference.test("", np.eye(2)).p == pytest.approx(math.exp(-1))  # χ² = 2 on 2 degrees of freedom


def test_contrast_that_is_unknown_stays_unknown() -> None:
    effect = known().effect("", np.array([math.nan, 1.0]), 0.95)
    assert math.isnan(effect.estimate)
    assert math.isnan(effect.df)
    assert math.isnan(effect.p)


def test_nothing_to_test() -> None:
    test = known().test("", np.zeros((1, 2)))
    assert math.isnan(test.f)
    assert test.df[0] == 0
