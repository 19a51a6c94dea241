"""Ordered answers as codes: which categories a scale has, which were used, and which must go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.known_names import check_choice
from textassay.stats.samples import Column, FloatArray, IntArray, coded, finite_vector, same_length


@dataclass(frozen=True)
class RatingScale:
    """Answers on an ordinal scale."""

    codes: IntArray
    """For each answer the index of its category."""
    categories: tuple[str, ...]
    """In their order."""
    warnings: tuple[str, ...]


def rating_scale(
    ratings: Column, levels: Sequence[Any] | None, pattern: ThresholdPattern, *, name: str = "ratings"
) -> RatingScale:
    """The categories of the answers; numbers in their order, text in the order of `levels`.

    A category that was never chosen has no threshold of its own and is omitted, with a warning. Where thresholds are
    mirrored it is kept as long as its mirror image was chosen, because that tells where its threshold is.

    Raises:
        DataError: no answers, a missing one, one that is not on the scale, text without `levels`, or one category.
    """
    same_length((name, ratings))
    if not len(ratings):
        raise DataError(f"there are no {name}")
    column = _plain(ratings, name)
    codes, seen = coded(column, name)
    scale = seen
    if levels is not None:
        scale = tuple(map(str, _plain(list(levels), "levels").tolist()))
        codes = _on_scale(codes, seen, scale, name)
    elif column.dtype.kind not in "if":
        raise DataError(f"{name} are text; say in which order, for example levels=['bad', 'fair', 'good']")
    found = _without_empty(codes, scale, mirrored=pattern in ("symmetric", "symmetric2"))
    # Mirrored about 0, answers on one side are informative even if they are all the same.
    if len(found.categories if pattern == "symmetric2" else seen) < 2:
        raise DataError(f"all {len(ratings)} {name} are {seen[0]}: there is nothing to explain")
    return found


def _plain(column: Column, name: str) -> npt.NDArray[Any]:
    """The answers as an array; numbers that are whole are shown without a fraction."""
    try:
        array = np.asarray(column)
    except ValueError as error:
        raise DataError(f"{name} must be a plain list of numbers or labels: {error}") from None
    if array.ndim != 1:
        raise DataError(f"{name} must be a plain list of numbers or labels, got the shape {array.shape}")
    if array.dtype.kind not in "iufb" and not _all_numbers(array):
        return array
    numbers = finite_vector(array, name)
    whole = np.all((numbers == np.round(numbers)) & (np.abs(numbers) < 2**53))
    return numbers.astype(np.int64) if whole else numbers


def _all_numbers(array: npt.NDArray[Any]) -> bool:
    """Whether a column of objects holds numbers, missing ones included."""
    return array.dtype.kind == "O" and all(isinstance(value, (int, float, np.number)) for value in array)


def _on_scale(codes: IntArray, seen: tuple[str, ...], scale: tuple[str, ...], name: str) -> IntArray:
    if len(set(scale)) < len(scale):
        raise DataError(f"levels name a category twice: {', '.join(scale)}")
    stray = [label for label in seen if label not in scale]
    if stray:
        count = int(np.sum(codes == seen.index(stray[0])))
        raise DataError(f"{count} of the {name} are {stray[0]!r}, which is not on the scale {', '.join(scale)}")
    return np.array([scale.index(label) for label in seen], dtype=np.intp)[codes]


def _without_empty(codes: IntArray, scale: tuple[str, ...], *, mirrored: bool) -> RatingScale:
    counts = np.bincount(codes, minlength=len(scale))
    kept = counts > 0
    if mirrored:
        kept = kept | kept[::-1]
    if kept.all():
        return RatingScale(codes, scale, ())
    empty = [label for label, keep in zip(scale, kept, strict=True) if not keep]
    what = f"categories {', '.join(empty)} were" if len(empty) > 1 else f"category {empty[0]} was"
    place = np.cumsum(kept) - 1
    left = tuple(label for label, keep in zip(scale, kept, strict=True) if keep)
    return RatingScale(place[codes].astype(np.intp), left, (f"{what} never chosen and excluded from the model",))


ThresholdPattern = Literal["flexible", "symmetric", "symmetric2", "equidistant"]
"""As in R's `ordinal`: all free; mirrored about a free centre; mirrored about 0; equally far from each other."""


