"""ZᵀWZ of a mixed model, in the parts in which its random effects are eliminated."""
# ruff: noqa: PLC0415 -- scipy takes a third of a second to load and most commands need none of it

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from textassay.errors import DataError
from textassay.stats.mixed.elimination import Elimination
from textassay.stats.mixed.random_effects import RandomEffects
from textassay.stats.samples import FloatArray

_SMALL = 2**16
"""Cells of a table for which a sparse matrix does not pay."""


@dataclass(frozen=True)
class Gram:
    """C = ZᵀWZ, in the parts that an elimination needs."""

    order: Elimination
    first: FloatArray
    """Shape (levels, width, width): the diagonal blocks of the lead."""
    entries: FloatArray
    """Shape (entries, width): K, where it has entries."""
    cross: Any
    """K, shape (effects of the lead, effects of the others): an array, or a sparse matrix."""
    rest: FloatArray
    """Of the others, values in the layout of the elimination."""

    def times(self, effects: FloatArray) -> FloatArray:
        """The matrix times effects in rows."""
        m, layout = self.order.lead.size, self.order.layout
        first, others = effects[:m], effects[m:]
        blocks, between, border = layout.parts(self.rest)
        inner, bordering = layout.spread(others)
        below = layout.flat(between).T @ layout.flat(inner) + border @ bordering
        within = layout.gathered(blocks @ inner + between @ bordering, below)
        return np.concatenate([blockwise(self.first, first) + self.cross @ others, self.cross.T @ first + within])

    def reduced(self, lead: FloatArray) -> FloatArray:
        """R = C - Kᵀ N K for one block N of each level; of blocks and border only the lower triangle."""
        order = self.order
        if order.dense:
            return self.rest - np.ravel(self.cross.T @ blockwise(lead, self.cross))
        one, other = order.pairs
        changed = np.einsum("eij,ej->ei", lead[order.entries.levels], self.entries)
        products = np.einsum("ei,ei->e", changed[one], self.entries[other])
        return self.rest - np.bincount(order.pair_cells, products, order.layout.cells)


def gram(effects: RandomEffects, weights: FloatArray | None = None) -> Gram:
    """Zᵀ W Z; without weights W is the identity.

    Raises:
        DataError: the matrices do not fit into memory.
    """
    order = effects.elimination
    if not order.fits:
        raise DataError(
            f"the groupings have too many effects to be crossed: {order.lead.size} of {order.lead.group} by "
            f"{order.others.size}"
        )
    layout, entries, uses, meetings = order.layout, order.entries, order.entries.uses, order.meetings
    weighted = uses.value if weights is None else uses.value * weights[uses.observation]
    products = weighted[meetings.one] * uses.value[meetings.other]
    rest = np.bincount(meetings.cell, products, layout.cells).astype(float)
    for part in (layout.parts(rest)[0], layout.parts(rest)[2]):
        mirror(part)
    values = np.empty((len(entries.levels), order.lead.width))
    for place, column in enumerate(order.lead.columns.T):
        values[:, place] = np.bincount(entries.entry, weighted * column[uses.observation], len(values))
    return Gram(order, order.lead.gram(weights), values, _table(order, values), rest)


def _table(order: Elimination, values: FloatArray) -> Any:
    """K as a matrix."""
    levels, width = len(order.lead.levels), order.lead.width
    entries = order.entries
    if order.dense or order.lead.size * order.others.size <= _SMALL:
        found = np.zeros((levels, width, order.others.size))
        found[entries.levels, :, entries.effects] = values
        return found.reshape(levels * width, -1)
    from scipy.sparse import coo_array, csr_array

    shape = (levels * width, order.others.size)
    if width == 1:
        return csr_array((values[:, 0], entries.effects, entries.starts), shape)
    rows = entries.levels[:, None] * width + np.arange(width)
    return coo_array((values.ravel(), (rows.ravel(), np.repeat(entries.effects, width))), shape).tocsr()


def blockwise(blocks: FloatArray, values: FloatArray) -> FloatArray:
    """A block-diagonal matrix times v."""
    levels, width = blocks.shape[:2]
    if width == 1:
        return np.asarray(blocks.reshape(-1, *[1] * (values.ndim - 1)) * values)
    return np.asarray((blocks @ values.reshape(levels, width, -1)).reshape(values.shape))


def mirror(matrix: FloatArray) -> None:
    """Write the lower triangle, of each matrix, into the upper one."""
    if matrix.shape[-1] < 2:
        return
    np.copyto(matrix, matrix.swapaxes(-1, -2).copy(), where=~np.tri(matrix.shape[-1], dtype=bool))
