"""In which order the random effects of a model are eliminated.

Λᵀ ZᵀWZ Λ + I has a row for each random effect. Two effects meet in it where an observation has both, so most of it is
0, in a known way: levels of one grouping never meet, and of a grouping within another only those of the same level do.
Effects are eliminated in three steps, each with what the one before has left:

1. The *lead*, the grouping with most effects, level by level.
2. *Blocks*: groupings that fall apart into sets of effects that never meet, each set a dense matrix.
3. The *border*: all other groupings, one dense matrix.

Which groupings make the blocks is decided by what it costs. In (1 | participant) + (1 | participant:system) +
(1 | item) + (1 | item:system), participant × system leads; what remains of item × system falls apart into one block per
system, bordered by participants and items. With few participants it is items that make the blocks, bordered by
participants and participant × system.
"""
# ruff: noqa: PLC0415 -- scipy takes a third of a second to load and most commands need none of it

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations
from typing import TYPE_CHECKING

import numpy as np

from textassay.stats.samples import FloatArray, IntArray

if TYPE_CHECKING:
    from textassay.stats.mixed.random_effects import RandomEffects, RandomTerm

_NS_FLOP, _NS_PAIR, _NS_BLOCK = 0.1, 10.0, 2000.0
"""About how long an operation of a dense product, a pair of entries of the lead, and a block take, in ns."""
_MOST_CELLS = 2**26
"""Of one of the matrices that an elimination needs: 0.5 GB of numbers."""
_QUICK = 2e-4
"""Seconds: what costs less is not improved on."""
_MOST_GROUPINGS = 6
"""Of more than this, which groupings make blocks is not searched."""


