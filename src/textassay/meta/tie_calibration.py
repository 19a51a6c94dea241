"""acc_eq with calibrated ties: scores that differ by no more than ε count as a tie (Deutsch, Foster & Freitag 2023)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from textassay.meta.coefficients import By, paired_grids
from textassay.seeds import Stream
from textassay.stats.correlations.correlation import all_orders
from textassay.stats.samples import FloatArray, IntArray

PAIRS_LIMIT = 30_000_000
"""The most pairs of texts that are sorted; by item, even large studies are far below."""
_ENUMERATED = 5
"""The chance level is the mean over all orders of up to so many systems."""
_SAME = 1e-12
"""Differences of scores that differ by less than this share of the largest score are equal but for rounding."""


@dataclass(frozen=True, eq=False)
class CalibratedAccuracy:
    """acc_eq at the ε that suits the metric best, and what that figure is worth."""

    by: By | None
    value: float
    """Mean over folds of items: ε is chosen on the other folds. The figure to report."""
    in_sample: float
    """With ε chosen on the same texts, as published; it flatters the metric."""
    epsilon: float
    """The smallest ε that gives the in-sample figure."""
    without_ties: float
    """At ε = 0: only equal scores are a tie."""
    chance: float
    """What a metric with the same scores, its systems exchanged, reaches in sample."""
    all_tied: float
    """What a metric reaches that calls every pair a tie: the share of pairs that people tie."""
    groups: int
    """Groups with at least two texts."""
    pairs: int
    folds: int
    reason: str = ""
    """Why a figure is undefined."""


def calibrated_accuracy(
    people: npt.ArrayLike,
    scores: npt.ArrayLike,
    by: By | None = "item",
    *,
    folds: int = 10,
    chance_draws: int = 100,
    seed: int = 0,
) -> CalibratedAccuracy:
    """acc_eq with ε by cross-validation over items, beside its in-sample value and the chance level.

    A pair of texts counts where people and metric agree: the same order, or a tie on both sides; the metric ties two
    texts whose scores differ by no more than ε. Every difference that occurs, and 0, is tried.

    >>> found = calibrated_accuracy([[1, 1, 3], [2, 2, 1], [1, 3, 3]], [[5, 6, 9], [4, 3, 0], [2, 7, 8]], folds=3)
    >>> found.in_sample, found.epsilon, found.value, round(found.without_ties, 3)
    (1.0, 1.0, 1.0, 0.667)

    Args:
        people: Shape (items, systems); nan where a text was not judged.
        scores: Shape (items, systems); nan where it has no score.
        by: The pairs are those within an item, within a system, or all.
        folds: Parts of the items; as many as there are items at most.
        chance_draws: Random orders of the systems for the chance level; all orders of up to 5 systems; 0 for none.
        seed: Of folds and orders.

    Raises:
        DataError: shapes that differ, or an infinite value.
    """
    x, y = paired_grids(people, scores)
    size = _count_pairs(x, by)
    if not size:
        return _nothing(by, size, "no group has two texts with a judgement and a score")
    if size > PAIRS_LIMIT:
        return _nothing(by, size, f"{size:,} pairs are more than {PAIRS_LIMIT:,}; group by item")
    pairs = _pairs(x, y, by)
    gold = pairs.gold(x)
    weights = pairs.weights(gold)
    best = pairs.calibrated(gold, weights)
    folds = min(folds, len(x) if by == "item" else len(x) // 2)  # a fold needs pairs
    held_out = _cross_validated(pairs, gold, len(x), folds, Stream(seed, "tie calibration", "folds"))
    return CalibratedAccuracy(
        by,
        held_out,
        best.accuracy,
        best.epsilon,
        pairs.accuracy(gold, 0.0, weights),
        _chance(pairs, x, Stream(seed, "tie calibration", "chance"), chance_draws),
        pairs.accuracy(gold, math.inf, weights),
        groups=int(np.count_nonzero(np.bincount(pairs.group))),
        pairs=size,
        folds=folds,
        reason="" if not math.isnan(held_out) else "no fold of items leaves pairs on both sides",
    )


def _nothing(by: By | None, pairs: int, reason: str) -> CalibratedAccuracy:
    nan = math.nan
    return CalibratedAccuracy(by, nan, nan, nan, nan, nan, nan, groups=0, pairs=pairs, folds=0, reason=reason)


@dataclass(frozen=True)
class _Best:
    accuracy: float
    epsilon: float


@dataclass(frozen=True, eq=False)
class _SortedPairs:
    """Pairs of texts of one group, ordered by how far apart their scores are."""

    group: IntArray
    first: IntArray
    """Places in the flattened grid; `second` is the one with the lower score, or an equal one."""
    second: IntArray
    gap: FloatArray
    systems: int
    """Columns of the grid."""
    by: By | None

    def gold(self, people: FloatArray) -> FloatArray:
        """1 where people order a pair as the metric does, -1 where the other way round, 0 for a tie, nan: unjudged."""
        flat = people.reshape(-1)
        found = np.sign(flat[self.first] - flat[self.second])
        level = int(np.searchsorted(self.gap, 0.0, side="right"))  # equal scores order no pair
        found[:level] = -np.abs(found[:level])
        return np.asarray(found)

    def weights(self, gold: FloatArray) -> FloatArray:
        """What each pair adds to the mean over groups; 0 for one that was not judged."""
        missing = np.isnan(gold)
        sizes = np.bincount(self.group, weights=~missing if missing.any() else None)
        with np.errstate(divide="ignore"):
            shares = (1 / sizes / max(int(np.count_nonzero(sizes)), 1))[self.group]
        shares[missing] = 0.0
        return np.asarray(shares)

    def accuracy(self, gold: FloatArray, epsilon: float, weights: FloatArray | None = None) -> float:
        """The mean over groups of the share of pairs on which both agree."""
        weights = self.weights(gold) if weights is None else weights
        if not weights.any():
            return math.nan
        tied = int(np.searchsorted(self.gap, epsilon, side="right"))
        return float(weights[:tied] @ (gold[:tied] == 0) + weights[tied:] @ (gold[tied:] > 0))

    def calibrated(self, gold: FloatArray, weights: FloatArray | None = None) -> _Best:
        """The best accuracy of all ε, and the smallest ε that gives it."""
        weights = self.weights(gold) if weights is None else weights
        # As ε grows past a gap, a tie of people is gained, and a pair that was in the right order is lost.
        ordered = gold > 0
        gained = np.where(ordered, -weights, weights * (gold == 0))
        before = float(weights @ ordered)
        reached = before + np.cumsum(gained)[self.steps]
        highest = reached.max(initial=-math.inf) - 1e-12
        # ε = 0 is tried even where no scores are equal
        if not reached.size or (self.gap[self.steps[0]] > _SAME * self.scale and before >= highest):
            return _Best(before, 0.0)
        best = int(np.argmax(reached >= highest))
        return _Best(float(reached[best]), float(self.gap[self.steps[best]]))

    @cached_property
    def scale(self) -> float:
        """The largest gap."""
        return float(self.gap[-1]) if self.gap.size else 0.0

    @cached_property
    def steps(self) -> IntArray:
        """The last pair of each gap; gaps that differ by rounding are one."""
        return np.append(np.flatnonzero(np.diff(self.gap) > _SAME * self.scale), self.gap.size - 1)[: self.gap.size]


def _count_pairs(x: FloatArray, by: By | None) -> int:
    there = ~np.isnan(x)
    sizes = np.array([there.sum()]) if by is None else there.sum(axis=1 if by == "item" else 0)
    return int(np.sum(sizes.astype(np.int64) * (sizes - 1)) // 2)


def _pairs(x: FloatArray, y: FloatArray, by: By | None) -> _SortedPairs:
    """All pairs with a judgement and a score; where scores are equal the order within the pair does not matter."""
    places: npt.NDArray[np.intp] = np.arange(x.size).reshape(x.shape)
    rows = np.asarray(places.reshape(1, -1) if by is None else places if by == "item" else places.T)
    first, second = np.triu_indices(rows.shape[1], 1)
    one, other = rows[:, first].reshape(-1), rows[:, second].reshape(-1)
    group = np.repeat(np.arange(len(rows)), first.size)
    flat = y.reshape(-1)
    gap = flat[one] - flat[other]
    there = ~np.isnan(gap)
    if not there.all():
        one, other, group, gap = one[there], other[there], group[there], gap[there]
    one, other = np.where(gap >= 0, one, other), np.where(gap >= 0, other, one)
    gap = np.abs(gap)
    order = np.argsort(gap)
    return _SortedPairs(group[order], one[order], other[order], gap[order], x.shape[1], by)


def _cross_validated(pairs: _SortedPairs, gold: FloatArray, items: int, folds: int, stream: Stream) -> float:
    """The mean over groups (by item) or folds of the accuracy at the ε of the other folds."""
    if folds < 2:
        return math.nan
    fold = np.empty(items, dtype=np.intp)
    fold[stream.permutation(items)] = np.arange(items) % folds
    one, other = fold[pairs.first // pairs.systems], fold[pairs.second // pairs.systems]
    total = weight = 0.0
    for number in range(folds):
        held = np.where((one == number) & (other == number), gold, np.nan)
        rest = np.where((one != number) & (other != number), gold, np.nan)
        sizes = np.bincount(pairs.group, weights=~np.isnan(held))
        if not sizes.any() or np.isnan(rest).all():
            continue
        share = float(np.count_nonzero(sizes)) if pairs.by == "item" else 1.0
        epsilon = pairs.calibrated(rest).epsilon
        total, weight = total + share * pairs.accuracy(held, epsilon), weight + share
    return total / weight if weight else math.nan


def _chance(pairs: _SortedPairs, people: FloatArray, stream: Stream, draws: int) -> float:
    """The mean of the in-sample figure where the systems' judgements are exchanged, the same way for all items."""
    if draws < 1:
        return math.nan
    systems = people.shape[1]
    if systems <= _ENUMERATED:
        orders = all_orders(systems).astype(np.intp)
    else:
        orders = np.argsort(stream.raw(draws * systems).reshape(draws, systems), axis=1)
    exchanged = (pairs.gold(people[:, order]) for order in orders)
    reached = [pairs.calibrated(gold).accuracy for gold in exchanged if not np.isnan(gold).all()]
    return float(np.mean(reached)) if reached else math.nan
