"""Analysis of variance with several factors.

The model is fitted once: X = QR, z = Q'y. Every smaller model is then a problem of the size of R, not of the data.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.stats.labels import Column
from textassay.stats.mixed.model_matrix import ModelMatrix, Term, model_matrix, with_interactions
from textassay.stats.samples import FloatArray, all_equal, finite_vector, same_length
from textassay.stats.variance.anova import Anova, ErrorTerm, SumsOfSquares, effect_of

_RANK = 1e-10
"""Columns that add less than this to the others add nothing."""
_ROUNDING = 1e-11
"""What is left of a sum of squares where nothing is left, as a share of the total."""


def factorial_anova(
    values: npt.ArrayLike,
    factors: Mapping[str, Column],
    *,
    terms: Sequence[str] | None,
    sums: SumsOfSquares,
    observed: Collection[str],
) -> Anova:
    """See `anova`, which this is for several factors."""
    if not factors:
        raise DataError("there is no factor to analyse by")
    unknown = [name for name in observed if name not in factors]
    if unknown:
        raise UsageError(f"observed names {unknown[0]!r}, which is no factor; there are {', '.join(factors)}")
    y = finite_vector(values, "values")
    same_length(("values", y), *factors.items())
    wanted = list(terms) if terms is not None else with_interactions(factors)
    matrix = model_matrix(factors, terms=wanted, coding="sum", factors=factors)
    fit = _Fit.of(matrix, y)
    error = fit.error(y.size)
    reason = _undefined(y, error)
    lost = {term: fit.loss(*_models(matrix, term, sums)) for term in matrix.terms}
    found = [term for term in matrix.terms if set(term.variables) & set(observed)]
    seen = sum(lost[term].ss for term in found)
    effects = tuple(
        effect_of(
            term.name,
            loss.ss,
            loss.df,
            error,
            fit.total,
            observed=seen if term in found else seen + loss.ss,
            defined=not reason,
        )
        for term, loss in lost.items()
    )
    return Anova(
        method="factorial ANOVA",
        settings={"terms": " + ".join(wanted), "sums of squares": sums, "n": y.size},
        warnings=tuple(filter(None, [reason, *_aliased(matrix, lost, sums)])),
        by=" and ".join(factors),
        effects=effects,
        error=error,
        n=y.size,
    )


@dataclass(frozen=True)
class _Loss:
    ss: float
    df: int


@dataclass(frozen=True)
class _Fit:
    r: FloatArray
    z: FloatArray
    """Q'y: all that any model can explain of the values."""
    left: float
    """Sum of squares beside z."""
    total: float

    @classmethod
    def of(cls, matrix: ModelMatrix, y: FloatArray) -> _Fit:
        centred = y - y.mean()
        q, r = np.linalg.qr(matrix.x)
        z = q.T @ centred
        rest = centred - q @ z
        return cls(r, z, float(rest @ rest), float(centred @ centred))

    def error(self, n: int) -> ErrorTerm:
        """What the whole model leaves of n values: with empty cells Q holds directions that no column of X has."""
        left, rank = self.model(range(self.r.shape[1]))
        df = max(n - rank, 0)
        return ErrorTerm(left if df and left > _ROUNDING * self.total else 0.0, df)

    def model(self, columns: Sequence[int]) -> tuple[float, int]:
        """Sum of squares that a model with these columns leaves, and its rank."""
        part = self.r[:, list(columns)]
        solution, _, rank, _ = np.linalg.lstsq(part, self.z, rcond=_RANK)
        rest = self.z - part @ solution
        return self.left + float(rest @ rest), int(rank)

    def loss(self, without: Sequence[int], with_it: Sequence[int]) -> _Loss:
        """What a term adds to a model."""
        (before, rank_before), (after, rank_after) = self.model(without), self.model(with_it)
        difference = before - after
        return _Loss(difference if difference > _ROUNDING * self.total else 0.0, rank_after - rank_before)


def _models(matrix: ModelMatrix, term: Term, sums: SumsOfSquares) -> tuple[list[int], list[int]]:
    """The columns of the two models whose difference is the term's sum of squares."""
    if sums == "I":
        others: Iterable[Term] = matrix.terms[: matrix.terms.index(term)]
    elif sums == "II":
        others = (other for other in matrix.terms if other is not term and not term.within(other))
    else:
        others = (other for other in matrix.terms if other is not term)
    columns = [0, *(column for other in others for column in other.columns)]
    return columns, [*columns, *term.columns]


def _undefined(y: FloatArray, error: ErrorTerm) -> str:
    """Why there is no F; empty where there is one."""
    if all_equal(y):
        return f"F is undefined: all values are equal ({y[0]:g})"
    if error.df < 1:
        return (
            "F is undefined: the model has as many columns as there are values, so there are no residual degrees "
            "of freedom; leave out the highest interaction by `terms`"
        )
    return "F is undefined: the values do not vary within the cells" if error.ss == 0 else ""


def _aliased(matrix: ModelMatrix, lost: Mapping[Term, _Loss], sums: SumsOfSquares) -> Iterable[str]:
    """Terms of which the design leaves only a part to be seen, because cells are empty or factors go together."""
    for term in matrix.terms:
        if lost[term].df < len(term.columns):
            yield (
                f"{term.name} has {lost[term].df} of its {len(term.columns)} degrees of freedom: "
                "cells of the design are empty, or factors go together"
                + ("; type III means nothing then, use type II" if sums == "III" else "")
            )