@dataclass(frozen=True)
class Arrowhead:
    """Where the entries of a symmetric matrix are that is dense blocks along its diagonal, bordered by dense rows.

    Blocks are all as large as the largest: rows that belong to no effect are 0. The values of a matrix are one vector:
    blocks of the shape (blocks, size, size), rows by border (blocks, size, border), border (border, border).
    """

    blocks: int
    size: int
    border: int
    rows: IntArray
    """For each effect its row: those of block after block, then those of the border."""

    @property
    def inner(self) -> int:
        """Rows of all blocks."""
        return self.blocks * self.size

    @property
    def cells(self) -> int:
        """Values of a matrix."""
        return self.inner * (self.size + self.border) + self.border**2

    def parts(self, values: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Blocks, rows of blocks by border, and border; views of the values."""
        end, stop = self.inner * self.size, self.inner * (self.size + self.border)
        return (
            values[:end].reshape(self.blocks, self.size, self.size),
            values[end:stop].reshape(self.blocks, self.size, self.border),
            values[stop:].reshape(self.border, self.border),
        )

    def cell(self, one: IntArray, other: IntArray) -> IntArray:
        """Where the entry of two rows is, in the lower triangle; they must be of one block, or of the border."""
        low, high = np.minimum(one, other), np.maximum(one, other)
        end, stop = self.inner * self.size, self.inner * (self.size + self.border)
        within = high * self.size + low % max(self.size, 1)
        across = end + low * self.border + high - self.inner
        bordering = stop + (high - self.inner) * self.border + low - self.inner
        return np.where(high < self.inner, within, np.where(low < self.inner, across, bordering))

    def spread(self, effects: FloatArray) -> tuple[FloatArray, FloatArray]:
        """A matrix with effects in rows as (blocks, size, k) and (border, k)."""
        if not self.blocks:  # as in most small models: all effects are those of the border, in their order
            return self.stacked(effects[:0]), effects
        found = np.zeros((self.inner + self.border, effects.shape[1]))
        found[self.rows] = effects
        return self.stacked(found[: self.inner]), found[self.inner :]

    def gathered(self, inner: FloatArray, border: FloatArray) -> FloatArray:
        """The effects from such parts."""
        if not self.blocks:
            return border
        return np.concatenate([self.flat(inner), border])[self.rows]

    def stacked(self, rows: FloatArray) -> FloatArray:
        """Rows of all blocks (blocks × size, k) as (blocks, size, k)."""
        return rows.reshape(self.blocks, self.size, rows.shape[1])

    def flat(self, blocks: FloatArray) -> FloatArray:
        """The reverse."""
        return blocks.reshape(self.inner, blocks.shape[2])


@dataclass(frozen=True)
class Entries:
    """The table K of the lead's levels by all other effects: which entries it has, level by level."""

    levels: IntArray
    """Of each entry the level of the lead."""
    effects: IntArray
    """Of each entry the other effect."""
    starts: IntArray
    """Of each level its first entry; at the end the number of entries."""
    uses: ColumnUses
    entry: IntArray
    """For each of the uses the entry that it is part of."""

    @property
    def pairs(self) -> int:
        """Pairs of entries of one level, each entry with itself among them."""
        sizes = np.diff(self.starts)
        return int(np.sum(sizes * (sizes + 1) // 2))


@dataclass(frozen=True)
class ColumnUses:
    """Where observations have something in the columns of groupings, those of grouping after grouping."""

    observation: IntArray
    column: IntArray
    """Its number among the columns of all groupings."""
    effect: IntArray
    value: FloatArray


@dataclass(frozen=True)
class Meetings:
    """For each two columns of an observation, each by itself among them, where their effects meet."""

    one: IntArray
    """Index into `ColumnUses`."""
    other: IntArray
    """Likewise."""
    cell: IntArray


@dataclass(frozen=True)
class Elimination:
    """The order for the effects of one model, and where everything is."""

    lead: RandomTerm
    others: RandomEffects
    """All but the lead."""
    in_blocks: tuple[bool, ...]
    """For each of the others whether it is in the blocks."""
    layout: Arrowhead
    entries: Entries
    dense: bool
    """Whether K is dense: then there are no blocks."""
    cost: float
    """About how many seconds it takes for one θ, with a gradient."""

    @property
    def fits(self) -> bool:
        """Whether its matrices fit into memory."""
        pairs = self.lead.size * self.others.size if self.dense else self.entries.pairs
        return max(self.layout.cells, pairs) <= _MOST_CELLS

    @cached_property
    def plain(self) -> bool:
        """Whether no effects of a level are correlated, but those of the lead."""
        return all(_diagonal(term) for term in self.others.terms)

    @cached_property
    def columns(self) -> IntArray:
        """For each effect but the lead's the number of its column among those of all groupings."""
        widths = np.cumsum([0, *(term.width for term in self.others.terms)])
        each = [
            np.tile(np.arange(at, at + t.width), len(t.levels))
            for at, t in zip(widths, self.others.terms, strict=False)
        ]
        return np.concatenate([np.zeros(0, dtype=np.intp), *each])

    @cached_property
    def pairs(self) -> tuple[IntArray, IntArray]:
        """The pairs of entries of one level of the lead, each once and in order, and each entry with itself."""
        starts = self.entries.starts
        ends = np.repeat(starts[1:], np.diff(starts))
        first = np.arange(len(ends))
        one = np.repeat(first, ends - first)
        return one, np.arange(len(one)) - np.repeat(self.pair_starts, ends - first) + one

    @cached_property
    def pair_starts(self) -> IntArray:
        """For each entry the first pair that it comes first in: the one with itself."""
        starts = self.entries.starts
        each = np.repeat(starts[1:], np.diff(starts)) - np.arange(starts[-1])
        return np.asarray(np.cumsum(each) - each)

    @cached_property
    def pair_cells(self) -> IntArray:
        """For each pair of entries the cell of its effects."""
        rows = self.layout.rows[self.entries.effects]
        one, other = self.pairs
        return self.layout.cell(rows[one], rows[other])

    @cached_property
    def meetings(self) -> Meetings:
        """Of the effects of all groupings but the lead."""
        uses = self.entries.uses
        order = np.argsort(uses.observation, kind="stable")
        counts = np.bincount(uses.observation, minlength=len(self.lead.codes))
        ends = np.repeat(np.cumsum(counts), counts)
        place = np.arange(len(order))
        first = np.repeat(place, ends - place)
        begins = np.cumsum(ends - place) - (ends - place)
        one, other = order[first], order[np.arange(len(first)) - begins[first] + first]
        rows = self.layout.rows[uses.effect]
        return Meetings(one, other, self.layout.cell(rows[one], rows[other]))


def elimination(effects: RandomEffects) -> Elimination:
    """The order that costs least."""
    lead, *rest = effects.terms
    others = type(effects)(tuple(rest))
    entries = _entries(lead, others)
    layout = _layout(entries, others, [False] * len(rest))
    dense = lead.size * others.size**2 * 4 * _NS_FLOP
    # Where effects of a level are correlated, Λ adds entries.
    pairs = entries.pairs * lead.width * _NS_PAIR if all(_diagonal(term) for term in rest) else np.inf
    cost = _cost(layout) + min(dense, pairs)
    found = Elimination(lead, others, (False,) * len(rest), layout, entries, dense <= pairs, cost * 1e-9)
    if not np.isfinite(pairs) or found.cost < _QUICK:
        return found
    for chosen in _choices(rest):
        layout = _layout(entries, others, chosen)
        cost = (_cost(layout) + pairs) * 1e-9
        if cost < found.cost:
            found = Elimination(lead, others, tuple(chosen), layout, entries, dense=False, cost=cost)
    return found


def _diagonal(term: RandomTerm) -> bool:
    """Whether the effects of a level are not correlated."""
    return term.width == 1 or not term.correlated


def _choices(terms: Sequence[RandomTerm]) -> list[list[bool]]:
    """Which groupings may make the blocks."""
    most = len(terms) if len(terms) <= _MOST_GROUPINGS else 1
    chosen = chain.from_iterable(combinations(range(len(terms)), count) for count in range(1, most + 1))
    return [[place in each for place in range(len(terms))] for each in chosen]


def _cost(layout: Arrowhead) -> float:
    m, q = layout.size, layout.border
    flops = layout.blocks * m * (5 * m * m + 8 * m * q + 3 * q * q) + 4 * q**3
    return layout.blocks * _NS_BLOCK + flops * _NS_FLOP


def _entries(lead: RandomTerm, others: RandomEffects) -> Entries:
    uses = _column_uses(others)
    keys, entry = np.unique(lead.codes[uses.observation] * others.size + uses.effect, return_inverse=True)
    levels, effects = np.divmod(keys, max(others.size, 1))
    return Entries(levels, effects, np.searchsorted(levels, np.arange(len(lead.levels) + 1)), uses, entry)


def _column_uses(effects: RandomEffects) -> ColumnUses:
    found: list[tuple[IntArray, IntArray, IntArray, FloatArray]] = []
    start = 0
    for term in effects.terms:
        for place in range(term.width):
            values = term.columns[:, place]
            there = np.flatnonzero(values) if _diagonal(term) else np.arange(len(values))
            number = np.full(len(there), len(found), dtype=np.intp)
            found.append((there, number, start + term.codes[there] * term.width + place, values[there]))
        start += term.size
    nothing = np.zeros(0, dtype=np.intp)
    parts = zip(*found, strict=True) if found else ([nothing], [nothing], [nothing], [np.zeros(0)])
    return ColumnUses(*(np.concatenate(part) for part in parts))


def _layout(entries: Entries, others: RandomEffects, chosen: Sequence[bool]) -> Arrowhead:
    """The rows of all effects, those of the chosen groupings in blocks."""
    inside = np.repeat(np.array(chosen, dtype=bool), [term.size for term in others.terms])
    rows = np.cumsum(~inside) - 1
    if not np.any(inside):
        return Arrowhead(0, 0, others.size, rows)
    block = _components(entries, inside)
    sizes = np.bincount(block)
    order = np.argsort(block, kind="stable")
    slots = np.empty(len(block), dtype=np.intp)
    slots[order] = np.arange(len(block)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    size = int(sizes.max())
    rows += len(sizes) * size
    rows[inside] = block * size + slots
    return Arrowhead(len(sizes), size, others.size - len(block), rows)


def _components(entries: Entries, inside: FloatArray) -> IntArray:
    """For each effect inside the number of its block: those that meet the same level of the lead share one."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    levels = len(entries.starts) - 1
    at = inside[entries.effects]
    nodes = levels + len(inside)
    ends = (entries.levels[at], levels + entries.effects[at])
    edges = coo_array((np.ones(len(ends[0]), dtype=np.int8), ends), shape=(nodes, nodes))
    labels = connected_components(edges, directed=False)[1][levels:][inside]
    _, block, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    return _packed(sizes)[block]


def _packed(sizes: IntArray) -> IntArray:
    """For each set of effects the number of its block: small sets share one, none larger than the largest set."""
    most, block, room = int(sizes.max()), -1, 0
    found = np.empty(len(sizes), dtype=np.intp)
    order = np.argsort(-sizes, kind="stable")
    for place, size in zip(order.tolist(), sizes[order].tolist(), strict=True):
        if size > room:
            block, room = block + 1, most
        found[place] = block
        room -= size
    return found
