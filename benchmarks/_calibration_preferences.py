"""Preferences: Bradley–Terry, Thurstone, Plackett–Luce, best–worst."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from _calibration import Check, Draw, Share
from _calibration_choices import choice_design_effect, logistic_bias
from _calibration_claims import (
    ANY_REJECTED,
    centred,
    coverage_near,
    covers,
    rejects,
    rejects_any,
    size_near,
    size_within,
)
from _calibration_theory import ALPHA, FloatArray, z_size
from scipy.special import expit
from scipy.stats import norm

from textassay.stats import (
    best_worst,
    bradley_terry,
    bradley_terry_matrix,
    plackett_luce,
    thurstone,
)

_SYSTEMS = np.array(list("abcd"))
_PAIRS = np.array(list(combinations(range(4), 2)))
_EACH = 30
"""Comparisons of each pair."""
_FIRST, _SECOND = (np.repeat(column, _EACH) for column in _PAIRS.T)
_ABILITIES = np.array([0.9, 0.3, -0.3, -0.9])
_EQUAL = np.zeros(4)
_HOLM = "Holm is conservative; Wald tests as far off as Bradley's liberal criterion allows"


def checks() -> tuple[Check, ...]:
    """All of this family."""
    pairs = "4 systems, 30 comparisons of each pair"
    return (
        Check(f"{pairs}, equally good", _choices(_EQUAL), (
            size_near("bradley_terry", "likelihood ratio"),
            size_within("bradley_terry", "pairs, Holm", high=1.5 * ALPHA, why=_HOLM, what=ANY_REJECTED),
            size_near("bradley_terry", "deviance: one scale is enough"),
            size_near("thurstone", "likelihood ratio"),
        ), cost=2),
        Check(f"{pairs}, log abilities .9, .3, -.3, -.9", _scaled, (
            coverage_near("bradley_terry", "first less last"),
            centred("bradley_terry", "first less last, 1.8", 1.8 + _first_order(), within=0.01,
                    why="bias away from 0 by Cox & Snell (1968), ± .01 for the next order"),
            coverage_near("bradley_terry_matrix", "first less second"),
        ), cost=2),
        Check(f"{pairs}, scale values .6, .2, -.2, -.6, normal", _probit, (
            coverage_near("thurstone", "first less last"),
        ), cost=2),
        Check(f"{pairs}, ties and an advantage of the first place", _tied, (
            size_near("bradley_terry", "Davidson's ties, likelihood ratio"),
            coverage_near("bradley_terry", "advantage of the first place, .4"),
        ), cost=3),
        Check("2 systems, 15 participants with tastes of SD 1 × 20 comparisons", _tastes, (_participants_ignored(),)),
        *_of_rankings(),
    )  # fmt: skip


def _first_order() -> float:
    """Bias of the difference of the first and the last ability; the last is the reference."""
    design = (np.eye(4)[_PAIRS[:, 0]] - np.eye(4)[_PAIRS[:, 1]])[:, :3]
    return float(logistic_bias(design, _ABILITIES[:3] - _ABILITIES[3], _EACH)[0])


def _participants_ignored() -> Share:
    known = z_size(choice_design_effect(1.0, 20))
    return size_within("bradley_terry", "participants ignored, likelihood ratio", low=known - 0.02, high=known + 0.02,
                       why=f"known to be liberal: {known:.3f} by the design effect (Kish 1965), ± .02")  # fmt: skip


def _outcomes(random: np.random.Generator, chance: FloatArray) -> FloatArray:
    return np.where(random.random(chance.size) < chance, 1, -1)


def _choices(abilities: FloatArray) -> Draw:
    chance = expit(abilities[_FIRST] - abilities[_SECOND])

    def draw(random: np.random.Generator) -> list[float]:
        compared = _SYSTEMS[_FIRST], _SYSTEMS[_SECOND], _outcomes(random, chance)
        found = bradley_terry(*compared)
        any_pair = rejects_any(pair.p for pair in found.pairs)
        return [rejects(found.p), any_pair, rejects(found.deviance_p), rejects(thurstone(*compared).p)]

    return draw


def _scaled(random: np.random.Generator) -> list[float]:
    outcome = _outcomes(random, expit(_ABILITIES[_FIRST] - _ABILITIES[_SECOND]))
    last = bradley_terry(_SYSTEMS[_FIRST], _SYSTEMS[_SECOND], outcome).pairs["a", "d"]
    wins = np.zeros((4, 4))
    np.add.at(wins, (np.where(outcome > 0, _FIRST, _SECOND), np.where(outcome > 0, _SECOND, _FIRST)), 1)
    second = bradley_terry_matrix(wins, None, systems=list("abcd")).pairs["a", "b"]
    return [covers(last.ci, 1.8), last.difference, covers(second.ci, 0.6)]


def _probit(random: np.random.Generator) -> list[float]:
    values = _ABILITIES * 2 / 3
    outcome = _outcomes(random, norm.cdf(values[_FIRST] - values[_SECOND]))
    pair = thurstone(_SYSTEMS[_FIRST], _SYSTEMS[_SECOND], outcome).pairs["a", "d"]
    return [covers(pair.ci, 1.2)]


def _tied(random: np.random.Generator) -> list[float]:
    """Davidson's model with ν = .6 and an advantage of .4 for the system shown first."""
    turned = random.random(_FIRST.size) < 0.5
    first, second = np.where(turned, _SECOND, _FIRST), np.where(turned, _FIRST, _SECOND)
    weights = np.array([np.exp(-0.2), 0.6, np.exp(0.2)])
    outcome = random.choice([-1, 0, 1], size=first.size, p=weights / weights.sum())
    found = bradley_terry(_SYSTEMS[first], _SYSTEMS[second], outcome, ties="davidson", order_effect=True)
    return [rejects(found.p), covers(found.extra("order effect").ci, 0.4)]


