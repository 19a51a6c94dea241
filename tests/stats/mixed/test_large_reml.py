"""Models without a factor against lme4, against the exact fit, and what they refuse."""

from __future__ import annotations

import math

import numpy as np
import pytest
from unbalanced_ratings import unbalanced_ratings

from textassay.errors import DataError
from textassay.stats import MixedModel, mixed_model
from textassay.stats.mixed import mixed_fit
from textassay.stats.mixed.mixed_fit import LargeMixedFit
from textassay.stats.mixed.model_comparison import compare_models

VALUES, PERSON, ITEM, SYSTEM = unbalanced_ratings()
FIXED = {"s": SYSTEM.astype(str)}
CROSSED = {"p": PERSON, "i": ITEM, "p:s": PERSON * 6 + SYSTEM, "i:s": ITEM * 6 + SYSTEM}
WITH_BOTH = {**CROSSED, "p:i": PERSON * 25 + ITEM}
# lmerTest::lmer(y ~ s + (1|p) + (1|i) + (1|p:s) + (1|i:s)), and the same with (1|p:i), of the values above.
LME4 = {
    "crossed": {
        "estimates": (3.60436860, 0.33807283, 0.41090051, 0.47881599, 0.63226484, 0.61818745),
        "se": (0.23633333, 0.25053139, 0.24218466, 0.23717807, 0.23152149, 0.23330620),
        "df": (161.48484, 186.84606, 171.34358, 165.53706, 153.38790, 155.60626),
        "sd": {"p:s": 0.35787559, "i:s": 0.46400431, "p": 0.51098571, "i": 0.58248046},
        "sigma": 0.92001494,
        "criterion": 2147.3142905,
        "f": (1.91804, 133.47349),
    },
    "with participant × item": {
        "estimates": (3.61550955, 0.35288811, 0.41469555, 0.44642197, 0.63831567, 0.57322781),
        "se": (0.23318549, 0.24809472, 0.23900304, 0.23437660, 0.22812572, 0.23070201),
        "df": (155.20140, 188.07016, 171.80319, 166.03737, 152.74548, 155.97101),
        "sd": {"p:i": 0.57437794, "p:s": 0.37599036, "i:s": 0.46022042, "p": 0.50026790, "i": 0.57547771},
        "sigma": 0.72935620,
        "criterion": 2119.3537565,
        "f": (1.83158, 136.80782),
    },
}
MODELS = [("crossed", CROSSED), ("with participant × item", WITH_BOTH)]


@pytest.fixture
def without_factor(monkeypatch: pytest.MonkeyPatch) -> None:
    """No model is small enough for a factor."""
    monkeypatch.setattr(mixed_fit, "_FEW", 0)
    monkeypatch.setattr(mixed_fit, "_MOST_SECONDS", 0.0)


@pytest.mark.parametrize(("name", "random"), MODELS)
def test_a_factor_gives_what_lme4_gives(name: str, random) -> None:
    known, model = LME4[name], mixed_model(VALUES, FIXED, random)
    np.testing.assert_allclose(model.estimates, known["estimates"], atol=1e-5)
    np.testing.assert_allclose([each.se for each in model.coefficients], known["se"], rtol=1e-5)
    np.testing.assert_allclose([each.df for each in model.coefficients], known["df"], rtol=1e-4)
    assert {each.group: each.sd for each in model.components} == pytest.approx(known["sd"], rel=1e-4)
    assert model.sigma == pytest.approx(known["sigma"], rel=1e-5)
    assert model.criterion == pytest.approx(known["criterion"], abs=1e-5)
    test = model.test("s")
    assert (test.f, test.df[1]) == pytest.approx(known["f"], rel=1e-4)