@dataclass(frozen=True)
class Thresholds:
    """θ = J α: thresholds between neighbouring categories from free parameters α."""

    pattern: ThresholdPattern
    names: tuple[str, ...]
    """Of the free parameters: those of the thresholds, or `central.1`, `spacing.1` …"""
    labels: tuple[str, ...]
    """Of the thresholds: `1|2` lies between the categories 1 and 2."""
    jacobian: FloatArray
    """Shape (thresholds, parameters)."""

    def carried(self, alpha: FloatArray, covariance: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The thresholds and their covariance; one is finite where all parameters that it is made from are."""
        used = self.jacobian != 0
        values = [row[on] @ alpha[on] for row, on in zip(self.jacobian, used, strict=True)]
        known = np.where(np.isfinite(covariance), covariance, 0.0)
        spread = self.jacobian @ known @ self.jacobian.T
        lost = used @ ~np.isfinite(np.diagonal(covariance))
        spread[lost] = np.nan
        spread[:, lost] = np.nan
        return np.array(values, dtype=float), np.asarray(spread)

    def start(self, cuts: FloatArray) -> FloatArray:
        """Parameters whose thresholds are increasing and near the given ones."""
        if not self.names:  # one threshold, which lies at 0
            return np.zeros(0)
        alpha = np.asarray(np.linalg.lstsq(self.jacobian, cuts, rcond=None)[0])
        if np.all(np.diff(self.jacobian @ alpha) > 1e-3):
            return alpha
        evenly = np.arange(len(cuts)) - (len(cuts) - 1) / 2
        return np.asarray(np.linalg.lstsq(self.jacobian, evenly, rcond=None)[0])


def thresholds(pattern: ThresholdPattern, categories: tuple[str, ...]) -> Thresholds:
    """The thresholds between categories, in their order.

    >>> thresholds("symmetric2", ("-1", "0", "1")).jacobian.ravel().tolist()
    [-1.0, 1.0]

    Raises:
        DataError: equidistant thresholds with fewer than three categories.
        UsageError: an unknown pattern.
    """
    check_choice("thresholds", pattern, get_args(ThresholdPattern))
    labels = tuple(f"{low}|{high}" for low, high in pairwise(categories))
    if pattern == "flexible":
        return Thresholds(pattern, labels, labels, np.eye(len(labels)))
    if pattern == "equidistant":
        if len(labels) < 2:
            raise DataError(f"equidistant thresholds need at least 3 categories, got {len(categories)}; use flexible")
        steps = np.arange(len(labels), dtype=float)
        return Thresholds(pattern, ("threshold.1", "spacing"), labels, np.column_stack([np.ones(len(labels)), steps]))
    central, spacing = _central(len(labels)), _spacing(len(labels))
    if pattern == "symmetric":
        # With two central thresholds each spacing is counted from the nearer of them.
        jacobian = np.column_stack([central, spacing[:, central.shape[1] - 1 :]])
        names = ("central",) if central.shape[1] == 1 else ("central.1", "central.2")
        more = jacobian.shape[1] - len(names)
        return Thresholds(pattern, names + _numbered("spacing", more), labels, jacobian)
    return Thresholds(pattern, _numbered("spacing", spacing.shape[1]), labels, spacing)


def contains(larger: ThresholdPattern, smaller: ThresholdPattern) -> bool:
    """Whether all thresholds of the smaller pattern are also of the larger one.

    >>> contains("flexible", "equidistant"), contains("symmetric2", "symmetric")
    (True, False)
    """
    parts = {"flexible": ("symmetric", "symmetric2", "equidistant"), "symmetric": ("symmetric2", "equidistant")}
    return larger == smaller or smaller in parts.get(larger, ())


def _central(count: int) -> FloatArray:
    """Which thresholds hang on which of the one or two central ones."""
    if count % 2:
        return np.ones((count, 1))
    half = np.arange(count) < count // 2
    return np.column_stack([half, ~half]).astype(float)


def _spacing(count: int) -> FloatArray:
    """Columns of -1 and 1 for thresholds equally far below and above the centre, from the inside to the outside."""
    pairs = count // 2
    matrix = np.zeros((count, pairs))
    for pair in range(pairs):
        matrix[pairs - 1 - pair, pair] = -1.0
        matrix[count - pairs + pair, pair] = 1.0
    return matrix


def _numbered(name: str, count: int) -> tuple[str, ...]:
    return tuple(f"{name}.{number}" for number in range(1, count + 1))
