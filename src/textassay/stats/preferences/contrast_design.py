"""Values that each compare systems, as the parts of a mixed model: contrasts, covariates, tastes and leans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.stats.labels import Column
from textassay.stats.mixed.random_effects import RandomEffects, RandomTerm
from textassay.stats.preferences.separation import not_on_one_scale
from textassay.stats.samples import FloatArray, as_floats, check_columns, coded, finite_vector

TASTE = "taste"
"""What varies between the levels of a grouping: how each of them likes a system, all with one variance."""
_ROUNDING = 1e-9
Leaning = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class ContrastDesign:
    """What the values are made of."""

    values: FloatArray
    contrasts: FloatArray
    """Shape (n, systems); each row sums to 0."""
    systems: tuple[str, ...]
    covariates: FloatArray
    """Shape (n, covariates)."""
    names: tuple[str, ...]
    """Of the covariates."""
    effects: RandomEffects
    owners: tuple[tuple[str, str, int], ...]
    """For each variance the grouping, what varies, and how many levels there are."""
    owner_of: tuple[int, ...]
    """For each column of each grouping, one after the other, whose variance it has."""
    disconnected: str
    """Why the systems are not on one scale; empty where they are."""

    @property
    def x(self) -> FloatArray:
        """The fixed part: the first system is at 0."""
        return np.hstack([self.contrasts[:, 1:], self.covariates])

    @property
    def places(self) -> FloatArray:
        """Shape (systems, columns of x): what of the coefficients makes each system's place, which sum to 0."""
        k = len(self.systems)
        rows = np.zeros((k, k - 1 + len(self.names)))
        rows[1:, : k - 1] = np.eye(k - 1)
        return np.asarray(rows - rows.mean(axis=0))


def contrast_design(
    values: npt.ArrayLike,
    contrasts: npt.ArrayLike,
    random: Mapping[str, Column],
    systems: Sequence[str] | None,
    covariates: Mapping[str, npt.ArrayLike],
    leaning: Leaning,
) -> ContrastDesign:
    """The parts, checked.

    Raises:
        DataError: unequal lengths, missing or infinite values, contrasts that do not sum to 0 or compare nothing, no
            grouping, or one whose spread is not identifiable from the residuals.
        UsageError: a lean of a grouping or to a covariate that is not there.
    """
    y = finite_vector(values, "values")
    rows, names = _contrasts(contrasts, systems, y.size)
    columns = {name: _column(column, name, y.size) for name, column in covariates.items()}
    _refuse_unknown(random, columns, leaning)
    terms = []
    for group, labels in random.items():
        leans = leaning.get(group, ())
        both = np.column_stack([rows, *(columns[name] for name in leans)])
        terms.append(_term(group, labels, both, (*names, *leans)))
    terms.sort(key=lambda term: -term.size)  # the largest grouping first: its block of Z'Z is solved level by level
    owners: list[tuple[str, str, int]] = []
    owner_of: list[int] = []
    for term in terms:
        leans = leaning.get(term.group, ())
        owner_of += [len(owners)] * len(names) + [len(owners) + 1 + place for place in range(len(leans))]
        owners += [(term.group, what, len(term.levels)) for what in (TASTE, *leans)]
    met = (rows != 0).astype(float)
    return ContrastDesign(
        values=y,
        contrasts=rows,
        systems=names,
        covariates=np.column_stack([np.zeros((y.size, 0)), *columns.values()]),
        names=tuple(columns),
        effects=RandomEffects(tuple(terms)),
        owners=tuple(owners),
        owner_of=tuple(owner_of),
        disconnected=not_on_one_scale(met.T @ met > 0, names),
    )


def _contrasts(contrasts: npt.ArrayLike, systems: Sequence[str] | None, n: int) -> tuple[FloatArray, tuple[str, ...]]:
    rows = as_floats(contrasts, "contrasts")
    if rows.ndim != 2 or len(rows) != n:
        raise DataError(f"contrasts must have the shape (values, systems); got {rows.shape} for {n} values")
    if not np.all(np.isfinite(rows)):
        raise DataError("contrasts have missing or infinite values")
    off = np.flatnonzero(np.abs(rows.sum(axis=1)) > _ROUNDING * np.abs(rows).max(initial=1.0))
    if off.size:
        raise DataError(
            f"each row of contrasts must sum to 0, or it says more than how systems differ; {off.size} do not, the "
            f"first at index {off[0]} ({rows[off[0]].sum():g})"
        )
    if rows.shape[1] < 2 or not np.any(rows):
        raise DataError(f"the contrasts of {rows.shape[1]} system(s) compare nothing; give at least two systems")
    if systems is not None and len(systems) != rows.shape[1]:
        raise DataError(f"contrasts have {rows.shape[1]} columns, but there are {len(systems)} systems")
    return rows, tuple(systems) if systems is not None else tuple(f"system {i + 1}" for i in range(rows.shape[1]))


def _column(values: npt.ArrayLike, name: str, n: int) -> FloatArray:
    column = finite_vector(values, name)
    if column.size != n:
        raise DataError(f"the lengths must be equal: the covariate {name} has {column.size}, values has {n}")
    return column


def _refuse_unknown(random: Mapping[str, Column], covariates: Mapping[str, FloatArray], leaning: Leaning) -> None:
    check_columns("random", random)
    if not random:
        raise DataError("a mixed model needs at least one grouping, for example random={'participant': labels}")
    for group, names in leaning.items():
        unknown = [name for name in names if name not in covariates]
        if group not in random or unknown:
            there = f"groupings {', '.join(random)} and covariates {', '.join(covariates) or 'none'}"
            raise UsageError(f"leaning names {unknown[0] if unknown else group!r}; there are {there}")


def _term(group: str, labels: Column, columns: FloatArray, names: tuple[str, ...]) -> RandomTerm:
    n = len(columns)
    if len(labels) != n:
        raise DataError(f"the lengths must be equal: the grouping {group} has {len(labels)}, values has {n}")
    codes, levels = coded(labels, group)
    if len(levels) < 2:
        raise DataError(f"the grouping {group} has one level only ({', '.join(levels)}): its spread cannot be seen")
    term = RandomTerm(group, levels, codes, columns, names, correlated=False)
    if int(np.sum(np.linalg.matrix_rank(term.gram(), hermitian=True))) >= n:
        raise DataError(
            f"the grouping {group} has {len(levels)} levels, each with tastes of its own, for {n} values: their spread "
            "is not identifiable from the residuals; leave the grouping out"
        )
    return term
