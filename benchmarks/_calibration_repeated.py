"""Repeated measures: analysis of variance within subjects, by subjects and by items."""

from __future__ import annotations

from typing import Literal

import numpy as np
from _calibration import Check
from _calibration_claims import ANY_REJECTED, rejects, rejects_any, size, size_near, size_within
from _calibration_theory import ALPHA, FloatArray, IntArray, f_size, t_size, within_contrasts

from textassay.stats import by_subjects_items, rm_anova, tukey

_N, _K = 14, 5
_SUBJECTS, _SYSTEMS = np.repeat(np.arange(_N), _K), np.tile(list("abcde"), _N)
_CLARK = "conservative (Clark 1973); Satterthwaite's approximation may err by a tenth of the level"

# Subjects × items: 12 subjects, 2 conditions with 8 items of their own.
_S, _J = 12, 8
_SLOPE, _ITEM, _NOISE = 0.5, 0.6, 1.0  # variances: of the difference of conditions between subjects, of items, of noise


def random_walk(k: int) -> FloatArray:
    """Covariance of the steps of a random walk: neighbours are alike, so the values are far from spherical."""
    steps = np.arange(1, k + 1)
    return np.minimum.outer(steps, steps).astype(float)


def checks() -> tuple[Check, ...]:
    """All of this family."""
    return (*_within_subjects(), *_subjects_and_items())


def _within_subjects() -> tuple[Check, ...]:
    weights = within_contrasts(random_walk(_K))
    uneven = f_size([(w, 1.0) for w in weights], [(w, _N - 1.0) for w in weights])
    return (
        Check("14 subjects × 5 systems, equal covariances", _spherical, (
            size("rm_anova", "uncorrected"),
            size_within("rm_anova", "Greenhouse–Geisser", low=ALPHA / 2, high=ALPHA,
                        why="never above uncorrected; below, Bradley's liberal criterion"),
            size_within("rm_anova", "Huynh–Feldt", low=ALPHA / 2, high=ALPHA,
                        why="never above uncorrected; below, Bradley's liberal criterion"),
            size_near("rm_anova", "Mauchly's test"),
        )),
        Check("10 subjects × 4 systems, equal covariances", _pairs, (
            size("tukey", "error term of rm_anova", what=ANY_REJECTED),
        ), cost=5),
        Check("14 subjects × 5 steps of a random walk", _walk, (
            size("rm_anova", "uncorrected", is_=uneven, why="known to be liberal: ratio of sums of χ² (Box 1954)"),
            size_near("rm_anova", "Greenhouse–Geisser"),
            size_near("rm_anova", "Huynh–Feldt"),
        )),
        Check("5 and 8 subjects of two cohorts × 2 × 2 conditions, equal covariances", _split_plot, tuple(
            size("rm_anova", effect) for effect in ("cohort", "first", "cohort × first", "first × second")
        )),
    )  # fmt: skip


def _subjects_and_items() -> tuple[Check, ...]:
    few_items = 2 * (_ITEM + _NOISE / _S) / _J
    few_subjects = (_SLOPE + 2 * _NOISE / _J) / _S
    missed = "known to be liberal: t times a constant, as the variance of {} is not in its error term"
    return (
        Check("12 subjects, 8 items of each condition, both with effects of their own", _between_items, (
            size("by_subjects_items", "F1 alone", is_=t_size(1 + (2 * _ITEM / _J) / few_subjects, _S - 1),
                 why=missed.format("items")),
            size("by_subjects_items", "F2 alone", is_=t_size(1 + (_SLOPE / _S) / few_items, 2 * _J - 2),
                 why=missed.format("subjects")),
            size_within("by_subjects_items", "min F′", high=1.1 * ALPHA, why=_CLARK),
        )),
        Check("12 subjects × 8 items, each in both conditions, noise only", _within_items, (
            size("by_subjects_items", "F1"),
            size("by_subjects_items", "F2"),
            size_within("by_subjects_items", "min F′", high=ALPHA, why="conservative (Clark 1973)"),
        )),
    )  # fmt: skip


def _spherical(random: np.random.Generator) -> list[float]:
    values = np.repeat(random.normal(size=_N), _K) + random.normal(size=_N * _K)
    effect = rm_anova(values, _SUBJECTS, {"system": _SYSTEMS}).effect
    mauchly = effect.sphericity.mauchly_p if effect.sphericity else np.nan
    return [rejects(p) for p in (effect.p, effect.p_gg, effect.p_hf, mauchly)]


def _pairs(random: np.random.Generator) -> list[float]:
    subject, system = np.divmod(np.arange(40), 4)
    values = random.normal(size=10)[subject] + random.normal(size=40)
    error = rm_anova(values, subject, {"system": system}).effect.error
    return [rejects_any(pair.p for pair in tukey(values, system, error=error).pairs)]


def _walk(random: np.random.Generator) -> list[float]:
    values = random.normal(size=(_N, _K)).cumsum(axis=1).ravel()
    effect = rm_anova(values, _SUBJECTS, {"step": _SYSTEMS}).effect
    return [rejects(effect.p), rejects(effect.p_gg), rejects(effect.p_hf)]


def _split_plot(random: np.random.Generator) -> list[float]:
    subject, condition = np.divmod(np.arange(13 * 4), 4)
    values = random.normal(size=13)[subject] + random.normal(size=52)
    within = {"first": condition // 2, "second": condition % 2}
    found = rm_anova(values, subject, within, between={"cohort": np.where(subject < 5, "experts", "others")})
    effects = [found[name] for name in ("cohort", "first", "cohort:first", "first:second")]
    return [rejects(effect.p) for effect in effects]


def _between_items(random: np.random.Generator) -> list[float]:
    subject, item = np.divmod(np.arange(_S * 2 * _J), 2 * _J)
    condition = item // _J
    slopes = np.sqrt(_SLOPE) * random.normal(size=_S)[subject] * (condition - 0.5)
    items = np.sqrt(_ITEM) * random.normal(size=2 * _J)[item]
    values = random.normal(size=_S)[subject] + slopes + items + np.sqrt(_NOISE) * random.normal(size=subject.size)
    return _both(values, subject, item, condition, "between")


def _within_items(random: np.random.Generator) -> list[float]:
    subject, item, condition = (each.ravel() for each in np.indices((_S, _J, 2)))
    return _both(random.normal(size=subject.size), subject, item, condition, "within")


def _both(
    values: FloatArray,
    subject: IntArray,
    item: IntArray,
    condition: IntArray,
    across_items: Literal["within", "between"],
) -> list[float]:
    found = by_subjects_items(values, subject, item, {"condition": condition}, across_items=across_items)
    return [rejects(p) for p in (found.by_subjects.p, found.by_items.p, found.min_f[0].p)]
