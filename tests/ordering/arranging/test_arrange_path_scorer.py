"""The scorer by path cost, with the functions that take scorers."""

from __future__ import annotations

import pytest
from brute_paths import random_distances

from textassay.errors import DataError
from textassay.ordering import reference_rank, share_preferred
from textassay.ordering.arranging.arrange import path_scorer
from textassay.ordering.paths.shortest_path import shortest_path


@pytest.mark.parametrize("symmetric", [True, False])
def test_shortest_path_has_rank_0(symmetric: bool) -> None:
    distances = random_distances(6, 7, symmetric=symmetric)
    best = shortest_path(distances, None)
    score = path_scorer(distances)
    assert score(best.order) == pytest.approx(-best.cost)
    assert reference_rank(score, best.order).rank == 0


def test_units_have_names() -> None:
    score = path_scorer([[0, 1, 5], [2, 0, 1], [9, 9, 0]], ["x", "y", "z"])
    assert score(["x", "y", "z"]) == -2
    assert score(["z", "y", "x"]) == -11
    assert share_preferred(score, [("xyz", "zyx"), ("xyz", "xzy")]).share == 1


def test_wrong_units_are_refused() -> None:
    with pytest.raises(DataError, match="3 units for 2 rows"):
        path_scorer([[0, 1], [1, 0]], "abc")
    with pytest.raises(DataError, match="'c'"):
        path_scorer([[0, 1], [1, 0]], "ab")("ac")
