"""Categories of ordered answers."""

from __future__ import annotations

import numpy as np
import pytest

from textassay.errors import DataError, UsageError
from textassay.stats.categorical.rating_scale import contains, rating_scale, thresholds


@pytest.mark.parametrize(
    "ratings", [[3, 1, 10], [3.0, 1.0, 10.0], np.array([3, 1, 10]), np.array([3, 1, 10.0], dtype=object)]
)
def test_numbers_sort_as_numbers_and_whole_ones_have_no_fraction(ratings):
    scale = rating_scale(ratings, None, "flexible")
    assert scale.categories == ("1", "3", "10")
    assert scale.codes.tolist() == [1, 0, 2]


def test_fractions_keep_their_name():
    assert rating_scale([0.5, 1, 1.5], None, "flexible").categories == ("0.5", "1.0", "1.5")


def test_text_needs_an_order():
    scale = rating_scale(["good", "bad", "fair"], ["bad", "fair", "good"], "flexible")
    assert scale.codes.tolist() == [2, 0, 1]


def test_levels_may_be_of_another_kind_of_number():
    assert rating_scale([1.0, 2.0], range(1, 3), "flexible").codes.tolist() == [0, 1]
    assert rating_scale(np.array([1, 2]), [1.0, 2.0], "flexible").categories == ("1", "2")


def test_an_empty_category_goes_unless_its_mirror_image_was_chosen():
    ratings = [1, 2, 2, 5]
    free = rating_scale(ratings, [1, 2, 3, 4, 5], "flexible")
    assert (free.categories, free.codes.tolist()) == (("1", "2", "5"), [0, 1, 1, 2])
    mirrored = rating_scale(ratings, [1, 2, 3, 4, 5], "symmetric2")
    assert (mirrored.categories, mirrored.codes.tolist()) == (("1", "2", "4", "5"), [0, 1, 1, 3])
    assert mirrored.warnings == ("category 3 was never chosen and excluded from the model",)


def test_answers_all_alike_say_something_only_about_a_scale_mirrored_at_0():
    assert rating_scale([1, 1], [-1, 1], "symmetric2").categories == ("-1", "1")
    with pytest.raises(ValueError, match="all 2 ratings are 1"):
        rating_scale([1, 1], [-1, 1], "symmetric")


# --- Patterns of thresholds, with the Jacobians of R's ordinal ------------------------------------------------------


PATTERNS = ["flexible", "symmetric", "symmetric2", "equidistant"]

# R 4.2.2, ordinal 2022.11.16: clm(y ~ x, threshold = …)$tJac, by rows
JACOBIANS = {
    ("symmetric", 3): [[1, 0], [0, 1]],
    ("symmetric", 4): [[1, -1], [1, 0], [1, 1]],
    ("symmetric", 5): [[1, 0, -1], [1, 0, 0], [0, 1, 0], [0, 1, 1]],
    ("symmetric", 6): [[1, 0, -1], [1, -1, 0], [1, 0, 0], [1, 1, 0], [1, 0, 1]],
    ("symmetric2", 3): [[-1], [1]],
    ("symmetric2", 4): [[-1], [0], [1]],
    ("symmetric2", 5): [[0, -1], [-1, 0], [1, 0], [0, 1]],
    ("symmetric2", 6): [[0, -1], [-1, 0], [0, 0], [1, 0], [0, 1]],
    ("equidistant", 5): [[1, 0], [1, 1], [1, 2], [1, 3]],
}


@pytest.mark.parametrize(("pattern", "count"), JACOBIANS)
def test_jacobian_is_that_of_r(pattern, count):
    found = thresholds(pattern, tuple(map(str, range(count))))
    np.testing.assert_array_equal(found.jacobian, JACOBIANS[pattern, count])
    assert len(found.names) == found.jacobian.shape[1]


def test_names_are_those_of_r():
    assert thresholds("symmetric", tuple("1234567")).names == ("central.1", "central.2", "spacing.1", "spacing.2")
    assert thresholds("symmetric", tuple("1234")).names == ("central", "spacing.1")
    assert thresholds("flexible", tuple("123")).names == ("1|2", "2|3")


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("cuts", [[-2.0, 0.1, 0.3, 5.0], [3.0, 3.0, 3.0, 3.0]])
def test_every_search_starts_from_increasing_thresholds(pattern, cuts):
    found = thresholds(pattern, tuple("12345"))
    assert np.all(np.diff(found.jacobian @ found.start(np.array(cuts))) > 0)


def test_two_categories_about_0_leave_nothing_to_estimate():
    found = thresholds("symmetric2", ("-1", "1"))
    assert found.names == ()
    assert found.start(np.zeros(1)).size == 0
    values, spread = found.carried(np.zeros(0), np.zeros((0, 0)))
    assert values.tolist() == [0.0]
    assert spread.tolist() == [[0.0]]


def test_an_infinite_parameter_spoils_its_own_thresholds_only():
    found = thresholds("symmetric2", tuple("12345"))
    covariance = np.array([[0.25, np.nan], [np.nan, np.nan]])
    values, spread = found.carried(np.array([0.5, np.inf]), covariance)
    assert values.tolist() == [-np.inf, -0.5, 0.5, np.inf]
    assert np.isnan(np.diagonal(spread)).tolist() == [True, False, False, True]
    assert spread[1, 1] == 0.25


def test_what_contains_what():
    # A pattern contains another if its Jacobian spans the other's.
    for larger in PATTERNS:
        for smaller in PATTERNS:
            wide, narrow = (thresholds(each, tuple("1234567")).jacobian for each in (larger, smaller))
            spans = np.linalg.matrix_rank(np.hstack([wide, narrow])) == np.linalg.matrix_rank(wide)
            assert contains(larger, smaller) == spans


def test_refuses_what_cannot_be():
    with pytest.raises(UsageError, match=r"thresholds must be one of flexible.*'free'"):
        thresholds("free", tuple("123"))
    with pytest.raises(DataError, match="at least 3 categories, got 2"):
        thresholds("equidistant", ("0", "1"))
