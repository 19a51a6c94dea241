"""Arrays as the statistics want them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from textassay.errors import DataError, UsageError
from textassay.stats import (
    anova,
    bradley_terry,
    by_subjects_items,
    games_howell,
    logistic_model,
    mixed_model,
    ordinal_model,
    residual_times,
    rm_anova,
    tukey,
    two_sample_t,
)
from textassay.stats.samples import all_equal, check_share, code_labels, finite_vector, grouped, midranks, tie_term


def test_groups_are_sorted_numbers_as_numbers_and_all_else_as_text():
    assert grouped([1, 2, 3], [10, 9, 10], "n").labels == ("9", "10")
    assert grouped([1, 2, 3], ["10", "9", "10"], "n").labels == ("10", "9")
    assert grouped([1, 2, 3], np.array(["b", "a", "b"]), "n").labels == ("a", "b")
    assert grouped([1, 2], [2, "1"], "n").labels == ("1", "2")  # mixed types: by their text


@given(st.lists(st.tuples(st.integers(-9, 9), st.sampled_from("abc")), min_size=1, max_size=30))
def test_means_sizes_and_residuals(data):
    values, groups = zip(*data, strict=True)
    found = grouped(values, groups, "group")
    for index, label in enumerate(found.labels):
        own = [value for value, group in data if group == label]
        assert found.sizes[index] == len(own)
        assert found.means[index] == pytest.approx(sum(own) / len(own), abs=1e-12)
    assert np.bincount(found.codes, weights=found.residuals) == pytest.approx(0, abs=1e-12)
    assert found.varies_within == any(
        len({value for value, group in data if group == label}) > 1 for label in found.labels
    )


def test_a_factor_may_be_called_values():
    with pytest.raises(DataError, match="values has 2, values has 1"):
        grouped([1, 2], ["a"], "values")


def test_none_counts_as_missing():
    with pytest.raises(DataError, match=r"scores has 1 missing or infinite value.s. of 2, the first at index 1"):
        finite_vector([1.0, None], "scores")


@pytest.mark.parametrize("share", [0, 1, -0.5, 95, float("nan")])
def test_shares_lie_strictly_between_0_and_1(share):
    with pytest.raises(UsageError, match="alpha must lie between 0 and 1"):
        check_share("alpha", share)


@pytest.mark.parametrize(
    "call",
    [
        lambda: rm_anova([1, 2, 3, 4], [1, 1, 2, 2], ["a", "b", "a", "b"]),
        lambda: mixed_model([1, 2, 3, 4], ["a", "b", "a", "b"], {"participant": [1, 1, 2, 2]}),
        lambda: mixed_model([1, 2, 3, 4], {"system": list("abab")}, [1, 1, 2, 2]),
        lambda: ordinal_model([1, 2, 3, 4], ["a", "b", "a", "b"]),
        lambda: logistic_model([1, 0, 1, 0], {"system": list("aabb")}, random=[1, 1, 2, 2]),
        lambda: by_subjects_items([1, 2], [1, 2], [1, 2], ["a", "b"], across_items="within"),
        lambda: residual_times([1.0, 2.0], [1, 1], [3, 4]),
    ],
)
def test_columns_without_their_names_are_refused_with_the_form_to_use(call):
    with pytest.raises(UsageError, match=r"under its name, for example \{'system': labels\}; got a list"):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: anova([1, 2], None),
        lambda: tukey([1, 2], 3.0),
        lambda: bradley_terry("ab", None, [1, -1]),
        lambda: rm_anova([1, 2], [1, 2], {"system": 7}),
        lambda: mixed_model([1, 2], {"system": None}, {"participant": [1, 2]}),
        lambda: ordinal_model(None, {"system": ["a", "b"]}),
    ],
)
def test_what_is_no_list_is_refused_by_name(call):
    with pytest.raises(DataError, match=r"\w+ must be a plain list, one entry per observation; got (None|3.0|7)"):
        call()


@pytest.mark.parametrize("scale", [1e-150, 1e150])
def test_squares_of_variances_do_not_leave_the_range_of_floats(scale):
    x, y = np.array([1.0, 2, 4, 7]), np.array([3.0, 3, 5])
    assert two_sample_t(scale * x, scale * y).df == pytest.approx(two_sample_t(x, y).df)
    groups = ["x"] * 4 + ["y"] * 3
    pairs = [games_howell(factor * np.concatenate([x, y]), groups).pairs[0] for factor in (1, scale)]
    assert (pairs[1].df, pairs[1].p) == pytest.approx((pairs[0].df, pairs[0].p))


def test_all_equal_forgives_rounding_only():
    assert all_equal(np.array([]))
    assert all_equal(np.array([1.1, 2.1]) - np.array([1.0, 2.0]), np.array([2.1]))
    assert not all_equal(np.array([1.0, 1.0 + 1e-14]))


# --- Midranks against scipy -----------------------------------------------------------------------------------------


tables = st.integers(1, 8).flatmap(
    lambda width: st.lists(st.lists(st.integers(0, 4), min_size=width, max_size=width), min_size=1, max_size=5)
)


@given(tables)
def test_equals_scipy(table):
    array = np.array(table, dtype=float)
    assert midranks(array).tolist() == rankdata(array, axis=-1).tolist()


@given(tables)
def test_tie_term_is_the_sum_over_tied_groups(table):
    array = np.array(table, dtype=float)
    expected = [sum(count**3 - count for count in np.unique(row, return_counts=True)[1].tolist()) for row in array]
    assert tie_term(midranks(array)).tolist() == expected


# --- Columns of labels as whole numbers: every kind of column, gaps, and labels that are none -----------------------


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
