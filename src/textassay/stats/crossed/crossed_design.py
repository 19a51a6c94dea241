"""Who judged which item of which system: adjusted means of the systems, and sums of squares that tell their variance.

Each sum of squares is taken over groups of answers: those of a participant, those of an item, those of one participant
to one item. How much of each variance component it holds in expectation follows from the design alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from textassay.stats.crossed.two_way_residuals import GroupSums, TwoWayResiduals
from textassay.stats.samples import FloatArray, IntArray

_EXACT, _EXACT_OF_FEW, _FEW = 2e6, 3e8, 200
"""Numbers up to which expectations are worked out group by group, and where groups are few; beyond, they are averages
over random signs, which with so many groups err by less than a hundredth."""
_BLOCK = 4_000_000
"""Numbers held at a time."""
_SIGNS = (12, 64)
"""Fewest and most columns of random signs."""
_SAME = 1e-9
"""A share of the largest eigenvalue below this is rounding."""
PARTICIPANT, ITEM, ANSWER = range(3)
"""Groups of answers, in this order; and the components: participant × system, item × system, and what is left."""


class Groups(GroupSums):
    """Answers by group.

    Args:
        codes: For each answer its group, from 0.
        system: For each answer its system, where each group has answers to one system only: groups are nested in
            systems.
    """

    def __init__(self, codes: IntArray, system: IntArray | None = None) -> None:
        super().__init__(codes)
        self.system = system

    def squares(self, columns: FloatArray, *factors: FloatArray) -> FloatArray:
        """Sums of squares and products of the groups' sums; shape (k, k).

        Args:
            columns: Shape (answers, k).
            factors: By what each answer is multiplied; with several, the squares are summed over them.
        """
        if self.levels == len(self.codes):
            squared = np.sum(np.square(factors), axis=0) if factors else np.ones(len(self.codes))
            found = columns.T @ (squared[:, None] * columns)
            return np.asarray(found + found.T) / 2
        found = np.zeros((columns.shape[1],) * 2)
        for factor in factors or (None,):
            sums = self.sums(columns, factor)
            found += sums.T @ sums
        return found

    def by_system(self, shares: FloatArray) -> FloatArray:
        """Sums over the groups of each system of what each group, one a row, has in the column of its own system."""
        if self.system is None:
            raise ValueError("the groups are not nested in systems")
        own = self.system[self.order[self.ends[:-1]]]
        found = np.bincount(own, shares[np.arange(len(own)), own], shares.shape[1])
        return np.asarray(found, dtype=float)

    def blocks(self, width: int) -> Iterator[tuple[IntArray, IntArray]]:
        """A few groups at a time: the answers of those groups, and for each the number of its group among them."""
        starts, ends = self.ends[:-1], self.ends[1:]
        first = 0
        while first < self.levels:
            last = max(first + 1, int(np.searchsorted(ends, starts[first] + width, side="right")))
            rows = self.order[starts[first] : ends[last - 1]]
            yield rows, self.codes[rows] - self.codes[rows[0]]
            first = last


class CrossedDesign:
    """A design with participants and items, of values that each belong to a system or compare systems.

    Args:
        rows: Shape (values, systems): 1 at the system of a value; or contrasts, whose rows sum to 0.
        participants: Codes from 0.
        items: Codes from 0.
        covariates: Shape (values, covariates).
    """

    def __init__(self, rows: FloatArray, participants: IntArray, items: IntArray, covariates: FloatArray) -> None:
        self.rows, self.systems = rows, rows.shape[1]
        self.contrasts = bool(np.all(np.abs(rows.sum(axis=1)) < _SAME))
        cells = _joint(participants, items)
        self.groups = tuple(self._grouped(codes) for codes in (participants, items, cells))
        # Participants who saw one system only are not compared with themselves: then their effect belongs to the error.
        crossed = [each.codes for each in self.groups[:ANSWER] if each.system is None and not self.contrasts]
        if not crossed and not self.contrasts:
            covariates = np.column_stack([np.ones(len(rows)), covariates])
        self._fixed = TwoWayResiduals(crossed, covariates, len(rows))
        beside = self._fixed.of(rows)
        squares, directions = np.linalg.eigh(beside.T @ beside)
        kept = squares > _SAME * max(1.0, float(squares[-1]))
        self.rank = int(kept.sum())
        half = directions[:, kept] / np.sqrt(squares[kept])
        self._between = beside @ half
        self.weights = self._between @ half.T
        """Shape (values, systems): the adjusted means, less their own mean, are `weights.T @ values`."""
        alike = directions[:, ~kept]
        self.connected = np.max(np.abs(alike[:, None] - alike[None]), axis=2, initial=0.0) < _SAME**0.5
        """For each pair of systems whether the design tells their difference."""

    @property
    def df_left(self) -> int:
        """Values less everything that is estimated."""
        return len(self.rows) - self._fixed.rank - self.rank

    def left(self, columns: FloatArray) -> FloatArray:
        """Columns less what participants, items, covariates and systems explain."""
        beside = self._fixed.of(columns)
        return np.asarray(beside - self._between @ (self._between.T @ beside))

    def scores(self, values: FloatArray) -> FloatArray:
        """What is left of each value in the mean of each system: weight times residual; shape (values, systems)."""
        return np.asarray(self.weights * self.left(values[:, None]))

    @cached_property
    def variances(self) -> FloatArray:
        """What each component adds to the covariances of the means; shape (3, systems, systems)."""
        return np.array([sum(each.squares(self.weights, of[:, 0]) for each, of in parts) for parts in self._components])

    @cached_property
    def expected(self) -> FloatArray:
        """How much of each component each of `squares` holds; shape (3 kinds of group, 3 components, S, S)."""
        found = np.zeros((3, 3, self.systems, self.systems))
        size = len(self.rows) * self.systems
        limits = [_EXACT_OF_FEW if each.levels < _FEW else _EXACT for each in self.groups]
        rough = [kind for kind, each in enumerate(self.groups) if each.levels * size > limits[kind]]
        for kind, each in enumerate(self.groups):
            if kind not in rough:
                found[kind] = self._by_group(each)
        if rough:
            found[rough] = self._by_signs(rough)
        return found

    def _by_group(self, groups: Groups) -> FloatArray:
        """Σ over groups of ‖Zᵀ M w‖², where w is what the group adds to the means and M takes the fixed effects out."""
        found = np.zeros((3, self.systems, self.systems))
        n = len(self.rows)
        for rows, numbers in groups.blocks(max(1, _BLOCK // (n * self.systems))):
            columns = np.zeros((n, int(numbers[-1]) + 1, self.systems))
            columns[rows, numbers] = self.weights[rows]
            left = self.left(columns.reshape(n, -1))
            for component, parts in enumerate(self._components):
                for each, of in parts:
                    sums = each.sums(left * of).reshape(-1, self.systems)
                    found[component] += sums.T @ sums
        return found

    def _by_signs(self, kinds: Sequence[int]) -> FloatArray:
        """The same for any size: each component as random signs, whose squares are put together in the same way."""
        random = np.random.default_rng(0)
        found = np.zeros((len(kinds), 3, self.systems, self.systems))
        count = int(np.clip(_EXACT_OF_FEW // self.weights.size, *_SIGNS))
        for component, parts in enumerate(self._components):
            drawn = sum(of * random.choice([-1.0, 1.0], (each.levels, count))[each.codes] for each, of in parts)
            columns = np.ascontiguousarray(self.left(drawn).T)
            for place, kind in enumerate(kinds):
                found[place, component] = self.groups[kind].squares(self.weights, *columns) / count
        return found

    @cached_property
    def _components(self) -> tuple[tuple[tuple[Groups, FloatArray], ...], ...]:
        """Each component as groups whose answers share an effect, and how far each answer has it."""
        participants, items, _ = self.groups
        one = np.ones((len(self.rows), 1))
        single = ((Groups(np.arange(len(self.rows))), one),)
        if self.contrasts:  # a taste for each system, which counts as far as a value is about that system
            about = [self.rows[:, [system]] for system in range(self.systems)]
            return tuple((participants, of) for of in about), tuple((items, of) for of in about), single
        system = self.rows.argmax(axis=1)
        cells = [Groups(_joint(each.codes, system)) for each in (participants, items)]
        return ((cells[0], one),), ((cells[1], one),), single

    def _grouped(self, codes: IntArray) -> Groups:
        if self.contrasts:
            return Groups(codes)
        system = self.rows.argmax(axis=1)
        nested = int(_joint(codes, system).max()) == int(codes.max())
        return Groups(codes, system if nested else None)


def _joint(one: IntArray, other: IntArray) -> IntArray:
    """Codes of the combinations."""
    return np.asarray(np.unique(one * (int(other.max()) + 1) + other, return_inverse=True)[1], dtype=np.int64)
