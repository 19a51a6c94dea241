"""What the tools of the annual metrics tasks do for each resample, in our own words: the other side of `bench meta`.

Each does the same work as mt-metrics-eval (68a481a): the same calls of scipy and numpy for each item, the same things
made beforehand, the same loops in Python. None is an outside witness of our numbers, only of the time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from scipy.special import comb
from scipy.stats import pearsonr, zscore

Figure = Callable[[np.ndarray], float]
_DRAW = np.random.RandomState(1)


def swapped_texts(first: np.ndarray, second: np.ndarray, figure: Figure) -> Iterator[float]:
    """Resample after resample: every text of the two metrics is swapped or not, then both figures are computed."""
    one, other = zscore(first, axis=None), zscore(second, axis=None)
    while True:
        keep = _DRAW.binomial(1, 0.5, one.shape)
        moved = 1 - keep
        yield figure(keep * one + moved * other) - figure(moved * one + keep * other)


def mean_pearson(people: np.ndarray) -> Figure:
    """Scipy's r of each row, and whether a side of it is constant."""

    def figure(scores: np.ndarray) -> float:
        values = []
        for x, y in zip(people, scores, strict=True):
            value = pearsonr(x, y)[0]
            if np.all(x == x[0]) or np.all(y == y[0]):
                value = math.nan
            values.append(value)
        found = np.asarray(values)
        return float(np.average(found[~np.isnan(found)]))

    return figure


@dataclass(frozen=True)
class _Judged:
    """What a row of people's judgements gives to every tau with it."""

    order: np.ndarray
    codes: np.ndarray
    """Ranks without gaps, in that order."""
    tied: int

    @classmethod
    def of(cls, people: np.ndarray) -> _Judged:
        order = np.argsort(people)
        codes = _dense(people[order])
        return cls(order, codes, _tied_pairs(codes))


def mean_tau(people: np.ndarray) -> Figure:
    """tau-b of each row: discordant pairs counted by a binary indexed tree, in Python, without a p."""
    rows = [_Judged.of(row) for row in people]

    def figure(scores: np.ndarray) -> float:
        found = np.asarray([_tau(row, own) for row, own in zip(rows, scores, strict=True)])
        return float(np.average(found[~np.isnan(found)]))

    return figure


