"""The test of fit: a saturated model leaves nothing, a circle of preferences everything."""

import math

import pytest

from textassay.stats import bradley_terry, bradley_terry_matrix


def test_two_systems_are_fitted_without_rest():
    result = bradley_terry_matrix([[0, 7], [3, 0]], [[0, 2], [0, 0]])
    assert result.deviance == pytest.approx(0, abs=1e-9)
    assert result.deviance_df == 0
    assert math.isnan(result.deviance_p)


def test_a_circle_of_preferences_fits_no_scale():
    # a beats b, b beats c, c beats a, 9 of 10 each: equal abilities, and a deviance of 3 · 2 · 10 · (log 2 - entropy).
    result = bradley_terry_matrix([[0, 9, 1], [1, 0, 9], [9, 1, 0]], None)
    entropy = -0.9 * math.log(0.9) - 0.1 * math.log(0.1)
    assert result.values == pytest.approx((0, 0, 0), abs=1e-9)
    assert result.deviance == pytest.approx(60 * (math.log(2) - entropy))
    assert (result.deviance_df, result.df) == (1, 2)
    assert result.deviance_p < 1e-4
    assert result.p == pytest.approx(1)


def test_pairs_that_never_met_do_not_count():
    # Four systems in a ring: four pairs, three abilities.
    ring = [[0, 2, 0, 1], [1, 0, 2, 0], [0, 1, 0, 2], [2, 0, 1, 0]]
    assert bradley_terry_matrix(ring, None).deviance_df == 1


def test_order_doubles_the_cells():
    first, second = list("ab" * 6), list("ba" * 6)
    outcome = [1, 1, -1, 1, 1, -1, 1, -1, -1, 1, 1, 1]
    assert bradley_terry(first, second, outcome).deviance_df == 0
    assert bradley_terry(first, second, outcome, order_effect=True).deviance_df == 0  # two cells, two parameters
    again = bradley_terry(
        [*first, "a", "c", "c", "b"], [*second, "c", "a", "b", "c"], [*outcome, 1, 1, 1, -1], order_effect=True
    )
    assert again.deviance_df == 6 - 3
