"""Equations of all random effects, solved without a factor: memory and time grow with the observations only.

(Λ ZᵀZ Λ + I) x = Λ w is solved by conjugate gradients, each effect scaled by its own diagonal (Hestenes & Stiefel
1952; Jacobi's preconditioner). ZᵀZ is sparse, and smaller where groupings are nested: with participants within
participant × system, Z of the first is Z of the second times a table that says whose each cell is, so that only the
finest groupings meet each other.
"""
# ruff: noqa: PLC0415 -- scipy takes a third of a second to load and most commands need none of it

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from textassay.stats.mixed.random_effects import RandomEffects, RandomTerm, consecutive
from textassay.stats.samples import FloatArray, IntArray

_COLUMNS, _VALUES = 16, 3_000_000
"""Columns solved at once, and values of them: more than this cost more for memory than is saved in passes."""
_MOST_STEPS = 500


@dataclass(frozen=True)
class SparseProducts:
    """ZᵀZ as [I T]ᵀ F [I T], F of the finest groupings and T a table of whose each of their effects is."""

    effects: RandomEffects
    order: IntArray
    """All effects: those of the finest groupings so that those that meet lie together, then the others."""
    z: Any
    """Transposed columns of the finest groupings: (their effects, observations)."""
    finest: Any
    """F."""
    owners: Any
    """T, shape (effects of the finest groupings, other effects)."""
    owned: Any
    """Its transpose, stored by rows."""

    def times(self, effects: FloatArray) -> FloatArray:
        """ZᵀZ v; effects in rows."""
        return self._in_place(self._times(effects[self.order]))

    def transposed(self, values: FloatArray) -> FloatArray:
        """Zᵀ v; observations in rows."""
        found = self.z @ values
        return self._in_place(np.concatenate([found, self.owned @ found]))

    @cached_property
    def diagonal(self) -> FloatArray:
        """Of ZᵀZ."""
        return np.concatenate([np.diagonal(term.gram(), axis1=1, axis2=2).reshape(-1) for term in self.effects.terms])

    def _times(self, ordered: FloatArray) -> FloatArray:
        m = self.finest.shape[0]
        found = self.finest @ (ordered[:m] + self.owners @ ordered[m:])
        return np.concatenate([found, self.owned @ found])

    def _in_place(self, ordered: FloatArray) -> FloatArray:
        found = np.empty_like(ordered)
        found[self.order] = ordered
        return found

    def solve(
        self, scale: FloatArray, right: FloatArray, tolerance: float, start: FloatArray | None = None
    ) -> FloatArray:
        """The x of (Λ ZᵀZ Λ + I) x = w, effects in rows, to a residual of this share of w; Λ is diagonal.

        Args:
            scale: The diagonal of Λ.
            right: w, one column per equation.
            tolerance: At which residual a column is done.
            start: Where to begin, for example at the solution for a similar Λ.
        """
        found = np.zeros_like(right) if start is None else start.copy()
        columns = int(np.clip(_VALUES // len(right), 1, _COLUMNS))
        for first in range(0, right.shape[1], columns):
            at = slice(first, first + columns)
            solved = self._solved(scale[self.order], right[self.order, at], tolerance, found[self.order, at])
            found[:, at] = self._in_place(solved)
        return found

    def _solved(self, scale: FloatArray, right: FloatArray, tolerance: float, x: FloatArray) -> FloatArray:
        scale = scale[:, None]
        own = 1 / (1 + scale**2 * self.diagonal[self.order, None])
        x, left = np.ascontiguousarray(x), np.ascontiguousarray(right)
        enough = tolerance**2 * _dots(left, own * left)
        if np.any(x):
            left -= self._scaled_times(scale, x)
        direction = own * left
        size = _dots(left, direction)
        for _ in range(_MOST_STEPS):
            if np.all(size <= enough):
                break
            changed = self._scaled_times(scale, direction)
            length = _ratio(size, _dots(direction, changed))
            changed *= length
            left -= changed
            x += np.multiply(direction, length, out=changed)
            step = np.multiply(own, left, out=changed)
            size, before = _dots(left, step), size
            direction *= _ratio(size, before)
            direction += step
        return x

    def _scaled_times(self, scale: FloatArray, effects: FloatArray) -> FloatArray:
        """(Λ ZᵀZ Λ + I) v."""
        found = self._times(scale * effects)
        found *= scale
        found += effects
        return found


def _dots(one: FloatArray, other: FloatArray) -> FloatArray:
    """The product of each column with that of the other matrix; by all products, which is faster."""
    return np.diagonal(one.T @ other).copy()


def _ratio(one: FloatArray, other: FloatArray) -> FloatArray:
    """One / other; 0 where both are."""
    return np.divide(one, other, out=np.zeros_like(one), where=other > 0)


def sparse_products(effects: RandomEffects) -> SparseProducts:
    """The tables of groupings whose effects are not correlated."""
    from scipy.sparse import csr_array, hstack, vstack
    from scipy.sparse.csgraph import connected_components

    terms = effects.terms
    places = consecutive([term.size for term in terms])
    finer = [_finer(at, terms) for at in range(len(terms))]
    finest = [at for at, inner in enumerate(finer) if inner == at]
    z = vstack([_columns(terms[at]) for at in finest]).tocsr()
    gram = (z @ z.T).tocsr()
    # Of one system, say: products then find in the cache what they need.
    together = np.argsort(connected_components(gram, directed=False)[1], kind="stable")
    rows = dict(zip(finest, consecutive([terms[at].size for at in finest]), strict=True))
    owners = [csr_array((gram.shape[0], 0))]
    for term, inner in zip(terms, finer, strict=True):
        if terms[inner] is not term:
            of = _owners(terms[inner], term)
            at = (rows[inner].start + np.arange(len(of)), of)
            owners.append(csr_array((np.ones(len(of)), at), shape=(gram.shape[0], term.size)))
    table = hstack(owners).tocsr()[together]
    ids = np.arange(effects.size)
    inside = np.concatenate([ids[places[at]] for at in finest])[together]
    outside = [ids[place] for at, place in enumerate(places) if at not in finest]
    return SparseProducts(
        effects,
        np.concatenate([inside, *outside]),
        z[together],
        gram[together][:, together],
        table,
        table.T.tocsr(),
    )


def _columns(term: RandomTerm) -> Any:
    """Zᵀ of one grouping, shape (effects, observations)."""
    from scipy.sparse import csr_array

    n = len(term.codes)
    rows = (term.codes[:, None] * term.width + np.arange(term.width)).ravel()
    columns = np.repeat(np.arange(n), term.width)
    return csr_array((term.columns.ravel(), (rows, columns)), shape=(term.size, n))


def _finer(at: int, terms: tuple[RandomTerm, ...]) -> int:
    """The finest grouping within whose levels one of this one's lie; itself if there is none."""
    outer = terms[at]
    for place, inner in enumerate(terms):  # the largest come first
        if len(inner.levels) > len(outer.levels) and _intercepts(inner) and _intercepts(outer):
            owners = _owners(inner, outer)
            if np.array_equal(owners[inner.codes], outer.codes):
                return place
    return at


def _owners(inner: RandomTerm, outer: RandomTerm) -> IntArray:
    """For each level of the inner grouping a level of the outer one that it has an observation with."""
    found = np.empty(len(inner.levels), dtype=np.intp)
    found[inner.codes] = outer.codes
    return found


def _intercepts(term: RandomTerm) -> bool:
    return term.width == 1 and bool(np.all(term.columns == 1))
