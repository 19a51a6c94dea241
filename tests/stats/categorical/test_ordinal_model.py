"""Cumulative link models against R and statsmodels, under change of labels, scale and order, and on hard data."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import logistic_model, ordinal_model, proportional_odds

CASES = json.loads((Path(__file__).parents[2] / "golden" / "ordinal_model.json").read_text(encoding="utf-8"))["cases"]
BY_ID = {case["id"]: case for case in CASES}
WINE = BY_ID["wine"]["input"]
JUDGE = BY_ID["wine_laplace"]["settings"]["random"]["judge"]


def fitted(case, **more):
    return ordinal_model(case["input"]["ratings"], case["input"]["fixed"], **{**case.get("settings", {}), **more})


def parameters(model):
    return [*model.threshold_parameters, *model.coefficients]


@pytest.mark.parametrize("case", CASES, ids=list(BY_ID))
def test_equals_r(case):
    expected, model = case["expect"], fitted(case)
    mixed = bool(model.components)
    # clm stops at a gradient of 1e-6; clmm searches the modes to a gradient of 1e-4 unless told otherwise, and so its
    # estimates are good to five digits and its standard errors, from numerical second derivatives, to four.
    rel = 1e-5 if mixed else 1e-7
    assert model.converged
    assert model.warnings == ()
    assert model.loglik == pytest.approx(expected["loglik"], rel=1e-7)
    assert [each.estimate for each in parameters(model)] == pytest.approx(expected["parameters"], rel=rel)
    if "se" in expected:
        assert [each.se for each in parameters(model)] == pytest.approx(expected["se"], rel=1e-4 if mixed else 1e-7)
    if "p" in expected:
        assert [each.p for each in parameters(model)] == pytest.approx(expected["p"], rel=1e-3 if mixed else 1e-5)
    if "sd" in expected:
        assert [model.sd(group) for group in case["settings"]["random"]] == pytest.approx(expected["sd"], rel=1e-5)
    if "thresholds" in expected:
        assert [each.estimate for each in model.thresholds] == pytest.approx(expected["thresholds"], rel=1e-7)
    if "aic" in expected:
        assert model.aic == pytest.approx(expected["aic"], rel=1e-8)
    if "bic" in expected:
        assert model.bic == pytest.approx(expected["bic"], rel=1e-8)
    for group, modes in expected.get("modes", {}).items():
        assert [mode for (mode,) in model.random_effects[group].values()] == pytest.approx(modes, rel=1e-4, abs=1e-5)
    if "pairs" in expected:
        # the known answers are second − first
        pairs, rel = model.pairs(expected["pairs_of"]).turned(), 1e-4 if mixed else 1e-7
        assert [pair.difference for pair in pairs] == pytest.approx(expected["pairs"]["difference"], rel=rel)
        assert [pair.se for pair in pairs] == pytest.approx(expected["pairs"]["se"], rel=rel)
        assert [pair.p for pair in pairs] == pytest.approx(expected["pairs"]["p_holm"], rel=10 * rel)


def test_known_answers_without_random_effects_to_nine_digits():
    expected, model = BY_ID["wine"]["expect"], fitted(BY_ID["wine"])
    assert [each.estimate for each in parameters(model)] == pytest.approx(expected["parameters"], rel=1e-9)
    assert [each.se for each in parameters(model)] == pytest.approx(expected["se"], rel=1e-9)


def test_terms_by_likelihood_ratio_are_those_of_drop1():
    expected, model = BY_ID["wine"]["expect"], fitted(BY_ID["wine"], tests="lr")
    assert [test.name for test in model.tests] == ["temp", "contact"]
    assert [test.chi2 for test in model.tests] == pytest.approx(expected["drop1_chi2"], rel=1e-9)
    assert [test.p for test in model.tests] == pytest.approx(expected["drop1_p"], rel=1e-8)


def test_nested_models_are_those_of_anova():
    expected, model = BY_ID["wine"]["expect"], fitted(BY_ID["wine"])
    found = model.against(ordinal_model(WINE["ratings"], {}))
    assert found.logliks[0] == pytest.approx(expected["null_loglik"], rel=1e-10)
    assert (found.chi2, found.df) == (pytest.approx(expected["null_chi2"], rel=1e-9), 2)
    assert found.p == pytest.approx(expected["null_p"], rel=1e-8)


def test_nested_mixed_models():
    case = BY_ID["crossed"]
    smaller = ordinal_model(case["input"]["ratings"], {"length": case["input"]["fixed"]["length"]}, **case["settings"])
    assert smaller.loglik == pytest.approx(case["expect"]["without_system"], rel=1e-9)
    ratio = fitted(case).against(smaller)
    assert ratio.df == 2
    by_term = fitted(case, tests="lr").test("system")
    assert (by_term.chi2, by_term.p) == (pytest.approx(ratio.chi2, rel=1e-8), pytest.approx(ratio.p, rel=1e-7))


def test_a_variance_against_none_is_on_the_boundary():
    ratio = fitted(BY_ID["wine_laplace"]).against(fitted(BY_ID["wine"]))
    assert ratio.df == 1
    assert "boundary" in ratio.warnings[-1]


def test_probabilities_are_those_of_r():
    expected, model = BY_ID["wine"]["expect"], fitted(BY_ID["wine"])
    for setting, row in zip([("cold", "yes"), ("warm", "no")], expected["probabilities"], strict=True):
        found = model.probabilities(dict(zip(("temp", "contact"), setting, strict=True)))
        assert found == pytest.approx(row, rel=1e-9)
        assert sum(found) == pytest.approx(1)


def test_probabilities_of_one_judge_use_the_mode():
    model = fitted(BY_ID["wine_laplace"])
    typical = model.probabilities({"temp": "cold", "contact": "no"})
    generous = model.probabilities({"temp": "cold", "contact": "no"}, random={"judge": "1"})
    (mode,) = model.random_effects["judge"]["1"]
    cut = model.thresholds[0].estimate
    assert typical[0] == pytest.approx(1 / (1 + math.exp(-cut)))
    assert generous[0] == pytest.approx(1 / (1 + math.exp(-(cut - mode))))


def test_equals_statsmodels():
    from statsmodels.miscmodels.ordinal_model import OrderedModel

    x = np.column_stack([np.array(WINE["fixed"]["temp"]) == "warm", np.array(WINE["fixed"]["contact"]) == "yes"])
    other = OrderedModel(np.array(WINE["ratings"]), x.astype(float), distr="probit").fit(
        method="bfgs", disp=False, gtol=1e-8
    )
    model = fitted(BY_ID["wine_probit"])
    assert model.loglik == pytest.approx(other.llf, rel=1e-9)
    assert model.estimates == pytest.approx(other.params[:2], rel=1e-4)


def test_more_nodes_come_closer_to_the_integral():
    logliks = [fitted(BY_ID["wine_laplace"], nodes=nodes).loglik for nodes in (1, 5, 20, 40)]
    steps = np.abs(np.diff(logliks))
    assert steps[0] > steps[1] > steps[2]
    assert steps[2] < 1e-6


# --- invariances ----------------------------------------------------------------------------------------------------


def data(seed, n=60, categories=4):
    rng = np.random.default_rng(seed)
    system, length = rng.choice(["a", "b", "c"], n), rng.normal(size=n)
    latent = (system == "b") * 0.8 + 0.5 * length + rng.logistic(size=n)
    cuts = np.linspace(-1, 1.5, categories - 1)
    group = rng.choice(["p", "q", "r", "s", "t", "u"], n)
    return np.digitize(latent, cuts), {"system": system, "length": length}, {"person": group}


@given(st.integers(0, 10**6))
@settings(max_examples=15)
def test_reversed_scale_turns_all_signs(seed):
    ratings, fixed, _ = data(seed)
    assume(len(set(ratings.tolist())) == 4)
    one, other = ordinal_model(ratings, fixed), ordinal_model(-ratings, fixed)
    assume(np.all(np.isfinite(one.estimates)))
    assert one.loglik == pytest.approx(other.loglik, rel=1e-10)
    assert np.array(one.estimates) == pytest.approx(-np.array(other.estimates), rel=1e-6, abs=1e-8)


@given(st.integers(0, 10**6))
@settings(max_examples=15)
def test_only_the_order_of_categories_matters(seed):
    ratings, fixed, _ = data(seed)
    stretched = np.array([1.5, 4.0, 100.0, 10_000.0])[ratings]
    named = np.array(["bad", "fair", "good", "best"])[ratings]
    models = [ordinal_model(ratings, fixed), ordinal_model(stretched, fixed)]
    models.append(ordinal_model(named, fixed, levels=["bad", "fair", "good", "best"]))
    for model in models[1:]:
        assert model.estimates == models[0].estimates
        assert model.loglik == models[0].loglik


@given(st.integers(0, 10**6))
@settings(max_examples=6)
def test_rows_labels_and_units_do_not_matter(seed):
    ratings, fixed, random = data(seed)
    model = ordinal_model(ratings, fixed, random=random)
    assume(model.converged)
    order = np.random.default_rng(seed).permutation(len(ratings))
    renamed = {"person": np.char.add("other ", random["person"])[order]}
    moved = {"system": fixed["system"][order], "length": 1000 * fixed["length"][order] - 5}
    other = ordinal_model(ratings[order], moved, random=renamed)
    assert other.loglik == pytest.approx(model.loglik, rel=1e-8)
    assert other.coefficient("length").estimate * 1000 == pytest.approx(
        model.coefficient("length").estimate, rel=1e-4, abs=1e-6
    )
    assert other.coefficient("system[b]").z == pytest.approx(model.coefficient("system[b]").z, rel=1e-3, abs=1e-5)
    assert other.sd("person") == pytest.approx(model.sd("person"), rel=1e-3, abs=1e-3)


def test_coding_changes_coefficients_and_neither_tests_nor_pairs():
    ratings, fixed, random = data(3)
    formula = {"terms": ["system", "length", "system:length"], "random": random}
    one, other = (ordinal_model(ratings, fixed, coding=coding, **formula) for coding in ("treatment", "sum"))
    assert one.loglik == pytest.approx(other.loglik, rel=1e-10)
    for first, second in zip(one.tests, other.tests, strict=True):
        assert (first.name, first.df) == (second.name, second.df)
        assert first.chi2 == pytest.approx(second.chi2, rel=1e-5)
    for first, second in zip(one.pairs("system").pairs, other.pairs("system").pairs, strict=True):
        assert (first.difference, first.se) == pytest.approx((second.difference, second.se), rel=1e-5)


def test_two_categories_are_the_logistic_model():
    ratings, fixed, random = data(11)
    above = (ratings > 1).astype(int)
    for more in ({}, {"random": random}):
        ordinal, logistic = ordinal_model(above, fixed, **more), logistic_model(above, fixed, **more)
        assert ordinal.loglik == pytest.approx(logistic.loglik, rel=1e-9)
        assert ordinal.estimates == pytest.approx(logistic.estimates[1:], rel=1e-6)
        assert ordinal.thresholds[0].estimate == pytest.approx(-logistic.estimates[0], rel=1e-6)
        assert [each.se for each in ordinal.coefficients] == pytest.approx(
            [each.se for each in logistic.coefficients[1:]], rel=1e-5
        )


def test_slopes_and_crossed_groupings_are_found_again():
    # 40 participants, 30 items: drawn with standard deviations of 1, 0.7 and slopes of 0.8.
    rng = np.random.default_rng(12)
    person, item = np.repeat(np.arange(40), 30), np.tile(np.arange(30), 40)
    x = rng.choice([-1.0, 1.0], 1200)
    latent = (0.5 + 0.8 * rng.normal(size=40)[person]) * x + rng.normal(size=40)[person]
    latent += 0.7 * rng.normal(size=30)[item] + rng.logistic(size=1200)
    model = ordinal_model(
        np.digitize(latent, [-1.5, 0, 1.5]), {"x": x}, random={"person": person, "item": item}, slopes={"person": ["x"]}
    )
    assert model.converged
    assert model.sd("person") == pytest.approx(1, abs=0.35)
    assert model.sd("person", "x") == pytest.approx(0.8, abs=0.3)
    assert model.sd("item") == pytest.approx(0.7, abs=0.3)
    assert [cut.estimate for cut in model.thresholds] == pytest.approx([-1.5, 0, 1.5], abs=0.7)
    assert abs(model.correlations[0].value) < 0.6


# --- hard data ------------------------------------------------------------------------------------------------------


def test_separation_is_named_and_the_rest_is_estimated():
    # Every answer to b is a 3, so b is infinitely good; a against c is estimated as without b, and 2|3 stays finite.
    ratings, system = [1, 2, 2, 3, 3, 3, 3, 3, 2, 1, 2, 1], list("aaaabbbbcccc")
    model = ordinal_model(ratings, {"system": system})
    assert model.coefficient("system[b]").estimate == math.inf
    assert math.isnan(model.coefficient("system[b]").se)
    assert math.isnan(model.test("system").p)
    assert "separated" in model.warnings[0]
    assert "system[b] (+∞);" in model.warnings[0]
    without = ordinal_model(ratings[:4] + ratings[8:], {"system": system[:4] + system[8:]})
    assert model.coefficient("system[c]").estimate == pytest.approx(without.coefficients[0].estimate, rel=1e-6)
    assert model.coefficient("system[c]").se == pytest.approx(without.coefficients[0].se, rel=1e-5)
    assert model.probabilities({"system": "b"}) == (0.0, 0.0, 1.0)
    pairs = model.pairs("system")
    assert [math.isfinite(pair.p) for pair in pairs.pairs] == [False, True, False]
    by_ratio = ordinal_model(ratings, {"system": system}, tests="lr").test("system")
    assert by_ratio.p < 0.05


def test_complete_separation_leaves_probabilities_open():
    # b always got a 3, a never: the threshold 2|3 and b both run away, a stays where it is.
    model = ordinal_model([1, 2, 2, 1, 3, 3, 3, 3], {"system": list("aaaabbbb")})
    assert model.estimates == (math.inf,)
    assert [cut.estimate for cut in model.thresholds] == [pytest.approx(0, abs=1e-8), math.inf]
    assert model.probabilities({"system": "a"}) == pytest.approx((0.5, 0.5, 0), abs=1e-8)
    assert all(math.isnan(p) for p in model.probabilities({"system": "b"}))


def test_separation_with_random_effects_gives_no_estimates():
    ratings, system = [1, 2, 2, 3, 3, 3, 3, 3, 2, 1, 2, 1], list("aaaabbbbcccc")
    model = ordinal_model(ratings, {"system": system}, random={"person": list("pqrs") * 3})
    assert not model.converged
    assert "system[b] (+∞)" in model.warnings[0]
    assert np.all(np.isnan(model.estimates))
    assert math.isnan(model.loglik)


def test_a_category_that_nobody_chose_is_left_out_and_said():
    model = ordinal_model([1, 2, 5, 5, 1, 2, 2, 5], {"x": [1, 2, 3, 4, 2, 1, 3, 2]}, levels=range(1, 6))
    assert model.categories == ("1", "2", "5")
    assert "categories 3, 4 were never chosen" in model.warnings[0]
    same = ordinal_model([1, 2, 3, 3, 1, 2, 2, 3], {"x": [1, 2, 3, 4, 2, 1, 3, 2]})
    assert same.estimates == model.estimates


def test_no_variance_is_a_singular_fit_and_said():
    # wine: bottles differ no more than their conditions do (R: clmm warns and gives a variance of 1e-9).
    bottle = [str(row % 8) for row in range(72)]
    model = ordinal_model(**WINE, random={"judge": JUDGE, "bottle": bottle})
    assert model.sd("bottle") == 0
    assert model.singular == ("bottle",)
    assert any("bottle" in warning and "singular" in warning for warning in model.warnings)
    expected = fitted(BY_ID["wine_laplace"])
    assert model.loglik == pytest.approx(expected.loglik, abs=1e-6)
    assert [each.se for each in model.coefficients] == pytest.approx(
        [each.se for each in expected.coefficients], rel=1e-4
    )


def test_a_grouping_that_foretells_everything_is_said():
    group = np.repeat(np.arange(10), 6)
    model = ordinal_model(
        np.digitize(group, [3, 6]), {"x": np.tile([0.1, 0.5, 0.2, 0.9, 0.3, 0.4], 10)}, random={"g": group}
    )
    assert any("grows without end" in warning or "converge" in warning for warning in model.warnings)


def test_aliased_columns_are_left_out_and_said():
    ratings, fixed, _ = data(5)
    model = ordinal_model(ratings, {**fixed, "twice": 2 * fixed["length"] + 1, "same": np.ones(60)})
    assert [each.name for each in model.coefficients] == ["system[b]", "system[c]", "length"]
    assert sum("is dropped" in warning for warning in model.warnings) == 2


R = [1, 2, 3, 2, 1, 3]
X = {"x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]}


@pytest.mark.parametrize(
    ("ratings", "fixed", "more", "error", "message"),
    [
        ([], {}, {}, DataError, "there are no ratings"),
        ([2] * 6, X, {}, DataError, "all 6 ratings are 2"),
        ([1, 2, math.nan, 2, 1, 3], X, {}, DataError, "1 missing or infinite"),
        ([1, 2, math.inf, 2, 1, 3], X, {}, DataError, "index 2"),
        ([1, 2, None, 2, 1, 3], X, {"levels": [1, 2, 3]}, DataError, "1 missing label"),
        (list("abcabc"), X, {}, DataError, "say in which order"),
        (R, X, {"levels": [1, 2]}, DataError, "2 of the ratings are '3', which is not on the scale 1, 2"),
        (R, X, {"levels": [1, 2, 2, 3]}, DataError, "twice"),
        (R, {"x": [1.0, 2.0]}, {}, DataError, "x has 2, the response has 6"),
        (R, {"x": [1.0, 2.0, 3.0, 4.0, 5.0, math.nan]}, {}, DataError, "missing or infinite"),
        (R, {"s": ["a"] * 6}, {}, DataError, "one level only"),
        (R, X, {"random": {"p": ["a"] * 6}}, DataError, "one level only"),
        (R, X, {"random": {"p": ["a", "b"]}}, DataError, "p has 2"),
        (R, X, {"link": "cauchit"}, UsageError, "link must be one of logit, probit; got 'cauchit'"),
        (R, X, {"thresholds": "even"}, UsageError, "thresholds must be one of"),
        (R, X, {"terms": ["y"]}, UsageError, "not a variable"),
        (R, {}, {"terms": ["y"]}, UsageError, "none was given"),
        (R, X, {"coding": "helmert"}, UsageError, "coding must be one of"),
        (R, X, {"tests": "f"}, UsageError, "tests must be one of"),
        (R, X, {"confidence": 95}, UsageError, "between 0 and 1"),
        (R, X, {"nodes": 0}, UsageError, "nodes must lie between"),
        (R, X, {"nodes": 5}, UsageError, "no grouping"),
        (R, X, {"slopes": {"p": ["x"]}}, UsageError, "no grouping"),
        (R, X, {"nodes": 5, "random": {"p": list("aabbcc"), "q": list("abcabc")}}, UsageError, "one grouping"),
    ],
)
def test_refuses(ratings, fixed, more, error, message):
    with pytest.raises(error, match=message):
        ordinal_model(ratings, fixed, **more)


def test_models_that_are_not_nested_are_refused():
    ratings, fixed, random = data(5)
    model = ordinal_model(ratings, fixed, thresholds="symmetric")
    with pytest.raises(UsageError, match="not of the same answers"):
        model.against(ordinal_model(ratings[::-1], {}, thresholds="symmetric"))
    with pytest.raises(UsageError, match="flexible thresholds are no part"):
        model.against(ordinal_model(ratings, {}))
    with pytest.raises(UsageError, match="different links"):
        model.against(ordinal_model(ratings, {}, link="probit", thresholds="symmetric"))
    with pytest.raises(UsageError, match="by person, which the larger one lacks"):
        model.against(ordinal_model(ratings, {}, random=random, thresholds="symmetric"))
    with pytest.raises(UsageError, match="call it on the larger"):
        ordinal_model(ratings, {}, thresholds="symmetric").against(ordinal_model(ratings, {}, thresholds="symmetric"))
    assert model.against(ordinal_model(ratings, {}, thresholds="equidistant")).df == 3  # the coefficients


def test_unknown_names_are_answered_with_the_known_ones():
    model = fitted(BY_ID["wine_laplace"])
    with pytest.raises(UsageError, match=r"no coefficient 'temp'; it has temp\[warm\], contact\[yes\]"):
        model.coefficient("temp")
    with pytest.raises(UsageError, match="no term 'x'"):
        model.test("x")
    with pytest.raises(UsageError, match="no random effect"):
        model.sd("bottle")
    with pytest.raises(UsageError, match="not a factor"):
        model.pairs("judge")
    with pytest.raises(UsageError, match="'contact' is missing"):
        model.probabilities({"temp": "cold"})
    with pytest.raises(UsageError, match="no level 'hot'; it has cold, warm"):
        model.probabilities({"temp": "hot", "contact": "no"})
    with pytest.raises(UsageError, match="no grouping 'bottle'"):
        model.probabilities({"temp": "cold", "contact": "no"}, random={"bottle": "1"})
    with pytest.raises(UsageError, match="no level '99'"):
        model.probabilities({"temp": "cold", "contact": "no"}, random={"judge": "99"})


def test_records_hold_thresholds_coefficients_tests_spread_and_fit():
    records = fitted(BY_ID["wine_laplace"]).about("bitterness").records()
    assert [record["statistic"] for record in records] == [
        *["threshold"] * 4, *["coefficient"] * 2, *["Wald χ²"] * 2, "SD", "log-likelihood",
    ]  # fmt: skip
    assert {record["of"] for record in records} == {"bitterness"}


# --- Effects at each threshold against R, by hand, and under the assumption -----------------------------------------


GOLDEN = Path(__file__).parents[2] / "golden" / "proportional_odds.json"
CASES_PROPORTIONAL_ODDS = json.loads(GOLDEN.read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("case", CASES_PROPORTIONAL_ODDS, ids=[case["id"] for case in CASES_PROPORTIONAL_ODDS])
def test_equals_r_proportional_odds(case):
    expected, found = case["expect"], proportional_odds(case["input"]["ratings"], case["input"]["fixed"])
    # At wine no cold bottle got a 5: the largest likelihood lies at infinity, and R stops on the way, after 7 digits.
    assert found.chi2 == pytest.approx(expected["chi2"], rel=1e-7)
    assert [test.df for test in found.tests] == expected["df"]
    assert found.p == pytest.approx(expected["p"], rel=1e-6)


def test_says_which_terms_break_the_assumption():
    case = next(case for case in CASES_PROPORTIONAL_ODDS if case["id"] == "crossed")
    found = proportional_odds(case["input"]["ratings"], case["input"]["fixed"])
    assert len(found.warnings) == 1
    assert "length is not the same at all thresholds (p = 0.0086)" in found.warnings[0]
    assert proportional_odds(case["input"]["ratings"], case["input"]["fixed"], alpha=0.001).warnings == ()


def test_says_where_an_effect_is_infinite():
    case = next(case for case in CASES_PROPORTIONAL_ODDS if case["id"] == "wine")
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
def test_refuses_proportional_odds(ratings, fixed, more, error, message):
    with pytest.raises(error, match=message):
        proportional_odds(ratings, fixed, **more)
