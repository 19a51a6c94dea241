"""What a mixed model, linear or not, is fitted to: fixed columns without redundant ones, and random effects."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from textassay.errors import DataError, UsageError
from textassay.stats.mixed.model_matrix import INTERCEPT, JOINT, Coding, ModelMatrix, model_matrix
from textassay.stats.mixed.random_effects import RandomEffects, random_effects
from textassay.stats.samples import Column, FloatArray, check_columns

_RANK_TOLERANCE = 1e-7
"""A column is aliased where less than this share of its length is new; as in R."""


@dataclass(frozen=True)
class MixedFormula:
    """What the model says about the variables; the arguments that all mixed models share."""

    terms: Sequence[str] | None = None
    """Of the fixed part; by default each variable by itself."""
    slopes: Mapping[str, Sequence[str]] | None = None
    """For a grouping the variables or interactions whose effect differs between its levels; they need no fixed term."""
    correlated: bool | Collection[str] = True
    """Whether the random effects of a level may be correlated; or the groupings where they may."""
    coding: Coding = "treatment"
    factors: Collection[str] | None = None
    """Variables that are factors although their levels are numbers."""


@dataclass(frozen=True)
class MixedDesign:
    """Both parts of a mixed model."""

    matrix: ModelMatrix
    effects: RandomEffects
    aliased: tuple[str, ...]
    """Columns omitted because earlier ones say the same."""
    warnings: tuple[str, ...]


def mixed_design(
    n: int, fixed: Mapping[str, Column], random: Mapping[str, Column], formula: MixedFormula
) -> MixedDesign:
    """The columns and random effects of a model of n observations; without variables the fixed part is an intercept.

    Raises:
        DataError: unequal lengths, a missing label or value, a factor or grouping with one level, no grouping.
        UsageError: a term or slope that is not there.
    """
    check_columns("fixed", fixed)
    if fixed and len(next(iter(fixed.values()))) != n:
        name, column = next(iter(fixed.items()))
        raise DataError(f"the lengths must be equal: {name} has {len(column)}, the response has {n}")
    matrix, aliased = without_aliased(_fixed_part(n, fixed, formula))
    sloping = list(dict.fromkeys(name for names in (formula.slopes or {}).values() for name in names))
    slopes, _ = without_aliased(_fixed_part(n, fixed, replace(formula, terms=sloping)))
    effects = random_effects(slopes, random, slopes=formula.slopes, correlated=formula.correlated)
    warnings = [f"column {name} is dropped: it is a combination of earlier columns" for name in aliased]
    return MixedDesign(matrix, effects, aliased, tuple(warnings))


def without_aliased(matrix: ModelMatrix) -> tuple[ModelMatrix, tuple[str, ...]]:
    """The matrix without the columns that are linear combinations of earlier ones, and the names of those."""
    kept = _independent(matrix.x)
    if len(kept) == len(matrix.names):
        return matrix, ()
    place = {column: index for index, column in enumerate(kept)}
    terms = [
        replace(term, columns=tuple(place[column] for column in term.columns if column in place))
        for term in matrix.terms
    ]
    names = tuple(matrix.names[column] for column in kept)
    dropped = tuple(name for column, name in enumerate(matrix.names) if column not in place)
    return replace(matrix, x=matrix.x[:, kept], names=names, terms=tuple(terms)), dropped


def _fixed_part(n: int, fixed: Mapping[str, Column], formula: MixedFormula) -> ModelMatrix:
    if not fixed:
        if formula.terms:
            raise UsageError(f"term {formula.terms[0]!r} names a variable, but none was given")
        return ModelMatrix(np.ones((n, 1)), (INTERCEPT,), (), {}, formula.coding)
    return model_matrix(fixed, terms=formula.terms, coding=formula.coding, factors=formula.factors)


def _independent(x: FloatArray) -> list[int]:
    """Columns that are no linear combination of earlier ones, by Gram–Schmidt on the triangle of X (Xᵀ X = Rᵀ R)."""
    triangle = np.asarray(np.linalg.qr(x, mode="r"), dtype=float)
    basis = np.zeros((0, len(triangle)))
    kept: list[int] = []
    for column, vector in enumerate(triangle.T):
        left = vector - basis.T @ (basis @ vector)
        left -= basis.T @ (basis @ left)  # once more, against rounding
        length = float(np.linalg.norm(left))
        if length > _RANK_TOLERANCE * float(np.linalg.norm(vector)):
            basis = np.vstack([basis, left / length])
            kept.append(column)
    return kept


_ESTIMABLE = 1e-7


@dataclass(frozen=True)
class ReferenceGrid:
    """A table of predictors, one row per combination of levels."""

    factors: Mapping[str, tuple[str, ...]]
    """Levels by factor."""
    cells: FloatArray
    """One row per combination of levels, the last factor varying fastest; one column per column of the full model."""
    kept: tuple[int, ...]
    """Columns that were fitted; the others are aliased."""
    null: FloatArray
    """Columns span the combinations of coefficients that the data do not identify."""

    def means(self, factor: str) -> tuple[tuple[str, ...], FloatArray]:
        """Levels of a factor, or combinations of levels of several (`system:cohort`), and their linear functions.

        A function that the data cannot tell, because cells are empty, is all nan.

        Raises:
            UsageError: there is no such factor; the message names those that there are.
        """
        wanted = [factor] if factor in self.factors else factor.split(JOINT)
        unknown = [name for name in wanted if name not in self.factors]
        if unknown or len(set(wanted)) < len(wanted):
            there = ", ".join(self.factors) or "none"
            raise UsageError(f"{factor!r} is not a factor of the model, nor factors joined by ':'; there are {there}")
        sizes = [len(levels) for levels in self.factors.values()]
        names = list(self.factors)
        others = tuple(axis for axis, name in enumerate(names) if name not in wanted)
        table = self.cells.reshape(*sizes, -1).mean(axis=others)
        left = [name for name in names if name in wanted]
        table = np.moveaxis(table, [left.index(name) for name in wanted], range(len(wanted)))
        rows = table.reshape(-1, self.cells.shape[1])
        labels = tuple(JOINT.join(each) for each in product(*(self.factors[name] for name in wanted)))
        known = np.all(np.abs(rows @ self.null) < _ESTIMABLE, axis=1)
        return labels, np.where(known[:, None], rows[:, list(self.kept)], np.nan)


def reference_grid(fixed: Mapping[str, Column], formula: MixedFormula, fitted: ModelMatrix) -> ReferenceGrid:
    """The grid of a model, `fitted` being its columns without the aliased ones."""
    if not fitted.terms:
        return ReferenceGrid({}, np.ones((1, 1)), (0,), np.zeros((1, 0)))
    full = model_matrix(fixed, terms=formula.terms, coding=formula.coding, factors=formula.factors)
    combinations = np.array(list(product(*(range(len(levels)) for levels in full.levels.values()))), dtype=np.intp)
    variables: dict[str, Sequence[float]] = {
        name: combinations[:, place].tolist() for place, name in enumerate(full.levels)
    }
    for name in dict.fromkeys(name for term in full.terms for name in term.variables):
        if name not in variables:
            variables[name] = [float(np.mean(np.asarray(fixed[name], dtype=float)))] * len(combinations)
    terms = [JOINT.join(term.variables) for term in full.terms]
    # Codes stand for levels: as numbers they sort as the levels do.
    cells = model_matrix(variables, terms=terms, coding=formula.coding, factors=list(full.levels)).x
    kept = tuple(full.names.index(name) for name in fitted.names)
    return ReferenceGrid(dict(full.levels), cells, kept, _null(full, kept))


def _null(full: ModelMatrix, kept: Sequence[int]) -> FloatArray:
    """For each aliased column the combination with earlier columns that is 0 for every observation."""
    aliased = [column for column in range(len(full.names)) if column not in kept]
    null = np.zeros((len(full.names), len(aliased)))
    if aliased:
        solution = np.linalg.lstsq(full.x[:, list(kept)], full.x[:, aliased], rcond=None)[0]
        null[list(kept)] = -solution
        null[aliased, range(len(aliased))] = 1.0
    return null
