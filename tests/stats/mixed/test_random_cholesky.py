"""The factor by lead, blocks and border against the matrix written out."""

from __future__ import annotations

import numpy as np
import pytest

from textassay.errors import DataError
from textassay.stats.mixed import elimination as elimination_module
from textassay.stats.mixed.elimination import elimination
from textassay.stats.mixed.gram import gram
from textassay.stats.mixed.model_matrix import model_matrix
from textassay.stats.mixed.random_cholesky import random_cholesky
from textassay.stats.mixed.random_effects import RandomEffects, nested_labels, random_effects

N = 80
DRAW = np.random.default_rng(11)
MATRIX = model_matrix({"x": DRAW.normal(size=N)})
LABELS = {name: DRAW.integers(0, levels, N).tolist() for name, levels in {"a": 9, "b": 4, "c": 3, "s": 3}.items()}
LABELS |= {f"{name}:s": nested_labels(LABELS[name], LABELS["s"]) for name in "ab"}
LABELS["a:b"] = nested_labels(LABELS["a"], LABELS["b"])
CROSSED = ("a", "b", "a:s", "b:s")
MODELS = [
    (("a",), (), True),
    (("a",), ("a",), True),
    (("a", "b"), (), True),
    (("a", "b"), ("a", "b"), True),
    (("a", "b", "c"), ("b",), True),
    (("a", "b"), ("a", "b"), False),
    (CROSSED, (), True),
    (CROSSED, ("a", "b:s"), False),
    ((*CROSSED, "a:b"), (), True),
    (("a", "a:s"), (), True),
]


@pytest.fixture(params=["cheapest", "sparse"])
def cheap_pairs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """So small a table would often be dense: with products that cost much none is that need not be."""
    if request.param == "sparse":
        monkeypatch.setattr(elimination_module, "_NS_FLOP", 1e3)


def made(groups: tuple[str, ...], slopes: tuple[str, ...], *, correlated: bool = True) -> RandomEffects:
    return random_effects(
        MATRIX, {name: LABELS[name] for name in groups}, slopes={name: ["x"] for name in slopes}, correlated=correlated
    )


def written_out(effects: RandomEffects, theta: np.ndarray, weights: np.ndarray) -> np.ndarray:
    unit = np.eye(effects.size)
    z = np.column_stack([effects.times(effects.scaled(theta, column)) for column in unit])
    return (z.T * weights) @ z + unit


@pytest.mark.usefixtures("cheap_pairs")
@pytest.mark.parametrize(("groups", "slopes", "correlated"), MODELS)
@pytest.mark.parametrize("weighted", [False, True])
def test_is_the_factor_of_the_matrix_written_out(groups, slopes, correlated, weighted: bool) -> None:
    effects = made(groups, slopes, correlated=correlated)
    weights = DRAW.uniform(0.2, 3, N) if weighted else None
    theta = DRAW.normal(size=effects.n_theta)
    matrix = written_out(effects, theta, np.ones(N) if weights is None else weights)
    cholesky = random_cholesky(effects, gram(effects, weights), theta)
    assert cholesky.log_det == pytest.approx(np.linalg.slogdet(matrix)[1], rel=1e-12)
    for v in (DRAW.normal(size=effects.size), DRAW.normal(size=(effects.size, 2))):
        np.testing.assert_allclose(cholesky.solve(v), np.linalg.solve(matrix, v), rtol=1e-9, atol=1e-11)
        half = cholesky.half(v)
        np.testing.assert_allclose(half.T @ half, v.T @ np.linalg.solve(matrix, v), rtol=1e-9)


@pytest.mark.usefixtures("cheap_pairs")
@pytest.mark.parametrize(("groups", "slopes", "correlated"), MODELS)
def test_traces_are_those_of_the_matrix_written_out(groups, slopes, correlated) -> None:
    effects = made(groups, slopes, correlated=correlated)
    weights = DRAW.uniform(0.2, 3, N)
    theta = DRAW.normal(size=effects.n_theta)
    theta[-1] = 0.0  # of the last grouping: nothing may be divided by it
    inverse = np.linalg.inv(written_out(effects, theta, weights))
    z = np.column_stack([effects.times(column) for column in np.eye(effects.size)])
    whole = (z.T * weights) @ z @ np.column_stack([effects.scaled(theta, column) for column in inverse.T])
    start = 0
    for term, trace in zip(
        effects.terms, random_cholesky(effects, gram(effects, weights), theta).traces(), strict=True
    ):
        places = start + np.arange(term.size).reshape(-1, term.width)
        expected = sum(whole[np.ix_(place, place)] for place in places)
        np.testing.assert_allclose(trace[term.entries], expected[term.entries], rtol=1e-8, atol=1e-9)
        start += term.size


@pytest.mark.usefixtures("cheap_pairs")
@pytest.mark.parametrize(("groups", "slopes", "correlated"), MODELS)
def test_products_times_effects(groups, slopes, correlated) -> None:
    effects = made(groups, slopes, correlated=correlated)
    v = DRAW.normal(size=(effects.size, 2))
    expected = effects.transposed(np.column_stack([effects.times(column) for column in v.T]))
    np.testing.assert_allclose(gram(effects).times(v), expected, atol=1e-10)


def test_without_variances_it_is_the_identity() -> None:
    effects = made(("a", "b"), ("a",))
    cholesky = random_cholesky(effects, gram(effects), np.zeros(effects.n_theta))
    assert cholesky.log_det == 0
    v = np.arange(float(effects.size))
    np.testing.assert_array_equal(cholesky.solve(v), v)


def test_refuses_a_table_that_does_not_fit_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elimination_module, "_MOST_CELLS", 4 * 4 - 1)
    with pytest.raises(DataError, match="9 of a by 4"):
        gram(made(("a", "b"), ()))


def crossed(participants: int, items: int, systems: int, *, both: bool = False) -> RandomEffects:
    """Everyone rates each item once, of a system by lot; or every text."""
    n = participants * items * (systems if both else 1)
    p, i, s = np.unravel_index(np.arange(n), (participants, items, systems if both else 1))
    s = s if both else np.random.default_rng(3).integers(0, systems, n)
    matrix = model_matrix({"x": np.arange(float(n))})
    random = {"p": p, "i": i, "p:s": p * systems + s, "i:s": i * systems + s}
    return random_effects(matrix, {**random, "p:i": p * items + i} if both else random)


@pytest.mark.parametrize(
    ("effects", "lead", "in_blocks", "layout"),
    [
        # By system: what is left of item × system; participants and items border it.
        (crossed(40, 20, 5), "p:s", {"i:s"}, (5, 20, 60)),
        # By item: three participants cost less as a border than 200 items.
        (crossed(3, 200, 3), "i:s", {"i"}, (200, 1, 12)),
        # All rate all: participant × item leads, and joins the systems; each of 30 items is a block of 1 + 4 effects.
        (crossed(6, 30, 4, both=True), "p:i", {"i", "i:s"}, (30, 5, 30)),
    ],
)
def test_the_order_uses_what_never_meets(effects, lead, in_blocks, layout) -> None:
    found = elimination(effects)
    inside = {term.group for term, inside in zip(found.others.terms, found.in_blocks, strict=True) if inside}
    assert (found.lead.group, inside) == (lead, in_blocks)
    assert (found.layout.blocks, found.layout.size, found.layout.border) == layout
