"""The grid and its transitions, worked out by hand."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest

from textassay.errors import DataError, UsageError
from textassay.ordering import reference_rank
from textassay.ordering.arranging.entity_grid import Mention, entity_grid, fit_grid
from textassay.ordering.paths.shortest_path import shortest_path

# a: "The cat chased the dog in the garden."  b: "The dog hid."  c: "The cat found the dog and its bone."
MENTIONS = [
    Mention("a", "cat", "S"),
    Mention("a", "dog", "O"),
    Mention("a", "garden", "X"),
    Mention("b", "dog", "S"),
    Mention("c", "cat", "S"),
    Mention("c", "bone", "O"),
    Mention("c", "dog", "X"),
    Mention("c", "dog", "O"),
]
GRID = entity_grid("abc", MENTIONS)


def test_rows_and_columns() -> None:
    # The dog stands in c as object and as its bone's owner: object counts.
    assert GRID.entities == ("cat", "dog", "garden", "bone")
    assert GRID.rows() == ["SOX-", "-S--", "SO-O"]


def test_transitions_by_hand() -> None:
    # a to b: S- OS X- --; b to c: -S SO -- -O. Eight in all; -- twice, the others once.
    found = GRID.transitions()
    assert len(found) == 16
    once = {"S-", "OS", "X-", "-S", "SO", "-O"}
    assert found == {key: 2 / 8 if key == "--" else 1 / 8 if key in once else 0 for key in found}


def test_transitions_of_another_order() -> None:
    # b to a: -S SO -X --; a to c: SS OO X- -O.
    found = {key: share for key, share in GRID.transitions("bac").items() if share}
    assert found == dict.fromkeys(("-S", "SO", "-X", "--", "SS", "OO", "X-", "-O"), 1 / 8)


def test_longer_and_shorter_sequences() -> None:
    # Columns from top to bottom: S-S, OSO, X--, --O.
    found = {key: share for key, share in GRID.transitions(length=3).items() if share}
    assert found == dict.fromkeys(("S-S", "OSO", "X--", "--O"), 1 / 4)
    assert GRID.transitions(length=1) == {"S": 3 / 12, "O": 3 / 12, "X": 1 / 12, "-": 5 / 12}
    assert GRID.transitions(length=4) == {}
    with pytest.raises(UsageError, match="at least 1"):
        GRID.transitions(length=0)


def test_presence_alone() -> None:
    assert entity_grid("ab", [Mention("a", "cat"), Mention("b", "dog")]).rows() == ["X-", "-X"]
    assert entity_grid("ab", []).rows() == ["", ""]


@pytest.mark.parametrize(
    ("mention", "message"),
    [(Mention("z", "cat"), "'cat' is mentioned in unit 'z'"), (Mention("a", "cat", "-"), "'-'; use S, O or X")],
)
def test_wrong_mentions_are_refused(mention: Mention, message: str) -> None:
    with pytest.raises(DataError, match=message):
        entity_grid("ab", [mention])


# --- The model of entities: probabilities, scores and the best order, worked out by hand ----------------------------


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
