"""Tail probabilities and quantiles against R, from the middle far into the tail."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.known_names import check_choice
from textassay.stats.distributions import (
    check_alternative,
    chi2_upper,
    continuity_corrected,
    correlation_upper,
    f_quantile,
    f_upper,
    normal_p,
    normal_quantile,
    normal_upper,
    p_of_tails,
    student_p,
    studentized_range_quantile,
    studentized_range_upper,
    t_quantile,
)


def test_quantiles_equal_r():  # R 4.2.2: qnorm(.975), qnorm(1e-10); qt(.975, 9), qt(.9995, 1)
    assert normal_quantile(0.975) == pytest.approx(1.959963984540054, rel=1e-14)
    assert normal_quantile(1e-10) == pytest.approx(-6.361340902404056, rel=1e-13)
    assert t_quantile(0.975, 9) == pytest.approx(2.262157162798205, rel=1e-12)
    assert t_quantile(0.9995, 1) == pytest.approx(636.6192487687897, rel=1e-9)


def test_quantiles_of_f_equal_r():  # R 4.2.2: qf(.975, 5, 15), qf(.975, 5.6, 22.4), qf(.95, 1, 1)
    assert f_quantile(0.975, 5, 15) == pytest.approx(3.576415349279060, rel=1e-12)
    assert f_quantile(0.975, 5.6, 22.4) == pytest.approx(3.100041021036038, rel=1e-12)
    assert f_quantile(0.95, 1, 1) == pytest.approx(161.447638797588183, rel=1e-12)
    assert math.isnan(f_quantile(0.95, 0, 1))


@pytest.mark.parametrize(
    ("got", "expected"),
    [  # R 4.2.2
        (lambda: normal_upper(3), 0.001349898031630095),  # pnorm(-3)
        (lambda: normal_upper(30), 4.906713927148187e-198),  # pnorm(-30)
        (lambda: f_upper(4.84608786238014, 2, 27), 0.01590995832562288),  # pf(…, lower.tail = FALSE)
        (lambda: f_upper(500, 3, 40), 9.915760575405809e-32),
        (lambda: chi2_upper(16, 5), 0.006844073922420431),  # pchisq(…, lower.tail = FALSE)
        (lambda: chi2_upper(700, 5), 4.9119861035732e-149),
    ],
)
def test_upper_tails_equal_r(got, expected):
    assert got() == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("r", "n", "expected"),
    [  # R 4.2.2: 2 * pt(-r * sqrt((n - 2) / ((1 - r) * (1 + r))), n - 2)
        (0.5, 3, 0.6666666666666667),
        (1e-9, 100_000, 0.9999997476899017),
        (0.024, 52, 0.8658881695771026),
        (0.424, 52, 0.001733828047337454),
        (0.95, 10, 2.573706054687513e-05),
    ],
)
def test_p_of_a_correlation_equals_r(r, n, expected):
    assert correlation_upper(r, n) == pytest.approx(expected, rel=1e-13)
    assert correlation_upper(-r, n) == correlation_upper(r, n)


def test_what_has_no_degrees_of_freedom_is_nan():
    assert math.isnan(t_quantile(0.975, 0))
    assert math.isnan(correlation_upper(0.5, 2))
    assert math.isnan(f_upper(math.nan, 2, 3))
    assert math.isnan(chi2_upper(math.nan, 2))


# --- One- and two-sided p, and settings that are refused ------------------------------------------------------------


def test_undefined_stays_undefined():
    for side in ("two-sided", "greater", "less"):
        assert math.isnan(p_of_tails(math.nan, math.nan, side))
        assert math.isnan(normal_p(math.nan, side))
        assert math.isnan(student_p(math.nan, 3, side))


def test_sides_add_up():
    for z in (-3.0, -0.2, 0.0, 1.7):
        assert normal_p(z, "greater") + normal_p(z, "less") == pytest.approx(1)
        assert normal_p(z, "two-sided") == pytest.approx(2 * min(normal_p(z, "greater"), normal_p(z, "less")))
        assert student_p(z, 1e9, "greater") == pytest.approx(normal_p(z, "greater"), rel=1e-6)


def test_small_p_keeps_its_digits():
    # R 4.2.2: pnorm(-12), pt(-40, 9)
    assert normal_p(12.0, "greater") == pytest.approx(1.77648211207768e-33, rel=1e-12, abs=0)
    assert student_p(40.0, 9, "greater") == pytest.approx(9.49149922466992e-12, rel=1e-11, abs=0)


def test_continuity_correction_moves_towards_the_mean():
    assert continuity_corrected(0.0, "two-sided", continuity=True) == 0.0
    assert continuity_corrected(-2.0, "two-sided", continuity=True) == -1.5
    assert continuity_corrected(-2.0, "greater", continuity=True) == -2.5
    assert continuity_corrected(-2.0, "less", continuity=False) == -2.0


def test_unknown_choices_are_named():
    with pytest.raises(UsageError, match="alternative must be one of two-sided, greater, less; got 'both'"):
        check_alternative("both")
    with pytest.raises(UsageError, match="zeros must be one of a, b; got 'c'"):
        check_choice("zeros", "c", ("a", "b"))


# --- The studentized range against R, scipy, Student's t, and itself ------------------------------------------------


FILE = Path(__file__).parents[1] / "golden" / "studentized_range.json"
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


def test_a_range_beyond_every_float_has_probability_0() -> None:
    # R(w) is about exp(-w²/4): at 300 standard errors and 1e5 degrees of freedom nothing is left of it.
    assert studentized_range_upper(300.0, 50, 1e5) == 0
    np.testing.assert_array_equal(studentized_range_upper([300.0, 400.0], 3, 1e6), [0, 0])
    assert studentized_range_upper(300.0, 50, 10.0) > 0
