"""The model of entities: probabilities, scores and the best order, worked out by hand."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest

from textassay.errors import DataError, UsageError
from textassay.ordering import reference_rank
from textassay.ordering.arranging.entity_grid import Mention, entity_grid, fit_grid
from textassay.ordering.paths.shortest_path import shortest_path

# Columns cat: S S -, dog: - O S. Steps: cat SS, S-; dog -O, OS.
TRAINED = entity_grid(
    "abc", [Mention("a", "cat", "S"), Mention("b", "cat", "S"), Mention("b", "dog", "O"), Mention("c", "dog", "S")]
)


def test_probabilities_by_hand() -> None:
    # From S: one S, one -, with 1 added each: 2 1 1 2 of 6. From O: one S: 2 1 1 1 of 5. From X: nothing: quarters.
    # From -: one O: 1 2 1 1 of 5.
    model = fit_grid([TRAINED])
    expected = [[2 / 6, 1 / 6, 1 / 6, 2 / 6], [2 / 5, 1 / 5, 1 / 5, 1 / 5], [0.25] * 4, [1 / 5, 2 / 5, 1 / 5, 1 / 5]]
    np.testing.assert_allclose(model.probabilities, expected)
    assert (model.texts, model.smoothing) == (1, 1)


def test_score_by_hand() -> None:
    # Columns sun: S - S, sea: - X -. As given: S- -S, -X X-: 2/6 · 1/5 · 1/5 · 1/4. With b last: SS S- for the sun,
    # -- -X for the sea: 2/6 · 2/6 · 1/5 · 1/5.
    model = fit_grid([TRAINED])
    grid = entity_grid("abc", [Mention("a", "sun", "S"), Mention("c", "sun", "S"), Mention("b", "sea")])
    score = model.scorer(grid)
    assert score("abc") == pytest.approx(math.log(2 / 6 * 1 / 5 * 1 / 5 * 1 / 4) / 4)
    assert score("acb") == pytest.approx(math.log(2 / 6 * 2 / 6 * 1 / 5 * 1 / 5) / 4)


def test_best_order_is_the_shortest_path() -> None:
    model = fit_grid([TRAINED], smoothing=0.5)
    draw = np.random.default_rng(4)
    mentions = [
        Mention(unit, entity, role)
        for unit in range(6)
        for entity in "pqrs"
        if (role := "SOX-"[draw.integers(4)]) != "-"
    ]
    grid = entity_grid(range(6), mentions)
    score = model.scorer(grid)
    best = shortest_path(model.distances(grid), None)
    assert score(best.order) == pytest.approx(max(score(order) for order in permutations(range(6))))
    assert reference_rank(score, list(best.order)).rank == 0


def test_what_cannot_be_learnt_from_or_scored_is_refused() -> None:
    for grids in ([], [entity_grid("ab", [])], [entity_grid("a", [Mention("a", "cat")])]):
        with pytest.raises(DataError, match=f"{len(grids)} text"):
            fit_grid(grids)
    with pytest.raises(UsageError, match="above 0"):
        fit_grid([TRAINED], smoothing=0)
    with pytest.raises(DataError, match="nothing to score"):
        fit_grid([TRAINED]).scorer(entity_grid("ab", []))
