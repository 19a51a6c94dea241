"""Sparse products and solutions against matrices written out."""

from __future__ import annotations

import numpy as np
import pytest

from textassay.stats.mixed import conjugate_gradients as module
from textassay.stats.mixed.conjugate_gradients import sparse_products
from textassay.stats.mixed.model_matrix import model_matrix
from textassay.stats.mixed.random_effects import RandomEffects, random_effects

N = 120
DRAW = np.random.default_rng(5)
MATRIX = model_matrix({"x": DRAW.normal(size=N)})
PERSON, ITEM, SYSTEM = (DRAW.integers(0, levels, N) for levels in (9, 7, 3))
CROSSED = {"p": PERSON, "i": ITEM, "p:s": PERSON * 3 + SYSTEM, "i:s": ITEM * 3 + SYSTEM}


def written_out(effects: RandomEffects) -> np.ndarray:
    return np.column_stack([effects.times(column) for column in np.eye(effects.size)])


@pytest.mark.parametrize(
    ("random", "slopes", "finest"),
    [
        (CROSSED, {}, 27 + 21),  # participants and items lie within their cells
        ({**CROSSED, "p:i": PERSON * 7 + ITEM}, {}, None),
        ({"p": PERSON, "i": ITEM}, {}, 9 + 7),
        ({"p": PERSON, "p:s": PERSON * 3 + SYSTEM}, {"p": ["x"]}, 2 * 9 + 27),  # slopes are not a sum of the cells'
    ],
)
def test_products_and_solutions(random, slopes, finest: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_COLUMNS", 2)
    effects = random_effects(MATRIX, random, slopes=slopes, correlated=False)
    sparse, z = sparse_products(effects), written_out(effects)
    assert finest is None or sparse.finest.shape == (finest, finest)
    v, w = DRAW.normal(size=(effects.size, 3)), DRAW.normal(size=(N, 2))
    np.testing.assert_allclose(sparse.times(v), z.T @ z @ v, atol=1e-10)
    np.testing.assert_allclose(sparse.transposed(w), z.T @ w, atol=1e-10)
    np.testing.assert_allclose(sparse.diagonal, np.diagonal(z.T @ z))
    scale = DRAW.uniform(0, 2, effects.size)
    expected = np.linalg.solve(scale[:, None] * (z.T @ z) * scale + np.eye(effects.size), v)
    for start in (None, expected + 0.1):
        np.testing.assert_allclose(sparse.solve(scale, v, 1e-12, start), expected, atol=1e-9)
    np.testing.assert_array_equal(sparse.solve(scale, np.zeros((effects.size, 1)), 1e-6), 0)
