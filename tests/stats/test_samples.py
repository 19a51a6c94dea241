"""Arrays as the statistics want them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats.samples import check_share, finite_vector, grouped


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
