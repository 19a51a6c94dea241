"""Products with Z against a Z that is written out, and groupings that cannot be."""

from __future__ import annotations

import numpy as np
import pytest

from textassay.errors import DataError, UsageError
from textassay.stats.mixed.model_matrix import model_matrix
from textassay.stats.mixed.random_effects import RandomEffects, nested_labels, random_effects

N = 60
DRAW = np.random.default_rng(7)
MATRIX = model_matrix({"system": [["a", "b", "c"][index % 3] for index in range(N)], "length": DRAW.normal(size=N)})
GROUPS = {"item": DRAW.integers(0, 5, N), "participant": DRAW.integers(0, 8, N), "list": DRAW.integers(0, 2, N)}


def made(**settings) -> RandomEffects:
    return random_effects(MATRIX, GROUPS, slopes={"item": ["length"], "participant": ["system"]}, **settings)


def written_out(effects: RandomEffects) -> np.ndarray:
    parts = [np.eye(len(term.levels))[term.codes][:, :, None] * term.columns[:, None, :] for term in effects.terms]
    return np.hstack([part.reshape(N, -1) for part in parts])


def factor_written_out(effects: RandomEffects, theta: np.ndarray) -> np.ndarray:
    factor, start = np.zeros((effects.size, effects.size)), 0
    for term, part in zip(effects.terms, effects.factors(theta), strict=True):
        place = slice(start, start + term.size)
        factor[place, place] = np.kron(np.eye(len(term.levels)), part)
        start += term.size
    return factor


def test_the_grouping_with_most_effects_comes_first() -> None:
    effects = made()
    assert [term.group for term in effects.terms] == ["participant", "item", "list"]
    assert effects.terms[0].names == ("(intercept)", "system[b]", "system[c]")
    assert effects.size == 8 * 3 + 5 * 2 + 2


@pytest.mark.parametrize("weighted", [False, True])
def test_products_are_those_of_z_written_out(weighted: bool) -> None:
    effects = made()
    z = written_out(effects)
    weights = DRAW.uniform(0.5, 2, N) if weighted else None
    w = np.ones(N) if weights is None else weights
    b, v, several = DRAW.normal(size=effects.size), DRAW.normal(size=N), DRAW.normal(size=(N, 2))
    np.testing.assert_allclose(effects.times(b), z @ b)
    np.testing.assert_allclose(effects.transposed(v), z.T @ v, atol=1e-12)
    np.testing.assert_allclose(effects.transposed(several), z.T @ several, atol=1e-12)
    whole = (z.T * w) @ z
    participant, item, _ = effects.terms
    np.testing.assert_allclose(participant.cross(item, weights), whole[:24, 24:34], atol=1e-12)
    blocks = whole[:24, :24].reshape(8, 3, 8, 3)[range(8), :, range(8), :]
    np.testing.assert_allclose(participant.gram(weights), blocks, atol=1e-12)


def test_theta_is_the_lower_triangle_by_columns() -> None:
    # lme4 1.1.31: getME(model, "Lambda") of (1 + system | participant) with getME(model, "theta") = 1 … 6
    factor = made().factors(np.arange(1.0, 11.0))[0]
    np.testing.assert_array_equal(factor, [[1, 0, 0], [2, 4, 0], [3, 5, 6]])
    np.testing.assert_array_equal(made().start(), [1, 0, 0, 1, 0, 1, 1, 0, 1, 1])
    np.testing.assert_array_equal(np.isneginf(made().lower()), [0, 1, 1, 0, 1, 0, 0, 1, 0, 0])


def test_uncorrelated_effects_have_a_diagonal() -> None:
    effects = made(correlated=False)
    assert effects.n_theta == 3 + 2 + 1
    np.testing.assert_array_equal(effects.factors(np.arange(1.0, 7.0))[0], np.diag([1, 2, 3]))
    assert made(correlated=["item"]).n_theta == 3 + 3 + 1


@pytest.mark.parametrize("correlated", [True, False])
def test_scaling_is_that_of_lambda_written_out(correlated: bool) -> None:
    effects = made(correlated=correlated)
    theta = DRAW.normal(size=effects.n_theta)
    factor = factor_written_out(effects, theta)
    for u in (DRAW.normal(size=effects.size), DRAW.normal(size=(effects.size, 3))):
        np.testing.assert_allclose(effects.scaled(theta, u), factor @ u)
        np.testing.assert_allclose(effects.scaled_back(theta, u), factor.T @ u)


def test_nested_labels_are_levels_of_their_own() -> None:
    labels = nested_labels(["x", "x", "y", "y"], ["1", "2", "1", "2"])
    assert len(set(labels)) == 4


@pytest.mark.parametrize(
    ("random", "settings", "error", "message"),
    [
        ({}, {}, DataError, "at least one grouping"),
        ({"p": ["a"] * N}, {}, DataError, r"p has one level only \(a\)"),
        ({"p": ["a", "b"]}, {}, DataError, "the grouping p has 2, the response has 60"),
        ({"p": [None, *"ab" * 29, "a"]}, {}, DataError, "1 missing label"),
        (GROUPS, {"slopes": {"x": ["length"]}}, UsageError, "slopes names the grouping 'x'; the groupings are item"),
        (GROUPS, {"slopes": {"item": ["x"]}}, UsageError, "no term 'x'; it has system, length"),
        (GROUPS, {"slopes": {"item": ["length", "length"]}}, UsageError, "name a term twice"),
        (GROUPS, {"correlated": ["x"]}, UsageError, "correlated names the grouping 'x'"),
    ],
)
def test_refuses(random, settings, error, message) -> None:
    with pytest.raises(error, match=message):
        random_effects(MATRIX, random, **settings)
