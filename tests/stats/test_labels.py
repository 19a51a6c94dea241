"""Columns of labels as whole numbers: every kind of column, gaps, and labels that are none."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError
from textassay.stats.labels import code_labels


def decoded(labels, codes):
    return [labels[code] for code in codes]


@given(st.lists(st.text(max_size=3), min_size=1, max_size=20), st.lists(st.text(max_size=3), max_size=20))
def test_codes_lead_back_to_the_labels_and_labels_are_sorted(first, second):
    labels, (one, other) = code_labels(("first", first), ("second", second))
    assert decoded(labels, one) == first
    assert decoded(labels, other) == second
    assert list(labels) == sorted(set(first) | set(second))


@given(st.lists(st.integers(-(2**40), 2**40), min_size=1, max_size=20), st.booleans())
def test_numbers_sort_as_numbers_whether_near_or_far_from_each_other(values, near):
    values = [value % 1000 for value in values] if near else values
    labels, (codes,) = code_labels(("x", np.array(values)))
    assert decoded(labels, codes) == [str(value) for value in values]
    assert list(labels) == [str(value) for value in sorted(set(values))]
    assert code_labels(("x", values))[0] == labels


def test_gaps_are_left_where_they_are_allowed_and_only_there():
    assert code_labels(("x", np.array([3, 7])))[0] == ("3", "7")
    labels, (codes,) = code_labels(("x", np.array([3, 7])), gaps=True)
    assert labels == ("3", "4", "5", "6", "7")
    assert codes.tolist() == [0, 4]


def test_more_than_256_labels():
    names = [f"s{index:03d}" for index in range(300)]
    labels, (codes,) = code_labels(("x", names[::-1]))
    assert labels == tuple(names)
    assert codes.tolist() == list(range(299, -1, -1))


def test_kinds_that_cannot_be_sorted_together_sort_as_text():
    assert code_labels(("x", [2, "b", 10]))[0] == ("10", "2", "b")


def test_arrays_of_text_and_of_objects_are_columns_too():
    assert code_labels(("x", np.array(["b", "a"])))[0] == ("a", "b")
    assert code_labels(("x", np.array(["b", "a"], dtype=object)))[0] == ("a", "b")


class NeitherEqualNorNot:
    """As pandas' NA: cannot say whether it equals itself."""

    __hash__ = object.__hash__

    def __eq__(self, other):
        return self

    def __ne__(self, other):
        return self

    def __bool__(self):
        raise TypeError("ambiguous")


@pytest.mark.parametrize("missing", [None, math.nan, NeitherEqualNorNot()])
def test_missing_labels_are_named_by_place(missing):
    with pytest.raises(DataError, match=r"second has 1 missing label\(s\), the first at index 1"):
        code_labels(("first", ["a", "b"]), ("second", ["a", missing]))


def test_what_cannot_be_a_label_is_refused():
    with pytest.raises(DataError, match="x must be a plain list of labels"):
        code_labels(("x", [["a"], ["b"]]))
    with pytest.raises(DataError, match="x must be a plain list of labels"):
        code_labels(("x", np.zeros((2, 2), dtype=int)))


def test_no_labels_at_all():
    labels, (codes,) = code_labels(("x", []))
    assert labels == ()
    assert codes.size == 0
