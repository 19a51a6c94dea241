"""Texts put in order by all methods."""

from __future__ import annotations

import math
from itertools import permutations
from typing import Any

import pytest
from brute_paths import random_distances

from textassay.errors import DataError, UsageError
from textassay.ordering import reference_rank, share_preferred
from textassay.ordering.arranging.arrange import Arrangement, ArrangeSettings, arrange, path_scorer
from textassay.ordering.arranging.entity_grid import Mention, entity_grid, fit_grid
from textassay.ordering.paths.shortest_path import shortest_path

TEXTS = {
    "t": {"a": "cats purr", "b": "dogs bark", "c": "cats and dogs", "d": "dogs bark and cats purr"},
    "u": {"1": "sun", "2": "sea", "3": "sun sea"},
}
B = [[4, 2, 1, 0], [2, 5, 3, 1], [1, 3, 6, 2], [0, 1, 2, 3]]
MENTIONS = {
    "t": [Mention("a", "cats", "S"), Mention("b", "dogs", "S"), Mention("c", "cats"), Mention("c", "dogs")],
    "u": [Mention("1", "sun", "S"), Mention("2", "sea", "S"), Mention("3", "sun", "S"), Mention("3", "sea", "O")],
}


def orders(found: Arrangement) -> dict[tuple[str, str], str]:
    return {(each.item, each.by): "".join(map(str, each.order)) for each in found.arranged}


def test_path_and_baselines_item_by_item() -> None:
    found = arrange(TEXTS, ["original", "reversed", "path"])
    # u: 1 shares a word with 3 only, and so does 2.
    assert [(each.item, each.by) for each in found.arranged[:4]] == [
        ("t", "original"),
        ("t", "reversed"),
        ("t", "path"),
        ("u", "original"),
    ]
    assert orders(found)["t", "original"] == "abcd"
    assert orders(found)["t", "reversed"] == "dcba"
    assert orders(found)["u", "path"] == "132"
    assert all(each.path and each.path.exact for each in found.arranged if each.by == "path")


def test_given_similarities_and_free_first() -> None:
    # The worked example's path is 0 1 2 3; read from the other end it costs the same, and the smaller end comes first.
    given = {"t": B}
    assert orders(arrange({"t": TEXTS["t"]}, ["path"], ArrangeSettings(similarity=given)))["t", "path"] == "abcd"
    assert (
        orders(arrange({"t": TEXTS["t"]}, ["path"], ArrangeSettings(similarity=given, first="free")))["t", "path"]
        == "abcd"
    )


def test_an_embedding_is_any_function() -> None:
    # By length: 9, 9, 13 and 23 letters as angles 0.9, 0.9, 1.3, 2.3.
    def by_length(sentences: Any) -> list[list[float]]:
        return [[math.cos(len(text) / 10), math.sin(len(text) / 10)] for text in sentences]

    found = arrange({"t": TEXTS["t"]}, ["path"], ArrangeSettings(similarity=by_length))
    assert orders(found)["t", "path"] == "abcd"
    assert found.settings["similarity"] == "a function"


def test_characters_differ_from_words() -> None:
    texts = {"t": {"a": "organise", "b": "mat", "c": "organisation"}}
    assert orders(arrange(texts, ["path"], ArrangeSettings(similarity="characters")))["t", "path"] == "acb"


def test_random_keeps_the_first_unless_it_is_free() -> None:
    text = {"t": {str(number): "x" for number in range(9)}}
    kept = {orders(arrange(text, ["random"], ArrangeSettings(seed=seed)))["t", "random"][0] for seed in range(20)}
    free = {
        orders(arrange(text, ["random"], ArrangeSettings(seed=seed, first="free")))["t", "random"][0]
        for seed in range(20)
    }
    assert kept == {"0"}
    assert len(free) > 3


def test_chronological() -> None:
    found = arrange({"u": TEXTS["u"]}, ["chronological"], ArrangeSettings(times={"u": [3, 1, 2]}))
    assert orders(found)["u", "chronological"] == "231"


def test_grid_learns_from_the_other_texts_or_from_those_given() -> None:
    units = list(TEXTS["t"])
    for train in (None, [entity_grid("xy", [Mention("x", "e", "S"), Mention("y", "e")])]):
        found = arrange(TEXTS, ["grid"], ArrangeSettings(mentions=MENTIONS, train=train, first="free")).arranged[0]
        model = fit_grid(train or [entity_grid(list(TEXTS["u"]), MENTIONS["u"])])
        score = model.scorer(entity_grid(units, MENTIONS["t"]))
        assert score(found.order) == pytest.approx(max(map(score, permutations(units))))


def test_records_and_warnings() -> None:
    long = {"t": {str(number): f"w{number % 7} v{number % 5} u{number % 3}" for number in range(30)}}
    found = arrange(long, ["path", "original"])
    path, original = found.records()
    assert (path["of"], path["by"], path["value"]) == ("t", "path", 30)
    assert path["cost"] >= path["lower_bound"]
    assert "cost" not in original
    assert all(said.startswith("item t, path: not proved") for said in found.warnings)


def test_what_means_nothing_is_said() -> None:
    texts = {"t": {"a": "sun and sea", "b": "…", "c": "sea", "d": "moon"}}
    found = arrange(texts, ["path", "chronological"], ArrangeSettings(times={"t": [1, 2, 1, 1]}))
    assert found.warnings == (
        "item t, path: 2 unit(s) have nothing in common with any other, so their places are arbitrary: 'b', 'd'",
        "item t, chronological: 2 unit(s) have the same time as another before them and stay behind it",
    )
    assert orders(found)["t", "chronological"] == "acdb"
    assert arrange({"t": {"a": "one"}}).warnings == ()


@pytest.mark.parametrize(
    ("methods", "settings", "message"),
    [
        (["chronological"], ArrangeSettings(), "item t has no times"),
        (["grid"], ArrangeSettings(), "item t has no entities"),
        (["grid"], ArrangeSettings(mentions={"t": MENTIONS["t"]}), "no other text with entities"),
        (["path"], ArrangeSettings(similarity={}), "item t has no similarities"),
        (["path"], ArrangeSettings(similarity={"t": [[1.0]]}), "item t has 4 units, but its similarities are of 1"),
    ],
)
def test_what_the_data_lacks_is_said(methods: list[Any], settings: ArrangeSettings, message: str) -> None:
    with pytest.raises(DataError, match=message):
        arrange({"t": TEXTS["t"]}, methods, settings)


def test_wrong_calls_are_refused() -> None:
    with pytest.raises(UsageError, match="path, random, original, reversed, chronological, grid; got sideways"):
        arrange(TEXTS, ["sideways"])  # type: ignore[list-item]
    with pytest.raises(UsageError, match="got none"):
        arrange(TEXTS, [])
    for texts in ({}, {"t": {}}):
        with pytest.raises(DataError, match="at least one text"):
            arrange(texts)


# --- The scorer by path cost, with the functions that take scorers --------------------------------------------------


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
