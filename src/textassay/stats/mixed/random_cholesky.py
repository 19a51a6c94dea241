"""The Cholesky factor of Λᵀ ZᵀWZ Λ + I, which every mixed model solves at every step.

The grouping with most effects has a block-diagonal ZᵀWZ: its part of the factor is one small triangle a level. What is
left of the other groupings (the Schur complement) is dense and small. So a step costs O(m²·M + m³) with M effects in
the largest grouping and m in all the others, and no step looks at the observations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from textassay.errors import DataError
from textassay.stats.mixed.random_effects import RandomEffects
from textassay.stats.samples import FloatArray

_MOST_CELLS = 2**28
"""Of the table of the largest grouping by all others: 2 GB of numbers."""


@dataclass(frozen=True)
class Gram:
    """A symmetric matrix over all random effects, as blocks: the first grouping, and all others together."""

    first: FloatArray
    """Shape (levels, width, width): the diagonal blocks of the first grouping."""
    cross: FloatArray
    """Shape (effects of the first grouping, effects of the others)."""
    rest: FloatArray
    """Shape (effects of the others, effects of the others)."""

    def times(self, effects: FloatArray) -> FloatArray:
        """The matrix times effects in rows."""
        m = len(self.cross)
        first = blockwise(self.first, effects[:m]) + self.cross @ effects[m:]
        return np.concatenate([first, self.cross.T @ effects[:m] + self.rest @ effects[m:]])


def gram(effects: RandomEffects, weights: FloatArray | None = None) -> Gram:
    """Zᵀ W Z; without weights W is the identity.

    Raises:
        DataError: the groupings have so many levels that the table of one by the others does not fit into memory.
    """
    first, *rest = effects.terms
    size = effects.size - first.size
    if first.size * size > _MOST_CELLS:
        raise DataError(f"the groupings have too many effects to be crossed: {first.size} of {first.group} by {size}")
    cross = [first.cross(term, weights) for term in rest]
    blocks = [[term.cross(other, weights) for other in rest] for term in rest]
    return Gram(
        first.gram(weights),
        np.hstack([np.zeros((first.size, 0)), *cross]),
        np.block(blocks) if blocks else np.zeros((0, 0)),
    )


@dataclass(frozen=True)
class RandomCholesky:
    """L with L Lᵀ = Λᵀ ZᵀWZ Λ + I."""

    first: FloatArray
    """Shape (levels, width, width): the triangles of the first grouping."""
    inverse: FloatArray
    """Of each of those triangles."""
    cross: FloatArray
    """Shape (effects of the first grouping, effects of the others): the block below `first`, transposed."""
    rest: FloatArray
    """The dense triangle of the others."""
    rest_inverse: FloatArray
    """Its inverse: the triangle is that of a matrix that is no less than I, so that no digits are lost by inverting."""
    reduced: FloatArray
    """ZᵀWZ of the others once the first grouping has taken its part."""

    @property
    def log_det(self) -> float:
        """The logarithm of |Λᵀ ZᵀWZ Λ + I|."""
        first = np.diagonal(self.first, axis1=1, axis2=2)
        return 2 * float(np.sum(np.log(first)) + np.sum(np.log(np.diagonal(self.rest))))

    def half(self, values: FloatArray) -> FloatArray:
        """L⁻¹ v; effects in rows."""
        m = self.cross.shape[0]
        first = blockwise(self.inverse, values[:m])
        return np.concatenate([first, self.rest_inverse @ (values[m:] - self.cross.T @ first)])

    def half_back(self, values: FloatArray) -> FloatArray:
        """L⁻ᵀ v; effects in rows."""
        m = self.cross.shape[0]
        rest = self.rest_inverse.T @ values[m:]
        first = blockwise(self.inverse.transpose(0, 2, 1), values[:m] - self.cross @ rest)
        return np.concatenate([first, rest])

    def solve(self, values: FloatArray) -> FloatArray:
        """(Λᵀ ZᵀWZ Λ + I)⁻¹ v; effects in rows."""
        return self.half_back(self.half(values))


def random_cholesky(effects: RandomEffects, products: Gram, theta: FloatArray) -> RandomCholesky:
    """The factor for one θ, from the products ZᵀWZ."""
    lead, *others = effects.factors(theta)
    first, inverse = _triangles(lead.T @ products.first @ lead + np.eye(len(lead)))
    raw = blockwise(inverse @ lead.T, products.cross)
    reduced = products.rest - raw.T @ raw
    # Twice from the right, because the matrix is symmetric.
    inner = times_others(times_others(reduced, effects, others).T, effects, others)
    rest = np.asarray(np.linalg.cholesky(inner + np.eye(len(inner))), dtype=float)
    rest_inverse = np.asarray(np.linalg.inv(rest), dtype=float)
    return RandomCholesky(first, inverse, times_others(raw, effects, others), rest, rest_inverse, reduced)


def times_others(matrix: FloatArray, effects: RandomEffects, factors: Sequence[FloatArray]) -> FloatArray:
    """M Λ over all groupings but the first, where Λ repeats a grouping's factor for each of its levels."""
    found = np.empty_like(matrix)
    start = 0
    for term, factor in zip(effects.terms[1:], factors, strict=True):
        part = matrix[:, start : start + term.size].reshape(-1, term.width)
        found[:, start : start + term.size] = (part @ factor).reshape(-1, term.size)
        start += term.size
    return found


def _triangles(blocks: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The Cholesky factor of each block, and its inverse."""
    if blocks.shape[1] == 1:
        roots = np.sqrt(blocks)
        return roots, 1 / roots
    triangles = np.linalg.cholesky(blocks)
    return np.asarray(triangles, dtype=float), np.asarray(np.linalg.inv(triangles), dtype=float)


def blockwise(blocks: FloatArray, values: FloatArray) -> FloatArray:
    """A block-diagonal matrix times v."""
    levels, width = blocks.shape[:2]
    if width == 1:
        return np.asarray(blocks.reshape(-1, *[1] * (values.ndim - 1)) * values)
    return np.asarray((blocks @ values.reshape(levels, width, -1)).reshape(values.shape))
