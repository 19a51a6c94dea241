"""The factor L of L Lᵀ = M = Λᵀ ZᵀWZ Λ + I, by the steps of `elimination`, and what of M⁻¹ a gradient needs.

With 0 for the lead, b for blocks and q for the border, C = ZᵀWZ, and K the table of the lead by all others:

    M₀ = Λ₀ᵀ C₀ Λ₀ + I (by levels),   R = C - Kᵀ Λ₀ M₀⁻¹ Λ₀ᵀ K,
    M_b = Λ_b R_b Λ_b + I (by blocks),   S = R_q - R_qb Λ_b M_b⁻¹ Λ_b R_bq,   M_q = Λ_qᵀ S Λ_q + I.

A gradient needs M⁻¹ only where effects meet: all of its blocks and border, and K M⁻¹ Kᵀ for each level of the lead.
"""
# ruff: noqa: PLC0415 -- scipy takes a third of a second to load and most commands need none of it

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from textassay.stats.mixed.elimination import Elimination
from textassay.stats.mixed.gram import Gram, blockwise, mirror
from textassay.stats.mixed.random_effects import RandomEffects, RandomTerm
from textassay.stats.samples import FloatArray

_NO_SPREAD = 1e-9
"""A relative standard deviation below this is taken for 0 in gradients: it is divided by."""


