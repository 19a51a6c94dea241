"""Models of categories with crossed and nested random effects, against R."""

from __future__ import annotations

import numpy as np
import pytest
from unbalanced_ratings import unbalanced_ratings

from textassay.stats import logistic_model, ordinal_model

VALUES, PERSON, ITEM, SYSTEM = unbalanced_ratings()
FIXED = {"s": SYSTEM.astype(str)}
ITEMS = {"p": PERSON, "i": ITEM, "i:s": ITEM * 6 + SYSTEM}


def test_ordinal_equals_clmm() -> None:
    # ordinal::clmm(factor(pmin(pmax(round(y), 2), 6)) ~ s + (1 | p) + (1 | i) + (1 | p:s) + (1 | i:s))
    ratings = np.clip(np.round(VALUES), 2, 6).astype(int)
    model = ordinal_model(ratings, FIXED, random={**ITEMS, "p:s": PERSON * 6 + SYSTEM})
    ses = np.array([0.46543833, 0.44929699, 0.43621927, 0.42526055, 0.43178492])
    estimates = [0.71145439, 0.76712897, 0.86148604, 1.14082348, 1.22338022]
    found = [(each.estimate, each.se) for each in model.coefficients]
    assert np.max(np.abs(np.subtract([estimate for estimate, _ in found], estimates)) / ses) < 1e-3
    np.testing.assert_allclose([se for _, se in found], ses, rtol=1e-4)
    sds = {"p:s": 0.56941005, "i:s": 0.79242594, "p": 0.85062175, "i": 1.09360694}
    assert {each.group: each.sd for each in model.components} == pytest.approx(sds, rel=1e-4)


def test_logistic_equals_glmer() -> None:
    # glmer(y > 4.4 ~ s + (1 | p) + (1 | i) + (1 | i:s), family = binomial), with bobyqa to 1e-9 and tolPwrss = 1e-12
    model = logistic_model((VALUES > 4.4).astype(int), FIXED, random=ITEMS)
    ses = np.array([0.49061084, 0.52769666, 0.50337902, 0.49238756, 0.47783702, 0.47938846])
    estimates = [-1.71019461, 0.82907249, 1.28299544, 1.23308875, 1.43631313, 1.64098095]
    found = [(each.estimate, each.se) for each in model.coefficients]
    assert np.max(np.abs(np.subtract([estimate for estimate, _ in found], estimates)) / ses) < 1e-3
    np.testing.assert_allclose([se for _, se in found], ses, rtol=1e-3)
    sds = {"i:s": 0.56925222, "p": 0.80665635, "i": 0.99729553}
    assert {each.group: each.sd for each in model.components} == pytest.approx(sds, rel=1e-4)
