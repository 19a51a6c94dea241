"""Observed and expected disagreement of ratings, by level of measurement: what Krippendorff's alpha is made of.

Each level knows its units and answers one question: how large are both disagreements if unit u counts `times[u]`
times? Ones give alpha, resampled counts give its bootstrap. All take time and memory in proportion to the ratings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from textassay.errors import DataError
from textassay.stats.agreement.categories import categorise
from textassay.stats.agreement.ratio_spread import RatioSpread, ratio_spread
from textassay.stats.agreement.unit_counts import UnitCounts, count_units, sums_by
from textassay.stats.agreement.unit_ratings import Ratings
from textassay.stats.samples import FloatArray, IntArray

Level = Literal["nominal", "ordinal", "interval", "ratio"]
"""When two values are how far apart: δ² is 1 if they differ; the squared difference of their mid-ranks; the squared
difference; the squared relative difference ((a-b)/(a+b))²."""


class Disagreement(Protocol):
    """A level of measurement with the ratings it is applied to."""

    def of(self, times: FloatArray) -> tuple[float, float]:
        """Observed and expected disagreement where unit u counts `times[u]` times."""
        ...


def disagreement(ratings: Ratings, level: Level) -> Disagreement:
    """The ratings, all in units of two or more, at that level.

    Raises:
        DataError: negative values at the ratio level.
    """
    if level == "interval":
        return _interval(ratings)
    codes, categories = categorise(ratings.values, None)
    values = len(categories.labels)
    if level == "ordinal":
        return _Ordinal(codes, ratings.unit, ratings.sizes.astype(float), values)
    counts = count_units(ratings.unit, codes, values)
    if level == "nominal":
        unequal = counts.sizes * (counts.sizes - 1) - counts.equal_pairs()
        return _Nominal(counts, unequal / (counts.sizes - 1), values)
    scores = np.array(categories.labels, dtype=float)
    if scores[0] < 0:
        raise DataError(
            f"the ratio level needs values from 0 up, the least is {scores[0]:g}; use level='interval' for a scale "
            "whose zero is a convention"
        )

    def apart(first: IntArray, second: IntArray) -> FloatArray:
        a, b = scores[first], scores[second]
        return np.asarray(((b - a) / (b + a)) ** 2)

    return _Ratio(counts, counts.unequal_pairs(apart) / (counts.sizes - 1), values, ratio_spread(scores))


@dataclass(frozen=True)
class _Nominal:
    counts: UnitCounts
    within: FloatArray
    """For each unit the number of unequal pairs over its size less one."""
    values: int

    def of(self, times: FloatArray) -> tuple[float, float]:
        n = float(times @ self.counts.sizes)
        totals = _totals(self.counts, times, self.values)
        return float(times @ self.within) / n, (n * n - float(totals @ totals)) / (n * (n - 1))


@dataclass(frozen=True)
class _Interval:
    sizes: FloatArray
    means: FloatArray
    squares: FloatArray
    """For each unit the sum of squares about its mean."""

    def of(self, times: FloatArray) -> tuple[float, float]:
        # Σ (x - y)² over all ordered pairs of m values is 2m times their sum of squares about the mean.
        sizes = times * self.sizes
        n = float(sizes.sum())
        mean = float(sizes @ self.means) / n
        total = float(times @ self.squares + sizes @ (self.means - mean) ** 2)
        return 2 * float(times @ (self.squares * self.sizes / (self.sizes - 1))) / n, 2 * total / (n - 1)


def _interval(ratings: Ratings) -> _Interval:
    values = ratings.values - ratings.values.mean()  # so that a large common offset costs no digits
    return _about_means(values, ratings.unit, ratings.sizes.astype(float))


def _about_means(values: FloatArray, unit: IntArray, sizes: FloatArray) -> _Interval:
    means = sums_by(unit, values, sizes.size) / sizes
    squares = sums_by(unit, (values - means[unit]) ** 2, sizes.size)
    return _Interval(sizes, means, squares)


@dataclass(frozen=True)
class _Ordinal:
    """δ² of values a < b is (N_a/2 + those between + N_b/2)²: the squared difference of their mid-ranks."""

    codes: IntArray
    unit: IntArray
    sizes: FloatArray
    values: int

    def of(self, times: FloatArray) -> tuple[float, float]:
        totals = sums_by(self.codes, times[self.unit], self.values)
        ranks = np.cumsum(totals) - totals / 2 - totals.sum() / 2
        return _about_means(ranks[self.codes], self.unit, self.sizes).of(times)


@dataclass(frozen=True)
class _Ratio:
    counts: UnitCounts
    within: FloatArray
    """For each unit the sum of δ² over its pairs, over its size less one."""
    values: int
    spread: RatioSpread

    def of(self, times: FloatArray) -> tuple[float, float]:
        n = float(times @ self.counts.sizes)
        totals = _totals(self.counts, times, self.values)
        return float(times @ self.within) / n, self.spread.sum(totals) / (n * (n - 1))


def _totals(counts: UnitCounts, times: FloatArray, values: int) -> FloatArray:
    """How often each value was given, over all units."""
    return sums_by(counts.category, counts.count * times[counts.unit], values)
