"""Statistics of weighted observations: a resample is a row of weights, and a thousand of them are a matrix product."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from textassay.errors import DataError
from textassay.stats.samples import FloatArray, IntArray

WeightedFunction = Callable[[FloatArray, FloatArray], FloatArray]
"""(values, weights of shape (draws, observations)) → one number per draw."""


@dataclass(frozen=True)
class Sums:
    """A statistic that depends on the observations through sums over them only: the quick way."""

    terms: FloatArray
    """Shape (observations, p): what each observation adds."""
    of: Callable[[FloatArray], FloatArray]
    """Sums of shape (…, p) → the statistic, shape (…); nan where it is undefined."""


def mean_sums(values: FloatArray) -> Sums:
    """The mean."""
    return Sums(np.stack([np.ones(len(values)), values], axis=1), lambda s: _ratio(s[..., 1], s[..., 0]))


def sd_sums(values: FloatArray) -> Sums:
    """The standard deviation with divisor n-1."""
    centred = _centred(values)

    def sd(s: FloatArray) -> FloatArray:
        n, first, second = np.moveaxis(s, -1, 0)
        spread = np.maximum(second - _ratio(first**2, n), 0.0)
        return np.sqrt(_ratio(spread, n - 1))

    return Sums(np.stack([np.ones(len(values)), centred, centred**2], axis=1), sd)


def pearson_sums(values: FloatArray) -> Sums:
    """Pearson's r of the two columns of values."""
    x, y = _centred(values[:, 0]), _centred(values[:, 1])

    def pearson(s: FloatArray) -> FloatArray:
        n, x1, y1, x2, y2, xy = np.moveaxis(s, -1, 0)
        spread = np.maximum(n * x2 - x1**2, 0.0) * np.maximum(n * y2 - y1**2, 0.0)
        return np.clip(_ratio(n * xy - x1 * y1, np.sqrt(spread)), -1.0, 1.0)

    return Sums(np.stack([np.ones(len(x)), x, y, x * x, y * y, x * y], axis=1), pearson)


def difference_sums(values: FloatArray, codes: IntArray) -> Sums:
    """The mean of the first group less that of the second."""
    groups = _by_group(values, codes, powers=2)

    def difference(s: FloatArray) -> FloatArray:
        n, first = s[..., :2], s[..., 2:]
        return _ratio(first[..., 0], n[..., 0]) - _ratio(first[..., 1], n[..., 1])

    return Sums(groups, difference)


def f_sums(values: FloatArray, codes: IntArray) -> Sums:
    """F of the one-way analysis of variance; undefined where a group is empty."""
    k = int(codes.max(initial=0)) + 1

    def f(s: FloatArray) -> FloatArray:
        between, within, n = _variance(s, k)
        return _ratio(between / max(k - 1, 1), _ratio(within, n - k))

    return Sums(_by_group(values, codes, powers=3), f)


def eta2_sums(values: FloatArray, codes: IntArray) -> Sums:
    """η² of the one-way analysis of variance; undefined where a group is empty."""
    k = int(codes.max(initial=0)) + 1

    def eta2(s: FloatArray) -> FloatArray:
        between, within, _ = _variance(s, k)
        return _ratio(between, between + within)

    return Sums(_by_group(values, codes, powers=3), eta2)


def weighted_median(values: FloatArray, weights: FloatArray) -> FloatArray:
    """The median of each resample.

    >>> weighted_median(np.array([3.0, 1.0, 2.0]), np.array([[1.0, 1, 1], [1, 1, 0]])).tolist()
    [2.0, 2.0]
    """
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[:, order], axis=1)
    total = reached[:, -1:]
    low = np.argmax(reached >= np.ceil(total / 2), axis=1)  # the middle, or the lower of the two middle ones
    high = np.argmax(reached >= np.floor(total / 2) + 1, axis=1)
    ordered = values[order]
    return np.where(total[:, 0] > 0, (ordered[low] + ordered[high]) / 2, np.nan)


def check_column_count(values: FloatArray, statistic: str, columns: int) -> None:
    """Refuse values of another shape than the statistic takes.

    Raises:
        DataError: with the shape seen.
    """
    if (values.ndim, values.shape[1:]) != ((1, ()) if columns == 1 else (2, (columns,))):
        wanted = "a plain list" if columns == 1 else f"of shape (observations, {columns})"
        raise DataError(f"the statistic {statistic!r} needs values that are {wanted}; their shape is {values.shape}")


def _variance(sums: FloatArray, k: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Sums of squares between and within groups, and the number of values."""
    n, first, second = sums[..., :k], sums[..., k : 2 * k], sums[..., 2 * k :]
    explained = _ratio(first**2, n).sum(axis=-1)
    total = n.sum(axis=-1)
    between = explained - _ratio(first.sum(axis=-1) ** 2, total)
    spread = second.sum(axis=-1)
    within = spread - explained
    # Groups without any spread leave rounding behind, which must not pass for an error term.
    within = np.where(within > 1e-12 * spread, within, 0.0)
    return np.where(between > 0, between, np.where(np.isnan(between), np.nan, 0.0)), within, total


def _by_group(values: FloatArray, codes: IntArray, powers: int) -> FloatArray:
    """For each group, side by side: counts, then values, then squares; the values with their mean taken out."""
    member = (codes[:, None] == np.arange(int(codes.max(initial=0)) + 1)).astype(float)
    shifted = _centred(values)[:, None] if powers > 2 else values[:, None]
    return np.concatenate([member * shifted**power for power in range(powers)], axis=1)


def _centred(values: FloatArray) -> FloatArray:
    # These statistics don't change with a common offset, but differences of large squares would lose its digits.
    return values - (values.mean() if values.size else 0.0)


def _ratio(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """The quotient; nan where the denominator is not positive."""
    positive = np.asarray(denominator) > 0
    return np.where(positive, numerator / np.where(positive, denominator, 1.0), np.nan)
