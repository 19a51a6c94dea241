"""Linear mixed models against R and statsmodels, under change of labels and scale, and on data without an answer."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import anova, mixed_model

FOLDER = Path(__file__).parents[2] / "golden"
CASES = json.loads((FOLDER / "mixed_model.json").read_text(encoding="utf-8"))["cases"]
CROSSED = json.loads((FOLDER / "mixed_model_crossed.json").read_text(encoding="utf-8"))
DATA = CROSSED["data"]


def fitted(case, **more):
    if "input" in case:
        return mixed_model(*(case["input"][key] for key in ("values", "fixed", "random")), **case.get("settings", {}))
    data = DATA
    if without := case.get("without"):
        kept = [any(DATA[name][row] != level for name, level in without.items()) for row in range(len(DATA["y"]))]
        data = {name: [value for value, keep in zip(DATA[name], kept, strict=True) if keep] for name in DATA}
    fixed = {name: data[name] for name in case["fixed"]}
    random = {name: data[name] for name in ("participant", "item")}
    return mixed_model(data["y"], fixed, random, **{**case["settings"], **more})


def check(model, expected, rel: float) -> None:
    """All figures of R that are there; p, which magnifies errors of t, to ten times the tolerance."""
    found = {
        "fixef": [each.estimate for each in model.coefficients],
        "se": [each.se for each in model.coefficients],
        "df": [each.df for each in model.coefficients],
        "t": [each.t for each in model.coefficients],
        "sd": [each.sd for each in model.components],
        "correlations": [each.value for each in model.correlations],
        "sigma": model.sigma,
        "criterion": model.criterion,
        "REML": model.criterion,
        "aic": model.aic,
        "bic": model.bic,
    }
    for key in found.keys() & expected.keys():
        absolute = rel if key == "correlations" else 1e-12
        assert found[key] == pytest.approx(expected[key], rel=rel, abs=absolute), key
    if "p" in expected:
        assert [each.p for each in model.coefficients] == pytest.approx(expected["p"], rel=10 * rel)
    assert model.singular == expected.get("singular", False)
    assert model.converged


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_equals_lme4(case) -> None:
    # lme4 stops within 1e-8 of the least criterion, which leaves about 3e-5 of the standard deviations open.
    check(fitted(case), case["expect"], 5e-5)


@pytest.mark.parametrize("case", [case for case in CASES if "exact" in case], ids=lambda case: case["id"])
def test_equals_lme4_that_stops_later(case) -> None:
    check(fitted(case), case["exact"], 2e-6)


@pytest.mark.parametrize("case", CROSSED["models"], ids=lambda case: case["id"])
def test_crossed_equals_lmertest(case) -> None:
    model = fitted(case)
    check(model, case["expect"], 2e-6)
    for group, rows in case.get("first_effects", {}).items():
        found = list(model.random_effects[group].values())[: len(rows)]
        np.testing.assert_allclose(found, rows, atol=1e-6)
    if "first_fitted" in case:
        np.testing.assert_allclose(model.fitted[:5], case["first_fitted"], rtol=1e-7)
        np.testing.assert_allclose(model.fitted + model.residuals, DATA["y"])


@pytest.mark.parametrize(
    ("case", "sums"),
    [(case, sums) for case in CROSSED["models"] for sums in case.get("anova", {})],
    ids=lambda part: part if isinstance(part, str) else part["id"],
)
def test_tests_of_terms_equal_lmertest(case, sums: str) -> None:
    model = fitted(case, sums=sums)
    for name, (f, df, error_df, p) in case["anova"][sums].items():
        test = model.test(name)
        assert (test.f, *test.df) == pytest.approx((f, df, error_df), rel=2e-6), name
        assert test.p == pytest.approx(p, rel=2e-5)


def test_singular_fit_has_exactly_no_variance() -> None:
    model = fitted(next(case for case in CASES if case["id"] == "lmm_singular"))
    assert model.sd("g") == 0
    assert model.coefficient("(intercept)").se == pytest.approx(0.193283353145517, rel=1e-12)
    assert any("singular" in warning for warning in model.warnings)
    assert set(model.random_effects["g"].values()) == {(0.0,)}


def test_balanced_intercepts_are_the_one_way_anova() -> None:
    # Balanced: SD² between = (MS between - MS within) / n a group; F of anova = 1 + n θ².
    draw = np.random.default_rng(1)
    group = np.repeat(list("abcdef"), 5)
    y = np.repeat(draw.normal(size=6), 5) + draw.normal(size=30)
    table, model = anova(y, group), mixed_model(y, {}, {"g": group})
    assert model.sigma**2 == pytest.approx(table.ms[1], rel=1e-8)
    assert model.sd("g") ** 2 == pytest.approx((table.ms[0] - table.ms[1]) / 5, rel=1e-7)
    assert model.coefficient("(intercept)").estimate == pytest.approx(y.mean())
    assert model.coefficient("(intercept)").se == pytest.approx(math.sqrt(table.ms[0] / 30), rel=1e-8)


def test_equals_statsmodels() -> None:
    import pandas as pd
    import statsmodels.formula.api as smf

    case = next(case for case in CASES if case["id"] == "lmm_sleepstudy_rs")
    frame = pd.DataFrame({"y": case["input"]["values"], **case["input"]["fixed"], **case["input"]["random"]})
    peer = smf.mixedlm("y ~ Days", frame, groups="Subject", re_formula="~Days").fit(reml=True)
    model = fitted(case)
    assert model.estimates == pytest.approx(tuple(peer.fe_params), rel=1e-6)
    assert [each.se for each in model.coefficients] == pytest.approx(list(peer.bse_fe), rel=1e-3)
    assert model.log_likelihood == pytest.approx(peer.llf, abs=1e-5)
    assert model.log_likelihood >= peer.llf


# --- what must not matter -------------------------------------------------------------------------------------------

SMALL = {
    "y": DATA["y"][:120],
    "fixed": {name: DATA[name][:120] for name in ("system", "length")},
    "random": {name: DATA[name][:120] for name in ("participant", "item")},
}
PLAIN = mixed_model(SMALL["y"], SMALL["fixed"], SMALL["random"])


def same(one, other, rel: float = 1e-6) -> None:
    assert [each.t for each in other.coefficients] == pytest.approx([each.t for each in one.coefficients], rel=rel)
    assert [each.df for each in other.coefficients] == pytest.approx([each.df for each in one.coefficients], rel=1e-5)


@given(seed=st.integers(0, 1000))
@settings(max_examples=8, deadline=None)
def test_order_of_rows_does_not_matter(seed: int) -> None:
    order = np.random.default_rng(seed).permutation(120)
    moved = [{name: np.asarray(column)[order] for name, column in SMALL[part].items()} for part in ("fixed", "random")]
    model = mixed_model(np.asarray(SMALL["y"])[order], *moved)
    same(PLAIN, model)
    assert model.criterion == pytest.approx(PLAIN.criterion, abs=1e-8)


@given(scale=st.sampled_from([1e-6, 0.1, 3.0, 1e6]), offset=st.sampled_from([0.0, -50.0, 1e4]))
@settings(max_examples=8, deadline=None)
def test_affine_change_of_the_values(scale: float, offset: float) -> None:
    model = mixed_model([scale * (value + offset) for value in SMALL["y"]], SMALL["fixed"], SMALL["random"])
    assert [each.t for each in model.coefficients[1:]] == pytest.approx([e.t for e in PLAIN.coefficients[1:]], rel=1e-6)
    assert model.sigma == pytest.approx(scale * PLAIN.sigma, rel=1e-6)
    assert model.sd("item") == pytest.approx(scale * PLAIN.sd("item"), rel=1e-5)


def test_order_of_groupings_and_names_of_levels_do_not_matter() -> None:
    random = {name: [f"zz{label[::-1]}" for label in SMALL["random"][name]] for name in ("item", "participant")}
    same(PLAIN, mixed_model(SMALL["y"], SMALL["fixed"], random))


def test_coding_changes_coefficients_only() -> None:
    other = mixed_model(SMALL["y"], SMALL["fixed"], SMALL["random"], coding="sum")
    assert other.sigma == pytest.approx(PLAIN.sigma, rel=1e-7)
    np.testing.assert_allclose(other.fitted, PLAIN.fitted, rtol=1e-6)
    for one, two in zip(PLAIN.tests, other.tests, strict=True):
        assert two.f == pytest.approx(one.f, rel=1e-6)


@pytest.mark.parametrize("offset", [100.0, 1e4, 1e6])
def test_covariate_far_from_0_costs_no_digits(offset: float) -> None:
    # Correlated slopes: where x is 0 is a matter of the intercept only.
    slopes = {"participant": ["length"]}
    one = mixed_model(SMALL["y"], SMALL["fixed"], SMALL["random"], slopes=slopes)
    moved = {**SMALL["fixed"], "length": [value + offset for value in SMALL["fixed"]["length"]]}
    other = mixed_model(SMALL["y"], moved, SMALL["random"], slopes=slopes)
    assert other.criterion == pytest.approx(one.criterion, abs=1e-6)
    assert other.coefficient("length").t == pytest.approx(one.coefficient("length").t, rel=1e-6)
    assert other.coefficient("length").df == pytest.approx(one.coefficient("length").df, rel=1e-4)
    assert not any("rounding" in warning for warning in other.warnings)


# --- records --------------------------------------------------------------------------------------------------------


def test_records_hold_all_figures() -> None:
    model = fitted(next(case for case in CROSSED["models"] if case["id"] == "slopes")).about("clarity")
    records = model.records()
    kinds = [record["statistic"] for record in records]
    assert kinds == ["coefficient"] * 3 + ["F"] + ["SD"] * 4 + ["correlation"] * 3 + [
        "SD",
        "log-likelihood",
        "AIC",
        "BIC",
    ]
    assert all(record["of"] == "clarity" and record["n"] == 231 for record in records)
    assert records[1]["by"] == "system[B]"
    assert records[3]["df"] == model.test("system").df
    assert "|model:system + (1 + system | participant) + (1 | item)|" in model.signature


# --- data and calls that have no answer -----------------------------------------------------------------------------

Y = [1.0, 2.0, 4.0, 3.0, 3.5, 6.0, 8.0, 9.0, 11.0]
DAY = [0, 1, 2] * 3
PERSON = list("aaabbbccc")


@pytest.mark.parametrize(
    ("values", "fixed", "random", "message"),
    [
        ([5.0] * 9, {"day": DAY}, {"p": PERSON}, r"all values are equal \(5\)"),
        ([2.0 * day + 1 for day in DAY], {"day": DAY}, {"p": PERSON}, "fixed part explains the values exactly"),
        ([1.0, 1, 1, 4, 4, 4, 9, 9, 9], {}, {"p": PERSON}, "random effects explain the values all but exactly"),
        (Y, {"day": DAY}, {"p": ["a"] * 9}, "p has one level only"),
        (Y, {"day": DAY}, {"p": list("abcdefghi")}, r"9 levels with 1 effect\(s\) each, as many as there are values"),
        (Y, {"day": DAY}, {}, "at least one grouping"),
        (Y, {"f": list("abcdefghi")}, {"p": PERSON}, "9 values cannot carry 9 fixed effects"),
        (Y, {"day": DAY[:8]}, {"p": PERSON}, "day has 8, the response has 9"),
        (Y, {"day": DAY}, {"p": PERSON[:8]}, "p has 8, the response has 9"),
        ([math.nan, *Y[1:]], {"day": DAY}, {"p": PERSON}, "missing or infinite"),
        ([math.inf, *Y[1:]], {"day": DAY}, {"p": PERSON}, "missing or infinite"),
        (Y, {"day": [math.inf, *DAY[1:]]}, {"p": PERSON}, "day has 1 missing or infinite"),
        (Y, {"day": DAY}, {"p": [None, *PERSON[1:]]}, "1 missing label"),
        (Y, {"f": ["x"] * 9}, {"p": PERSON}, "f has one level only"),
        ([], {}, {"p": []}, "p has one level only|cannot carry"),
    ],
)
def test_refuses_data(values, fixed, random, message) -> None:
    with pytest.raises(DataError, match=message):
        mixed_model(values, fixed, random)


def test_refuses_as_many_slopes_as_values() -> None:
    with pytest.raises(DataError, match=r"3 levels with 3 effect\(s\) each"):
        mixed_model(Y, {"f": list("xyzxyzxyz")}, {"p": PERSON}, slopes={"p": ["f"]})


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"method": "reml"}, "method must be one of REML, ML; got 'reml'"),
        ({"sums": "IV"}, "sums must be one of"),
        ({"coding": "helmert"}, "coding must be one of"),
        ({"confidence": 95}, "confidence must lie between 0 and 1"),
        ({"slopes": {"q": ["day"]}}, "names the grouping 'q'"),
        ({"slopes": {"p": ["night"]}}, "'night', which is not a variable"),
        ({"terms": ["night"]}, "'night', which is not a variable"),
    ],
)
def test_refuses_settings(settings, message) -> None:
    with pytest.raises(UsageError, match=message):
        mixed_model(Y, {"day": DAY}, {"p": PERSON}, **settings)


def test_aliased_column_is_named_and_left_out() -> None:
    model = mixed_model(Y, {"day": DAY, "double": [2 * day for day in DAY]}, {"p": PERSON})
    assert [each.name for each in model.coefficients] == ["(intercept)", "day"]
    assert "column double is dropped" in model.warnings[0]
    assert math.isnan(model.test("double").f)
    assert any("F of double is undefined" in warning for warning in model.warnings)


def test_level_with_a_single_observation_is_no_trouble() -> None:
    model = mixed_model([*Y, 5.0], {"day": [*DAY, 1]}, {"p": [*PERSON, "d"]})
    assert model.converged
    assert len(model.random_effects["p"]) == 4


def test_says_when_rounding_eats_digits() -> None:
    # Values near 1e14 are known to 1/64 only.
    model = mixed_model([value + 1e14 for value in Y], {"day": DAY}, {"p": PERSON})
    assert any("rounding affects" in warning for warning in model.warnings)
    assert not mixed_model(Y, {"day": DAY}, {"p": PERSON}).warnings


def test_non_convergence_is_never_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    from textassay.stats.mixed import reml_search

    monkeypatch.setattr(reml_search, "_polish", lambda objective, theta, hessian: theta + 0.5)
    model = mixed_model(Y, {"day": DAY}, {"p": PERSON})
    assert not model.converged
    assert "|converged:no|" in model.signature
    assert any("did not converge" in warning for warning in model.warnings)


# --- What a result answers by name ----------------------------------------------------------------------------------


DRAW = np.random.default_rng(12)
GROUP = np.repeat(list("abcdefgh"), 6)
SYSTEM = np.tile(["u", "v", "w"], 16)
Y_MIXED_RESULT = DRAW.normal(size=48) + (SYSTEM == "w") + np.repeat(DRAW.normal(size=8), 6)
MODEL = mixed_model(Y_MIXED_RESULT, {"system": SYSTEM}, {"person": GROUP}, confidence=0.9)


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
    wider = mixed_model(Y_MIXED_RESULT, {"system": SYSTEM}, {"person": GROUP}, confidence=0.99)
    for narrow, wide in zip(MODEL.coefficients, wider.coefficients, strict=True):
        assert wide.p == narrow.p
        assert wide.ci[0] < narrow.ci[0] < narrow.estimate < narrow.ci[1] < wide.ci[1]


def test_against_a_smaller_model() -> None:
    found = MODEL.against(mixed_model(Y_MIXED_RESULT, {}, {"person": GROUP}))
    assert found.df == 2
    assert 0 < found.p < 1
