"""Columns with the effects of participants and items taken out by least squares, for designs of any shape and size.

The larger of the two factors is eliminated first, level by level; what remains is one system of equations over the
levels of the smaller factor. Memory grows with the number of answers and the square of the smaller factor.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from textassay.stats.samples import FloatArray, IntArray

_MOST_DIRECT = 5_000
"""Levels of the smaller factor up to which its equations are factorised; beyond, they are solved step by step."""
_STEPS = 1e-12
"""Relative size of what conjugate gradients may leave."""
_SAME = 1e-9
"""A share of a column's length below this is rounding."""


class GroupSums:
    """Answers by group, such as those of one participant, and sums over them.

    Args:
        codes: For each answer its group, from 0; each number is the group of some answer.
    """

    def __init__(self, codes: IntArray) -> None:
        self.codes = codes
        self.sizes = np.bincount(codes).astype(float)

    @property
    def levels(self) -> int:
        """How many groups there are."""
        return len(self.sizes)

    @cached_property
    def order(self) -> IntArray:
        """The answers, group by group."""
        return np.argsort(self.codes, kind="stable")

    @cached_property
    def ends(self) -> IntArray:
        """Where each group ends in that order, after a 0."""
        return np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int64)

    def sums(self, columns: FloatArray, factor: FloatArray | None = None) -> FloatArray:
        """Sums over the answers of each group; shape (groups, k).

        Args:
            columns: Shape (answers, k).
            factor: By what each answer is multiplied first; 1 if not given.
        """
        from scipy.sparse import csr_array  # noqa: PLC0415 -- loading it takes long

        by = np.ones(len(self.codes)) if factor is None else factor[self.order]
        return np.asarray(csr_array((by, self.order, self.ends), shape=(self.levels, len(by))) @ columns)

    def means(self, columns: FloatArray) -> FloatArray:
        """Means over the answers of each group."""
        return np.asarray(self.sums(columns) / self.sizes[:, None])

    def spread(self, effects: FloatArray) -> FloatArray:
        """For each answer the effect of its group."""
        return np.asarray(effects[self.codes])


class TwoWayResiduals:
    """Takes out of columns what factors and covariates explain."""

    def __init__(self, factors: Sequence[IntArray], covariates: FloatArray, n: int) -> None:
        """Prepare the equations.

        Args:
            factors: None, one or two factors as codes from 0, one per answer.
            covariates: Shape (answers, covariates).
            n: Answers.
        """
        self._factors = sorted((GroupSums(codes) for codes in factors), key=lambda factor: -factor.levels)
        self._covariates = np.zeros((n, 0))
        beside = self._without_factors(covariates)
        lengths = np.linalg.norm(beside, axis=0)
        kept = lengths > _SAME * np.maximum(np.linalg.norm(covariates, axis=0), 1.0)
        if kept.any():
            basis, sizes, _ = np.linalg.svd(beside[:, kept], full_matrices=False)
            self._covariates = basis[:, sizes > _SAME * sizes[0]]

    @property
    def rank(self) -> int:
        """Columns that can be told from each other."""
        if not self._factors:
            return self._covariates.shape[1]
        levels = sum(factor.levels for factor in self._factors)
        parts = 0 if len(self._factors) == 1 else int(self._parts.max()) + 1
        return levels - parts + self._covariates.shape[1]

    def of(self, columns: FloatArray) -> FloatArray:
        """The columns less what factors and covariates explain; shape (answers, k)."""
        left = self._without_factors(columns)
        return left - self._covariates @ (self._covariates.T @ left)

    def effects(self, values: FloatArray) -> tuple[FloatArray, FloatArray, IntArray]:
        """The additive effects of both factors on a column of values, the factor with more levels first.

        Returns:
            Effects of the larger factor, effects of the smaller one, and for each level of the smaller one the
            connected part of the design that it belongs to. Within a part the effects of the smaller factor have mean
            0 over the answers; differences between parts are in the effects of the larger factor.
        """
        large, small = self._factors
        column = values[:, None]
        left = column - large.spread(large.means(column))
        effects = self._solve(small.sums(left))[:, 0]
        totals = np.bincount(self._parts, small.sizes * effects)
        effects = effects - (totals / np.bincount(self._parts, small.sizes))[self._parts]
        rest = values - effects[small.codes]
        return large.means(rest[:, None])[:, 0], effects, self._parts

    def _without_factors(self, columns: FloatArray) -> FloatArray:
        if not self._factors:
            return columns
        large, *others = self._factors
        left = columns - large.spread(large.means(columns))
        if not others:
            return left
        (small,) = others
        effects = self._solve(small.sums(left))
        beside = small.spread(effects)
        return left - beside + large.spread(large.means(beside))

    @cached_property
    def _counts(self) -> Any:
        """How many answers the levels of the two factors share."""
        from scipy.sparse import csr_array  # noqa: PLC0415 -- only designs with two factors wait for it

        large, small = self._factors
        ones = np.ones(large.codes.size)
        return csr_array((ones, (large.codes, small.codes)), shape=(large.levels, small.levels))

    @cached_property
    def _parts(self) -> IntArray:
        """For each level of the smaller factor the connected part of the design that it belongs to."""
        from scipy.sparse import csr_array  # noqa: PLC0415 -- as above
        from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

        large, small = self._factors
        nodes = large.levels + small.levels
        edges = (np.ones(large.codes.size), (large.codes, large.levels + small.codes))
        parts = connected_components(csr_array(edges, shape=(nodes, nodes)), directed=False)[1]
        return np.unique(parts[large.levels :], return_inverse=True)[1].astype(np.int64)

    @cached_property
    def _free(self) -> IntArray:
        """Levels of the smaller factor that have an effect; the first of each connected part has none."""
        return np.setdiff1d(np.arange(self._factors[1].levels), np.unique(self._parts, return_index=True)[1])

    @cached_property
    def _equations(self) -> Any:
        """What is left of the smaller factor's equations once the larger one is eliminated."""
        from scipy.sparse import diags_array  # noqa: PLC0415 -- as above

        large, small = self._factors
        counts = self._counts[:, self._free]
        return diags_array(small.sizes[self._free]) - counts.T @ diags_array(1 / large.sizes) @ counts

    @cached_property
    def _factorised(self) -> Any:
        from scipy.linalg import cho_factor  # noqa: PLC0415 -- as above

        return cho_factor(self._equations.toarray(), check_finite=False)

    def _solve(self, sums: FloatArray) -> FloatArray:
        effects = np.zeros_like(sums)
        if not self._free.size:
            return effects
        if self._free.size <= _MOST_DIRECT:
            from scipy.linalg import cho_solve  # noqa: PLC0415 -- as above

            effects[self._free] = cho_solve(self._factorised, sums[self._free], check_finite=False)
            return effects
        from scipy.sparse import diags_array  # noqa: PLC0415 -- as above
        from scipy.sparse.linalg import cg  # noqa: PLC0415

        scale = diags_array(1 / self._equations.diagonal())
        for column, right in enumerate(sums[self._free].T):
            effects[self._free, column] = cg(self._equations, right, rtol=_STEPS, M=scale)[0]
        return effects
