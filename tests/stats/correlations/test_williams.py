"""Williams's test against R, by simulation, under exchange, and where it is undefined."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import williams

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "williams.json").read_text("utf-8"))["cases"]


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_equals_r(case):
    result, expected = williams(**case["input"]), case["expect"]
    assert result.value == pytest.approx(expected["t"], rel=1e-12)
    assert result.p == pytest.approx(expected["p"], rel=1e-11, abs=0)
    assert result.df == expected["df"]


def test_one_sided():
    given_, expected = GOLDEN[0]["input"], GOLDEN[0]["expect"]
    assert williams(**given_, alternative="greater").p == pytest.approx(expected["p_one_sided"], rel=1e-11)
    assert williams(**given_, alternative="less").p == pytest.approx(1 - expected["p_one_sided"], rel=1e-11)


correlations = st.floats(-0.6, 0.6)


@given(correlations, correlations, st.floats(0, 0.7), st.integers(5, 200))
def test_exchange_mirrors(r12, r13, r23, n):
    try:
        before = williams(r12, r13, r23, n)
    except DataError:  # no three variables have these correlations
        return
    after = williams(r13, r12, r23, n)
    assert (after.value, after.p) == pytest.approx((-before.value, before.p))


def test_equal_correlations_do_not_differ():
    result = williams(0.4, 0.4, 0.2, 30)
    assert (result.value, result.p) == (0.0, 1.0)


def test_level_under_the_null_hypothesis():
    # 4,000 samples of 25 with equal correlations: the share below .05 lies within 4 standard errors (.0138).
    generator = np.random.Generator(np.random.PCG64(8))
    root = np.linalg.cholesky([[1, 0.5, 0.5], [0.5, 1, 0.6], [0.5, 0.6, 1]])
    draws = generator.normal(size=(4_000, 25, 3)) @ root.T
    found = [np.corrcoef(sample.T) for sample in draws]
    p = np.array([williams(r[0, 1], r[0, 2], r[1, 2], 25).p for r in found])
    assert abs(np.mean(p < 0.05) - 0.05) < 4 * math.sqrt(0.05 * 0.95 / 4_000)


@pytest.mark.parametrize(
    ("r12", "r13", "r23", "n", "reason"),
    [
        (0.5, 0.4, 0.3, 3, "at least 4 observations, got 3"),
        (0.5, 0.5, 1.0, 20, "the two variables are the same"),
        (0.0, 0.0, -1.0, 20, "nothing is left to measure error by"),
        (0.6, -0.6, -1.0, 20, "nothing is left to measure error by"),
    ],
)
def test_undefined_is_nan_with_its_reason(r12, r13, r23, n, reason):
    result = williams(r12, r13, r23, n)
    assert math.isnan(result.value)
    assert math.isnan(result.p)
    assert reason in result.warnings[0]


def test_what_cannot_be_is_refused():
    with pytest.raises(DataError, match="no three variables"):
        williams(0.9, -0.9, 0.9, 30)
    with pytest.raises(DataError, match="r12 must be a correlation"):
        williams(math.nan, 0.1, 0.2, 30)
    with pytest.raises(UsageError, match="alternative"):
        williams(0.5, 0.1, 0.2, 30, alternative="1")
