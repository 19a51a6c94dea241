"""Categories of ordered answers."""

from __future__ import annotations

import numpy as np
import pytest

from textassay.stats.categorical.rating_scale import rating_scale


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
    assert mirrored.warnings == ("category 3 was never chosen and left out of the model",)


def test_answers_all_alike_say_something_only_about_a_scale_mirrored_at_0():
    assert rating_scale([1, 1], [-1, 1], "symmetric2").categories == ("-1", "1")
    with pytest.raises(ValueError, match="all 2 ratings are 1"):
        rating_scale([1, 1], [-1, 1], "symmetric")
