"""The agreement of a metric some of whose systems have another metric's scores, for many sets of systems at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from textassay.meta.coefficients import (
    NO_CHANCE_LEVEL,
    Coefficient,
    distinct_values,
    paired_grids,
    ranked,
    row_values,
    signs,
    standardised_rows,
    tau_c_factor,
)
from textassay.meta.exchange_sums import sums_over_items
from textassay.meta.weighted_coefficients import from_moments, mean_of_defined
from textassay.stats.resampling.resamples import blocks
from textassay.stats.samples import FloatArray

Scale = Literal["standardised", "ranked", "as is"]
"""How scores of two metrics become comparable before they are swapped: over the whole grid each."""
Swaps = npt.NDArray[np.bool_]
"""Shape (swaps, systems): whether a system has the scores of the other metric."""
_Sums = Callable[[FloatArray, FloatArray, FloatArray, Coefficient, Swaps], tuple[FloatArray, FloatArray]]
"""For each swap the sum of the coefficients of the items, and how many items have one."""
_Compare = Callable[[FloatArray, FloatArray], npt.NDArray[Any]]


def on_one_scale(scores: FloatArray, scale: Scale) -> FloatArray:
    """The scores with mean 0 and standard deviation 1, or as mid-ranks; nan stays nan."""
    if scale == "ranked":
        return ranked(scores.reshape(1, -1)).reshape(scores.shape)
    if scale == "as is":
        return scores
    known = scores[~np.isnan(scores)]
    spread = float(known.std()) if known.size else 0.0
    return np.asarray((scores - known.mean()) / (spread if spread > 0 else 1.0)) if known.size else scores


def all_swaps(systems: int) -> Swaps:
    """All 2^S sets of systems; the complement of the first is the last, and so on.

    >>> all_swaps(2).astype(int).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    numbers = np.arange(1 << systems, dtype=np.int64)
    return np.asarray((numbers[:, None] >> np.arange(systems - 1, -1, -1)) & 1, dtype=bool)


def figures_by_swap(
    people: FloatArray, first: FloatArray, second: FloatArray, coefficient: Coefficient, swaps: Swaps
) -> FloatArray:
    """Shape (swaps,): the mean over items of the agreement of the first metric with the swapped systems' scores."""
    if coefficient == "pearson":
        return _moments(people, first, second, swaps)
    total, count = np.zeros(len(swaps)), np.zeros(len(swaps))
    for items, sums in _ways(people, first, second, coefficient):
        if items.any():
            more, there = sums(people[items], first[items], second[items], coefficient, swaps)
            total, count = total + more, count + there
    with np.errstate(invalid="ignore"):
        return np.asarray(total / np.where(count > 0, count, np.nan))


def _ways(
    people: FloatArray, first: FloatArray, second: FloatArray, coefficient: Coefficient
) -> list[tuple[Swaps, _Sums]]:
    """Which items are summed up in which way."""
    steady = _steady(people, first, second, coefficient)
    if coefficient not in {"spearman", "tau-c"}:
        return [(steady, _tabled), (~steady, _counted)]
    alike = (np.isnan(people) | (np.isnan(first) == np.isnan(second))).all(axis=1) & ~steady
    return [
        (steady, _tabled),
        (alike, _ranked if coefficient == "spearman" else _counted),
        (~(steady | alike), _direct),
    ]


def _steady(people: FloatArray, first: FloatArray, second: FloatArray, coefficient: Coefficient) -> Swaps:
    """Whether an item has the same denominator whatever is swapped."""
    scored = ~(np.isnan(first) | np.isnan(second)).any(axis=1)
    if coefficient in {"tau-a", *NO_CHANCE_LEVEL}:
        return np.asarray(scored)
    if coefficient == "spearman":
        return np.zeros(len(people), dtype=bool)
    # tau-b and tau-c: no tie between two systems, whichever metric's scores they have
    one, other = np.triu_indices(people.shape[1], 1)
    untied = np.ones(len(people), dtype=bool)
    for left in (first, second):
        for right in (first, second):
            untied &= (left[:, one] != right[:, other]).all(axis=1)
    return np.asarray(scored & untied)


def _swapped_signs(first: FloatArray, second: FloatArray) -> list[npt.NDArray[np.int8]]:
    """Of each pair of systems, shape (items, pairs), the sign of the difference: none, the second, the first, both."""
    size = first.shape[1]
    one, other = np.triu_indices(size, 1)
    both = np.concatenate([first, second], axis=1)
    return [signs(both, one + size * left, other + size * right) for left in (0, 1) for right in (0, 1)]


def _chosen(swaps: Swaps) -> npt.NDArray[np.intp]:
    """Shape (swaps, pairs): which of the four signs of a pair applies."""
    one, other = np.triu_indices(swaps.shape[1], 1)
    return 2 * swaps[:, one].astype(np.intp) + swaps[:, other]


