"""The search ends at the minimum, at a variance of exactly 0 too, and leaves saddles."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.stats.mixed import reml_search
from textassay.stats.mixed.mixed_design import MixedFormula, mixed_design
from textassay.stats.mixed.reml import MixedProducts, mixed_products, profiled_fit
from textassay.stats.mixed.reml_search import canonical, least_criterion


def made(seed: int, sd: float, *, correlated: bool = True, slope_sd: float = 0.5) -> MixedProducts:
    draw = np.random.default_rng(seed)
    group, item = np.repeat(np.arange(12), 10), np.tile(np.arange(10), 12)
    x = draw.normal(size=120)
    y = x + sd * draw.normal(size=12)[group] + slope_sd * draw.normal(size=12)[group] * x + draw.normal(size=120)
    formula = MixedFormula(slopes={"g": ["x"]}, correlated=correlated)
    design = mixed_design(120, {"x": x}, {"g": group, "i": item}, formula)
    return mixed_products(y, design.matrix.x, design.effects)


@given(seed=st.integers(0, 10_000), sd=st.sampled_from([0.0, 0.1, 1.0, 10.0]), correlated=st.booleans())
def test_no_theta_near_or_far_is_better(seed: int, sd: float, correlated: bool) -> None:
    products = made(seed, sd, correlated=correlated)
    found = least_criterion(products, "REML")
    assert found.converged
    draw = np.random.default_rng(seed)
    theta = found.fit.theta
    others = [theta + size * draw.normal(size=theta.shape) for size in (1e-4, 1e-2, 0.3, 1.0) for _ in range(4)]
    least = min(profiled_fit(products, other, "REML").criterion for other in others)
    assert found.fit.criterion <= least + 1e-9


def test_a_variance_of_nothing_is_exactly_0() -> None:
    # Values whose group means are all equal: between groups there is less than chance alone would give.
    group = np.repeat(np.arange(6), 4)
    y = np.tile([1.0, -1.0, 2.0, -2.0], 6)
    design = mixed_design(24, {}, {"g": group}, MixedFormula())
    found = least_criterion(mixed_products(y, design.matrix.x, design.effects), "REML")
    assert found.fit.theta.tolist() == [0.0]
    assert found.fit.sigma2 == pytest.approx(y.var(ddof=1))


def test_leaves_a_saddle(monkeypatch: pytest.MonkeyPatch) -> None:
    # θ = 0 has no slope, whatever the data: a search that begins there must see that the criterion falls both ways.
    products = made(5, 1.0)
    expected = least_criterion(products, "REML").fit.criterion
    monkeypatch.setattr(type(products.effects), "start", lambda effects: np.zeros(effects.n_theta))
    assert least_criterion(products, "REML").fit.criterion == pytest.approx(expected, abs=1e-9)


def test_says_when_it_did_not_converge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reml_search, "_polish", lambda objective, theta, hessian: theta + 0.2)
    found = least_criterion(made(5, 1.0), "REML")
    assert not found.converged
    assert found.to_gain > 1e-3


def test_canonical_keeps_the_covariance() -> None:
    effects = made(1, 1.0).effects
    theta = np.array([-0.5, 0.3, -2.0, -0.7])
    found = canonical(effects, theta)
    assert np.all(found[effects.on_diagonal] >= 0)
    for one, other in zip(effects.factors(theta), effects.factors(found), strict=True):
        np.testing.assert_allclose(other @ other.T, one @ one.T)
    # An intercept that does not vary cannot go together with a slope.
    np.testing.assert_allclose(canonical(effects, np.array([0.0, 3.0, 4.0, 1.0])), [0, 0, 5, 1])


def test_scale_of_a_covariate_does_not_matter() -> None:
    draw = np.random.default_rng(2)
    group, x = np.repeat(np.arange(10), 8), draw.normal(size=80)
    y = x + draw.normal(size=10)[group] * (1 + x) + draw.normal(size=80)
    fits = []
    for scale in (1.0, 1e5):
        formula = MixedFormula(slopes={"g": ["x"]})
        design = mixed_design(80, {"x": scale * x}, {"g": group}, formula)
        fits.append(least_criterion(mixed_products(y, design.matrix.x, design.effects), "ML").fit)
    assert fits[1].criterion == pytest.approx(fits[0].criterion, abs=1e-8)
    np.testing.assert_allclose(fits[1].theta, fits[0].theta, rtol=1e-5)
