"""A fitted model answers further questions from its arrays."""

from __future__ import annotations

import numpy as np
import pytest

from textassay.stats import mixed_model

DRAW = np.random.default_rng(9)
GROUP, ITEM = np.repeat(np.arange(10), 8), np.tile(np.arange(8), 10)
X = 40 * DRAW.normal(size=80)
INTERCEPT, SLOPE = DRAW.normal(size=10)[GROUP], DRAW.normal(size=10)[GROUP]
Y = X / 40 + INTERCEPT + SLOPE * X / 40 + DRAW.normal(size=8)[ITEM] + 0.5 * DRAW.normal(size=80)
MODEL = mixed_model(Y, {"x": X}, {"g": GROUP, "i": ITEM}, slopes={"g": ["x"]})


def test_fitted_by_the_other_likelihood_is_that_model() -> None:
    other = mixed_model(Y, {"x": X}, {"g": GROUP, "i": ITEM}, slopes={"g": ["x"]}, method="ML")
    again = MODEL.fit.by("ML")
    assert again.minimum.fit.criterion == pytest.approx(other.criterion, abs=1e-9)
    assert MODEL.fit.by("REML") is MODEL.fit


def test_predicted_effects_solve_the_mixed_model_equations() -> None:
    # Henderson: Zᵀ(y - Xβ - Zb) / σ² = Σ⁻¹ b, for each level of each grouping.
    sigma2 = MODEL.sigma**2
    for term, factor, effects in zip(MODEL.fit.design.effects.terms, MODEL.fit.factors, MODEL.fit.effects, strict=True):
        left = term.transposed(MODEL.residuals) / sigma2
        right = effects @ np.linalg.inv(sigma2 * factor @ factor.T)
        np.testing.assert_allclose(left, right, rtol=1e-6, atol=1e-8)
    x = MODEL.fit.design.matrix.x
    np.testing.assert_allclose(x.T @ MODEL.residuals / np.abs(x).sum(axis=0), 0, atol=1e-8)


def test_shows_itself_as_a_formula() -> None:
    assert MODEL.fit.notation() == "x + (1 + x | g) + (1 | i)"
    assert MODEL.fit.n_parameters == 2 + 3 + 1 + 1
    assert not MODEL.fit.singular
