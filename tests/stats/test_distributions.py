"""Tail probabilities and quantiles against R, from the middle far into the tail."""

import math

import pytest

from textassay.errors import UsageError
from textassay.stats.distributions import (
    check_alternative,
    check_choice,
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
