"""The fixed part of a likelihood model: its columns, and the rows that stand for levels and settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from textassay.errors import DataError, UsageError
from textassay.stats.mixed.mixed_design import MixedFormula, ReferenceGrid, reference_grid, without_aliased
from textassay.stats.mixed.model_matrix import INTERCEPT, JOINT, Coding, ModelMatrix, Term, model_matrix
from textassay.stats.samples import Column, FloatArray, check_columns

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
    """The columns of n observations that each say something new; aliased ones are omitted with a warning.

    Where the model has no intercept its thresholds act as one: a column that an intercept would alias goes too.

    Raises:
        DataError: unequal lengths, a missing value or label, a factor with one level.
        UsageError: a term names a variable that is not there, or is named twice.
    """
    if formula.coding not in ("treatment", "sum"):
        raise UsageError(f"unknown coding {formula.coding!r}; use treatment or sum")
    whole, aliased = without_aliased(_whole(n, variables, formula))
    warnings = tuple(f"column {name} is dropped: it is a combination of earlier columns" for name in aliased)
    matrix = whole if intercept else _without_intercept(whole)
    used = dict.fromkeys(name for term in whole.terms for name in term.variables)
    covariates = tuple(name for name in used if name not in whole.levels)
    grid = reference_grid(variables, formula, whole)
    design = FixedDesign(matrix.names, matrix.terms, whole.levels, covariates, formula.coding, grid)
    return FixedPart(matrix, whole, design, warnings)


def _whole(n: int, variables: Mapping[str, Column], formula: MixedFormula) -> ModelMatrix:
    check_columns("fixed", variables)
    if not variables:
        if formula.terms:
            raise UsageError(f"term {formula.terms[0]!r} names a variable, but none was given")
        return ModelMatrix(np.ones((n, 1)), (INTERCEPT,), (), {}, formula.coding)
    name, column = next(iter(variables.items()))
    if len(column) != n:
        raise DataError(f"the lengths must be equal: {name} has {len(column)}, there are {n} answers")
    return model_matrix(variables, terms=formula.terms, coding=formula.coding, factors=formula.factors)


def _without_intercept(matrix: ModelMatrix) -> ModelMatrix:
    terms = [replace(term, columns=tuple(column - 1 for column in term.columns)) for term in matrix.terms]
    return replace(matrix, x=matrix.x[:, 1:], names=matrix.names[1:], terms=tuple(terms))
