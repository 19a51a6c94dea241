"""Categories of a scale: their order, and what is refused."""

import numpy as np
import pytest

from textassay.errors import DataError, UsageError
from textassay.stats.agreement.categories import Categories, categorise


def test_numbers_sort_as_numbers_and_text_as_text():
    codes, categories = categorise(np.array([10.0, 2.0, 10.0]), None)
    assert codes.tolist() == [1, 0, 1]
    assert categories.names == ("2", "10")
    assert Categories((0.123456789, 7.0), given=False).names == ("0.123456789", "7")
    codes, categories = categorise(np.array(["b", "a"], dtype=object), None)
    assert (codes.tolist(), categories.labels) == ([1, 0], ("a", "b"))


def test_numbers_among_text_sort_as_text():
    assert categorise(np.array(["b", 1], dtype=object), None)[1].names == ("1", "b")


def test_given_order_rules():
    codes, categories = categorise(np.array(["low", "high"], dtype=object), ["low", "mid", "high"])
    assert codes.tolist() == [0, 2]
    assert categories.scores("x").tolist() == [0, 1, 2]
    assert categorise(np.array([1.0, 3.0]), [3, 2, 1])[0].tolist() == [2, 0]


def test_scores_of_numbers_are_their_values():
    assert Categories((1, 2.5, 10), given=False).scores("x").tolist() == [1, 2.5, 10]


def test_what_is_refused():
    with pytest.raises(DataError, match=r"1 value\(s\) are not among the categories \[1, 2\]: \[7.0\]"):
        categorise(np.array([1.0, 7.0]), [1, 2])
    with pytest.raises(UsageError, match="1 of them twice"):
        categorise(np.array([1.0]), [1, 1])
    with pytest.raises(UsageError, match="the alphabet is none"):
        Categories(("high", "low"), given=False).scores("weights='linear'")
