"""Comparisons with their strength as the columns of an ordinal model: +1 for one system, -1 for the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.stats.categorical.laplace_fit import RandomPart
from textassay.stats.categorical.rating_scale import RatingScale, rating_scale
from textassay.stats.labels import Column
from textassay.stats.labels import coded as coded_together
from textassay.stats.mixed.random_effects import RandomEffects, RandomTerm
from textassay.stats.preferences.separation import not_on_one_scale
from textassay.stats.samples import FloatArray, coded, finite_vector, same_length

LEFT = "left side"
"""The advantage of being shown on the left, as a parameter."""


@dataclass(frozen=True)
class StrengthDesign:
    """Comparisons of two systems each."""

    systems: tuple[str, ...]
    scale: RatingScale
    x: FloatArray
    """Shape (n, systems): 1 for system b, -1 for system a, else 0."""
    side: FloatArray
    """Shape (n, 1): 1 where b was on the left, -1 where a was; (n, 0) where that is not known."""
    judged: FloatArray
    """Shape (systems, systems): how often two were compared; symmetric."""
    disconnected: str
    """Why the systems are not all on one scale; empty where they are."""

    @property
    def columns(self) -> FloatArray:
        """Of the model: the first system is at 0."""
        return np.hstack([self.x[:, 1:], self.side])

    @property
    def names(self) -> tuple[str, ...]:
        """Of these columns."""
        return (*self.systems[1:], *[LEFT] * self.side.shape[1])


def strength_design(
    strengths: npt.ArrayLike, pair: tuple[Column, Column], left: Column | None, levels: Sequence[float] | None
) -> StrengthDesign:
    """Comparisons, checked.

    Raises:
        DataError: unequal lengths, missing values, a system against itself, one system, a scale that is not the same
            on both sides, or a left side that is neither system.
    """
    values = finite_vector(strengths, "strengths")
    same_length(("strengths", values), ("system_a", pair[0]), ("system_b", pair[1]))
    if not values.size:
        raise DataError("there are no comparisons")
    systems, (a, b) = coded_together(("system_a", pair[0]), ("system_b", pair[1]))
    if np.any(a == b):
        row = int(np.flatnonzero(a == b)[0])
        raise DataError(f"system_a and system_b are the same ({systems[a[row]]}) at index {row}; leave such rows out")
    rows = np.arange(values.size)
    x = np.zeros((values.size, len(systems)))
    x[rows, b], x[rows, a] = 1.0, -1.0
    judged = np.bincount(a * len(systems) + b, minlength=len(systems) ** 2).reshape(len(systems), -1).astype(float)
    judged = judged + judged.T
    scale = rating_scale(values, _mirrored(values, levels), "symmetric2", name="strengths")
    side = np.zeros((values.size, 0)) if left is None else _side(left, pair)
    return StrengthDesign(systems, scale, x, side, judged, not_on_one_scale(judged > 0, systems))


def own_tastes(design: StrengthDesign, random: Mapping[str, Column]) -> RandomPart:
    """For each level of each grouping a deviation for each system, all with one variance a grouping.

    Raises:
        DataError: unequal lengths, a missing label, or a grouping with one level.
    """
    n = len(design.x)
    terms = []
    for group, labels in random.items():
        if len(labels) != n:
            raise DataError(f"the lengths must be equal: the grouping {group} has {len(labels)}, strengths has {n}")
        codes, levels = coded(labels, group)
        if len(levels) < 2:
            raise DataError(f"the grouping {group} has one level only ({', '.join(levels)}): its spread cannot be seen")
        terms.append(RandomTerm(group, levels, codes, design.x, design.systems, correlated=False))
    terms.sort(key=lambda term: -term.size)
    tied = np.repeat(np.eye(len(terms)), len(design.systems), axis=0)
    return RandomPart(RandomEffects(tuple(terms)), tied)


def _mirrored(values: FloatArray, levels: Sequence[float] | None) -> list[float]:
    """The scale from the strongest preference for a to the strongest for b."""
    if levels is None:
        sizes = np.unique(np.abs(values))
        return [*(-sizes[sizes > 0][::-1]).tolist(), *sizes.tolist()]
    scale = np.sort(finite_vector(levels, "levels"))
    if not np.array_equal(scale, -scale[::-1]):
        raise DataError(f"the scale of strengths must be the same on both sides of 0, got {scale.tolist()}")
    return [float(value) for value in scale]


def _side(left: Column, pair: tuple[Column, Column]) -> FloatArray:
    same_length(("left", left), ("system_a", pair[0]))
    _, (shown, a, b) = coded_together(("left", left), ("system_a", pair[0]), ("system_b", pair[1]))
    stray = np.flatnonzero((shown != a) & (shown != b))
    if stray.size:
        raise DataError(
            f"left must name one of the two systems; at index {stray[0]} it is {left[int(stray[0])]!r}, "
            f"the systems are {pair[0][int(stray[0])]!r} and {pair[1][int(stray[0])]!r}"
        )
    return np.where(shown == b, 1.0, -1.0)[:, None]
