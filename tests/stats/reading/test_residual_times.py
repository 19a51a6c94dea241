"""Residual reading times against R's lm, and what residuals are."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import residual_times

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "residual_times.json").read_text(encoding="utf-8"))
CASES = GOLDEN["cases"]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_equals_r(case):
    found = residual_times(*(case["input"][key] for key in ("times", "participants", "predictors")))
    expected = case["expect"]
    assert found.residuals == pytest.approx(expected["residuals"], rel=1e-9, abs=1e-9)
    if "slopes" in expected:
        assert found.slopes["length"] == pytest.approx(expected["slopes"], rel=1e-9)
        assert found.intercepts == pytest.approx(expected["intercepts"], rel=1e-9)
        test = found.tests[0]
        assert (test.estimate, test.statistic, test.df, test.p) == pytest.approx(
            (expected["slope"], expected["t"], expected["df"], expected["p"]), rel=1e-9
        )
        assert test.ci == pytest.approx(expected["ci"], rel=1e-9)
    assert [record["by"] for record in found.records()] == list(case["input"]["predictors"])


@given(st.integers(0, 10_000))
def test_residuals_sum_to_nothing_and_know_nothing_of_length(seed):
    random = np.random.default_rng(seed)
    who, length = np.repeat([0, 1, 2], 8), random.integers(1, 15, 24).astype(float)
    length[[0, 8, 16]] = 20  # so that each varies
    found = np.array(residual_times(random.normal(400, 80, 24), who, {"length": length}).residuals)
    for participant in range(3):
        own = who == participant
        assert found[own].sum() == pytest.approx(0, abs=1e-8)
        assert found[own] @ length[own] == pytest.approx(0, abs=1e-6)


def test_a_participant_without_a_regression_has_no_residuals():
    found = residual_times([300, 310, 400, 450], ["a", "a", "b", "b"], {"length": [5, 5, 3, 9]})
    assert [math.isnan(residual) for residual in found.residuals] == [True, True, False, False]
    assert found.n == 2
    assert "1 of 2 subjects have no regression, so 2 times have no residual: length does not vary (a)" in found.warnings
    assert "the test of a slope is undefined" in found.warnings[-1]


@pytest.mark.parametrize(
    ("times", "predictors", "error", "message"),
    [
        ([1, 2], {}, UsageError, "names no predictor"),
        ([1, 2], {"length": [1]}, DataError, "length has 1"),
        ([1, math.nan], {"length": [1, 2]}, DataError, "missing or infinite"),
        ([1, 2], {"length": [1, math.inf]}, DataError, "length has 1 missing or infinite"),
    ],
)
def test_what_should_not_be_passed_is_refused(times, predictors, error, message):
    with pytest.raises(error, match=message):
        residual_times(times, ["a", "a"], predictors)
