"""Likelihood-ratio tests against R, and comparisons that mean nothing."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from textassay.errors import DataError, UsageError
from textassay.stats import MixedModel, mixed_model
from textassay.stats.mixed.model_comparison import compare_models, likelihood_ratio_test

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "mixed_model_crossed.json").read_text(encoding="utf-8"))
DATA = GOLDEN["data"]
RANDOM = {name: DATA[name] for name in ("participant", "item")}
SYSTEM = {"system": DATA["system"]}


@pytest.fixture(scope="module")
def models():
    return {
        "none": mixed_model(DATA["y"], {}, RANDOM),
        "intercepts": mixed_model(DATA["y"], SYSTEM, RANDOM),
        "slopes": mixed_model(DATA["y"], SYSTEM, RANDOM, slopes={"participant": ["system"]}),
    }


@pytest.mark.parametrize("name", GOLDEN["likelihood_ratio"])
def test_equals_r(models, name: str) -> None:
    smaller, larger, expected = GOLDEN["likelihood_ratio"][name]
    found = likelihood_ratio_test(models[smaller], models[larger])
    assert (found.chi2, found.df, found.p) == pytest.approx((expected["chi2"], expected["df"], expected["p"]), rel=1e-6)
    for key, attribute in (("AIC", "aic"), ("BIC", "bic"), ("logLik", "log_likelihood"), ("npar", "parameters")):
        assert [getattr(model, attribute) for model in found.models] == pytest.approx(expected[key], rel=1e-8)


def test_says_that_reml_was_left_and_that_variances_lie_at_the_edge(models) -> None:
    found = models["slopes"].against(models["intercepts"])
    assert any("again by ML" in warning for warning in found.warnings)
    assert any("p of random effects is too large" in warning for warning in found.warnings)
    assert found.models[1].model == "system + (1 + system | participant) + (1 | item)"


def test_several_models_in_the_order_of_their_size(models) -> None:
    found = compare_models(models["slopes"], models["none"], models["intercepts"])
    assert [model.parameters for model in found.models] == [4, 6, 11]
    assert math.isnan(found.models[0].chi2)
    assert found.models[1].chi2 == pytest.approx(GOLDEN["likelihood_ratio"]["system"][2]["chi2"], rel=1e-6)
    records = found.about("clarity").records()
    assert [record["statistic"] for record in records] == ["chi2"] * 2 + ["AIC"] * 3
    assert records[0]["against"] == "1 + (1 | participant) + (1 | item)"


@pytest.mark.parametrize("other", ["cohort", "participant"])
def test_models_that_are_not_nested_say_so(models, other: str) -> None:
    if other == "cohort":
        smaller = mixed_model(DATA["y"], {"cohort": DATA["cohort"]}, RANDOM)
    else:
        smaller = mixed_model(DATA["y"], {}, {"list": DATA["cohort"], "item": DATA["item"]})
    found = likelihood_ratio_test(smaller, models["intercepts"])
    assert any("is not nested in" in warning for warning in found.warnings)


def test_correlated_slopes_are_not_nested_in_uncorrelated_ones() -> None:
    draw = np.random.default_rng(4)
    people, x, z, w = np.repeat(list("abcdefgh"), 6), *draw.normal(size=(3, 48))
    y = x + np.repeat(draw.normal(size=8), 6) + np.repeat(draw.normal(size=8), 6) * x + draw.normal(0, 0.5, 48)

    def fitted(correlated: bool, **fixed: np.ndarray) -> MixedModel:
        return mixed_model(y, {"x": x, **fixed}, {"person": people}, slopes={"person": ["x"]}, correlated=correlated)

    plain, joint = fitted(correlated=False), fitted(correlated=True)
    said = " ".join(likelihood_ratio_test(joint, fitted(correlated=False, z=z, w=w)).warnings)
    assert "is not nested in" in said
    assert "is not nested in" not in " ".join(likelihood_ratio_test(plain, joint).warnings)


def test_refuses_models_of_other_values(models) -> None:
    moved = mixed_model([value + 1 for value in DATA["y"]], SYSTEM, RANDOM)
    with pytest.raises(DataError, match="same values"):
        likelihood_ratio_test(models["none"], moved)


def test_refuses_the_wrong_order(models) -> None:
    with pytest.raises(DataError, match="it has 4, the smaller 6"):
        likelihood_ratio_test(models["intercepts"], models["none"])


def test_refuses_one_model(models) -> None:
    with pytest.raises(UsageError, match="at least two models, got 1"):
        compare_models(models["none"])
