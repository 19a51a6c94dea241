"""Statistics by name, as functions and as sums."""

import numpy as np
import pytest

from textassay.errors import DataError
from textassay.stats.resampling.bootstrap import read_observations, resolved
from textassay.stats.resampling.weighted_statistics import Sums, weighted_median

VALUES = np.array([1.0, 2.0, 4.0])


@pytest.mark.parametrize(
    ("name", "groups", "expected"),
    [
        ("mean", None, 7 / 3),
        ("sd", None, VALUES.std(ddof=1)),
        ("difference", ["b", "a", "a"], 2.0),
        ("eta2", ["b", "a", "a"], 4 / 7),
    ],
)
def test_names_stand_for_sums(name, groups, expected):
    # η²: group means 1 and 3 about 7/3: (16/9 + 2·4/9) / (Σ squares 14/3) = (8/3) / (14/3).
    found, sums = resolved(name, VALUES, groups)
    assert found == name
    assert float(sums.of(sums.terms.sum(axis=0))) == pytest.approx(expected)


def test_median_and_functions_stay_functions():
    assert resolved("median", VALUES, None) == ("median", weighted_median)
    assert resolved(weighted_median, VALUES, None) == ("weighted_median", weighted_median)


def test_sums_must_fit_the_values():
    with pytest.raises(DataError, match="values has 3, terms has 2"):
        resolved(Sums(np.ones((2, 1)), lambda sums: sums[..., 0]), VALUES, None)


def test_none_is_missing():
    with pytest.raises(DataError, match="the first at index 1"):
        read_observations([1.0, None])
