"""Ratings with gaps: from a table and from long form, and what is refused."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError
from textassay.stats.agreement.ratings import (
    LongRatings,
    count_units,
    label_array,
    read_numbers,
    read_rating_table,
    read_ratings,
    refuse_gaps,
    some,
    sums_by,
)


def test_table_is_read_unit_by_unit_without_gaps():
    ratings = read_numbers([[1, None, 3], [4, None, math.nan]], "alpha")
    assert ratings.values.tolist() == [1, 4, 3]
    assert ratings.unit.tolist() == [0, 0, 1]  # the empty unit has no number
    assert ratings.sizes.tolist() == [2, 1]
    assert (ratings.n, ratings.units, ratings.raters, ratings.single) == (3, 2, 2, 1)


def test_pairable_keeps_units_of_two():
    pairable = read_numbers([[1, 2, 3], [None, 5, 6]], "alpha").pairable()
    assert pairable.values.tolist() == [2, 5, 3, 6]
    assert pairable.unit.tolist() == [0, 0, 1, 1]


cell = st.one_of(st.none(), st.integers(1, 4))


@given(st.integers(1, 5).flatmap(lambda n: st.lists(st.lists(cell, min_size=n, max_size=n), min_size=1, max_size=4)))
def test_long_form_equals_the_table(table):
    rows = [(value, rater, unit) for rater, row in enumerate(table) for unit, value in enumerate(row)]
    if all(value is None for value, _, _ in rows):
        with pytest.raises(DataError, match="all ratings are missing"):
            read_numbers(table, "alpha")
        return
    wide = read_numbers(table, "alpha")
    long = read_numbers(LongRatings(*zip(*rows, strict=True)), "alpha")
    assert np.array_equal(wide.values, long.values)
    assert np.array_equal(wide.unit, long.unit)
    assert wide.raters == long.raters


def test_text_stays_text_and_nan_stays_missing():
    assert label_array(["1", math.nan]).tolist()[0] == "1"
    ratings = read_ratings([["1", math.nan], ["x", None]], "kappa")
    assert ratings.values.tolist() == ["1", "x"]
    assert read_ratings(np.array([["a", "b"], ["b", "b"]]), "kappa").values.tolist() == ["a", "b", "b", "b"]
    assert label_array([object]).dtype == object


@pytest.mark.parametrize(
    ("ratings", "message"),
    [
        ([1, 2, 3], r"shape \(raters, units\), got \(3,\)"),
        ([[1, 2], [1]], "numbers only"),
        ([[1, math.inf]], r"1 infinite value\(s\), the first at index \(0, 1\)"),
        ([["good", 2]], "numbers only"),
        ([[None, math.nan]], "alpha has nothing to work on: all ratings are missing"),
        (np.empty((0, 3)), "all ratings are missing"),
        (LongRatings([1, 2], ["a"], ["u", "u"]), "lengths must be equal: values has 2, raters has 1"),
        (LongRatings([1, 2], ["a", None], ["u", "u"]), "raters has 1 missing label"),
        (LongRatings([[1, 2]], ["a"], ["u"]), "plain list"),
        (LongRatings([1, math.inf], ["a", "b"], ["u", "u"]), "the first at index 1"),
        (LongRatings([1, 2, 3], ["a", "b", "b"], ["t", "u", "u"]), "rater b has 2 values for unit u"),
    ],
)
def test_bad_ratings_are_refused(ratings, message):
    with pytest.raises(DataError, match=message):
        read_numbers(ratings, "alpha")


def test_raters_who_share_nothing_are_refused_by_the_name_of_the_measure():
    with pytest.raises(DataError, match=r"alpha needs units .* \(2 values by 2 raters of 2 units\)"):
        read_numbers([[1, None], [None, 2]], "alpha").pairable()
    with pytest.raises(DataError, match="no two raters share one"):
        read_numbers([[1, 2, 3]], "alpha").need_shared_units()


def test_long_form_takes_no_memory_for_gaps():
    # 20,000 raters of 20,000 units would be a table of 3 GB.
    n = 20_000
    raters, units = np.arange(2 * n) % n, np.arange(2 * n) // 2
    assert read_numbers(LongRatings(np.ones(2 * n), raters, units), "alpha").n == 2 * n


# --- Complete tables: names, and gaps that are refused --------------------------------------------------------------


def test_names_are_numbers_unless_given():
    table = read_rating_table([[1, 2], [3, 4]], raters=["ann", "bob"])
    assert (list(table.raters), list(table.items)) == (["ann", "bob"], ["item 1", "item 2"])
    refuse_gaps(table, "W")


def test_gaps_are_refused_by_name():
    with pytest.raises(DataError, match=r"W needs every rater's value.*bob × item 2\. Leave out"):
        refuse_gaps(read_rating_table([[1, 2], [3, math.nan]], raters=["ann", "bob"]), "W")


def test_wrong_shapes_and_names_are_refused():
    with pytest.raises(DataError, match=r"got \(2,\)"):
        read_rating_table([1, 2])
    with pytest.raises(DataError, match="2 items in ratings but 1 names"):
        read_rating_table([[1, 2]], items=["x"])
    with pytest.raises(DataError, match="numbers only"):
        read_rating_table([["a", "b"]])


def test_long_lists_of_names_are_cut():
    assert some([]) == ""
    assert some(["a"] * 8).endswith("and 3 more")


# --- Counts of categories by unit, and sums over pairs, against loops -----------------------------------------------


@given(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=6), min_size=1, max_size=5))
def test_pairs_equal_a_loop(units):
    unit = np.array([index for index, values in enumerate(units) for _ in values])
    category = np.array([value for values in units for value in values])
    counts = count_units(unit, category, 4)
    for index, values in enumerate(units):
        pairs = list(itertools.permutations(values, 2))
        assert counts.equal_pairs()[index] == sum(a == b for a, b in pairs)
        unequal = sum((a - b) ** 2 for a, b in pairs)
        assert counts.unequal_pairs(lambda a, b: (a - b) ** 2.0)[index] == pytest.approx(unequal)
    assert counts.sizes.tolist() == [len(values) for values in units]


def test_sums_by_code():
    assert sums_by(np.array([2, 0, 2]), np.array([1.0, 2.0, 3.0]), 4).tolist() == [2, 0, 4, 0]
