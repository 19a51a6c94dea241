"""The columns of linear models."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from textassay.errors import DataError, UsageError
from textassay.stats.mixed.mixed_design import without_aliased
from textassay.stats.mixed.model_matrix import contained, model_matrix, term_contrasts, with_interactions

GROUP = ["a", "b", "c", "a", "b", "c"]
SIDE = ["l", "l", "l", "r", "r", "r"]
LENGTH = [1.0, 2.0, 3.0, 4.0, 5.0, 7.0]


def test_treatment_coding_is_that_of_r() -> None:
    # R 4.2.2: model.matrix(~ g * s) with g and s factors as above, columns in R's order
    matrix = model_matrix({"g": GROUP, "s": SIDE}, terms=with_interactions(["g", "s"]))
    assert matrix.names == ("(intercept)", "g[b]", "g[c]", "s[r]", "g[b]:s[r]", "g[c]:s[r]")
    expected = [
        [1, 0, 0, 0, 0, 0],
        [1, 1, 0, 0, 0, 0],
        [1, 0, 1, 0, 0, 0],
        [1, 0, 0, 1, 0, 0],
        [1, 1, 0, 1, 1, 0],
        [1, 0, 1, 1, 0, 1],
    ]
    np.testing.assert_array_equal(matrix.x, expected)
    assert matrix.term("g:s").columns == (4, 5)
    assert matrix.term("g").within(matrix.term("g:s"))
    assert not matrix.term("g").within(matrix.term("s"))


def test_sum_coding_sums_to_nothing_over_a_balanced_design() -> None:
    # R 4.2.2: contr.sum(3) is rbind(c(1, 0), c(0, 1), c(-1, -1))
    matrix = model_matrix({"g": GROUP, "s": SIDE}, terms=with_interactions(["g", "s"]), coding="sum")
    np.testing.assert_array_equal(matrix.x[:3, 1:3], [[1, 0], [0, 1], [-1, -1]])
    np.testing.assert_array_equal(matrix.x[:, 1:].sum(axis=0), np.zeros(5))


def test_numbers_are_a_covariate_unless_said_otherwise() -> None:
    matrix = model_matrix({"length": LENGTH, "g": GROUP}, terms=["length", "g:length"])
    assert matrix.names == ("(intercept)", "length", "g[b]:length", "g[c]:length")
    np.testing.assert_array_equal(matrix.x[:, 2], [0, 2, 0, 0, 5, 0])
    assert "length" not in matrix.levels
    as_factor = model_matrix({"dose": [1, 2, 10, 1, 2, 10]}, factors=["dose"], intercept=False)
    assert as_factor.names == ("dose[2]", "dose[10]")  # numbers sort as numbers


def test_names_with_a_colon_are_names() -> None:
    assert model_matrix({"a:b": GROUP}).terms[0].variables == ("a:b",)


@pytest.mark.parametrize(
    ("variables", "terms", "error", "message"),
    [
        ({"a": ["x", "y"], "b": ["x"]}, None, DataError, "a has 2, b has 1"),
        ({}, None, DataError, "no variable was given"),
        ({"a": ["x", "x"]}, None, DataError, "one level only"),
        ({"a": ["x", None]}, None, DataError, "1 missing label"),
        ({"a": [1.0, float("inf")]}, None, DataError, "missing or infinite"),
        ({"a": ["x", "y"]}, ["a", "b"], UsageError, "names 'b'"),
        ({"a": ["x", "y"], "b": ["x", "y"]}, ["a:b", "b:a"], UsageError, "named twice"),
    ],
)
def test_what_makes_no_model_is_refused(
    variables: dict[str, list[object]], terms: list[str] | None, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        model_matrix(variables, terms=terms)


def test_unknown_term_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UsageError, match="it has g, s"):
        model_matrix({"g": GROUP, "s": SIDE}).term("t")


# --- Hypotheses of terms: those that lmerTest shows, and what does not depend on coding -----------------------------


DATA = json.loads((Path(__file__).parents[2] / "golden" / "mixed_model_crossed.json").read_text(encoding="utf-8"))[
    "data"
]
TERMS = ["system", "cohort", "length", "system:cohort"]
FIXED = {name: DATA[name] for name in ("system", "cohort", "length")}


def rows(sums, terms=TERMS, coding="treatment", fixed=FIXED):
    matrix, _ = without_aliased(model_matrix(fixed, terms=terms, coding=coding))
    return {each.name: each for each in term_contrasts(matrix, sums)}


def test_type_3_averages_over_the_other_factor() -> None:
    # lmerTest 3.1.3: show_tests(anova(model, type = 3)); columns A B C of system, cohort, length, the interaction
    found = rows("III")
    third = 1 / 3
    np.testing.assert_allclose(found["system"].rows, [[0, 1, 0, 0, 0, 0.5, 0], [0, 0, 1, 0, 0, 0, 0.5]])
    np.testing.assert_allclose(found["cohort"].rows, [[0, 0, 0, 1, 0, third, third]])
    np.testing.assert_allclose(found["length"].rows, [[0, 0, 0, 0, 1, 0, 0]])
    np.testing.assert_allclose(found["system:cohort"].rows, np.eye(7)[5:])


def test_type_1_is_that_of_lmertest() -> None:
    # lmerTest 3.1.3: show_tests(anova(model, type = 1)), five digits
    found = rows("I")
    expected = [
        [0, 1, -0.5, 0.025974, -0.28571, 0.51948, -0.24675],
        [0, 0, 1.0, 0.000000, 0.28571, 0.00000, 0.49351],
    ]
    np.testing.assert_allclose(found["system"].rows, expected, atol=6e-6)
    np.testing.assert_allclose(found["length"].rows, [[0, 0, 0, 0, 1, 0.00056113, -0.0014455]], atol=6e-8)


def test_type_2_is_that_of_lmertest() -> None:
    # lmerTest 3.1.3: show_tests(anova(model, type = 2)), five digits
    found = rows("II")
    expected = [[0, 1, -0.49916, 0, 0, 0.51099324, -0.25542], [0, 0, 1, 0, 0, -0.00016032, 0.49392]]
    np.testing.assert_allclose(found["system"].rows, expected, atol=6e-6)
    np.testing.assert_allclose(found["length"].rows, [[0, 0, 0, 0, 1, 0, 0]])


def test_type_3_means_the_same_in_both_codings() -> None:
    # The cell means of a saturated model, in either coding; the hypothesis as a function of them must be the same.
    fixed = {"a": list("xyzxyz"), "b": list("uuuvvv")}
    terms = ["a", "b", "a:b"]
    of_cells = []
    for coding in ("treatment", "sum"):
        found = rows("III", terms, coding, fixed)
        x = model_matrix(fixed, terms=terms, coding=coding).x
        of_cells.append([found[name].rows @ np.linalg.inv(x) for name in terms])
    for one, other in zip(*of_cells, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)
    # a: the mean of y over b less that of x
    np.testing.assert_allclose(of_cells[0][0][0], [-0.5, 0.5, 0, -0.5, 0.5, 0], atol=1e-12)


def test_order_of_variables_in_an_interaction_does_not_matter() -> None:
    one, other = rows("III"), rows("III", ["system", "cohort", "length", "cohort:system"])
    np.testing.assert_allclose(one["system"].rows, other["system"].rows)
    np.testing.assert_allclose(one["cohort"].rows, other["cohort"].rows)


def test_covariates_contain_nothing() -> None:
    matrix = model_matrix(FIXED, terms=["system", "length", "system:length"])
    system, length, both = matrix.terms
    assert contained(length, both, matrix)
    assert not contained(system, both, matrix)


def test_empty_cells_leave_no_mean() -> None:
    fixed = {"a": list("xxyyxxyy"), "b": list("uvuuuvuu")}
    found = rows("III", ["a", "b", "a:b"], fixed=fixed)
    assert "cells of a:b are empty" in found["a"].warning
    assert len(found["a"].rows) == 0
    assert "aliased with other terms" in found["a:b"].warning
    assert len(rows("II", ["a", "b", "a:b"], fixed=fixed)["a"].rows) == 1


@pytest.mark.parametrize("sums", ["I", "II", "III"])
def test_one_term_is_tested_alike_by_all_types(sums: str) -> None:
    np.testing.assert_allclose(rows(sums, ["length"])["length"].rows, [[0, 1]])
