"""Distances from similarities."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError
from textassay.ordering.unit_similarity import distances_of

B = [[4, 2, 1, 0], [2, 5, 3, 1], [1, 3, 6, 2], [0, 1, 2, 3]]


def test_worked_example() -> None:
    # 1 - 2/√20, 1 - 3/√30, 1 - 2/√18; 1 - 1/√24, 1 - 1/√15.
    found = distances_of(B)
    assert found[0, 1] == pytest.approx(0.5528, abs=5e-5)
    assert found[1, 2] == pytest.approx(0.4523, abs=5e-5)
    assert found[2, 3] == pytest.approx(0.5286, abs=5e-5)
    assert found[0, 2] == pytest.approx(1 - 1 / 24**0.5)
    assert found[0, 3] == 1
    assert found.diagonal().tolist() == [0, 0, 0, 0]


@given(st.integers(1, 8), st.integers(0, 10**6))
def test_products_of_vectors_give_one_minus_cosine(n: int, seed: int) -> None:
    rows = np.random.default_rng(seed).normal(size=(n, 5))
    products = rows @ rows.T
    found = distances_of((products + products.T) / 2)
    lengths = np.linalg.norm(rows, axis=1)
    cosine = products / lengths[:, None] / lengths
    np.fill_diagonal(cosine, 1)
    np.testing.assert_allclose(found, 1 - cosine, atol=1e-12)
    assert np.array_equal(found, found.T)


def test_asymmetric_similarity_stays_so() -> None:
    assert distances_of([[1, 0.5], [0.25, 1]]).tolist() == [[0, 0.5], [0.75, 0]]


@pytest.mark.parametrize(
    ("similarity", "message"),
    [
        ([[1, 0], [0, 0]], "unit 1 .* 0 with itself"),
        ([[-1, 0], [0, 1]], "unit 0 .* -1 with itself"),
        ([[1, 2]], r"square matrix .* \(1, 2\)"),
        ([], "square matrix"),
        ([[1, float("nan")], [0, 1]], "nan in row 0, column 1"),
        ([[1, 0], [float("inf"), 1]], "inf in row 1, column 0"),
        ([["a"]], "matrix of numbers"),
        ([[1, 2], [3]], "matrix of numbers"),
    ],
)
def test_wrong_similarities_are_refused(similarity: list[list[float]], message: str) -> None:
    with pytest.raises(DataError, match=message):
        distances_of(similarity)
