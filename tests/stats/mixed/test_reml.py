"""Criterion, estimates and gradient against the formulas with V written out."""

from __future__ import annotations

import math

import numpy as np
import pytest

from textassay.stats.mixed.mixed_design import MixedFormula, mixed_design
from textassay.stats.mixed.reml import MixedProducts, mixed_products, profiled_fit

N = 90
DRAW = np.random.default_rng(3)
FIXED = {"system": [["a", "b", "c"][index % 3] for index in range(N)], "length": 100 * DRAW.normal(size=N)}
LABELS = {"a": DRAW.integers(0, 9, N), "b": DRAW.integers(0, 5, N), "c": DRAW.integers(0, 3, N)}
Y = DRAW.normal(size=N) + 5


class WrittenOut:
    """The same model with dense matrices: the plain twin."""

    def __init__(self, groups: str, *, correlated: bool, y: np.ndarray = Y) -> None:
        slopes = {name: names for name, names in {"a": ["system"], "b": ["length"]}.items() if name in groups}
        design = mixed_design(
            N, FIXED, {g: LABELS[g] for g in groups}, MixedFormula(slopes=slopes, correlated=correlated)
        )
        self.x, self.y = design.matrix.x, y
        self.products: MixedProducts = mixed_products(y, self.x, design.effects)

    def solve(self, theta: np.ndarray, likelihood: str) -> tuple[float, np.ndarray, np.ndarray]:
        effects, x = self.products.effects, self.x
        unit = np.eye(effects.size)
        z = np.column_stack([effects.times(effects.scaled(theta, column)) for column in unit])
        v = np.eye(N) + z @ z.T
        xvx = x.T @ np.linalg.solve(v, x)
        beta = np.linalg.solve(xvx, x.T @ np.linalg.solve(v, self.y))
        left = self.y - x @ beta
        r2 = float(left @ np.linalg.solve(v, left))
        d = N - x.shape[1] if likelihood == "REML" else N
        criterion = np.linalg.slogdet(v)[1] + d * (1 + math.log(2 * math.pi * r2 / d))
        if likelihood == "REML":
            criterion += np.linalg.slogdet(xvx)[1]
        return float(criterion), beta, np.linalg.inv(xvx)


@pytest.mark.parametrize("groups", ["a", "b", "ab", "abc"])
@pytest.mark.parametrize("correlated", [True, False])
@pytest.mark.parametrize("likelihood", ["REML", "ML"])
def test_equals_the_formulas_written_out(groups: str, correlated: bool, likelihood: str) -> None:
    twin = WrittenOut(groups, correlated=correlated)
    theta = DRAW.normal(size=twin.products.effects.n_theta)
    fit = profiled_fit(twin.products, theta, likelihood)
    criterion, beta, covariance = twin.solve(theta, likelihood)
    assert fit.criterion == pytest.approx(criterion, rel=1e-11)
    np.testing.assert_allclose(fit.beta, beta, rtol=1e-8)
    np.testing.assert_allclose(fit.relative_covariance, covariance, rtol=1e-7, atol=1e-12)
    step = 1e-5
    numeric = [
        (twin.solve(theta + step * unit, likelihood)[0] - twin.solve(theta - step * unit, likelihood)[0]) / (2 * step)
        for unit in np.eye(len(theta))
    ]
    np.testing.assert_allclose(fit.gradient(), numeric, rtol=1e-5, atol=1e-5 * np.abs(numeric).max())


def test_gradient_where_variances_are_nothing() -> None:
    # At θ = 0 the criterion is even in every θ of the diagonal: its slope there is 0.
    twin = WrittenOut("ab", correlated=True)
    effects = twin.products.effects
    fit = profiled_fit(twin.products, np.zeros(effects.n_theta), "REML")
    np.testing.assert_array_equal(fit.gradient(), np.zeros(effects.n_theta))
    ordinary = np.linalg.lstsq(twin.x, Y, rcond=None)[0]
    np.testing.assert_allclose(fit.beta, ordinary, rtol=1e-9)


def test_large_offset_costs_no_digits() -> None:
    plain, moved = WrittenOut("ab", correlated=True), WrittenOut("ab", correlated=True, y=Y + 1e7)
    theta = plain.products.effects.start()
    one, other = (profiled_fit(each.products, theta, "REML") for each in (plain, moved))
    assert other.criterion == pytest.approx(one.criterion, rel=1e-9)
    assert other.beta[0] - 1e7 == pytest.approx(one.beta[0], abs=1e-7)
