"""The effects of a design with factors within and between units (subjects or items), each with its error term."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import Literal

import numpy as np

from textassay.errors import DataError
from textassay.stats.distributions import chi2_upper, f_upper
from textassay.stats.mixed.model_matrix import JOINT, ModelMatrix, Term, model_matrix, with_interactions
from textassay.stats.samples import FloatArray
from textassay.stats.variance.anova_table import EffectLine, ErrorTerm
from textassay.stats.variance.cell_means import CellMeans, joined_names


@dataclass(frozen=True)
class Sphericity:
    """Of one effect within subjects that has at least two degrees of freedom."""

    mauchly_w: float
    """Mauchly's W: 1 where sphericity holds exactly; nan for collinear contrasts, as with too few subjects."""
    mauchly_p: float
    gg: float
    """ε of Greenhouse & Geisser, by which both degrees of freedom are multiplied."""
    hf: float
    """ε of Huynh & Feldt, at most 1."""

    def corrected_p(self, f: float, df: int, error_df: int) -> tuple[float, float]:
        """The p with the degrees of freedom of Greenhouse & Geisser, and of Huynh & Feldt."""
        gg, hf = (f_upper(f, epsilon * df, epsilon * error_df) for epsilon in (self.gg, self.hf))
        return gg, hf


def sphericity(residuals: FloatArray, df: int, conditions: int) -> Sphericity:
    """Sphericity of d orthonormal contrasts, from their residuals after the model between subjects.

    With S the cross-products of the residuals: W = det S / (tr S / d)ᵈ, tested by the series of Box (1949) as
    R's `mauchly.test` has it; ε = (tr S)² / (d tr S²) (Greenhouse & Geisser 1959);
    ε' = ((df + 1) d ε - 2) / (d (df - d ε)), at most 1 (Huynh & Feldt 1976 with the correction of Lecoutre 1991).

    Args:
        residuals: Shape (subjects, contrasts).
        df: Degrees of freedom between subjects: subjects less groups.
        conditions: Number of conditions that the contrasts are of.
    """
    d = residuals.shape[1]
    cross = residuals.T @ residuals
    trace = float(np.trace(cross))
    if df < 1 or not trace > 0:
        return Sphericity(math.nan, math.nan, math.nan, math.nan)
    scaled = cross / (trace / d)
    gg = d / float(np.sum(scaled**2))
    w = _mauchly_w(scaled) if df >= d else math.nan
    return Sphericity(w, _mauchly_p(w, d, df, conditions), gg, _huynh_feldt(gg, d, df))


def _huynh_feldt(gg: float, d: int, df: int) -> float:
    if df == 1:  # two subjects: ε is 1/d, and so is the limit of the formula, which is 0/0 there
        return gg
    divisor = d * (df - d * gg)
    return min(((df + 1) * d * gg - 2) / divisor, 1.0) if divisor > 0 else 1.0


def _mauchly_w(scaled: FloatArray) -> float:
    sizes = np.linalg.eigvalsh(scaled)
    if sizes[0] <= 1e-14 * sizes[-1]:  # the determinant of collinear contrasts is only rounding
        return math.nan
    return math.exp(min(float(np.sum(np.log(sizes))), 0.0))


def _mauchly_p(w: float, d: int, df: int, conditions: int) -> float:
    if not w > 0:
        return math.nan
    rho = 1 - (2 * d**2 + d + 2) / (6 * d * df)
    if rho <= 0:
        return math.nan
    # R and pingouin put the number of conditions where Anderson (1958) has d; the third digit of p can differ.
    polynomial = 2 * d**3 + 6 * d**2 + 3 * conditions + 2
    weight = (d + 2) * (d - 1) * (d - 2) * polynomial / (288 * (df * d * rho) ** 2)
    chi2, chi2_df = -df * rho * math.log(w), d * (d + 1) // 2 - 1
    first, second = chi2_upper(chi2, chi2_df), chi2_upper(chi2, chi2_df + 4)
    return min(max(first + weight * (second - first), 0.0), 1.0)


_DOUBTFUL = 0.05
"""Mauchly's p below which a warning speaks of sphericity."""


