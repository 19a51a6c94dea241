"""Predictors of marginal means."""

from __future__ import annotations

import numpy as np
import pytest

from textassay.errors import UsageError
from textassay.stats.mixed.mixed_design import MixedFormula, without_aliased
from textassay.stats.mixed.model_matrix import model_matrix
from textassay.stats.mixed.reference_grid import reference_grid

FIXED = {"a": list("xyzxyzxy"), "b": list("uuuvvvuu"), "length": [1.0, 2, 3, 4, 5, 6, 7, 12]}


def grid(terms, fixed=FIXED, **settings):
    formula = MixedFormula(terms=terms, **settings)
    matrix, _ = without_aliased(model_matrix(fixed, terms=terms, coding=formula.coding, factors=formula.factors))
    return reference_grid(fixed, formula, matrix)


def test_other_factors_weigh_equally_and_covariates_are_at_their_mean() -> None:
    levels, rows = grid(["a", "b", "length", "a:b"]).means("a")
    assert levels == ("x", "y", "z")
    # (intercept), a[y], a[z], b[v], length, a[y]:b[v], a[z]:b[v]; the mean length is 5
    np.testing.assert_allclose(rows, [[1, 0, 0, 0.5, 5, 0, 0], [1, 1, 0, 0.5, 5, 0.5, 0], [1, 0, 1, 0.5, 5, 0, 0.5]])


def test_sum_coding_leaves_the_grand_mean() -> None:
    _, rows = grid(["a", "b"], coding="sum").means("a")
    np.testing.assert_allclose(rows, [[1, 1, 0, 0], [1, 0, 1, 0], [1, -1, -1, 0]])


def test_combinations_in_the_order_asked_for() -> None:
    both = grid(["a", "b"])
    assert both.means("b:a")[0][:3] == ("u:x", "u:y", "u:z")
    assert both.means("a:b")[0][:3] == ("x:u", "x:v", "y:u")
    np.testing.assert_allclose(both.means("b:a")[1][3], [1, 0, 0, 1])  # v:x


def test_levels_that_are_numbers_keep_their_order() -> None:
    fixed = {"dose": [10, 2, 1, 10, 2, 1]}
    levels, rows = grid(["dose"], fixed, factors=["dose"]).means("dose")
    assert levels == ("1", "2", "10")
    np.testing.assert_allclose(rows, [[1, 0, 0], [1, 1, 0], [1, 0, 1]])


def test_mean_over_an_empty_cell_is_unknown() -> None:
    fixed = {"a": list("xxyyxxyy"), "b": list("uvuuuvuu")}
    _, rows = grid(["a", "b", "a:b"], fixed).means("a")
    assert not np.isnan(rows[0]).any()
    assert np.isnan(rows[1]).all()
    assert not np.isnan(grid(["a", "b"], fixed).means("a")[1]).any()  # without the interaction it is known


def test_names_the_factors_that_there_are() -> None:
    with pytest.raises(UsageError, match=r"'length' is no factor of the model.*there are a, b"):
        grid(["a", "b", "length"]).means("length")
    with pytest.raises(UsageError, match="no factor"):
        grid(["a", "b"]).means("a:a")
