"""Fixed columns that say nothing new are left out by name; slopes need no fixed term."""

from __future__ import annotations

import numpy as np
import pytest

from textassay.errors import DataError, UsageError
from textassay.stats.mixed.mixed_design import MixedFormula, mixed_design, without_aliased
from textassay.stats.mixed.model_matrix import model_matrix

X = [1.0, 2.0, 4.0, 7.0, 11.0, 16.0]
GROUP = {"g": list("aabbcc")}


def test_later_of_two_equal_columns_goes() -> None:
    design = mixed_design(6, {"x": X, "twice": [2 * x for x in X], "z": [1, 0, 0, 1, 1, 0]}, GROUP, MixedFormula())
    assert design.aliased == ("twice",)
    assert design.matrix.names == ("(intercept)", "x", "z")
    assert design.matrix.term("z").columns == (2,)
    assert design.matrix.term("twice").columns == ()
    assert design.warnings == ("column twice is left out: earlier columns of the model say the same",)


def test_constant_covariate_goes() -> None:
    assert mixed_design(6, {"one": [3.0] * 6}, GROUP, MixedFormula()).aliased == ("one",)


def test_more_columns_than_rows_leaves_as_many_as_rows() -> None:
    letters = list("uvwxyz")
    matrix, aliased = without_aliased(model_matrix({"f": letters, "x": X}))
    assert matrix.x.shape == (6, 6)
    assert aliased == ("x",)


def test_scale_and_offset_of_a_column_do_not_matter() -> None:
    matrix, aliased = without_aliased(model_matrix({"big": [1e9 * x for x in X], "small": [1e-9 * x**2 for x in X]}))
    assert not aliased
    assert np.linalg.matrix_rank(matrix.x / np.linalg.norm(matrix.x, axis=0)) == 3


def test_without_variables_there_is_an_intercept() -> None:
    design = mixed_design(6, {}, GROUP, MixedFormula())
    assert design.matrix.names == ("(intercept)",)
    assert design.matrix.terms == ()


def test_slopes_need_no_fixed_term() -> None:
    design = mixed_design(6, {"x": X}, GROUP, MixedFormula(terms=[], slopes={"g": ["x"]}))
    assert design.matrix.names == ("(intercept)",)
    assert design.effects.terms[0].names == ("(intercept)", "x")


@pytest.mark.parametrize(
    ("fixed", "formula", "error", "message"),
    [
        ({"x": X[:5]}, MixedFormula(), DataError, "x has 5, the response has 6"),
        ({}, MixedFormula(terms=["x"]), UsageError, "'x' names a variable, but none was given"),
        ({"x": X}, MixedFormula(slopes={"g": ["y"]}), UsageError, "'y', which is no variable"),
        ({"x": [1.0, np.nan, 3, 4, 5, 6]}, MixedFormula(), DataError, "1 missing or infinite"),
    ],
)
def test_refuses(fixed, formula, error, message) -> None:
    with pytest.raises(error, match=message):
        mixed_design(6, fixed, GROUP, formula)
