"""Where p comes from: counted, drawn, or refused; draws agree with counts."""

import numpy as np
import pytest

from textassay.errors import DataError, UsageError
from textassay.stats.resampling.chance_p import Chance

DRAW = np.random.Generator(np.random.PCG64(11))


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_draws_come_close_to_the_count(alternative):
    differences = DRAW.normal(0.3, 1, size=14)
    counted, exact = Chance(alternative, "auto", 1, 0).flipped_signs(differences)
    drawn, by_count = Chance(alternative, "monte carlo", 40_000, 0).flipped_signs(differences)
    assert (exact, by_count) == (True, False)
    assert drawn == pytest.approx(counted, abs=5 * np.sqrt(0.25 / 40_000) * 2)
    values = DRAW.normal(size=16)
    counted, _ = Chance(alternative, "auto", 1, 0).exchanged_labels(values, 6)
    drawn, _ = Chance(alternative, "monte carlo", 40_000, 0).exchanged_labels(values, 6)
    assert drawn == pytest.approx(counted, abs=5 * np.sqrt(0.25 / 40_000) * 2)


def test_a_drawn_p_is_never_zero():
    # 40 differences of one sign: the true p is 2⁻⁴⁰, and 99 draws can say no more than 1/100.
    differences = np.abs(DRAW.normal(size=40)) + 1
    assert Chance("greater", "auto", 99, 0).flipped_signs(differences) == (0.01, False)
    assert Chance("two-sided", "auto", 99, 0).flipped_signs(differences) == (0.02, False)


def test_exact_or_nothing():
    with pytest.raises(DataError, match="25 units are too many"):
        Chance("greater", "exact", 99, 0).flipped_signs(DRAW.normal(size=25))
    with pytest.raises(DataError, match="25 units are too many"):
        Chance("greater", "exact", 99, 0).exchanged_labels(DRAW.normal(size=25), 10)


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        (("bigger", "auto", 99, 0), "alternative must be one of"),
        (("less", "asymptotic", 99, 0), "p must be one of auto, exact, monte carlo"),
        (("less", "auto", 0, 0), "draws must be"),
    ],
)
def test_impossible_settings_are_refused(chosen, message):
    with pytest.raises(UsageError, match=message):
        Chance(*chosen)
