"""What a result answers by name."""

from __future__ import annotations

import numpy as np
import pytest

from textassay.stats import mixed_model

DRAW = np.random.default_rng(12)
GROUP = np.repeat(list("abcdefgh"), 6)
SYSTEM = np.tile(["u", "v", "w"], 16)
Y = DRAW.normal(size=48) + (SYSTEM == "w") + np.repeat(DRAW.normal(size=8), 6)
MODEL = mixed_model(Y, {"system": SYSTEM}, {"person": GROUP}, confidence=0.9)


def test_by_name() -> None:
    assert MODEL.coefficient("system[w]") is MODEL.coefficients[2]
    assert MODEL.test("system") is MODEL.tests[0]
    assert MODEL.sd("person") == MODEL.components[0].sd
    assert MODEL.components[0].variance == MODEL.sd("person") ** 2
    assert MODEL.estimates[2] == MODEL.coefficient("system[w]").estimate
    for ask in (MODEL.coefficient, MODEL.test, MODEL.sd):
        with pytest.raises(KeyError):
            ask("nobody")


def test_random_effects_by_level_sum_to_nothing_in_a_balanced_design() -> None:
    effects = MODEL.random_effects["person"]
    assert list(effects) == list("abcdefgh")
    assert sum(effect for (effect,) in effects.values()) == pytest.approx(0, abs=1e-9)


def test_information_criteria_by_hand() -> None:
    # 3 coefficients, 1 variance, σ; n = 48
    assert MODEL.n_parameters == 5
    assert MODEL.log_likelihood == -MODEL.criterion / 2
    assert MODEL.aic == pytest.approx(MODEL.criterion + 10)
    assert MODEL.bic == pytest.approx(MODEL.criterion + 5 * np.log(48))


def test_confidence_changes_intervals_only() -> None:
    wider = mixed_model(Y, {"system": SYSTEM}, {"person": GROUP}, confidence=0.99)
    for narrow, wide in zip(MODEL.coefficients, wider.coefficients, strict=True):
        assert wide.p == narrow.p
        assert wide.ci[0] < narrow.ci[0] < narrow.estimate < narrow.ci[1] < wide.ci[1]


def test_against_a_smaller_model() -> None:
    found = MODEL.against(mixed_model(Y, {}, {"person": GROUP}))
    assert found.df == 2
    assert 0 < found.p < 1
