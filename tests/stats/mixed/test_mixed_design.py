"""Fixed columns that say nothing new are omitted by name; slopes need no fixed term."""

from __future__ import annotations

import numpy as np
import pytest

from textassay.errors import DataError, UsageError
from textassay.stats.mixed.mixed_design import MixedFormula, fixed_part, mixed_design, reference_grid, without_aliased
from textassay.stats.mixed.model_matrix import model_matrix

X = [1.0, 2.0, 4.0, 7.0, 11.0, 16.0]
GROUP = {"g": list("aabbcc")}


def test_later_of_two_equal_columns_goes() -> None:
    design = mixed_design(6, {"x": X, "twice": [2 * x for x in X], "z": [1, 0, 0, 1, 1, 0]}, GROUP, MixedFormula())
    assert design.aliased == ("twice",)
    assert design.matrix.names == ("(intercept)", "x", "z")
    assert design.matrix.term("z").columns == (2,)
    assert design.matrix.term("twice").columns == ()
    assert design.warnings == ("column twice is dropped: it is a combination of earlier columns",)


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
        ({"x": X}, MixedFormula(slopes={"g": ["y"]}), UsageError, "'y', which is not a variable"),
        ({"x": [1.0, np.nan, 3, 4, 5, 6]}, MixedFormula(), DataError, "1 missing or infinite"),
    ],
)
def test_refuses(fixed, formula, error, message) -> None:
    with pytest.raises(error, match=message):
        mixed_design(6, fixed, GROUP, formula)


# --- Predictors of marginal means -----------------------------------------------------------------------------------


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
    with pytest.raises(UsageError, match=r"'length' is not a factor of the model.*there are a, b"):
        grid(["a", "b", "length"]).means("length")
    with pytest.raises(UsageError, match="not a factor"):
        grid(["a", "b"]).means("a:a")


# --- Columns of the fixed part, and rows for settings and levels ----------------------------------------------------


RNG = np.random.default_rng(1)
SYSTEM, COHORT = ["a", "b", "c"] * 8, ["l", "m"] * 12
LENGTH = RNG.normal(size=24).tolist()
VARIABLES = {"system": SYSTEM, "cohort": COHORT, "length": LENGTH}
TERMS = ["system", "cohort", "length", "system:cohort", "cohort:system:length"]


@pytest.mark.parametrize("coding", ["treatment", "sum"])
@pytest.mark.parametrize("intercept", [True, False])
def test_a_setting_gives_the_row_of_an_observation_that_has_it(coding, intercept):
    part = fixed_part(24, VARIABLES, MixedFormula(TERMS, coding=coding), intercept=intercept)
    for row in range(24):
        found = part.design.row({name: column[row] for name, column in VARIABLES.items()})
        np.testing.assert_allclose(found, part.matrix.x[row], atol=1e-15)


@pytest.mark.parametrize("coding", ["treatment", "sum"])
def test_a_level_is_the_mean_over_all_others(coding):
    part = fixed_part(24, VARIABLES, MixedFormula(TERMS, coding=coding), intercept=False)
    levels, rows = part.design.level_rows("system")
    assert levels == ("a", "b", "c")
    mean = float(np.mean(LENGTH))
    for level, row in zip(levels, rows, strict=True):
        settings = [{"system": level, "cohort": cohort, "length": mean} for cohort in ("l", "m")]
        np.testing.assert_allclose(row, np.mean([part.design.row(setting) for setting in settings], axis=0), atol=1e-14)


def test_without_a_term():
    part = fixed_part(24, VARIABLES, MixedFormula(["system", "length"]), intercept=False)
    assert part.without(part.matrix.term("system")).names == ("length",)
    assert part.matrix.names == ("system[b]", "system[c]", "length")
    assert part.whole.names == ("(intercept)", "system[b]", "system[c]", "length")


def test_a_constant_column_is_an_intercept_and_goes_even_where_there_is_none():
    part = fixed_part(24, {"length": LENGTH, "one": [1.0] * 24}, MixedFormula(), intercept=False)
    assert part.matrix.names == ("length",)
    assert part.warnings == ("column one is dropped: it is a combination of earlier columns",)


def test_levels_that_the_data_cannot_tell_are_nan():
    # No observation has c and m, so there is no mean of c over both cohorts.
    kept = [row for row in range(24) if (SYSTEM[row], COHORT[row]) != ("c", "m")]
    some = {name: [VARIABLES[name][row] for row in kept] for name in ("system", "cohort")}
    part = fixed_part(len(kept), some, MixedFormula(["system", "cohort", "system:cohort"]), intercept=False)
    _, rows = part.design.level_rows("system")
    assert np.isnan(rows).any(axis=1).tolist() == [False, False, True]


def test_settings_must_be_whole():
    design = fixed_part(24, VARIABLES, MixedFormula(), intercept=False).design
    with pytest.raises(UsageError, match="'cohort' is missing; give system, cohort, length"):
        design.row({"system": "a", "length": 1.0})
    with pytest.raises(UsageError, match="'size' is not a variable"):
        design.row({"system": "a", "cohort": "l", "length": 1.0, "size": 2})
    with pytest.raises(UsageError, match="system has no level 'd'; it has a, b, c"):
        design.row({"system": "d", "cohort": "l", "length": 1.0})