def _tabled(
    people: FloatArray, first: FloatArray, second: FloatArray, coefficient: Coefficient, swaps: Swaps
) -> tuple[FloatArray, FloatArray]:
    """What a pair of systems adds, summed over items once for each of its four states; a swap costs no item."""
    one, other = np.triu_indices(people.shape[1], 1)
    x = signs(people, one, other)
    pairs = ~np.isnan(people[:, one] - people[:, other])
    ordered = np.count_nonzero(x, axis=1)
    below = np.count_nonzero(pairs, axis=1).astype(float)
    if coefficient == "accuracy":
        below = ordered.astype(float)
    elif coefficient == "tau-b":
        below = np.sqrt(below * ordered)
    elif coefficient == "tau-c":
        with np.errstate(invalid="ignore"):
            below = np.nan_to_num(below / tau_c_factor(below, distinct_values(people)))
    there = (below > 0) & ((ordered > 0) | (coefficient == "acc-eq"))
    weights = np.where(there, 1 / np.where(there, below, 1.0), 0.0)
    table = np.empty((4, one.size))
    for state, y in enumerate(_swapped_signs(first, second)):
        added = (x * y).astype(float)
        if coefficient in NO_CHANCE_LEVEL:
            added = (x * y > 0).astype(float)
        if coefficient == "acc-eq":
            added += pairs & (x == 0) & (y == 0)
        table[state] = weights @ added
    # Which of the four states holds is a product of two choices: a constant, two slopes and their product.
    slopes = table[2] - table[0], table[1] - table[0], table[3] - table[2] - table[1] + table[0]
    found = []
    for block in blocks(len(swaps), 3 * one.size):
        own = swaps[block].astype(float)
        left, right = own[:, one], own[:, other]
        found.append(table[0].sum() + left @ slopes[0] + right @ slopes[1] + (left * right) @ slopes[2])
    return np.concatenate(found), np.full(len(swaps), float(np.count_nonzero(there)))


def _counted(
    people: FloatArray, first: FloatArray, second: FloatArray, coefficient: Coefficient, swaps: Swaps
) -> tuple[FloatArray, FloatArray]:
    """Pairs counted for each swap: items with ties or gaps, whose denominator changes.

    For tau-c both metrics have the same gaps.
    """
    one, other = np.triu_indices(people.shape[1], 1)
    x = signs(people, one, other).T.copy()
    pairs = (~np.isnan(people[:, one] - people[:, other])).T.astype(np.int8)
    y = np.stack(_swapped_signs(first, second)).transpose(0, 2, 1).copy()
    there = ~np.isnan(np.stack([first, second]))
    both = np.stack([there[a][:, one] & there[b][:, other] for a in (0, 1) for b in (0, 1)])
    compared: npt.NDArray[np.int8] = both.transpose(0, 2, 1).astype(np.int8)
    pair = np.arange(one.size)
    factors = _TauCFactors(people, first, second) if coefficient == "tau-c" else None
    totals, counts = [], []
    for block in blocks(len(swaps), 4 * x.size):
        chosen = _chosen(swaps[block])
        scored = np.bitwise_and(compared[chosen, pair], pairs)
        factor = factors.of(swaps[block]) if factors else None
        total, count = sums_over_items(coefficient, x, y[chosen, pair], scored, factor)
        totals.append(total)
        counts.append(count)
    return np.concatenate(totals), np.concatenate(counts)


class _TauCFactors:
    """Stuart's factor, with the distinct values that the scores have after each swap."""

    def __init__(self, people: FloatArray, first: FloatArray, second: FloatArray) -> None:
        self.there = ~np.isnan(people + first)
        one, other = (np.where(self.there, side, np.nan) for side in (first, second))
        earlier = np.tri(people.shape[1], k=-1, dtype=bool)
        self.repeated = _StateSums(one, other, lambda own, against: (own == against) & earlier)
        self.by_people = distinct_values(np.where(self.there, people, np.nan))

    def of(self, swaps: Swaps) -> FloatArray:
        """Shape (swaps, items)."""
        distinct = np.count_nonzero((self.repeated.of(swaps) < 0.5) & self.there, axis=2)
        n = np.count_nonzero(self.there, axis=1)
        return tau_c_factor(n * (n - 1) / 2, np.minimum(distinct, self.by_people))