@dataclass(frozen=True, kw_only=True)
class WithinEffect(EffectLine):
    """One line of the table of variance, with the error term that belongs to it; its p assumes sphericity."""

    factors: tuple[str, ...]
    error: ErrorTerm
    """What the effect is measured by, here and in the comparisons that follow."""
    partial_eta2: float
    generalised_eta2: float = math.nan
    sphericity: Sphericity | None
    """None where there is one contrast only, so that nothing can fail to be spherical."""
    p_gg: float
    """With the degrees of freedom of Greenhouse & Geisser."""
    p_hf: float
    """With those of Huynh & Feldt."""


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
        name=JOINT.join(factors),
        ss=ss,
        df=df,
        f=f,
        p=p,
        factors=factors,
        error=error,
        partial_eta2=partial,
        sphericity=stratum.sphericity,
        p_gg=p_gg,
        p_hf=p_hf,
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
            reason = "its factors are not identifiable from the others: some combinations of levels are empty"
        elif effect.error.ss == 0:
            reason = f"it does not vary between {cells.unit}s, so the error cannot be estimated"
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
            "for this many conditions, or conditions are collinear; prefer p_gg"
        )
    return warnings


Sums = Literal["II", "III"]
"""`II`: an effect after all that do not contain it; `III`: after all others, groups counting the same."""


@dataclass(frozen=True)
class BetweenPart:
    """One effect between units, the mean of all of them included."""

    factors: tuple[str, ...]
    """Empty for the mean of all units."""
    basis: FloatArray
    """Orthonormal columns: what the effect adds to those that it is adjusted for."""

    @property
    def df(self) -> int:
        """Degrees of freedom."""
        return int(self.basis.shape[1])

    def sum_of_squares(self, scores: FloatArray) -> float:
        """What the effect explains of the scores, over all their columns."""
        return float(np.sum((self.basis.T @ scores) ** 2))


@dataclass(frozen=True)
class BetweenUnits:
    """The effects between units, and what they leave."""

    parts: tuple[BetweenPart, ...]
    """The mean of all units first."""
    space: FloatArray
    """Orthonormal columns of the whole model."""

    @property
    def error_df(self) -> int:
        """Units less groups."""
        return int(self.space.shape[0] - self.space.shape[1])

    def residuals(self, scores: FloatArray) -> FloatArray:
        """What no effect explains."""
        left = scores - self.space @ (self.space.T @ scores)
        return np.asarray(left - self.space @ (self.space.T @ left))  # once more: the first pass leaves rounding


def between_units(levels: Mapping[str, Sequence[str]], n: int, sums: Sums) -> BetweenUnits:
    """All main effects and interactions of the factors between n units, adjusted for each other.

    Type II adjusts an effect for all that do not contain it, and so leaves the mean of all units as it is; type III
    adjusts it for all others in sum-to-zero coding, so that each group counts the same whatever its size. With equal
    groups both agree.

    Raises:
        DataError: a combination of levels has no unit, so type III is not defined.
    """
    if not levels:
        mean = np.full((n, 1), n**-0.5)
        return BetweenUnits((BetweenPart((), mean),), mean)
    matrix = model_matrix(levels, terms=with_interactions(levels), coding="sum", factors=tuple(levels))
    space = _orthonormal(matrix.x)
    if space.shape[1] < matrix.x.shape[1] and sums == "III":
        raise DataError(
            f"type III sums of squares need units in every combination of {' and '.join(levels)}; there are none in "
            f"{joined_names(_empty(levels, matrix))}. Use sums='II', or leave a factor out"
        )
    ones = Term("", (), (0,))
    terms = (ones, *matrix.terms)
    parts = tuple(BetweenPart(term.variables, _added(matrix.x, term, terms, sums)) for term in terms)
    return BetweenUnits(parts, space)


def _added(x: FloatArray, term: Term, terms: Sequence[Term], sums: Sums) -> FloatArray:
    others = [each for each in terms if each is not term and (sums == "III" or not term.within(each))]
    beside = _orthonormal(x[:, [column for each in others for column in each.columns]])
    own = x[:, list(term.columns)]
    for _ in range(2):  # twice: the first pass leaves rounding
        own = own - beside @ (beside.T @ own)
    return _orthonormal(own)


def _orthonormal(columns: FloatArray) -> FloatArray:
    """A basis of what the columns span."""
    left, sizes, _ = np.linalg.svd(columns, full_matrices=False)
    # Codes are -1, 0 and 1, so the largest size is that of √n at least: what is tiny compared with that is rounding.
    return np.asarray(left[:, sizes > 1e-10 * np.sqrt(columns.shape[0])])


def _empty(levels: Mapping[str, Sequence[str]], matrix: ModelMatrix) -> list[str]:
    seen = set(zip(*levels.values(), strict=True))
    combinations: list[tuple[str, ...]] = [()]
    for name in levels:
        combinations = [(*before, level) for before in combinations for level in matrix.levels[name]]
    return [" × ".join(each) for each in combinations if each not in seen]
