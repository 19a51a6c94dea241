"""Coefficients of resamples of many texts at once: sorted, for their pairs are too many to be held."""

from __future__ import annotations

import numpy as np

from textassay.kernels.weighted_pairs import weighted_pairs
from textassay.meta.coefficients import Coefficient, distinct_values, from_pair_counts, tau_c_factor
from textassay.meta.weighted_coefficients import GroupResamples, weighted_ratio
from textassay.stats.resampling.resamples import blocks
from textassay.stats.samples import FloatArray, IntArray

LONG = 64
"""Pairs of groups of up to so many texts are held in a table; longer groups are sorted."""


class LongGroupResamples:
    """What `GroupResamples` finds, for groups of any size: memory grows with the texts, not with their pairs."""

    def __init__(self, x: FloatArray, y: FloatArray, coefficient: Coefficient) -> None:
        self.x, self.y, self.coefficient = x, y, coefficient
        self.width = 0

    def of(self, weights: FloatArray) -> FloatArray:
        """Shape (draws, groups), for weights of shape (draws, members)."""
        return np.stack([self._group(group, weights) for group in range(len(self.x))], axis=1)

    def _group(self, group: int, weights: FloatArray) -> FloatArray:
        x, y = self.x[group : group + 1], self.y[group : group + 1]
        if self.coefficient == "spearman":
            return _spearman(x[0], y[0], weights)
        return grid_coefficients(x, y, np.ones((len(weights), 1)), weights, self.coefficient)


def group_resamples(x: FloatArray, y: FloatArray, coefficient: Coefficient) -> GroupResamples | LongGroupResamples:
    """The coefficients of resamples of groups, by whichever way is quicker; Pearson's needs no pairs."""
    short = x.shape[1] <= LONG or coefficient == "pearson"
    return (GroupResamples if short else LongGroupResamples)(x, y, coefficient)


def grid_coefficients(
    x: FloatArray, y: FloatArray, row_weights: FloatArray, column_weights: FloatArray, coefficient: Coefficient
) -> FloatArray:
    """Shape (draws,): a coefficient of pairs of all texts of a grid, a text as often as its row and column together.

    Args:
        x: Shape (rows, columns); nan in both or in neither.
        y: The same.
        row_weights: Shape (draws, rows): how often each was drawn.
        column_weights: Shape (draws, columns).
        coefficient: A text and its own copy count neither as a tie nor as a pair.
    """
    row, column = np.nonzero(~np.isnan(x))
    sides = x[row, column], y[row, column]
    codes = _codes(sides[0]), _codes(sides[1])
    counts = weighted_pairs(*codes, row, column, row_weights, column_weights)
    both = counts.pairs - counts.tied_x - counts.tied_y + counts.tied_both
    ordered_x, ordered_y = counts.pairs - counts.tied_x, counts.pairs - counts.tied_y
    found = from_pair_counts(
        coefficient,
        agreed=2 * counts.rising - both,
        pairs=counts.pairs,
        ordered_x=ordered_x,
        ordered_y=ordered_y,
        ordered_both=both,
    )
    if coefficient == "tau-c":
        distinct = min(int(distinct_values(side[None])[0]) for side in sides)
        pairs = np.array(len(row) * (len(row) - 1) / 2)
        found = np.where(ordered_y > 0, found * tau_c_factor(pairs, np.array(distinct)), np.nan)
    return np.where(ordered_x > 0, found, np.nan) if coefficient in {"tau-a", "tau-c"} else found


def _codes(values: FloatArray) -> IntArray:
    """The place of each value among the different ones."""
    return np.asarray(np.unique(values, return_inverse=True)[1], dtype=np.intp)


def _spearman(x: FloatArray, y: FloatArray, weights: FloatArray) -> FloatArray:
    """Each draw ranks its own texts."""
    there = ~np.isnan(x)
    sides = [_codes(side[there]) for side in (x, y)]
    orders = [np.argsort(codes, kind="stable") for codes in sides]
    found = []
    for block in blocks(len(weights), 8 * int(there.sum())):
        own = weights[block][:, there]
        total = own.sum(axis=1, keepdims=True)
        a, b = (_ranks(own, codes, order) for codes, order in zip(sides, orders, strict=True))
        with np.errstate(invalid="ignore", divide="ignore"):
            a, b = (rank - (own * rank).sum(axis=1, keepdims=True) / total for rank in (a, b))
        values = weighted_ratio((own * a * b).sum(axis=1), (own * a * a).sum(axis=1), (own * b * b).sum(axis=1))
        found.append(np.where(np.count_nonzero(own, axis=1) > 2, values, np.nan))  # two points always lie on a line
    return np.concatenate(found)


def _ranks(weights: FloatArray, codes: IntArray, order: IntArray) -> FloatArray:
    """In each draw the number of texts below each, and half of those level."""
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    level = np.add.reduceat(weights[:, order], starts, axis=1)
    return np.asarray((np.cumsum(level, axis=1) - level / 2)[:, codes])