@dataclass(frozen=True)
class RandomCholesky:
    """L with L Lᵀ = Λᵀ ZᵀWZ Λ + I."""

    products: Gram
    lead: FloatArray
    """Λ of one level of the lead."""
    others: RelativeFactor
    """Λ of all other groupings."""
    bordering: RelativeFactor
    """Λ of those of the border."""
    first: FloatArray
    """Shape (levels, width, width): the triangles of the lead."""
    inverse: FloatArray
    """Of each of those triangles."""
    block_scale: FloatArray
    """Shape (blocks, size): the diagonal of Λ_b."""
    block: FloatArray
    """The triangles of the blocks."""
    block_inverse: FloatArray
    """Of each of those."""
    between: FloatArray
    """L_b⁻¹ Λ_b R_bq, shape (blocks, size, border)."""
    border: FloatArray
    """The triangle of the border."""
    border_inverse: FloatArray
    """Its inverse: the triangle is that of a matrix that is no less than I, so that no digits are lost by inverting."""
    reduced: FloatArray
    """S: ZᵀWZ of the border once lead and blocks have taken their part."""

    @property
    def log_det(self) -> float:
        """The logarithm of |Λᵀ ZᵀWZ Λ + I|."""
        diagonals = [np.diagonal(each, axis1=-2, axis2=-1) for each in (self.first, self.block, self.border)]
        return 2 * float(sum(np.sum(np.log(each)) for each in diagonals))

    def half(self, values: FloatArray) -> FloatArray:
        """L⁻¹ v; effects in rows, those of the result in the order of elimination."""
        order, m = self.products.order, self.products.order.lead.size
        given = values if values.ndim == 2 else values[:, None]
        first = blockwise(self.inverse, given[:m])
        carried = self.products.cross.T @ blockwise(self._lead_scaled.transpose(0, 2, 1), first)
        inner, border = order.layout.spread(given[m:] - self.others.back(carried))
        if order.layout.blocks:
            inner = self.block_inverse @ inner
            border = border - self.bordering.back(order.layout.flat(self.between).T @ order.layout.flat(inner))
        border = self.border_inverse @ border
        return np.concatenate([first, order.layout.flat(inner), border]).reshape(-1, *values.shape[1:])

    def half_back(self, values: FloatArray) -> FloatArray:
        """L⁻ᵀ v, of what `half` gives; effects in rows."""
        order, m = self.products.order, self.products.order.lead.size
        given = values if values.ndim == 2 else values[:, None]
        end = m + order.layout.inner
        border = self.border_inverse.T @ given[end:]
        inner = order.layout.stacked(given[m:end])
        if order.layout.blocks:
            inner = self.block_inverse.transpose(0, 2, 1) @ (inner - self.between @ self.bordering.times(border))
        others = order.layout.gathered(inner, border)
        carried = self.products.cross @ self.others.times(others)
        first = blockwise(self.inverse.transpose(0, 2, 1), given[:m] - blockwise(self._lead_scaled, carried))
        return np.concatenate([first, others]).reshape(-1, *values.shape[1:])

    def solve(self, values: FloatArray) -> FloatArray:
        """(Λᵀ ZᵀWZ Λ + I)⁻¹ v; effects in rows."""
        return self.half_back(self.half(values))

    @cached_property
    def inverted(self) -> FloatArray:
        """M⁻¹ of all but the lead, as far as it lies in the layout: its values."""
        layout = self.products.order.layout
        found = np.empty(layout.cells)
        blocks, between, border = layout.parts(found)
        border[:] = self.border_inverse.T @ self.border_inverse
        if layout.blocks:
            upper = self.block_inverse.transpose(0, 2, 1)
            inner = upper @ self.bordering.right(self.between)
            np.matmul(-layout.flat(inner), border, out=layout.flat(between))
            blocks[:] = upper @ self.block_inverse - between @ inner.transpose(0, 2, 1)
        return found

    @cached_property
    def crossed(self) -> FloatArray:
        """The diagonal blocks of K Λ M⁻¹ Λᵀ Kᵀ, one for each level of the lead."""
        order, (levels, width) = self.products.order, self.first.shape[:2]
        if order.dense:
            shape = (levels, width, order.others.size)
            product = self._scaled @ order.layout.parts(self.inverted)[2]
            return np.asarray(product.reshape(shape) @ self._scaled.reshape(shape).transpose(0, 2, 1))
        half = self._paired(0.5)
        found = np.empty((levels, width, width))
        for row in range(width):
            for column in range(width):
                products = self._scaled[:, row] * half[:, column]
                found[:, row, column] = np.bincount(order.entries.levels, products, levels)
        return found + found.transpose(0, 2, 1)

    @cached_property
    def carried(self) -> FloatArray:
        """K Λ M⁻¹ at the entries of K, shape (entries, width)."""
        order, (levels, width) = self.products.order, self.first.shape[:2]
        if order.dense:
            product = self._scaled @ order.layout.parts(self.inverted)[2]
            return np.asarray(product.reshape(levels, width, -1)[order.entries.levels, :, order.entries.effects])
        found = self._paired(0.0)
        one, other = order.pairs
        inverted = self.inverted[order.pair_cells]
        for column, values in enumerate(self._scaled.T):
            found[:, column] += np.bincount(other, inverted * values[one], len(found))
        return found

    def _paired(self, own: float) -> FloatArray:
        """K Λ M⁻¹ at the entries of K, summed over later entries of the level only, and a share of its own."""
        order = self.products.order
        inverted = self.inverted[order.pair_cells]
        inverted[order.pair_starts] *= own
        products = inverted[:, None] * self._scaled[order.pairs[1]]
        return np.add.reduceat(products, order.pair_starts) if len(products) else products

    @cached_property
    def _scaled(self) -> FloatArray:
        """K Λ: a matrix if it is dense, otherwise its entries."""
        order = self.products.order
        if order.dense:
            return self.others.right(self.products.cross)
        return self.products.entries * self.others.diagonal[order.entries.effects][:, None]

    @cached_property
    def lead_inverted(self) -> FloatArray:
        """M⁻¹ of each level of the lead, shape (levels, width, width)."""
        upper = self.inverse.transpose(0, 2, 1)
        if not self.products.order.others.terms:
            return np.asarray(upper @ self.inverse)
        scaled = upper @ self._lead_scaled
        return np.asarray(upper @ self.inverse + scaled @ self.crossed @ scaled.transpose(0, 2, 1))

    @cached_property
    def lead_carried(self) -> FloatArray:
        """-M⁻¹ between the lead and others at the entries of K, shape (entries, width)."""
        scaled = self.inverse.transpose(0, 2, 1) @ self._lead_scaled
        return np.asarray(np.einsum("eij,ej->ei", scaled[self.products.order.entries.levels], self.carried))

    def traces(self) -> list[FloatArray]:
        """For each grouping the sum over its levels of the diagonal blocks of ZᵀWZ Λ M⁻¹."""
        order, lead = self.products.order, self.lead
        inverted = self.inverse.transpose(0, 2, 1) @ self.inverse
        own = self.products.first @ lead @ inverted
        found = [own.sum(axis=0)]
        if order.others.terms:
            added = (own @ lead.T - np.eye(len(lead))) @ self.crossed @ lead @ inverted
            found[0] = found[0] + added.sum(axis=0)
        blocks, _, border = order.layout.parts(self.inverted)
        of_border = self.bordering.right(self.reduced)
        # Λ C Λ M⁻¹ = I - M⁻¹, of which only the diagonal counts where effects are not correlated.
        scale = self.block_scale
        kept = np.abs(scale) > _NO_SPREAD
        of_blocks = np.where(
            kept, (1 - np.diagonal(blocks, axis1=1, axis2=2)) / np.where(kept, scale, 1.0), 0.0
        ).ravel()
        start = 0
        for term, inside in zip(order.others.terms, order.in_blocks, strict=True):
            rows = order.layout.rows[start : start + term.size]
            start += term.size
            if inside:
                found.append(np.diag(of_blocks[rows].reshape(-1, term.width).sum(axis=0)))
            else:
                at = slice(rows[0] - order.layout.inner, rows[-1] + 1 - order.layout.inner)
                shape = (len(term.levels), term.width, order.layout.border)
                found.append(over_levels(of_border[at].reshape(shape), border[at].reshape(shape)))
        return found

    @cached_property
    def _lead_scaled(self) -> FloatArray:
        return self.inverse @ self.lead.T


