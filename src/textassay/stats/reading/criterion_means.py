"""Ordinary regression of each item's mean over subjects: the criterion mean."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.stats.labels import Column
from textassay.stats.samples import FloatArray, IntArray, coded, finite_vector, same_length
from textassay.stats.variance.cell_means import named


@dataclass(frozen=True)
class CriterionMeans:
    """Least squares over the items' means."""

    names: tuple[str, ...]
    """`intercept`, then the predictors."""
    estimates: FloatArray
    se: FloatArray
    df: int
    items: int
    warnings: tuple[str, ...]


def criterion_mean_regression(
    values: npt.ArrayLike, predictors: Mapping[str, npt.ArrayLike], items: Column | None
) -> CriterionMeans:
    """Average over subjects, then regress the means on the predictors.

    Raises:
        DataError: an item has different values of a predictor.
    """
    y = finite_vector(values, "values")
    columns = np.column_stack([finite_vector(column, name) for name, column in predictors.items()])
    codes = _items(columns, items, tuple(predictors))
    counts = np.bincount(codes)
    means = np.bincount(codes, y) / counts
    x = np.empty((counts.size, columns.shape[1]))
    x[codes] = columns
    names = ("intercept", *predictors)
    df = counts.size - len(names)
    centre = x.mean(axis=0)
    centred = x - centre
    if df < 1 or np.linalg.matrix_rank(centred) < centred.shape[1]:
        reason = (
            f"the regression is undefined: {counts.size} items for {len(names)} coefficients, or predictors together"
        )
        nothing = np.full(len(names), math.nan)
        return CriterionMeans(names, nothing, nothing, max(df, 0), counts.size, (reason,))
    return _fitted(names, means, centred, centre, df)


def _items(columns: FloatArray, items: Column | None, predictors: tuple[str, ...]) -> IntArray:
    if items is None:
        return np.unique(columns, axis=0, return_inverse=True)[1].reshape(-1).astype(np.intp)
    same_length(("values", columns), ("items", items))
    codes, names = coded(items, "items")
    first = np.empty((len(names), columns.shape[1]))
    first[codes[::-1]] = columns[::-1]
    rows, which = np.nonzero(columns != first[codes])
    if rows.size:
        strays = [names[code] for code in np.unique(codes[rows])]
        raise DataError(
            f"{predictors[which[0]]} has several values for {len(strays)} item(s) ({named(strays)}); "
            "give each version of an item its own name, or leave items out"
        )
    return codes


def _fitted(
    names: tuple[str, ...], means: FloatArray, centred: FloatArray, centre: FloatArray, df: int
) -> CriterionMeans:
    inverse = np.linalg.inv(centred.T @ centred)
    slopes = inverse @ (centred.T @ (means - means.mean()))
    left = means - means.mean() - centred @ slopes
    # What is left of means that lie on the line is rounding.
    rounding = means.size * (8 * np.finfo(float).eps * float(np.max(np.abs(means)))) ** 2
    variance = ss / df if (ss := float(left @ left)) > rounding else 0.0
    intercept = float(means.mean() - centre @ slopes)
    spread = [1 / means.size + float(centre @ inverse @ centre), *np.diagonal(inverse)]
    return CriterionMeans(
        names, np.array([intercept, *slopes]), np.sqrt(variance * np.array(spread)), df, means.size, ()
    )
