"""The columns of linear models."""

from __future__ import annotations

import numpy as np
import pytest

from textassay.errors import DataError, UsageError
from textassay.stats.mixed.model_matrix import model_matrix, with_interactions

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
