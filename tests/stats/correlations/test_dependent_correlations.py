"""Steiger, Meng and Hittner against R's cocor, by simulation, under exchange, and where they are undefined."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import hittner, meng, steiger, williams, zou
from textassay.stats.correlations.dependent_correlations import covariance, fisher_mean, read_triple

FOLDER = Path(__file__).parents[2] / "golden"
TESTS = {"steiger": steiger, "meng": meng, "hittner": hittner}
EACH = pytest.mark.parametrize("compare", TESTS.values(), ids=TESTS)


@pytest.mark.parametrize("name", TESTS)
def test_equals_r(name):
    (case,) = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))["cases"]
    result = TESTS[name](**case["input"])
    assert result.value == pytest.approx(case["expect"]["z"], rel=1e-12)
    assert result.p == pytest.approx(case["expect"]["p"], rel=1e-12)
    assert (result.df, result.statistic, result.difference) == (None, "z", pytest.approx(0.15))
    one_sided = TESTS[name](**case["input"], alternative="greater").p
    assert one_sided == pytest.approx(case["expect"]["p"] / 2, rel=1e-12)


@EACH
@given(st.floats(-0.6, 0.6), st.floats(-0.6, 0.6), st.floats(0.1, 0.7), st.integers(5, 200))
def test_exchange_mirrors(compare, r12, r13, r23, n):
    try:
        before = compare(r12, r13, r23, n)
    except DataError:  # no three variables have these correlations
        return
    after = compare(r13, r12, r23, n)
    assert (after.value, after.p) == pytest.approx((-before.value, before.p), nan_ok=True)


@EACH
def test_agrees_with_williams_in_large_samples(compare):
    assert compare(0.50, 0.48, 0.6, 2_000).p == pytest.approx(williams(0.50, 0.48, 0.6, 2_000).p, rel=0.01)


@pytest.mark.long
@EACH
def test_level_under_the_null_hypothesis(compare):
    # 3,000 samples of 40 with equal correlations: the share below .05 lies within 4 standard errors.
    generator = np.random.Generator(np.random.PCG64(9))
    root = np.linalg.cholesky([[1, 0.5, 0.5], [0.5, 1, 0.6], [0.5, 0.6, 1]])
    found = [np.corrcoef(sample.T) for sample in generator.normal(size=(3_000, 40, 3)) @ root.T]
    p = np.array([compare(r[0, 1], r[0, 2], r[1, 2], 40).p for r in found])
    assert abs(np.mean(p < 0.05) - 0.05) < 4 * math.sqrt(0.05 * 0.95 / 3_000)


@pytest.mark.parametrize(
    ("r12", "r13", "r23", "n", "reason"),
    [
        (0.5, 0.4, 0.3, 3, "at least 4 observations, got 3"),
        (1.0, 0.5, 0.5, 20, "a perfect correlation has no Fisher z"),
        (0.5, 0.5, 1.0, 20, "the two variables are the same"),
    ],
)
@EACH
def test_undefined_is_nan_with_its_reason(compare, r12, r13, r23, n, reason):
    result = compare(r12, r13, r23, n)
    assert math.isnan(result.value)
    assert math.isnan(result.p)
    assert reason in result.warnings[0]


@EACH
def test_what_cannot_be_is_refused(compare):
    with pytest.raises(DataError, match="no three variables"):
        compare(0.9, -0.9, 0.9, 30)
    with pytest.raises(DataError, match="r13 must be a correlation"):
        compare(0.1, 2, 0.2, 30)
    with pytest.raises(UsageError, match="alternative"):
        compare(0.5, 0.1, 0.2, 30, alternative="one")


# --- Which three numbers can be the correlations of three variables -------------------------------------------------


@given(st.lists(st.tuples(*[st.integers(-9, 9)] * 3), min_size=5, max_size=12))
def test_correlations_of_real_data_are_accepted(data):
    columns = np.array(data, dtype=float).T
    if np.all(np.ptp(columns, axis=1)):
        r = np.clip(np.corrcoef(columns), -1, 1)
        triple = read_triple(r[0, 1], r[0, 2], r[1, 2], len(data))
        assert triple.determinant == pytest.approx(np.linalg.det(r), abs=1e-9)


def test_numpy_numbers_are_numbers():
    assert read_triple(np.float32(0.5), np.float64(0.25), 0, np.int64(9)).n == 9


@pytest.mark.parametrize(
    ("r12", "r13", "r23", "n", "message"),
    [
        (1.2, 0.1, 0.1, 20, "r12 must be a correlation between -1 and 1, got 1.2"),
        (0.1, math.nan, 0.1, 20, "r13 must be a correlation .* got nan"),
        (0.1, 0.1, "0.1", 20, "r23 must be a correlation .* got '0.1'"),
        (0.1, 0.1, 0.1, 20.5, "n must be the number of observations, a whole number, got 20.5"),
        (0.1, 0.1, 0.1, -3, "got -3"),
        (0.9, -0.9, 0.9, 20, "no three variables have the correlations 0.9, -0.9 and 0.9"),
    ],
)
def test_what_cannot_be_is_refused_correlation_triple(r12, r13, r23, n, message):
    with pytest.raises(DataError, match=message):
        read_triple(r12, r13, r23, n)


def test_fisher_z_of_two_correlations_correlates_as_theory_says():
    # Three normal variables, 4,000 samples of 60: the correlation of artanh r12 and artanh r13, with error 1/√4000.
    r12, r13, r23 = 0.6, 0.4, 0.5
    generator = np.random.Generator(np.random.PCG64(7))
    root = np.linalg.cholesky([[1, r12, r13], [r12, 1, r23], [r13, r23, 1]])
    draws = generator.normal(size=(4_000, 60, 3)) @ root.T
    draws -= draws.mean(axis=1, keepdims=True)
    draws /= np.linalg.norm(draws, axis=1, keepdims=True)
    first, second = (np.arctanh(np.sum(draws[..., 0] * draws[..., place], axis=1)) for place in (1, 2))
    assert np.corrcoef(first, second)[0, 1] == pytest.approx(covariance(r12, r13, r23), abs=4 / math.sqrt(4_000))


def test_fisher_mean_lies_between():
    assert fisher_mean(0.3, 0.3) == pytest.approx(0.3)
    assert 0.65 < fisher_mean(0.8, 0.5) < 0.8


# --- Williams's test against R, by simulation, under exchange, and where it is undefined ----------------------------


GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "williams.json").read_text("utf-8"))["cases"]


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_equals_r_williams(case):
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
def test_exchange_mirrors_williams(r12, r13, r23, n):
    try:
        before = williams(r12, r13, r23, n)
    except DataError:  # no three variables have these correlations
        return
    after = williams(r13, r12, r23, n)
    assert (after.value, after.p) == pytest.approx((-before.value, before.p))


def test_equal_correlations_do_not_differ():
    result = williams(0.4, 0.4, 0.2, 30)
    assert (result.value, result.p) == (0.0, 1.0)


def test_level_under_the_null_hypothesis_williams():
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
        (0.0, 0.0, -1.0, 20, "the error cannot be estimated"),
        (0.6, -0.6, -1.0, 20, "the error cannot be estimated"),
    ],
)
def test_undefined_is_nan_with_its_reason_williams(r12, r13, r23, n, reason):
    result = williams(r12, r13, r23, n)
    assert math.isnan(result.value)
    assert math.isnan(result.p)
    assert reason in result.warnings[0]


def test_what_cannot_be_is_refused_williams():
    with pytest.raises(DataError, match="no three variables"):
        williams(0.9, -0.9, 0.9, 30)
    with pytest.raises(DataError, match="r12 must be a correlation"):
        williams(math.nan, 0.1, 0.2, 30)
    with pytest.raises(UsageError, match="alternative"):
        williams(0.5, 0.1, 0.2, 30, alternative="1")


# --- Zou's interval against R's cocor, its coverage, under exchange, and where it is undefined ----------------------


(CASE,) = json.loads((Path(__file__).parents[2] / "golden" / "zou.json").read_text("utf-8"))["cases"]


def test_equals_r_zou():
    result = zou(**CASE["input"])
    assert result.ci == pytest.approx(CASE["expect"]["ci"], rel=1e-12)
    assert result.difference == pytest.approx(0.15)


def test_exchange_mirrors_and_confidence_widens():
    ci, mirrored = zou(0.7, 0.4, 0.3, 40).ci, zou(0.4, 0.7, 0.3, 40).ci
    assert mirrored == pytest.approx((-ci[1], -ci[0]))
    wide = zou(0.7, 0.4, 0.3, 40, confidence=0.99).ci
    assert wide[0] < ci[0] < 0.3 < ci[1] < wide[1]


def test_coverage():
    # 2,000 samples of 50: the share of intervals that hold the true difference lies within 4 standard errors.
    generator = np.random.Generator(np.random.PCG64(10))
    root = np.linalg.cholesky([[1, 0.6, 0.3], [0.6, 1, 0.4], [0.3, 0.4, 1]])
    found = [np.corrcoef(sample.T) for sample in generator.normal(size=(2_000, 50, 3)) @ root.T]
    held = [low <= 0.3 <= high for low, high in (zou(r[0, 1], r[0, 2], r[1, 2], 50).ci for r in found)]
    assert abs(np.mean(held) - 0.95) < 4 * math.sqrt(0.05 * 0.95 / 2_000)


@pytest.mark.parametrize(
    ("r12", "r13", "r23", "n", "reason"),
    [
        (0.5, 0.4, 0.3, 3, "at least 4 observations"),
        (1.0, 0.5, 0.5, 20, "perfect correlation"),
        (0.5, 0.5, 1.0, 20, "the two variables are the same"),
    ],
)
def test_undefined_is_nan_with_its_reason_zou(r12, r13, r23, n, reason):
    result = zou(r12, r13, r23, n)
    assert math.isnan(result.ci[0])
    assert math.isnan(result.ci[1])
    assert reason in result.warnings[0]


def test_what_cannot_be_is_refused_zou():
    with pytest.raises(DataError, match="no three variables"):
        zou(0.9, -0.9, 0.9, 30)
    with pytest.raises(DataError, match="whole number"):
        zou(0.5, 0.4, 0.3, 30.5)
    with pytest.raises(UsageError, match="confidence"):
        zou(0.5, 0.4, 0.3, 30, confidence=2)