def _tastes(random: np.random.Generator) -> list[float]:
    outcome = _outcomes(random, expit(np.repeat(random.normal(size=15), 20)))
    return [rejects(bradley_terry(["a"] * 300, ["b"] * 300, outcome).p)]


def _of_rankings() -> tuple[Check, ...]:
    return (
        Check("40 rankings of 4 systems, equally good", _rankings(_EQUAL), (
            size_near("plackett_luce", "likelihood ratio"),
            size_within("plackett_luce", "pairs, Holm", high=1.5 * ALPHA, why=_HOLM, what=ANY_REJECTED),
            size_near("best_worst", "likelihood ratio"),
        ), cost=2),
        Check("40 rankings of 4 systems, log abilities .9, .3, -.3, -.9", _rankings(_ABILITIES), (
            coverage_near("plackett_luce", "first less last"),
            coverage_near("best_worst", "first less last"),
        ), cost=2),
    )  # fmt: skip


def _rankings(abilities: FloatArray) -> Draw:
    """Luce's choices are the largest of abilities with Gumbel noise (Yellott 1977), the worst of the rest likewise."""

    def draw(random: np.random.Generator) -> list[float]:
        places = np.argsort(-(abilities + random.gumbel(size=(40, 4))), axis=1)
        worst = -abilities + random.gumbel(size=(40, 4))
        np.put_along_axis(worst, places[:, :1], -np.inf, axis=1)
        of_ranks = plackett_luce(np.argsort(places, axis=1) + 1, systems=list("abcd"))
        of_ends = best_worst([list("abcd")] * 40, _SYSTEMS[places[:, 0]], _SYSTEMS[worst.argmax(axis=1)])
        if abilities.any():
            return [covers(found.pairs["a", "d"].ci, 1.8) for found in (of_ranks, of_ends)]
        return [rejects(of_ranks.p), rejects_any(pair.p for pair in of_ranks.pairs), rejects(of_ends.p)]

    return draw
