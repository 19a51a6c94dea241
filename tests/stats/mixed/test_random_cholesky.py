"""The factor by blocks against the matrix written out."""

from __future__ import annotations

import numpy as np
import pytest

from textassay.errors import DataError
from textassay.stats.mixed import random_cholesky as module
from textassay.stats.mixed.model_matrix import model_matrix
from textassay.stats.mixed.random_cholesky import gram, random_cholesky
from textassay.stats.mixed.random_effects import RandomEffects, random_effects

N = 80
DRAW = np.random.default_rng(11)
MATRIX = model_matrix({"x": DRAW.normal(size=N)})
LABELS = {"a": DRAW.integers(0, 9, N), "b": DRAW.integers(0, 4, N), "c": DRAW.integers(0, 3, N)}


def made(groups: str, slopes: str) -> RandomEffects:
    return random_effects(MATRIX, {name: LABELS[name] for name in groups}, slopes={name: ["x"] for name in slopes})


def written_out(effects: RandomEffects, theta: np.ndarray, weights: np.ndarray) -> np.ndarray:
    unit = np.eye(effects.size)
    z = np.column_stack([effects.times(effects.scaled(theta, column)) for column in unit])
    return (z.T * weights) @ z + unit


@pytest.mark.parametrize(("groups", "slopes"), [("a", ""), ("a", "a"), ("ab", ""), ("ab", "ab"), ("abc", "b")])
@pytest.mark.parametrize("weighted", [False, True])
def test_is_the_factor_of_the_matrix_written_out(groups: str, slopes: str, weighted: bool) -> None:
    effects = made(groups, slopes)
    weights = DRAW.uniform(0.2, 3, N) if weighted else None
    theta = DRAW.normal(size=effects.n_theta)
    matrix = written_out(effects, theta, np.ones(N) if weights is None else weights)
    cholesky = random_cholesky(effects, gram(effects, weights), theta)
    assert cholesky.log_det == pytest.approx(np.linalg.slogdet(matrix)[1], rel=1e-12)
    for v in (DRAW.normal(size=effects.size), DRAW.normal(size=(effects.size, 2))):
        np.testing.assert_allclose(cholesky.solve(v), np.linalg.solve(matrix, v), rtol=1e-9, atol=1e-12)
        half = cholesky.half(v)
        np.testing.assert_allclose(half.T @ half, v.T @ np.linalg.solve(matrix, v), rtol=1e-9)


def test_products_times_effects() -> None:
    effects = made("abc", "ab")
    v = DRAW.normal(size=(effects.size, 2))
    expected = effects.transposed(np.column_stack([effects.times(column) for column in v.T]))
    np.testing.assert_allclose(gram(effects).times(v), expected, atol=1e-10)


def test_without_variances_it_is_the_identity() -> None:
    effects = made("ab", "a")
    cholesky = random_cholesky(effects, gram(effects), np.zeros(effects.n_theta))
    assert cholesky.log_det == 0
    v = np.arange(float(effects.size))
    np.testing.assert_array_equal(cholesky.solve(v), v)


def test_refuses_a_table_that_does_not_fit_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_CELLS", 9 * 4 - 1)
    with pytest.raises(DataError, match="9 of a by 4"):
        gram(made("ab", ""))
