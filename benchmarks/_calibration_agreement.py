"""Agreement of raters: tests of chance, and intervals."""

from __future__ import annotations

import numpy as np
from _calibration import Check, Draw
from _calibration_claims import coverage, coverage_near, covers, rejects, size, size_near
from _calibration_theory import FloatArray

from textassay.stats import (
    cohen_kappa,
    cohen_kappa_matrix,
    fleiss_kappa,
    gwet_ac,
    icc,
    krippendorff_alpha,
    percentage_agreement,
)

_SHARES = np.array([0.5, 0.3, 0.2])
"""Of the categories 1, 2, 3."""
_SAME = float((_SHARES**2).sum())
_COPIES = 0.8
"""Each rater sees the true category with this probability and guesses otherwise; so two share it with its square."""
_KAPPA = _COPIES**2
_AGREED = _KAPPA + (1 - _KAPPA) * _SAME
_CHANCE = (1 - _SAME) / (len(_SHARES) - 1)  # Gwet's share of agreement by chance
_AC1 = (_AGREED - _CHANCE) / (1 - _CHANCE)
_UNITS, _RATERS = 80, 4
_ITEM, _RATER, _NOISE = 1.5, 0.5, 1.0  # variances


def checks() -> tuple[Check, ...]:
    """All of this family."""
    drawn = "each sees the true one of 3 categories with probability .8, else guesses"
    return (
        Check("2 raters of 80 units who guess", _guessed(2), (
            size_near("cohen_kappa"),
            size_near("cohen_kappa", "quadratic weights"),
        )),
        Check("4 raters of 80 units who guess", _guessed(4), (size_near("fleiss_kappa"),)),
        Check(f"2 raters of 80 units; {drawn}", _two_raters, (
            coverage_near("cohen_kappa"),
            coverage_near("cohen_kappa", "quadratic weights"),
            coverage_near("cohen_kappa_matrix", "linear weights"),
        )),
        Check(f"4 raters of 80 units; {drawn}", _four_raters, (
            coverage_near("fleiss_kappa"),
            coverage_near("gwet_ac", "AC1"),
            coverage_near("percentage_agreement"),
        )),
        Check(f"4 raters of 80 units, a fifth missing; {drawn}", _with_gaps, (
            coverage_near("krippendorff_alpha", "nominal, bootstrap"),
        ), cost=2),
        Check("4 raters of 80 units, α = .6", _measured, (
            coverage_near("krippendorff_alpha", "interval, bootstrap"),
        ), cost=2),
        *_intraclass(),
    )  # fmt: skip


def _guessed(raters: int) -> Draw:
    def draw(random: np.random.Generator) -> list[float]:
        ratings = random.choice([1, 2, 3], size=(raters, _UNITS), p=_SHARES)
        if raters > 2:
            return [rejects(fleiss_kappa(ratings).p)]
        return [rejects(cohen_kappa(*ratings).p), rejects(cohen_kappa(*ratings, weights="quadratic").p)]

    return draw


def _labels(random: np.random.Generator, raters: int) -> FloatArray:
    """Pairs of raters agree by more than chance with probability κ: Cohen's, weighted, and Fleiss' κ, and nominal α."""
    truth = random.choice([1.0, 2.0, 3.0], size=_UNITS, p=_SHARES)
    guesses = random.choice([1.0, 2.0, 3.0], size=(raters, _UNITS), p=_SHARES)
    return np.where(random.random((raters, _UNITS)) < _COPIES, truth, guesses)


def _two_raters(random: np.random.Generator) -> list[float]:
    first, second = _labels(random, 2)
    matrix = np.zeros((3, 3))
    np.add.at(matrix, (first.astype(int) - 1, second.astype(int) - 1), 1)
    of_labels = cohen_kappa(first, second), cohen_kappa(first, second, weights="quadratic")
    return [covers(found.ci, _KAPPA) for found in (*of_labels, cohen_kappa_matrix(matrix, weights="linear"))]


def _four_raters(random: np.random.Generator) -> list[float]:
    ratings = _labels(random, _RATERS)
    agreed = covers(percentage_agreement(ratings).ci, _AGREED)
    return [covers(fleiss_kappa(ratings).ci, _KAPPA), covers(gwet_ac(ratings).ci, _AC1), agreed]


def _with_gaps(random: np.random.Generator) -> list[float]:
    ratings = np.where(random.random((_RATERS, _UNITS)) < 0.2, np.nan, _labels(random, _RATERS))
    return [covers(krippendorff_alpha(ratings, level="nominal", draws=500).ci, _KAPPA)]


def _measured(random: np.random.Generator) -> list[float]:
    ratings = np.sqrt(0.6) * random.normal(size=_UNITS) + np.sqrt(0.4) * random.normal(size=(_RATERS, _UNITS))
    return [covers(krippendorff_alpha(ratings, draws=500).ci, 0.6)]


def _intraclass() -> tuple[Check, ...]:
    items = "4 raters of 20 items"
    return (
        Check(f"{items}, noise only", _noise, (size("icc", "ICC1"), size("icc", "ICC3"))),
        Check(f"{items}, ICC = .6, no effects of raters", _one_way, (
            coverage("icc", "ICC1"),
            coverage("icc", "ICC1k"),
        )),
        Check(f"{items}, raters with effects of their own", _two_way, (
            coverage_near("icc", "ICC2, Satterthwaite"),
            coverage_near("icc", "ICC2k, Satterthwaite"),
            coverage("icc", "ICC3"),
            coverage("icc", "ICC3k"),
        )),
    )  # fmt: skip


def _noise(random: np.random.Generator) -> list[float]:
    found = icc(random.normal(size=(_RATERS, 20)))
    return [rejects(found.form(name).p) for name in ("ICC1", "ICC3")]


def _one_way(random: np.random.Generator) -> list[float]:
    found = icc(np.sqrt(_ITEM) * random.normal(size=20) + random.normal(size=(_RATERS, 20)))
    truths = {"ICC1": _ITEM / (_ITEM + _NOISE), "ICC1k": _ITEM / (_ITEM + _NOISE / _RATERS)}
    return [covers(found.form(name).ci, truth) for name, truth in truths.items()]


def _two_way(random: np.random.Generator) -> list[float]:
    raters = np.sqrt(_RATER) * random.normal(size=(_RATERS, 1))
    found = icc(raters + np.sqrt(_ITEM) * random.normal(size=20) + random.normal(size=(_RATERS, 20)))
    truths = {
        "ICC2": _ITEM / (_ITEM + _RATER + _NOISE),
        "ICC2k": _ITEM / (_ITEM + (_RATER + _NOISE) / _RATERS),
        "ICC3": _ITEM / (_ITEM + _NOISE),
        "ICC3k": _ITEM / (_ITEM + _NOISE / _RATERS),
    }
    return [covers(found.form(name).ci, truth) for name, truth in truths.items()]
