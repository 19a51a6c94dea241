"""Modes that papers used and that are known not to hold their level, beside valid ones on the same data."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from _calibration import Check, Draw
from _calibration_claims import rejects, size
from _calibration_theory import ALPHA, exceeds, f_size
from scipy.stats import f as fisher

from textassay.stats import anova, one_sample_t, rm_anova, two_sample_t

_P, _K, _R = 10, 6, 5
"""Evaluators; systems; answers of an evaluator to each system."""
_TASTE, _PERSON, _NOISE = 0.2, 0.5, 1.0
"""Variances: of evaluators' tastes for systems, of evaluators, of noise."""


def checks() -> tuple[Check, ...]:
    """All of this family."""
    return (
        _answers_as_independent("tastes for systems that differ", _TASTE, 0.0, "liberal", "evaluators' tastes"),
        _answers_as_independent("levels that differ, balanced", 0.0, _PERSON, "conservative", "evaluators' levels"),
        _doubled(2, 60),
        _doubled(8, 6),
        _unaggregated(),
    )


def _answers_as_independent(who: str, taste: float, person: float, known: str, missed: str) -> Check:
    common = _NOISE + _R * taste
    error = [
        (common + _K * _R * person, _P - 1.0),
        (common, (_P - 1.0) * (_K - 1)),
        (_NOISE, _P * _K * (_R - 1.0)),
    ]
    seen = f_size([(common, _K - 1.0)], error)
    place = "not in its error term" if taste else "in its error term only"
    return Check(
        f"6 systems × 10 evaluators × 5 answers, evaluators with {who}",
        _answers(taste, person),
        (
            size("anova", "one-way, all answers", is_=seen, why=f"known to be {known}: {missed} are {place}"),
            size("rm_anova", "within evaluators"),
        ),
    )


def _answers(taste: float, person: float) -> Draw:
    who, system = (each.ravel() for each in np.indices((_P, _K, _R))[:2])
    systems = np.array([f"system {number}" for number in range(1, _K + 1)])[system]

    def draw(random: np.random.Generator) -> list[float]:
        tastes, persons = np.sqrt(taste) * random.normal(size=(_P, _K)), np.sqrt(person) * random.normal(size=_P)
        values = tastes[who, system] + persons[who] + np.sqrt(_NOISE) * random.normal(size=who.size)
        return [rejects(anova(values, systems).p), rejects(rm_anova(values, who, {"system": systems}).p)]

    return draw


def _doubled(systems: int, each: int) -> Check:
    """Every preference counted for both systems, with both signs.

    Of M trials x, SS between is k/(k-1) times the part of Σx² that lies in the k-1 dimensions of the systems, and SS
    within is 2Σx² less that.
    """
    trials = each * systems * (systems - 1) // 2
    df, error_df = systems - 1, 2 * trials - systems
    scale = systems / (systems - 1)
    critical = float(fisher.isf(ALPHA, df, error_df)) * df / error_df
    seen = exceeds([(scale - critical * (2 - scale), df)], [(2.0, trials - df)], critical)
    return Check(
        f"{systems} systems, {each} preferences of each pair",
        _signs(systems, each),
        (
            size("anova", "one-way, both signs", is_=seen, why="known to be liberal: the two scores are one answer"),
            *([size("one_sample_t", "one sign")] if systems == 2 else []),
        ),
    )


def _signs(systems: int, each: int) -> Draw:
    first, second = (np.repeat(column, each) for column in np.array(list(combinations(range(systems), 2))).T)
    labels = np.concatenate([first, second]).astype(str)

    def draw(random: np.random.Generator) -> list[float]:
        strengths = random.normal(size=first.size)
        doubled = rejects(anova(np.concatenate([strengths, -strengths]), labels).p)
        return [doubled, rejects(one_sample_t(strengths).p)] if systems == 2 else [doubled]

    return draw


def _unaggregated() -> Check:
    """Two groups of 10 participants with 8 answers each, a third of whose variance is between participants."""
    common = _NOISE + 8 * _PERSON
    seen = f_size([(common, 1)], [(common, 18), (_NOISE, 2 * 10 * 7)])
    missed = "known to be liberal: answers of a participant count as independent"
    return Check(
        "2 groups of 10 participants × 8 answers",
        _two_groups,
        (
            size("two_sample_t", "equal variances, all answers", is_=seen, why=missed),
            size("two_sample_t", "equal variances, participants' means"),
        ),
    )


def _two_groups(random: np.random.Generator) -> list[float]:
    values = np.sqrt(_PERSON) * random.normal(size=(2, 10, 1)) + np.sqrt(_NOISE) * random.normal(size=(2, 10, 8))
    every = two_sample_t(values[0].ravel(), values[1].ravel(), variances="equal")
    return [rejects(found.p) for found in (every, two_sample_t(*values.mean(axis=2), variances="equal"))]
