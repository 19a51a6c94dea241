"""One- and two-sided p, and settings that are refused."""

import math

import pytest

from textassay.errors import UsageError
from textassay.stats.tails import check_alternative, check_choice, corrected, normal_p, p_of_tails, student_p


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
    assert corrected(0.0, "two-sided", continuity=True) == 0.0
    assert corrected(-2.0, "two-sided", continuity=True) == -1.5
    assert corrected(-2.0, "greater", continuity=True) == -2.5
    assert corrected(-2.0, "less", continuity=False) == -2.0


def test_unknown_choices_are_named():
    with pytest.raises(UsageError, match="alternative must be one of two-sided, greater, less; got 'both'"):
        check_alternative("both")
    with pytest.raises(UsageError, match="zeros must be one of a, b; got 'c'"):
        check_choice("zeros", "c", ("a", "b"))
