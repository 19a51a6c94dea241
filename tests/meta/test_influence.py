"""What a correlation hangs on."""

from __future__ import annotations

import math

import numpy as np
import pytest

from textassay.meta.coefficients import grouped, vector_coefficient
from textassay.meta.influence import Level, among_best, influences

GENERATOR = np.random.default_rng(5)
PEOPLE = GENERATOR.normal(size=(7, 5))
SCORES = PEOPLE + GENERATOR.normal(size=(7, 5))
SCORES[2, 3] = math.nan
ITEMS, SYSTEMS = tuple("abcdefg"), tuple("VWXYZ")


def value(people: np.ndarray, scores: np.ndarray, level: Level) -> float:
    """Worked out afresh."""
    if level == "within items":
        return grouped(people, scores, "item", "tau-b").mean
    both = ~np.isnan(scores)
    one, other = (np.nanmean(np.where(both, each, math.nan), axis=0) for each in (people, scores))
    return vector_coefficient(one, other, "tau-b")


@pytest.mark.parametrize("level", ["within items", "systems"])
def test_each_left_out_in_turn(level: Level) -> None:
    found = {each.name: each for each in influences(PEOPLE, SCORES, "tau-b", level, items=ITEMS, systems=SYSTEMS)}
    whole = value(PEOPLE, SCORES, level)
    assert len(found) == 12
    for place, name in enumerate(ITEMS):
        expected = value(np.delete(PEOPLE, place, 0), np.delete(SCORES, place, 0), level)
        assert found[name].without == pytest.approx(expected)
        assert found[name].change == pytest.approx(whole - expected)
        assert found[name].kind == "item"
    for place, name in enumerate(SYSTEMS):
        expected = value(np.delete(PEOPLE, place, 1), np.delete(SCORES, place, 1), level)
        assert found[name].without == pytest.approx(expected)


def test_what_carries_the_agreement_comes_first() -> None:
    """One system is far below on both sides and carries the correlation of the systems."""
    people, scores = (np.tile(each, (6, 1)) for each in (np.array([5.0, 4, 5, 4, 0]), np.array([4.0, 5, 4, 5, 0])))
    first = influences(people, scores, "pearson", "systems", items=tuple("abcdef"), systems=SYSTEMS)[0]
    assert (first.name, first.kind, first.without) == ("Z", "system", pytest.approx(-1))
    assert first.change > 1.5


def test_an_item_without_a_coefficient_has_no_influence() -> None:
    people = PEOPLE.copy()
    people[0] = 1.0
    names = [each.name for each in influences(people, SCORES, "tau-b", "within items", items=ITEMS, systems=SYSTEMS)]
    assert "a" not in names
    assert influences(people[:1], SCORES[:1], "tau-b", "within items", items=["a"], systems=SYSTEMS) == []


def test_among_the_best_only() -> None:
    people, scores = np.array([1.0, 2, 3, 4, 5, math.nan]), np.array([1.0, 2, 5, 4, 3, 9])
    found = among_best(people, scores, "pearson", systems="abcdef")
    assert [(each.systems, each.lowest) for each in found] == [(5, "a"), (4, "b"), (3, "c")]
    assert found[-1].value == pytest.approx(-1)
    assert found[0].value == pytest.approx(np.corrcoef(people[:5], scores[:5])[0, 1])
    assert among_best(people[:2], scores[:2], "pearson", systems="ab") == []
