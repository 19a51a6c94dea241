"""The means that a model predicts for the levels of a factor, as linear functions of its coefficients.

Each is the mean over all combinations of the other factors' levels, equally weighted, with covariates at their means.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from textassay.errors import UsageError
from textassay.stats.labels import Column
from textassay.stats.mixed.mixed_design import MixedFormula
from textassay.stats.mixed.model_matrix import JOINT, ModelMatrix, model_matrix
from textassay.stats.samples import FloatArray

_ESTIMABLE = 1e-7


@dataclass(frozen=True)
class ReferenceGrid:
    """A table of predictors, one row a combination of levels."""

    factors: Mapping[str, tuple[str, ...]]
    """Levels by factor."""
    cells: FloatArray
    """One row a combination of levels, the last factor varying fastest; one column a column of the full model."""
    kept: tuple[int, ...]
    """Columns that were fitted; the others are aliased."""
    null: FloatArray
    """Columns span the combinations of coefficients on which the data say nothing."""

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
            raise UsageError(f"{factor!r} is no factor of the model, nor factors joined by ':'; there are {there}")
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
