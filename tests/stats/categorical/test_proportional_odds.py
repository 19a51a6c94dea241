"""Effects at each threshold against R, by hand, and under the assumption."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from textassay.errors import DataError, UsageError
from textassay.stats import logistic_model, ordinal_model, proportional_odds

GOLDEN = Path(__file__).parents[2] / "golden" / "proportional_odds.json"
CASES = json.loads(GOLDEN.read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_equals_r(case):
    expected, found = case["expect"], proportional_odds(case["input"]["ratings"], case["input"]["fixed"])
    # At wine no cold bottle got a 5: the largest likelihood lies at infinity, and R stops on the way, after 7 digits.
    assert found.chi2 == pytest.approx(expected["chi2"], rel=1e-7)
    assert [test.df for test in found.tests] == expected["df"]
    assert found.p == pytest.approx(expected["p"], rel=1e-6)


def test_says_which_terms_break_the_assumption():
    case = next(case for case in CASES if case["id"] == "crossed")
    found = proportional_odds(case["input"]["ratings"], case["input"]["fixed"])
    assert len(found.warnings) == 1
    assert "length is not the same at all thresholds (p = 0.0086)" in found.warnings[0]
    assert proportional_odds(case["input"]["ratings"], case["input"]["fixed"], alpha=0.001).warnings == ()


def test_says_where_an_effect_is_infinite():
    case = next(case for case in CASES if case["id"] == "wine")
    found = proportional_odds(case["input"]["ratings"], case["input"]["fixed"])
    assert found.warnings == ("free at each threshold, temp has infinite effects at some: its χ² is that of the limit",)


def test_with_one_factor_it_fits_every_count():
    # With its own threshold everywhere, a factor with two levels gives each cell its share: the largest possible
    # likelihood, so χ² is 2 Σ n log(share) less twice that of the ordinal model.
    ratings, system = np.array([1, 1, 2, 2, 3, 3, 1, 1, 1, 2, 3, 3, 3]), np.array([*["a"] * 6, *["b"] * 7])
    counts = np.array([[np.sum((ratings == k) & (system == s)) for k in (1, 2, 3)] for s in "ab"])
    saturated = np.sum(counts * np.log(counts / counts.sum(axis=1, keepdims=True)))
    chi2 = 2 * (saturated - ordinal_model(ratings, {"system": system}).loglik)
    assert proportional_odds(ratings, {"system": system}).chi2 == pytest.approx((chi2,), rel=1e-9)


def test_effects_at_thresholds_are_near_those_of_separate_logistic_models():
    # A latent variable whose spread depends on x breaks the assumption: slopes of both signs at the two thresholds.
    rng = np.random.default_rng(3)
    x = rng.choice([0.0, 1.0], 600)
    ratings = np.digitize(rng.logistic(size=600) * (1 + 2 * x), [-1, 1])
    slopes = [logistic_model((ratings > cut).astype(int), {"x": x}).estimates[1] for cut in (0, 1)]
    assert slopes[0] < 0 < slopes[1]
    assert proportional_odds(ratings, {"x": x}).p[0] < 1e-6


def test_p_is_even_where_the_assumption_holds():
    rng = np.random.default_rng(2)
    p = []
    for _ in range(60):
        x = rng.normal(size=150)
        p += proportional_odds(np.digitize(x + rng.logistic(size=150), [-1, 0, 1]), {"x": x}).p
    # 60 draws: the mean of even p has a standard error of 0.037, the share below .05 one of 0.028.
    assert np.mean(p) == pytest.approx(0.5, abs=0.12)
    assert np.mean(np.array(p) < 0.05) < 0.15


@pytest.mark.parametrize(
    ("ratings", "fixed", "more", "error", "message"),
    [
        ([1, 2, 1, 2], {"x": [1, 2, 3, 4]}, {}, DataError, "2 categories"),
        ([1, 2, 3, 2], {}, {}, DataError, "no term"),
        ([1, 1, 1, 1], {"x": [1, 2, 3, 4]}, {}, DataError, "all 4 ratings are 1"),
        ([1, 2, 3, math.nan], {"x": [1, 2, 3, 4]}, {}, DataError, "missing or infinite"),
        ([1, 2, 3], {"x": [1, 2, 3, 4]}, {}, DataError, "lengths"),
        ([1, 2, 3, 2], {"x": [1, 2, 3, 4]}, {"link": "log"}, UsageError, "link must be"),
        ([1, 2, 3, 2], {"x": [1, 2, 3, 4]}, {"alpha": 5}, UsageError, "alpha"),
    ],
)
def test_refuses(ratings, fixed, more, error, message):
    with pytest.raises(error, match=message):
        proportional_odds(ratings, fixed, **more)
