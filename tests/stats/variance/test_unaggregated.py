"""The warning for rows that are taken as independent although subjects have several."""

import pytest

from textassay.errors import DataError
from textassay.stats.variance.unaggregated import unaggregated


def test_one_row_a_subject_or_unknown_subjects_warn_of_nothing():
    assert unaggregated(["a", "b", "c"], ["x", "y", "x"], test="F") == ()
    assert unaggregated(None, test="F") == ()


@pytest.mark.parametrize(
    ("conditions", "words"),
    [
        (["x", "y", "x", "y", "y"], ["2 subjects gave 5 values, 2 to 3 each", "within subjects", "rm_anova"]),
        (["x", "x", "y", "y", "y"], ["between subjects", "average to one value for each subject first"]),
        (None, ["F(1, 3) takes them as 5 independent ones", "by_subjects_items", "mixed_model"]),
    ],
)
def test_the_design_is_named(conditions, words):
    (warning,) = unaggregated(["a", "a", "b", "b", "b"], conditions, test="F(1, 3)")
    assert all(word in warning for word in words)


def test_missing_subjects_are_refused():
    with pytest.raises(DataError, match="subjects has 1 missing label"):
        unaggregated(["a", None], test="F")
