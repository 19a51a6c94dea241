"""Ordered answers as codes: which categories a scale has, which were used, and which must go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.stats.categorical.thresholds import ThresholdPattern
from textassay.stats.labels import Column
from textassay.stats.samples import IntArray, coded, finite_vector, same_length


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

    A category that nobody chose has no threshold of its own and is left out, with a warning. Where thresholds are
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
    # Mirrored about 0, answers on one side say something even if they are all the same.
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
    return RatingScale(place[codes].astype(np.intp), left, (f"{what} never chosen and left out of the model",))