@pytest.mark.usefixtures("without_factor")
@pytest.mark.parametrize(("name", "random"), MODELS)
def test_without_a_factor_it_is_close_to_lme4(name: str, random) -> None:
    known, model = LME4[name], mixed_model(VALUES, FIXED, random)
    assert isinstance(model.fit, LargeMixedFit)
    assert model.converged
    ses = np.array([each.se for each in model.coefficients])
    assert np.max(np.abs(np.subtract(model.estimates, known["estimates"])) / known["se"]) < 0.02  # 0.1 is the bound
    np.testing.assert_allclose(ses, known["se"], rtol=0.02)  # 10 %
    np.testing.assert_allclose([each.df for each in model.coefficients], known["df"], rtol=0.06)
    assert {each.group: each.sd for each in model.components} == pytest.approx(known["sd"], rel=0.04)
    assert model.sigma == pytest.approx(known["sigma"], rel=0.01)


@pytest.mark.usefixtures("without_factor")
def test_what_is_not_known_is_nan_and_said() -> None:
    model = mixed_model(VALUES, FIXED, CROSSED)
    assert all(math.isnan(each) for each in (model.criterion, model.log_likelihood, model.aic, model.bic))
    assert model.settings["solver"] == "conjugate gradients, traces by 96 probes"
    (warning,) = model.warnings
    assert "random effects are too many to factorise" in warning
    assert "log-likelihood, AIC and BIC are not known" in warning
    assert not model.singular
    means = model.marginal_means("s")
    assert means.means[1].estimate - means.means[0].estimate == pytest.approx(model.coefficient("s[1]").estimate)
    assert model.components == mixed_model(VALUES, FIXED, CROSSED).components  # the probes are the same


@pytest.mark.usefixtures("without_factor")
def test_predictions_are_those_of_the_exact_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    large = mixed_model(VALUES, FIXED, {"p": PERSON, "i": ITEM}, slopes={"p": ["s"]}, correlated=False)
    monkeypatch.undo()
    exact = mixed_model(VALUES, FIXED, {"p": PERSON, "i": ITEM}, slopes={"p": ["s"]}, correlated=False)
    assert [(each.group, each.name) for each in large.components] == [
        (each.group, each.name) for each in exact.components
    ]
    assert float(np.corrcoef(large.fitted, exact.fitted)[0, 1]) > 0.995
    assert large.sigma == pytest.approx(exact.sigma, rel=0.01)


@pytest.mark.usefixtures("without_factor")
def test_a_variance_that_would_be_negative_is_0() -> None:
    # Participants whose mean residuals are all 0 vary less than by chance.
    centred = VALUES - (np.bincount(PERSON, VALUES) / np.maximum(np.bincount(PERSON), 1))[PERSON]
    model = mixed_model(centred, {}, {"p": PERSON, "i": ITEM})
    assert model.sd("p") == 0
    assert model.sd("i") > 0.3
    assert model.singular
    assert math.isfinite(model.coefficients[0].df)


@pytest.mark.usefixtures("without_factor")
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"method": "ML"}, "too many for a model with maximum likelihood"),
        ({"slopes": {"p": ["s"]}}, "too many for a model with correlated effects of p"),
    ],
)
def test_refuses_what_needs_a_factor(settings, message: str) -> None:
    with pytest.raises(DataError, match=message):
        mixed_model(VALUES, FIXED, {"p": PERSON, "i": ITEM}, **settings)


@pytest.mark.usefixtures("without_factor")
def test_large_models_are_not_compared() -> None:
    models: list[MixedModel] = [mixed_model(VALUES, FIXED, {"p": PERSON, "i": ITEM}), mixed_model(VALUES, {}, CROSSED)]
    with pytest.raises(DataError, match="too large for its likelihood"):
        compare_models(*models)


@pytest.mark.usefixtures("without_factor")
def test_want_of_memory_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(mixed_fit, "large_reml", exhausted)
    with pytest.raises(DataError, match="700 values with 64 random effects need more memory than there is"):
        mixed_model(VALUES, FIXED, {"p": PERSON, "i": ITEM})
