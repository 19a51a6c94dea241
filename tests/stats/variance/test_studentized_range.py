"""The studentized range against R, scipy, Student's t, and itself."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats.variance.studentized_range import studentized_range_quantile, studentized_range_upper

FILE = Path(__file__).parents[2] / "golden" / "studentized_range.json"
GOLDEN = {case["id"]: case for case in json.loads(FILE.read_text(encoding="utf-8"))["cases"]}


def upper_tails(case):
    inputs = zip(case["input"]["q"], case["input"]["k"], case["input"]["df"], strict=True)
    return [float(studentized_range_upper(q, k, float(df))) for q, k, df in inputs]


def test_equals_r():
    case = GOLDEN["ptukey_values"]
    assert upper_tails(case) == pytest.approx(case["expect"]["p"], abs=1e-9)


def test_equals_scipy():
    case = GOLDEN["scipy_upper_tails"]
    assert upper_tails(case) == pytest.approx(case["expect"]["p"], rel=1e-9, abs=1e-12)  # scipy: 1e-12 absolute


def test_two_means_are_student_t():
    case = GOLDEN["two_means_are_student"]
    assert upper_tails(case) == pytest.approx(case["expect"]["p"], rel=1e-12)


def test_two_means_with_known_variance_are_normal_far_into_the_tail():
    q = np.array([0.01, 1.0, 5.0, 20.0, 40.0])
    normal = [math.erfc(x / 2) for x in q]  # P(|Z| > q/√2) = erfc(q/2)
    assert studentized_range_upper(q, 2, math.inf).tolist() == pytest.approx(normal, rel=1e-12)


def test_quantiles_equal_scipy():
    case = GOLDEN["scipy_quantiles"]
    inputs = zip(case["input"]["alpha"], case["input"]["k"], case["input"]["df"], strict=True)
    found = [studentized_range_quantile(alpha, k, df) for alpha, k, df in inputs]
    assert found == pytest.approx(case["expect"]["q"], rel=1e-9)


@given(st.floats(1e-4, 0.999), st.integers(2, 150), st.one_of(st.integers(1, 5000), st.just(math.inf)))
def test_quantile_undoes_the_tail(alpha, k, df):
    q = studentized_range_quantile(alpha, k, df)
    assert float(studentized_range_upper(q, k, df)) == pytest.approx(alpha, rel=1e-11)


@pytest.mark.parametrize(("alpha", "k", "df"), [(1e-12, 3, 0.4), (1e-10, 34, 0.34), (1e-300, 3, 2), (1e-300, 9, 1)])
def test_quantiles_so_far_out_that_their_squares_leave_the_range_of_floats(alpha, k, df):
    q = studentized_range_quantile(alpha, k, df)
    assert q > 1e26
    assert float(studentized_range_upper(q, k, df)) == pytest.approx(alpha, rel=1e-9)


@given(st.integers(2, 150), st.one_of(st.integers(1, 5000), st.just(math.inf)))
def test_tail_falls_with_q_and_grows_with_k(k, df):
    q = np.linspace(0.05, 12, 40)
    tail = studentized_range_upper(q, k, df)
    assert np.all(np.diff(tail) <= 1e-13)
    assert np.all((tail >= 0) & (tail <= 1))
    assert np.all(studentized_range_upper(q, k + 1, df) >= tail - 1e-13)


def test_many_degrees_of_freedom_approach_known_variance():
    assert studentized_range_upper(4.0, 10, 1e9) == pytest.approx(studentized_range_upper(4.0, 10, math.inf), rel=1e-7)


def test_ends():
    tail = studentized_range_upper([-1.0, 0.0, math.inf, math.nan, 1e9], 3, 10)
    assert tail[:3].tolist() == [1.0, 1.0, 0.0]
    assert math.isnan(tail[3])
    assert 0 <= tail[4] < 1e-70


def test_one_block_or_many_is_the_same():
    q = np.linspace(0.1, 8, 5000)  # more than are worked on together
    whole = studentized_range_upper(q, 4, 12)
    assert whole[[0, 2500, 4999]].tolist() == pytest.approx(studentized_range_upper(q[[0, 2500, 4999]], 4, 12).tolist())


def test_bad_settings_are_refused():
    with pytest.raises(DataError, match="at least 2 means, got 1"):
        studentized_range_upper(3.0, 1, 10)
    with pytest.raises(DataError, match="above 0, got 0"):
        studentized_range_upper(3.0, 3, 0)
    with pytest.raises(UsageError, match="alpha must lie"):
        studentized_range_quantile(1.5, 3, 10)
