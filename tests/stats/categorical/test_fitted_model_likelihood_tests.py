"""Tests of terms."""

from __future__ import annotations

import numpy as np
import pytest

from textassay.stats import logistic_model
from textassay.stats.categorical.fitted_model import wald_tests
from textassay.stats.mixed.mixed_design import MixedFormula, fixed_part

PART = fixed_part(6, {"s": list("abcabc"), "x": [1.0, 2.0, 3.0, 5.0, 4.0, 6.0]}, MixedFormula(), intercept=False)


def test_wald_by_hand():
    # Two columns with variances 1 and 4 and no covariance: 2²/1 + 2²/4 = 5; then 3²/9 = 1.
    tests, warnings = wald_tests(PART, np.array([2.0, 2.0, 3.0]), np.diag([1.0, 4.0, 9.0]))
    assert [(test.name, test.df) for test in tests] == [("s", 2), ("x", 1)]
    assert [test.chi2 for test in tests] == pytest.approx([5, 1])
    assert tests[0].p == pytest.approx(np.exp(-2.5))
    assert warnings == []


def test_an_infinite_estimate_spoils_the_test_of_its_own_term_only():
    covariance = np.diag([np.nan, 4.0, 9.0])
    tests, _ = wald_tests(PART, np.array([np.inf, 2.0, 3.0]), covariance)
    assert np.isnan(tests[0].chi2)
    assert tests[1].chi2 == pytest.approx(1)


def test_empty_cells_leave_no_test_of_type_3():
    system, cohort = list("aabbcca"), list("lmlmlll")  # no c with m
    formula = MixedFormula(["system", "cohort", "system:cohort"])
    part = fixed_part(7, {"system": system, "cohort": cohort}, formula, intercept=False)
    tests, warnings = wald_tests(part, np.zeros(len(part.matrix.names)), np.eye(len(part.matrix.names)))
    assert np.isnan(tests[0].chi2)
    assert warnings[0].startswith("χ² of system is undefined: cells of system:cohort are empty")


def test_warnings_of_the_smaller_fits_are_passed_on():
    outcome, x = [0, 0, 0, 0, 1, 1, 1, 1], [1.0, 2.0, 3.0, 4.0, 6.0, 7.0, 8.0, 9.0]
    found = logistic_model(outcome, {"x": x, "z": [1.0, -1.0] * 4}, tests="lr")
    assert any(text.startswith("without z: the data are separated") for text in found.warnings)
    assert not any(text.startswith("without x:") for text in found.warnings)
