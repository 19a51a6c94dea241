"""Means of subjects in conditions: averaging, labels for post hoc tests, and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import paired_t, rm_anova, tukey
from textassay.stats.variance.cell_means import cell_means, joined_names, unaggregated

FULL = [(subject, order, text) for subject in "ab" for order in "xy" for text in "123"]


@given(st.lists(st.tuples(st.sampled_from(FULL), st.integers(-99, 99)), max_size=40))
def test_means_are_those_of_a_plain_loop(more):
    rows = [(cell, place) for place, cell in enumerate(FULL)] + more
    subjects, orders, texts = zip(*(cell for cell, _ in rows), strict=True)
    cells = cell_means([value for _, value in rows], subjects, {"order": orders, "text": texts})
    plain = [np.mean([value for cell, value in rows if cell == wanted]) for wanted in FULL]
    np.testing.assert_allclose(cells.values(), plain, rtol=1e-12)
    assert cells.n == len(rows)
    names = ["".join(part) for part in zip(cells.labels("order"), cells.labels("text"), strict=True)]
    assert names == [order + text for _, order, text in FULL]


def test_a_large_offset_costs_no_digits():
    cells = cell_means([1e12 + 1, 1e12 + 2, 1e12 + 4], list("aaa"), {"order": ["x", "x", "y"]})
    assert (cells.means - 1e12).tolist() == [[1.5, 4]]


def test_error_term_and_cell_means_give_tukey_what_it_needs():
    # With two conditions Tukey's one comparison with the error term of the effect is the paired t test.
    random = np.random.default_rng(6)
    table = random.normal(size=(8, 2))
    subjects, orders = np.repeat(np.arange(8), 2), np.tile(["x", "y"], 8)
    effect = rm_anova(table.ravel(), subjects, {"order": orders})["order"]
    cells = cell_means(table.ravel(), subjects, {"order": orders})
    found = tukey(cells.values(), cells.labels("order"), error=effect.error)
    assert found.pairs[0].p == pytest.approx(paired_t(table[:, 0], table[:, 1]).p, rel=1e-7)


def test_levels_between_units_follow_the_units():
    cells = cell_means([1, 2, 3, 4], [2, 2, 1, 1], {"order": [1, 2, 1, 2]}, {"cohort": ["m", "m", "n", "n"]})
    assert cells.units == ("1", "2")
    assert cells.between == {"cohort": ("n", "m")}
    assert cells.labels("cohort") == ("n", "n", "m", "m")
    with pytest.raises(UsageError, match="there is no factor 'age'; use one of: order, cohort"):
        cells.labels("age")


def test_items_are_called_items():
    with pytest.raises(
        DataError, match=r"between items, but 1 of 1 items .* give each version of an item its own name"
    ):
        cell_means([1, 2], ["i", "i"], {}, {"order": ["x", "y"]}, unit="item")


def test_many_names_are_cut_short():
    assert joined_names(["a", "b"]) == "a, b"
    assert joined_names([str(number) for number in range(12)]) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more"


# --- The warning for rows that are taken as independent although subjects have several ------------------------------


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
