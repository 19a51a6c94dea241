"""How strong a preference is: the ordinal model of strengths, and the linear one with tastes."""

from __future__ import annotations

import numpy as np
from _calibration import Check, Draw
from _calibration_claims import (
    ANY_REJECTED,
    coverage,
    coverage_near,
    covers,
    covers_all,
    rejects,
    rejects_any,
    size,
    size_near,
    size_within,
)
from _calibration_theory import ALPHA, FloatArray, IntArray

from textassay.stats import contrast_model, preference_strength

_SYSTEMS = np.array(list("abc"))
_FIRST, _SECOND = np.array([(0, 1), (0, 2), (1, 2)]).T
_EACH = 30
_PERSONS, _REPEATS = 12, 4
"""Participants; comparisons of each pair by each of them."""
_ABILITIES = np.array([0.6, 0.0, -0.6])
_EDGES = np.array([-2.0, -0.7, 0.7, 2.0])
"""Between the five strengths of preference."""
_BALANCED = "as in a balanced analysis of variance within participants, whose F is exact"


def checks() -> tuple[Check, ...]:
    """All of this family."""
    pairs = "strengths -2 to 2, 3 systems, 30 comparisons of each pair"
    tastes = "3 systems, 12 participants with tastes of their own × 4 comparisons of each pair"
    return (
        Check(f"{pairs}, equally good", _strengths(np.zeros(3)), (
            size_near("preference_strength", "likelihood ratio"),
        ), cost=2),
        Check(f"{pairs}, abilities .6, 0, -.6", _strengths(_ABILITIES), (
            coverage_near("preference_strength", "first less last"),
        ), cost=2),
        Check(f"strengths -2 to 2, {tastes}", _rated, (
            size_near("preference_strength", "random participants, likelihood ratio"),
            size_within("preference_strength", "participants ignored, likelihood ratio", low=1.5 * ALPHA, high=1.0,
                        why="known to be liberal: beyond Bradley's liberal criterion"),
        ), cost=20),
        Check(f"normal strengths, {tastes}", _measured, (
            size("contrast_model", "F of systems", why=_BALANCED),
            size("contrast_model", "Tukey", why=_BALANCED, what=ANY_REJECTED),
            coverage("contrast_model", "all differences", why=_BALANCED),
        ), cost=8),
    )  # fmt: skip


def _answers(random: np.random.Generator, eta: FloatArray) -> IntArray:
    """Strengths -2 to 2, positive where the second of a pair is better, by the cumulative logit model."""
    return np.asarray(np.searchsorted(_EDGES, eta + random.logistic(size=eta.size)) - 2, dtype=int)


def _strengths(abilities: FloatArray) -> Draw:
    first, second = np.repeat(_FIRST, _EACH), np.repeat(_SECOND, _EACH)

    def draw(random: np.random.Generator) -> list[float]:
        answers = _answers(random, abilities[second] - abilities[first])
        found = preference_strength(answers, _SYSTEMS[first], _SYSTEMS[second])
        ends = found.pairs["a", "c"]
        return [covers(ends.ci, 1.2) if abilities.any() else rejects(found.p)]

    return draw


def _design() -> tuple[IntArray, IntArray, IntArray]:
    """Participant, first and second system of each comparison."""
    person, pair = (each.ravel() for each in np.indices((_PERSONS, 3, _REPEATS))[:2])
    return person, _FIRST[pair], _SECOND[pair]


def _rated(random: np.random.Generator) -> list[float]:
    person, first, second = _design()
    taste = 0.7 * random.normal(size=(_PERSONS, 3))
    answers = _answers(random, taste[person, second] - taste[person, first])
    own = preference_strength(answers, _SYSTEMS[first], _SYSTEMS[second], random={"person": person})
    return [rejects(own.p), rejects(preference_strength(answers, _SYSTEMS[first], _SYSTEMS[second]).p)]


def _measured(random: np.random.Generator) -> list[float]:
    person, first, second = _design()
    taste = random.normal(size=(_PERSONS, 3))
    values = taste[person, second] - taste[person, first] + random.normal(size=person.size)
    found = contrast_model(values, np.eye(3)[second] - np.eye(3)[first], {"person": person})
    any_pair = rejects_any(pair.p for pair in found.pairs)
    return [rejects(found.test.p), any_pair, covers_all((pair.ci, 0.0) for pair in found.pairs)]
