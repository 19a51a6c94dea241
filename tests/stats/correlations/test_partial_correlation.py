"""Partial correlation against R, pingouin and Yule's formula, and on data without one."""

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import partial_correlation, pearson, spearman

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "partial_correlation.json").read_text("utf-8"))["cases"]


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_equals_r(case):
    result, expected = partial_correlation(**case["input"], **case["settings"]), case["expect"]
    assert result.r == pytest.approx(expected["r"], rel=1e-12)
    assert result.p == pytest.approx(expected["p"], rel=1e-10)
    assert result.df == expected["df"]
    assert result.ci == pytest.approx(expected["ci"], rel=1e-10)


@pytest.mark.parametrize("coefficient", ["pearson", "spearman"])
def test_equals_pingouin(coefficient):
    import pingouin

    given_ = GOLDEN[1]["input"]
    frame = pd.DataFrame(given_["covariates"], columns=["u", "v"]).assign(x=given_["x"], y=given_["y"])
    theirs = pingouin.partial_corr(frame, x="x", y="y", covar=["u", "v"], method=coefficient).iloc[0]
    ours = partial_correlation(**given_, coefficient=coefficient)
    assert ours.r == pytest.approx(theirs["r"], rel=1e-10)
    assert ours.p == pytest.approx(theirs.filter(regex="^p").iloc[0], rel=1e-8)


rows = st.lists(st.tuples(*[st.integers(-9, 9)] * 3), min_size=5, max_size=20)


@given(rows, st.sampled_from([("pearson", pearson), ("spearman", spearman)]))
def test_one_covariate_is_yules_formula(data, how):
    x, y, z = np.array(data, dtype=float).T
    coefficient, correlate = how
    xy, xz, yz = correlate(x, y).r, correlate(x, z).r, correlate(y, z).r
    assume(not math.isnan(xy + xz + yz) and max(abs(xz), abs(yz)) < 0.999)
    expected = (xy - xz * yz) / math.sqrt((1 - xz**2) * (1 - yz**2))
    assert partial_correlation(x, y, z, coefficient=coefficient).r == pytest.approx(expected, abs=1e-9)


@given(rows, st.integers(1, 9), st.integers(-99, 99), st.randoms(use_true_random=False))
def test_order_scale_and_side_do_not_matter(data, scale, shift, random):
    x, y, z = np.array(data, dtype=float).T
    before = partial_correlation(x, y, z)
    assume(not math.isnan(before.r))
    places = random.sample(range(len(data)), len(data))
    after = partial_correlation(scale * y[places] + shift, x[places], scale * z[places] - shift)
    assert after.r == pytest.approx(before.r, abs=1e-9)
    assert after.df == before.df


def test_a_constant_covariate_takes_nothing_out():
    x, y = [1, 2, 3, 4, 5.5], [2, 1, 4, 3, 5]
    result = partial_correlation(x, y, [7] * 5)
    assert (result.r, result.p) == pytest.approx((pearson(x, y).r, pearson(x, y).p))
    assert result.covariates == 0
    assert result.warnings == ("1 of 1 covariates add nothing to the others",)


def test_a_covariate_twice_counts_once():
    given_ = GOLDEN[0]["input"]
    twice = np.column_stack([given_["covariates"], np.multiply(2, given_["covariates"])])
    result = partial_correlation(given_["x"], given_["y"], twice)
    assert result.r == pytest.approx(GOLDEN[0]["expect"]["r"], rel=1e-9)
    assert result.df == GOLDEN[0]["expect"]["df"]
    assert "1 of 2 covariates add nothing" in result.warnings[0]


@pytest.mark.parametrize(
    ("x", "y", "z", "reason"),
    [
        ([], [], [], "at least 2 pairs, got 0"),
        ([3, 3, 3, 3], [1, 2, 3, 4], [1, 3, 2, 4], "x is constant"),
        ([1, 2, 3, 5], [4, 1, 2, 2], [2, 4, 6, 10], "x is a linear function of the covariates"),
        ([4, 1, 2, 2], [1, 2, 3, 5], [2, 4, 6, 10], "y is a linear function of the covariates"),
        ([1, 2], [2, 1], [1, 2], "2 observations leave no residual degrees of freedom"),
    ],
)
def test_undefined_is_nan_with_its_reason(x, y, z, reason):
    result = partial_correlation(x, y, z)
    assert all(math.isnan(value) for value in (result.r, result.p, *result.ci))
    assert reason in result.warnings[0]


def test_few_observations_say_what_they_cannot_give():
    result = partial_correlation([1, 2, 4, 3], [2, 1, 3, 5], [1, 2, 2, 5])
    assert not math.isnan(result.p)
    assert result.warnings == ("the interval is undefined: it needs at least 5 observations, got 4",)
    three = partial_correlation([1, 2, 4], [2, 1, 3], [1, 2, 2])
    assert math.isnan(three.p)
    assert three.warnings[0] == "p is undefined: Student's t needs at least 4 observations, got 3"


@pytest.mark.parametrize(
    ("x", "y", "z", "message"),
    [
        ([1, 2, 3], [1, 2], [1, 2, 3], "x has 3, y has 2"),
        ([1, 2, 3], [1, 2, 4], [1, 2], r"shape \(3,\) or \(3, k\) for 3 observations, got \(2, 1\)"),
        ([1, 2, 3], [1, 2, 4], [1, math.nan, 3], "covariates have 1 missing or infinite value.s., the first in row 1"),
        ([1, 2, math.inf], [1, 2, 4], [1, 2, 3], "x has 1 missing or infinite"),
        ([1, 2, 3], [1, 2, 4], ["a", "b", "c"], "covariates must hold numbers only"),
    ],
)
def test_what_should_not_be_passed_is_refused(x, y, z, message):
    with pytest.raises(DataError, match=message):
        partial_correlation(x, y, z)


def test_wrong_settings_are_refused():
    with pytest.raises(UsageError, match="coefficient must be one of pearson, spearman; got 'kendall'"):
        partial_correlation([1, 2, 3], [1, 3, 2], [2, 1, 3], coefficient="kendall")
    with pytest.raises(UsageError, match="confidence"):
        partial_correlation([1, 2, 3], [1, 3, 2], [2, 1, 3], confidence=1)