def random_cholesky(effects: RandomEffects, products: Gram, theta: FloatArray) -> RandomCholesky:
    """The factor for one θ, from the products ZᵀWZ."""
    order, layout = products.order, products.order.layout
    factors = effects.factors(theta)
    lead, (others, bordering) = factors[0], _relative_factors(order, factors)
    first, inverse = _triangles(lead.T @ products.first @ lead + np.eye(len(lead)))
    scaled = inverse @ lead.T
    blocks, between, reduced = layout.parts(products.reduced(scaled.transpose(0, 2, 1) @ scaled))
    scale = np.zeros((layout.blocks, layout.size))
    block = block_inverse = blocks
    if layout.blocks:
        scale = layout.spread(others.diagonal[:, None])[0][:, :, 0]
        block, block_inverse = _triangles(blocks * scale[:, :, None] * scale[:, None, :] + np.eye(layout.size))
        between = block_inverse @ (between * scale[:, :, None])
        reduced = reduced - layout.flat(between).T @ layout.flat(between)
    if not order.dense:
        mirror(reduced)
    # Twice from the right, because the matrix is symmetric.
    whole = bordering.right(bordering.right(reduced).T)
    whole.flat[:: len(whole) + 1] += 1
    border = np.asarray(np.linalg.cholesky(whole), dtype=float)
    return RandomCholesky(
        products,
        lead,
        others,
        bordering,
        first=first,
        inverse=inverse,
        block_scale=scale,
        block=block,
        block_inverse=block_inverse,
        between=between,
        border=border,
        border_inverse=_inverse(border),
        reduced=reduced,
    )


@dataclass(frozen=True)
class RelativeFactor:
    """Λ over all levels of some groupings, each level with its grouping's own."""

    terms: Sequence[RandomTerm]
    factors: Sequence[FloatArray]
    diagonal: FloatArray
    plain: bool
    """Whether there is nothing but the diagonal."""

    def times(self, effects: FloatArray) -> FloatArray:
        """Λ v; effects in rows."""
        return self.diagonal[:, None] * effects if self.plain else self._right(effects.T, back=True).T

    def back(self, effects: FloatArray) -> FloatArray:
        """Λᵀ v; effects in rows."""
        return self.diagonal[:, None] * effects if self.plain else self._right(effects.T).T

    def right(self, matrix: FloatArray) -> FloatArray:
        """A Λ; effects in the last axis."""
        return matrix * self.diagonal if self.plain else self._right(matrix)

    def _right(self, matrix: FloatArray, *, back: bool = False) -> FloatArray:
        found = np.empty_like(matrix)
        start = 0
        for term, factor in zip(self.terms, self.factors, strict=True):
            part = matrix[..., start : start + term.size].reshape(-1, term.width) @ (factor.T if back else factor)
            found[..., start : start + term.size] = part.reshape(*matrix.shape[:-1], term.size)
            start += term.size
        return found


def _relative_factors(order: Elimination, factors: Sequence[FloatArray]) -> tuple[RelativeFactor, RelativeFactor]:
    """Of all groupings but the lead, and of the border."""
    terms = order.others.terms
    diagonal = np.concatenate([np.zeros(0), *(np.diagonal(factor) for factor in factors[1:])])[order.columns]
    whole = RelativeFactor(terms, factors[1:], diagonal, order.plain)
    if not order.layout.blocks:
        return whole, whole
    outside = [place for place, inside in enumerate(order.in_blocks) if not inside]
    scale = diagonal[order.layout.rows >= order.layout.inner]
    return whole, RelativeFactor([terms[at] for at in outside], [factors[1 + at] for at in outside], scale, order.plain)


def over_levels(one: FloatArray, other: FloatArray) -> FloatArray:
    """The sum over levels of products of their blocks, each of the shape (width, k)."""
    width = one.shape[1]
    return np.asarray(one.swapaxes(0, 1).reshape(width, -1) @ other.swapaxes(0, 1).reshape(width, -1).T)


def _triangles(blocks: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The Cholesky factor of each block, and its inverse."""
    if blocks.shape[1] == 1:
        roots = np.sqrt(blocks)
        return roots, 1 / roots
    triangles = np.linalg.cholesky(blocks)
    return np.asarray(triangles, dtype=float), np.asarray(np.linalg.inv(triangles), dtype=float)


def _inverse(triangle: FloatArray) -> FloatArray:
    """Of a lower triangle."""
    from scipy.linalg.lapack import dtrtri

    return np.asarray(dtrtri(triangle, lower=1)[0]) if len(triangle) else triangle
