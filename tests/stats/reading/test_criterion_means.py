"""Regression of items' means against numpy's least squares."""

import numpy as np
import pytest

from textassay.errors import DataError
from textassay.stats.reading.criterion_means import criterion_mean_regression


def test_equals_least_squares_of_the_means():
    random = np.random.default_rng(9)
    items = np.repeat(np.arange(8), [3, 1, 4, 2, 2, 5, 3, 2])
    x, z = random.normal(size=8)[items], random.normal(size=8)[items]
    y = random.normal(1e6, 1, items.size)
    fit = criterion_mean_regression(y, {"x": x, "z": z}, items)
    means = np.bincount(items, y) / np.bincount(items)
    first = [np.flatnonzero(items == item)[0] for item in range(8)]
    columns = np.column_stack([np.ones(8), x[first], z[first]])
    b, left, *_ = np.linalg.lstsq(columns, means, rcond=None)
    assert fit.estimates == pytest.approx(b)
    assert fit.se == pytest.approx(np.sqrt(left[0] / 5 * np.diagonal(np.linalg.inv(columns.T @ columns))), rel=1e-5)
    assert (fit.df, fit.items) == (5, 8)
    without_names = criterion_mean_regression(y, {"x": x, "z": z}, None)
    assert without_names.estimates == pytest.approx(fit.estimates)


def test_predictors_that_go_together_have_no_regression():
    fit = criterion_mean_regression([1, 2, 4, 3], {"x": [1, 2, 3, 4], "z": [2, 4, 6, 8]}, None)
    assert np.isnan(fit.estimates).all()
    assert "predictors together" in fit.warnings[0]


def test_an_item_has_one_value_of_a_predictor():
    with pytest.raises(DataError, match="z has several values for 1 item"):
        criterion_mean_regression([1, 2, 3], {"x": [1, 1, 2], "z": [1, 2, 2]}, ["i", "i", "j"])
    with pytest.raises(DataError, match="values has 3, items has 2"):
        criterion_mean_regression([1, 2, 3], {"x": [1, 1, 2]}, ["i", "i"])