def _tau(judged: _Judged, scores: np.ndarray) -> float:
    scores = scores[judged.order]
    order = np.argsort(scores, kind="mergesort")
    ranks, codes = _dense(scores[order]), judged.codes[order]
    discordant = _discordant(ranks, codes)
    new = np.r_[True, (ranks[1:] != ranks[:-1]) | (codes[1:] != codes[:-1]), True]
    runs = np.diff(np.nonzero(new)[0]).astype("int64", copy=False)
    both = int((runs * (runs - 1) // 2).sum())
    tied = _tied_pairs(ranks)
    pairs = ranks.size * (ranks.size - 1) // 2
    if pairs in (tied, judged.tied):
        return math.nan
    agreed = pairs - (tied - both) - (judged.tied - both) - both - 2 * discordant
    return float(agreed / np.sqrt(pairs - tied) / np.sqrt(pairs - judged.tied))


def _dense(ordered: np.ndarray) -> np.ndarray:
    return np.r_[True, ordered[1:] != ordered[:-1]].cumsum(dtype=np.intp)


def _tied_pairs(codes: np.ndarray) -> int:
    counts = np.bincount(codes).astype("int64", copy=False)
    counts = counts[counts > 1]
    return int((counts * (counts - 1) // 2).sum())


def _discordant(ranks: np.ndarray, codes: np.ndarray) -> int:
    """Texts in the order of the metric enter a tree of people's codes, those that the metric ties together."""
    top = 1 + np.max(codes)
    tree = np.zeros(top, dtype=np.intp)
    total = entered = seen = 0
    while entered < ranks.size:
        while seen < ranks.size and ranks[entered] == ranks[seen]:
            total += entered
            place = codes[seen]
            while place != 0:
                total -= tree[place]
                place = place & (place - 1)
            seen += 1
        while entered < seen:
            place = codes[entered]
            while place < top:
                tree[place] += 1
                place += place & -place
            entered += 1
    return int(total)


@dataclass(frozen=True)
class _Differences:
    """All differences within an item, twice each, and which are ties."""

    by: np.ndarray
    tied: np.ndarray

    @classmethod
    def of(cls, scores: np.ndarray, epsilon: float) -> _Differences:
        one, other = np.meshgrid(scores, scores.T)
        by = one - other
        tied = np.abs(by) <= epsilon
        by[tied] = 0.0
        return cls(by, tied)

    def mixed(self, other: _Differences, own: np.ndarray, its: np.ndarray) -> _Differences:
        return _Differences(own * self.by + its * other.by, own * self.tied + its * other.tied)


def swapped_pairs(
    people: np.ndarray, first: np.ndarray, second: np.ndarray, epsilons: tuple[float, float]
) -> Iterator[float]:
    """Resample after resample: every pair of an item's texts is swapped or not, then acc_eq of each item is counted."""
    judged = [_Differences.of(row, 0.0) for row in people]
    metrics = [
        [_Differences.of(row, epsilon) for row in side] for side, epsilon in zip((first, second), epsilons, strict=True)
    ]
    size = people.shape[1]
    while True:
        mixed: tuple[list[_Differences], list[_Differences]] = ([], [])
        for own, its in zip(*metrics, strict=True):
            keep = np.triu(_DRAW.binomial(1, 0.5, (size, size)))
            keep = keep + keep.T
            swap = 1 - keep
            mixed[0].append(own.mixed(its, keep, swap))
            mixed[1].append(its.mixed(own, keep, swap))
        one, other = (np.average([_right(*row) for row in zip(judged, side, strict=True)]) for side in mixed)
        yield float(one - other)


def _right(judged: _Differences, metric: _Differences) -> float:
    """The share of pairs on which both agree, from all five counts."""
    x, y = metric.by, judged.by
    pairs = int(comb(len(x), 2))
    agreed = int(((x > 0) & (y > 0) | (x < 0) & (y < 0)).sum() / 2)
    metric_only = int((metric.tied & ~judged.tied).sum() / 2)
    people_only = int((~metric.tied & judged.tied).sum() / 2)
    both = int(((metric.tied & judged.tied).sum() - len(x)) / 2)
    opposed = pairs - (agreed + metric_only + people_only + both)
    return (agreed + both) / (agreed + opposed + metric_only + people_only + both)


class _Counts:
    """Pairs of an item: in the same order, opposed, tied by people, by the metric, by both; and all of them."""

    __slots__ = ("agreed", "both", "metric", "opposed", "pairs", "people")

    def __init__(self, agreed: int = 0, opposed: int = 0, people: int = 0, metric: int = 0, both: int = 0) -> None:
        self.agreed, self.opposed, self.people, self.metric, self.both = agreed, opposed, people, metric, both
        self.pairs = agreed + opposed + people + metric + both

    def __iadd__(self, other: _Counts) -> _Counts:
        self.agreed += other.agreed
        self.opposed += other.opposed
        self.people += other.people
        self.metric += other.metric
        self.both += other.both
        self.pairs += other.pairs
        return self

    def __isub__(self, other: _Counts) -> _Counts:
        self.agreed -= other.agreed
        self.opposed -= other.opposed
        self.people -= other.people
        self.metric -= other.metric
        self.both -= other.both
        self.pairs -= other.pairs
        return self

    def accuracy(self) -> float:
        return (self.agreed + self.both) / self.pairs


class _Pair:
    """A pair of texts as it is, and as it is when the metric ties it."""

    __slots__ = ("as_tie", "counts", "gap", "item")

    def __init__(self, item: int, people: tuple[Any, Any], scores: tuple[Any, Any]) -> None:
        self.item = item
        self.gap = abs(scores[0] - scores[1])
        tied, level = people[0] == people[1], scores[0] == scores[1]
        if tied:
            self.counts = _Counts(both=1) if level else _Counts(people=1)
        elif level:
            self.counts = _Counts(metric=1)
        else:
            same = (people[0] > people[1]) == (scores[0] > scores[1])
            self.counts = _Counts(agreed=1) if same else _Counts(opposed=1)
        self.as_tie = _Counts(both=1) if tied else _Counts(metric=1)


def calibrate_ties(people: np.ndarray, scores: np.ndarray) -> tuple[float, float]:
    """The best accuracy and its ε: pair after pair, in the order of their gaps, becomes a tie."""
    pairs = []
    for item, (x, y) in enumerate(zip(people, scores, strict=True)):
        known = [(a, b) for a, b in zip(x, y, strict=True) if a is not None and b is not None]
        pairs += [_Pair(item, (a[0], b[0]), (a[1], b[1])) for a, b in combinations(known, 2)]
    counts = {pair.item: _Counts() for pair in pairs}
    for pair in pairs:
        counts[pair.item] += pair.counts
    total = sum(each.accuracy() for each in counts.values())
    gaps, values = [0.0], [total / len(counts)]
    pairs.sort(key=lambda pair: pair.gap)
    for pair in pairs:
        own = counts[pair.item]
        total -= own.accuracy()
        own -= pair.counts
        own += pair.as_tie
        total += own.accuracy()
        if gaps[-1] == pair.gap:
            values[-1] = total / len(counts)
        else:
            gaps.append(pair.gap)
            values.append(total / len(counts))
    best = int(np.nanargmax(values))
    return values[best], gaps[best]
