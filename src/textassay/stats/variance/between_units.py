"""The part of a repeated-measures model that lies between subjects (or items): group sizes may differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from textassay.errors import DataError
from textassay.stats.mixed.model_matrix import ModelMatrix, Term, model_matrix, with_interactions
from textassay.stats.samples import FloatArray
from textassay.stats.variance.cell_means import named

Sums = Literal["II", "III"]
"""`II`: an effect after all that do not contain it; `III`: after all others, groups counting the same."""


@dataclass(frozen=True)
class Part:
    """One effect between units, the mean of all of them included."""

    factors: tuple[str, ...]
    """Empty for the mean of all units."""
    basis: FloatArray
    """Orthonormal columns: what the effect adds to those that it is adjusted for."""

    @property
    def df(self) -> int:
        """Degrees of freedom."""
        return int(self.basis.shape[1])

    def sum_of_squares(self, scores: FloatArray) -> float:
        """What the effect explains of the scores, over all their columns."""
        return float(np.sum((self.basis.T @ scores) ** 2))


@dataclass(frozen=True)
class BetweenUnits:
    """The effects between units, and what they leave."""

    parts: tuple[Part, ...]
    """The mean of all units first."""
    space: FloatArray
    """Orthonormal columns of the whole model."""

    @property
    def error_df(self) -> int:
        """Units less groups."""
        return int(self.space.shape[0] - self.space.shape[1])

    def residuals(self, scores: FloatArray) -> FloatArray:
        """What no effect explains."""
        left = scores - self.space @ (self.space.T @ scores)
        return np.asarray(left - self.space @ (self.space.T @ left))  # once more: the first pass leaves rounding


def between_units(levels: Mapping[str, Sequence[str]], n: int, sums: Sums) -> BetweenUnits:
    """All main effects and interactions of the factors between n units, adjusted for each other.

    Type II adjusts an effect for all that do not contain it, and so leaves the mean of all units as it is; type III
    adjusts it for all others in sum-to-zero coding, so that each group counts the same whatever its size. With equal
    groups both agree.

    Raises:
        DataError: a combination of levels has no unit, so type III is not defined.
    """
    if not levels:
        mean = np.full((n, 1), n**-0.5)
        return BetweenUnits((Part((), mean),), mean)
    matrix = model_matrix(levels, terms=with_interactions(levels), coding="sum", factors=tuple(levels))
    space = _orthonormal(matrix.x)
    if space.shape[1] < matrix.x.shape[1] and sums == "III":
        raise DataError(
            f"type III sums of squares need units in every combination of {' and '.join(levels)}; there are none in "
            f"{named(_empty(levels, matrix))}. Use sums='II', or leave a factor out"
        )
    ones = Term("", (), (0,))
    terms = (ones, *matrix.terms)
    parts = tuple(Part(term.variables, _added(matrix.x, term, terms, sums)) for term in terms)
    return BetweenUnits(parts, space)


def _added(x: FloatArray, term: Term, terms: Sequence[Term], sums: Sums) -> FloatArray:
    others = [each for each in terms if each is not term and (sums == "III" or not term.within(each))]
    beside = _orthonormal(x[:, [column for each in others for column in each.columns]])
    own = x[:, list(term.columns)]
    for _ in range(2):  # twice: the first pass leaves rounding
        own = own - beside @ (beside.T @ own)
    return _orthonormal(own)


def _orthonormal(columns: FloatArray) -> FloatArray:
    """A basis of what the columns span."""
    left, sizes, _ = np.linalg.svd(columns, full_matrices=False)
    # Codes are -1, 0 and 1, so the largest size is that of √n at least: what is tiny beside that is rounding.
    return np.asarray(left[:, sizes > 1e-10 * np.sqrt(columns.shape[0])])


def _empty(levels: Mapping[str, Sequence[str]], matrix: ModelMatrix) -> list[str]:
    seen = set(zip(*levels.values(), strict=True))
    combinations: list[tuple[str, ...]] = [()]
    for name in levels:
        combinations = [(*before, level) for before in combinations for level in matrix.levels[name]]
    return [" × ".join(each) for each in combinations if each not in seen]
