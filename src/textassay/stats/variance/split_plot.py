"""The effects of a design with factors within and between units (subjects or items), each with its error term."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations

import numpy as np

from textassay.stats.distributions import f_upper
from textassay.stats.mixed.model_matrix import JOINT
from textassay.stats.samples import FloatArray
from textassay.stats.variance.anova import ErrorTerm
from textassay.stats.variance.between_units import BetweenUnits, Sums, between_units
from textassay.stats.variance.cell_means import CellMeans
from textassay.stats.variance.sphericity import Sphericity, sphericity

_DOUBTFUL = 0.05
"""Mauchly's p below which a warning speaks of sphericity."""


@dataclass(frozen=True)
class WithinEffect:
    """One line of the table of variance, with the error term that belongs to it."""

    name: str
    factors: tuple[str, ...]
    ss: float
    """Sum of squares."""
    df: int
    f: float
    p: float
    """Takes sphericity for granted."""
    error: ErrorTerm
    """What the effect is measured by, here and in the comparisons that follow."""
    partial_eta2: float
    generalised_eta2: float
    sphericity: Sphericity | None
    """None where there is one contrast only, so that nothing can fail to be spherical."""
    p_gg: float
    """With the degrees of freedom of Greenhouse & Geisser."""
    p_hf: float
    """With those of Huynh & Feldt."""

    @property
    def ms(self) -> float:
        """Mean square."""
        return self.ss / self.df if self.df > 0 else math.nan


@dataclass(frozen=True)
class EffectTable:
    """All effects, and what a reader must know of them."""

    effects: tuple[WithinEffect, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class _Stratum:
    """Contrasts within units that share an error term."""

    scores: FloatArray
    error: ErrorTerm
    sphericity: Sphericity | None


def split_plot(cells: CellMeans, sums: Sums, observed: Sequence[str]) -> EffectTable:
    """All main effects and interactions; those between units first, then each one within units with its own."""
    model = between_units(cells.between, len(cells.units), sums)
    centred = cells.means - cells.means.mean()
    rounding = centred.size * (8 * np.finfo(float).eps * float(np.max(np.abs(cells.means)))) ** 2
    effects: list[WithinEffect] = []
    errors = 0.0
    for inside in _subsets(cells.levels):
        stratum = _stratum(centred @ _contrasts(cells, inside), model, cells.means.shape[1], rounding)
        errors += stratum.error.ss
        for part in model.parts:
            if part.factors or inside:
                ss, df = part.sum_of_squares(stratum.scores), part.df * stratum.scores.shape[1]
                effects.append(_effect((*part.factors, *inside), 0.0 if ss <= rounding else ss, df, stratum))
    warnings = _undefined(effects, cells) or _not_spherical(effects, cells)
    return EffectTable(_with_generalised(effects, errors, observed), tuple(warnings))


def _subsets(levels: Mapping[str, Sequence[str]]) -> list[tuple[str, ...]]:
    """No factor, each one, each two and so on."""
    return list(chain.from_iterable(combinations(levels, size) for size in range(len(levels) + 1)))


def _contrasts(cells: CellMeans, inside: Sequence[str]) -> FloatArray:
    """Orthonormal contrasts of an effect within units: differences in its factors, means over the others."""
    columns: FloatArray = np.ones((1, 1))
    for name, size in zip(cells.levels, cells.shape, strict=True):
        own = _helmert(size) if name in inside else np.full((size, 1), size**-0.5)
        columns = np.asarray(np.kron(columns, own), dtype=np.float64)
    return columns


def _helmert(size: int) -> FloatArray:
    """Each level less the mean of those before it, scaled to length 1; shape (levels, levels - 1)."""
    place = np.arange(1, size)
    columns = np.triu(-np.ones((size, size)), 1)[:, 1:]
    columns[place, place - 1] = place
    return np.asarray(columns / np.sqrt(place * (place + 1.0)))


def _stratum(scores: FloatArray, model: BetweenUnits, conditions: int, rounding: float) -> _Stratum:
    residuals = model.residuals(scores)
    ss = float(np.sum(residuals**2))
    width = scores.shape[1]
    error = ErrorTerm(0.0 if ss <= rounding else ss, model.error_df * width)
    found = sphericity(residuals, model.error_df, conditions) if width > 1 and error.ss > 0 else None
    return _Stratum(scores, error, found)


def _effect(factors: tuple[str, ...], ss: float, df: int, stratum: _Stratum) -> WithinEffect:
    error = stratum.error
    f = ss / df / error.ms if df > 0 and error.df > 0 and error.ss > 0 else math.nan
    p = p_gg = p_hf = f_upper(f, df, error.df)
    if stratum.sphericity is not None:
        p_gg, p_hf = stratum.sphericity.corrected_p(f, df, error.df)
    partial = ss / (ss + error.ss) if ss + error.ss > 0 else math.nan
    return WithinEffect(
        JOINT.join(factors), factors, ss, df, f, p, error, partial, math.nan, stratum.sphericity, p_gg, p_hf
    )


def _with_generalised(
    effects: Sequence[WithinEffect], errors: float, observed: Sequence[str]
) -> tuple[WithinEffect, ...]:
    """Generalised η²: all error terms below, and the effects of what was observed and not manipulated."""
    measured = [bool(set(observed) & set(effect.factors)) for effect in effects]
    below = errors + sum(effect.ss for effect, own in zip(effects, measured, strict=True) if own)
    totals = [below + (0.0 if own else effect.ss) for effect, own in zip(effects, measured, strict=True)]
    return tuple(
        replace(effect, generalised_eta2=effect.ss / total if total > 0 else math.nan)
        for effect, total in zip(effects, totals, strict=True)
    )


def _undefined(effects: Sequence[WithinEffect], cells: CellMeans) -> list[str]:
    """Why effects have no F."""
    if np.all(cells.means == cells.means.flat[0]):
        return [f"F is undefined: all means are equal ({cells.means.flat[0]:g})"]
    reasons: dict[str, list[str]] = {}
    for effect in effects:
        if effect.error.df < 1:
            reason = f"there are no more {cells.unit}s ({len(cells.units)}) than groups of them"
        elif effect.df < 1:
            reason = "its factors cannot be told apart from the others: some combinations of levels are empty"
        elif effect.error.ss == 0:
            reason = f"it does not vary between {cells.unit}s, so nothing is left to measure error by"
        else:
            continue
        reasons.setdefault(reason, []).append(effect.name)
    return [f"F is undefined for {', '.join(names)}: {reason}" for reason, names in reasons.items()]


def _not_spherical(effects: Sequence[WithinEffect], cells: CellMeans) -> list[str]:
    tested = [(effect, effect.sphericity) for effect in effects if effect.sphericity is not None]
    doubtful = [effect.name for effect, found in tested if found.mauchly_p < _DOUBTFUL]
    untested = [effect.name for effect, found in tested if math.isnan(found.mauchly_p)]
    warnings = []
    if doubtful:
        warnings.append(
            f"sphericity is doubtful for {', '.join(doubtful)} (Mauchly's p < {_DOUBTFUL}): "
            "prefer p_gg (Greenhouse–Geisser), or p_hf (Huynh–Feldt) where ε is above .75"
        )
    if untested:
        warnings.append(
            f"Mauchly's test is undefined for {', '.join(untested)}: {len(cells.units)} {cells.unit}s are too few "
            "for so many conditions, or conditions go together; prefer p_gg"
        )
    return warnings
