"""Lorch and Myers' three forms against R, and what they say about themselves."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import lorch_myers
from textassay.stats.reading.lorch_myers import criterion_mean_regression

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "lorch_myers.json").read_text(encoding="utf-8"))["cases"]
CASES = {case["id"]: case for case in GOLDEN}


def run(name):
    case = CASES[name]
    return lorch_myers(*(case["input"][key] for key in ("values", "subjects", "predictors")), **case["settings"])


def test_form_3_on_sleepstudy():
    result, expected = run("lorch_myers_sleepstudy"), CASES["lorch_myers_sleepstudy"]["expect"]
    slope = result["Days"]
    assert len(result.subjects) == expected["n_subjects"]
    assert (slope.estimate, slope.statistic, slope.p) == pytest.approx(
        (expected["slope_mean"], expected["slope_t"], expected["slope_p"]), rel=1e-9
    )
    assert slope.df == expected["df"]
    assert slope.ci == pytest.approx(expected["slope_ci"], rel=1e-9)
    assert (result.intercept.estimate, result.intercept.statistic) == pytest.approx(
        (expected["intercept_mean"], expected["intercept_t"]), rel=1e-9
    )
    assert sorted(result.per_subject["Days"]) == pytest.approx(sorted(expected["per_subject_slopes"]), rel=1e-9)
    assert result.warnings == ()


def test_form_2_on_sleepstudy():
    result, expected = run("lorch_myers_single_equation"), CASES["lorch_myers_single_equation"]["expect"]
    slope = result["Days"]
    assert (slope.statistic, slope.p) == pytest.approx((expected["F"], expected["p"]), rel=1e-9)
    assert slope.df == (expected["df1"], expected["df2"])
    assert slope.statistic == pytest.approx(run("lorch_myers_sleepstudy")["Days"].statistic ** 2)
    assert result.warnings == ()


def test_form_1_on_sleepstudy_is_a_published_mode():
    result, expected = run("criterion_means_sleepstudy"), CASES["criterion_means_sleepstudy"]["expect"]
    slope = result["Days"]
    assert (slope.estimate, slope.statistic, slope.p) == pytest.approx(
        (expected["slope"], expected["t"], expected["p"]), rel=1e-9
    )
    assert slope.df == expected["df"]
    assert slope.ci == pytest.approx(expected["ci"], rel=1e-9)
    assert result.intercept.statistic == pytest.approx(expected["intercept_t"], rel=1e-9)
    assert "published mode" in result.warnings[0]
    assert result.settings["items"] == 10


@pytest.mark.parametrize(
    "name", ["two_predictors_individual", "two_predictors_single_equation", "criterion_means_items"]
)
def test_two_predictors_equal_r(name):
    result = run(name)
    for predictor, line in CASES[name]["expect"]["slopes"].items():
        slope = result.intercept if predictor == "intercept" else result[predictor]
        assert slope.statistic == pytest.approx(line.get("t", line.get("F")), rel=1e-9)
        assert slope.p == pytest.approx(line["p"], rel=1e-8)
        assert slope.df == line.get("df", (1, line.get("df2")))
        assert slope.estimate == pytest.approx(line.get("estimate", line.get("slope")), rel=1e-9)
        if "ci" in line:
            assert slope.ci == pytest.approx(line["ci"], rel=1e-9)
        if "per_subject" in line and predictor != "intercept":
            assert result.per_subject[predictor] == pytest.approx(line["per_subject"], rel=1e-9)


def test_form_2_warns_where_subjects_read_different_things():
    assert "prefer form 3" in run("two_predictors_single_equation").warnings[0]


@given(st.integers(0, 10_000), st.sampled_from([1, 2, 3]), st.sampled_from([-4.0, 0.5, 10.0]), st.integers(-99, 99))
def test_affine_change_of_times_or_predictor_leaves_the_test(seed, form, scale, shift):
    random = np.random.default_rng(seed)
    values, x = random.normal(size=24), np.tile(random.permutation(6), 4)
    subjects = np.repeat(list("abcd"), 6)
    rows = random.permutation(24)
    before = lorch_myers(values, subjects, {"x": x}, form=form)["x"]
    after = lorch_myers(scale * values[rows] + shift, subjects[rows], {"x": scale * x[rows] + shift}, form=form)["x"]
    assert after.statistic == pytest.approx(before.statistic, rel=1e-6)
    assert after.estimate == pytest.approx(before.estimate, rel=1e-6)


def test_a_subject_whose_predictor_does_not_vary_is_left_out_and_named():
    values, subjects = [1, 2, 4, 2, 4, 8, 1, 3, 4], list("aaabbbccc")
    result = lorch_myers(values, subjects, {"length": [1, 2, 3, 1, 2, 3, 5, 5, 5]})
    assert result.subjects == ("a", "b")
    assert result.n == 6
    assert result["length"].df == 1
    assert result.warnings == ("1 of 3 subjects have no slope and are excluded: length does not vary (c)",)


@pytest.mark.parametrize(
    ("values", "form", "reason"),
    [
        ([1, 2, 3, 4, 5, 6], 3, "undefined for x: it is the same for all subjects"),
        ([0.1] * 6, 2, "undefined for x: it is the same for all subjects"),
        ([2.0, 4.0, 6.0, 2.0, 4.0, 6.0], 1, "the means lie on the line"),
    ],
)
def test_undefined_test_is_nan_with_its_reason(values, form, reason):
    result = lorch_myers(values, list("aaabbb"), {"x": [1, 2, 3] * 2}, form=form)
    assert math.isnan(result["x"].statistic)
    assert math.isnan(result["x"].p)
    assert reason in result.warnings[-1]


def test_one_subject_and_too_few_items_have_no_test():
    single = lorch_myers([1, 2, 4], ["a"] * 3, {"x": [1, 2, 3]})
    assert "at least 2 subjects, got 1" in single.warnings[0]
    two = lorch_myers([1, 2, 4, 5], list("aabb"), {"x": [1, 2, 1, 2]}, form=1)
    assert "2 items for 2 coefficients" in two.warnings[-1]
    assert math.isnan(two["x"].p)


def test_records_name_test_and_slope():
    records = run("two_predictors_individual").about("reading time").records()
    assert [(record["statistic"], record["by"]) for record in records] == [
        ("t", "length"),
        ("t", "frequency"),
        ("t", "intercept"),
    ]
    assert run("two_predictors_single_equation").records()[0]["statistic"] == "F"


@pytest.mark.parametrize(
    ("predictors", "settings", "error", "message"),
    [
        ({"x": [1, 2, 3, 4]}, {"form": 4}, UsageError, "form must be 1, 2 or 3"),
        ({}, {}, UsageError, "names no predictor"),
        ({"x": [1, 2, 3, 4]}, {"confidence": 1.0}, UsageError, "confidence must lie"),
        ({"x": [1, 2, 3]}, {}, DataError, "x has 3"),
        ({"x": [1, 2, 3, math.inf]}, {}, DataError, "x has 1 missing or infinite"),
        (
            {"x": [1, 2, 3, 4]},
            {"form": 1, "items": list("ijij")},
            DataError,
            r"x has several values for 2 item.s. \(i, j\)",
        ),
    ],
)
def test_what_should_not_be_passed_is_refused(predictors, settings, error, message):
    with pytest.raises(error, match=message):
        lorch_myers([1, 2, 4, 3], list("aabb"), predictors, **settings)


def test_unknown_predictor_is_refused():
    with pytest.raises(UsageError, match="there is no predictor 'days'; did you mean 'Days'"):
        _ = run("lorch_myers_sleepstudy")["days"]


# --- Regression of items' means against numpy's least squares -------------------------------------------------------


def test_equals_least_squares_of_the_means():
    random = np.random.default_rng(9)
    items = np.repeat(np.arange(8), [3, 1, 4, 2, 2, 5, 3, 2])
    x, z = random.normal(size=8)[items], random.normal(size=8)[items]
    y = random.normal(1e6, 1, items.size)
    fit = criterion_mean_regression(y, {"x": x, "z": z}, items)
    means = np.bincount(items, y) / np.bincount(items)
    first = [np.flatnonzero(items == item)[0] for item in range(8)]
    columns = np.column_stack([np.ones(8), x[first], z[first]])
    b, left, *_ = np.linalg.lstsq(columns, means, rcond=None)
    assert fit.estimates == pytest.approx(b)
    assert fit.se == pytest.approx(np.sqrt(left[0] / 5 * np.diagonal(np.linalg.inv(columns.T @ columns))), rel=1e-5)
    assert (fit.df, fit.items) == (5, 8)
    without_names = criterion_mean_regression(y, {"x": x, "z": z}, None)
    assert without_names.estimates == pytest.approx(fit.estimates)


def test_predictors_that_go_together_have_no_regression():
    fit = criterion_mean_regression([1, 2, 4, 3], {"x": [1, 2, 3, 4], "z": [2, 4, 6, 8]}, None)
    assert np.isnan(fit.estimates).all()
    assert "predictors together" in fit.warnings[0]


def test_an_item_has_one_value_of_a_predictor():
    with pytest.raises(DataError, match="z has several values for 1 item"):
        criterion_mean_regression([1, 2, 3], {"x": [1, 1, 2], "z": [1, 2, 2]}, ["i", "i", "j"])
    with pytest.raises(DataError, match="values has 3, items has 2"):
        criterion_mean_regression([1, 2, 3], {"x": [1, 1, 2]}, ["i", "i"])