def _ranked(
    people: FloatArray, first: FloatArray, second: FloatArray, _: Coefficient, swaps: Swaps
) -> tuple[FloatArray, FloatArray]:
    """Spearman's coefficient of items in which both metrics have the same gaps: a rank is a sum over other systems."""
    there = ~np.isnan(people + first)
    one, other = (np.where(there, side, np.nan) for side in (first, second))
    x = standardised_rows(ranked(np.where(there, people, np.nan)))
    middle = np.count_nonzero(there, axis=1)[:, None] / 2
    many = (middle[:, 0] >= 1.5) & (np.abs(x).sum(axis=1) > 0)
    # below a text are those with a lower score, and half of those that are level, with itself
    ranks = _StateSums(one, other, lambda own, against: (against < own) + 0.5 * (against == own))
    totals, counts = [], []
    for block in blocks(len(swaps), 6 * people.size):
        below = np.where(there, ranks.of(swaps[block]) - middle, 0.0)
        spread = (below**2).sum(axis=2)
        known = many & (spread > 0)
        values = (below * x).sum(axis=2) / np.sqrt(np.where(known, spread, 1.0))
        totals.append(np.where(known, values, 0.0).sum(axis=1))
        counts.append(known.sum(axis=1, dtype=float))
    return np.concatenate(totals), np.concatenate(counts)


class _StateSums:
    """A comparison of each system's score with every other, summed over these, where either may be swapped."""

    def __init__(self, first: FloatArray, second: FloatArray, compare: _Compare) -> None:
        self.shape = first.shape
        items, size = first.shape
        self.constant, self.slopes = [], []
        for own in (first, second):
            one, other = (
                np.asarray(compare(own[:, :, None], against[:, None, :]), dtype=float).reshape(items * size, size)
                for against in (first, second)
            )
            self.constant.append(one.sum(axis=1))
            self.slopes.append((other - one).T.copy())

    def of(self, swaps: Swaps) -> FloatArray:
        """Shape (swaps, items, systems)."""
        chosen = swaps.astype(float)
        unswapped, swapped = (
            (constant + chosen @ slopes).reshape(-1, *self.shape)
            for constant, slopes in zip(self.constant, self.slopes, strict=True)
        )
        return np.asarray(np.where(swaps[:, None, :], swapped, unswapped))


def pooled_figures_by_swap(people: FloatArray, first: FloatArray, second: FloatArray, swaps: Swaps) -> FloatArray:
    """Shape (swaps,): Pearson's r of all texts together; the sums of each system are made once."""
    centred = [grid - np.nanmean(grid) for grid in (people, first)] + [second - np.nanmean(first)]
    sides = [[part.sum(axis=0, keepdims=True) for part in side] for side in _terms(*centred)]
    return _from_terms(sides, swaps)


def _moments(people: FloatArray, first: FloatArray, second: FloatArray, swaps: Swaps) -> FloatArray:
    """Pearson's r of each item from sums, which a swapped system changes by a known amount."""
    shift = _means(first)  # the same for both metrics; it keeps sums of squares small
    return _from_terms(_terms(people - _means(people), first - shift, second - shift), swaps)


def _terms(people: FloatArray, *metrics: FloatArray) -> list[list[FloatArray]]:
    """For each metric what a text adds to the six sums of Pearson's r."""
    judged, x = (~np.isnan(people)).astype(float), np.nan_to_num(people)
    found = []
    for scores in metrics:
        there, y = (~np.isnan(scores)).astype(float), np.nan_to_num(scores)
        found.append([judged * there, x * there, judged * y, x * y, x * x * there, judged * y * y])
    return found


def _from_terms(sides: list[list[FloatArray]], swaps: Swaps) -> FloatArray:
    """The mean over groups of r, for each swap."""
    first, second = sides
    groups = len(first[0])
    found = []
    for block in blocks(len(swaps), 8 * groups):
        own = swaps[block].astype(float)
        sums = [base.sum(axis=1) + own @ (other - base).T for base, other in zip(first, second, strict=True)]
        few = sums[0] < 2.5
        values = from_moments(*sums)
        values[few] = np.nan
        found.append(mean_of_defined(values, np.ones((1, groups))))
    return np.concatenate(found)


def _means(rows: FloatArray) -> FloatArray:
    there = ~np.isnan(rows)
    counts = np.maximum(there.sum(axis=1, keepdims=True), 1)
    return np.asarray(np.where(there, rows, 0.0).sum(axis=1, keepdims=True) / counts)


def _direct(
    people: FloatArray, first: FloatArray, second: FloatArray, coefficient: Coefficient, swaps: Swaps
) -> tuple[FloatArray, FloatArray]:
    """Each swap written out: items in which the two metrics have different gaps."""
    totals, counts = [], []
    for swap in swaps:
        values = row_values(*paired_grids(people, np.where(swap, second, first)), coefficient)
        totals.append(float(np.nansum(values)))
        counts.append(float(np.count_nonzero(~np.isnan(values))))
    return np.array(totals), np.array(counts)
