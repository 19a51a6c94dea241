"""What a mixed model, linear or not, is fitted to: fixed columns without aliased ones, and random effects.

`ReferenceGrid` averages over levels of factors, for marginal means; `FixedPart` and `FixedDesign` are the fixed part
of models fitted by likelihood, with the rows that represent levels and settings.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from textassay.errors import DataError, UsageError
from textassay.known_names import check_choice
from textassay.stats.mixed.model_matrix import INTERCEPT, JOINT, Coding, ModelMatrix, Term, model_matrix
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
    matrix, aliased = without_aliased(_fixed_columns(n, fixed, formula))
    sloping = list(dict.fromkeys(name for names in (formula.slopes or {}).values() for name in names))
    slopes, _ = without_aliased(_fixed_columns(n, fixed, replace(formula, terms=sloping)))
    effects = random_effects(slopes, random, slopes=formula.slopes, correlated=formula.correlated)
    return MixedDesign(matrix, effects, aliased, _aliased_warnings(aliased))


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


def _fixed_columns(n: int, variables: Mapping[str, Column], formula: MixedFormula) -> ModelMatrix:
    """All columns of the fixed part, the intercept first."""
    check_columns("fixed", variables)
    if not variables:
        if formula.terms:
            raise UsageError(f"term {formula.terms[0]!r} names a variable, but none was given")
        return ModelMatrix(np.ones((n, 1)), (INTERCEPT,), (), {}, formula.coding)
    name, column = next(iter(variables.items()))
    if len(column) != n:
        raise DataError(f"the lengths must be equal: {name} has {len(column)}, the response has {n}")
    return model_matrix(variables, terms=formula.terms, coding=formula.coding, factors=formula.factors)


def _aliased_warnings(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"column {name} is dropped: it is a combination of earlier columns" for name in names)


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


Setting = Mapping[str, str | float]
"""A level for each factor and a number for each covariate."""


@dataclass(frozen=True)
class FixedDesign:
    """What the columns of a fixed part mean; without the columns themselves."""

    names: tuple[str, ...]
    """Of the columns that were fitted."""
    terms: tuple[Term, ...]
    levels: Mapping[str, tuple[str, ...]]
    """Of each factor."""
    covariates: tuple[str, ...]
    coding: Coding
    grid: ReferenceGrid

    def row(self, setting: Setting) -> FloatArray:
        """The row of an observation with these levels and numbers.

        Raises:
            UsageError: a variable is missing or unknown, or has no such level.
        """
        known = (*self.levels, *self.covariates)
        missing = [name for name in known if name not in setting]
        unknown = [name for name in setting if name not in known]
        if missing or unknown:
            what = f"{missing[0]!r} is missing" if missing else f"{unknown[0]!r} is not a variable"
            raise UsageError(f"{what}; give {', '.join(known) or 'nothing'}")
        parts = {name: self._columns(name, value) for name, value in setting.items()}
        found = {INTERCEPT: 1.0}
        for term in self.terms:
            joined = {"": 1.0}
            for name in term.variables:
                joined = {
                    f"{before}{JOINT}{column}" if before else column: product * value
                    for column, value in parts[name].items()
                    for before, product in joined.items()
                }
            found |= joined
        return np.array([found[name] for name in self.names])

    def level_rows(self, factor: str) -> tuple[tuple[str, ...], FloatArray]:
        """Levels of a factor, and a row for each: the mean over all other factors' levels, covariates at their means.

        Raises:
            UsageError: there is no such factor.
        """
        labels, rows = self.grid.means(factor)
        return labels, rows[:, rows.shape[1] - len(self.names) :]  # the intercept comes first, where it was not fitted

    def _columns(self, name: str, value: str | float) -> dict[str, float]:
        """The columns of one variable, by name."""
        if name in self.covariates:
            return {name: float(value)}
        levels = self.levels[name]
        if str(value) not in levels:
            raise UsageError(f"{name} has no level {value!r}; it has {', '.join(levels)}")
        own = [float(str(value) == level) for level in levels]
        kept = range(1, len(levels)) if self.coding == "treatment" else range(len(levels) - 1)
        left_out = own[0] * 0.0 if self.coding == "treatment" else own[-1]
        return {f"{name}[{levels[place]}]": own[place] - left_out for place in kept}


@dataclass(frozen=True)
class FixedPart:
    """The columns of a fixed part, none of them aliased."""

    matrix: ModelMatrix
    """As it is fitted."""
    whole: ModelMatrix
    """The same with an intercept."""
    design: FixedDesign
    warnings: tuple[str, ...]

    def without(self, term: Term) -> ModelMatrix:
        """The matrix without the columns of one term."""
        kept = [column for column in range(len(self.matrix.names)) if column not in term.columns]
        names = tuple(self.matrix.names[column] for column in kept)
        return replace(self.matrix, x=self.matrix.x[:, kept], names=names)


def fixed_part(n: int, variables: Mapping[str, Column], formula: MixedFormula, *, intercept: bool) -> FixedPart:
    """The columns of n observations without redundant ones: aliased columns are omitted with a warning.

    Where the model has no intercept its thresholds act as one: a column that an intercept would alias goes too.

    Raises:
        DataError: unequal lengths, a missing value or label, a factor with one level.
        UsageError: a term names a variable that is not there, or is named twice.
    """
    check_choice("coding", formula.coding, ("treatment", "sum"))
    whole, aliased = without_aliased(_fixed_columns(n, variables, formula))
    matrix = whole if intercept else _without_intercept(whole)
    used = dict.fromkeys(name for term in whole.terms for name in term.variables)
    covariates = tuple(name for name in used if name not in whole.levels)
    grid = reference_grid(variables, formula, whole)
    design = FixedDesign(matrix.names, matrix.terms, whole.levels, covariates, formula.coding, grid)
    return FixedPart(matrix, whole, design, _aliased_warnings(aliased))


def _without_intercept(matrix: ModelMatrix) -> ModelMatrix:
    terms = [replace(term, columns=tuple(column - 1 for column in term.columns)) for term in matrix.terms]
    return replace(matrix, x=matrix.x[:, 1:], names=matrix.names[1:], terms=tuple(terms))
