"""Observed and expected disagreement of ratings, by level of measurement: what Krippendorff's alpha is made of.

Each level knows its units and answers one question: how large are both disagreements if unit u counts `times[u]`
times? Ones give alpha, resampled counts give its bootstrap. All take time and memory in proportion to the ratings.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol

import numpy as np

from textassay.errors import DataError
from textassay.stats.agreement.categories import categorise
from textassay.stats.agreement.ratings import Ratings, UnitCounts, count_units, sums_by
from textassay.stats.samples import FloatArray, IntArray

_DIRECT = 1024
"""Up to this number of values all pairs are computed."""


_STRETCH = 0.25


_NODES = 10
"""The singularity of tanh² lies π off the axis, 8π half stretches; n nodes err by (8π + √(64π² + 1))⁻ⁿ: 1e-17."""


_BLOCK = 1 << 20
"""Pairs of nodes that are in memory at once."""


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


@dataclass(frozen=True)
class RatioSpread:
    """Values from 0 up, ready to be summed over with any counts."""

    zero: bool
    """Whether the first value is 0, which differs from every other one by the whole."""
    nodes: FloatArray
    """Logarithms: of the values, or of the nodes that stand for them."""
    stretch: IntArray | None
    """The stretch of each value; None where the values are the nodes."""
    basis: FloatArray | None
    """For each value the shares of its count that the nodes of its stretch carry; some are negative."""

    def sum(self, counts: FloatArray) -> float:
        """Σ N_a N_b ((a-b)/(a+b))² over all ordered pairs of values, each value with its count N."""
        positive = counts[1:] if self.zero else counts
        against_zero = 2 * float(counts[0]) * float(positive.sum()) if self.zero else 0.0
        masses = self._masses(positive)
        blocks = self._blocks() if self._kernel is None else [(slice(None), self._kernel)]
        return against_zero + sum(float(masses[rows] @ (kernel @ masses)) for rows, kernel in blocks)

    @cached_property
    def _kernel(self) -> FloatArray | None:
        """tanh² of all pairs of nodes where they are few, because a bootstrap asks for them again and again."""
        return next(self._blocks())[1] if 0 < self.nodes.size <= _DIRECT else None

    def _masses(self, counts: FloatArray) -> FloatArray:
        if self.basis is None or self.stretch is None:
            return counts
        stretches = self.nodes.size // _NODES
        masses = [sums_by(self.stretch, counts * self.basis[node], stretches) for node in range(_NODES)]
        return np.asarray(np.stack(masses, axis=1).ravel())

    def _blocks(self) -> Iterator[tuple[slice, FloatArray]]:
        step = max(1, _BLOCK // max(1, self.nodes.size))
        for start in range(0, self.nodes.size, step):
            rows = slice(start, start + step)
            yield rows, np.tanh((self.nodes[rows, None] - self.nodes) / 2) ** 2


def ratio_spread(values: FloatArray, *, direct: int = _DIRECT) -> RatioSpread:
    """Values that are different, sorted and not negative, made ready.

    >>> ratio_spread(np.array([0.0, 1.0, 3.0])).sum(np.array([1.0, 1.0, 1.0]))  # 2 · (1 + 1 + (2/4)²)
    4.5
    """
    zero = bool(values.size and values[0] == 0)
    positive = values[1:] if zero else values
    if not positive.size:
        return RatioSpread(zero, positive, None, None)
    logs = np.log(positive)
    if logs[-1] - logs[0] < 1:  # relative to the least, values close to each other keep their digits
        logs = np.log1p((positive - positive[0]) / positive[0])
    low, high = float(logs[0]), float(logs[-1])
    count = max(1, math.ceil((high - low) / _STRETCH))
    width = (high - low) / count
    if positive.size <= direct or width == 0:
        return RatioSpread(zero, logs, None, None)
    stretch = np.minimum(((logs - low) / width).astype(np.intp), count - 1)
    used, stretch = np.unique(stretch, return_inverse=True)
    if used.size * _NODES >= positive.size:
        return RatioSpread(zero, logs, None, None)
    angles = (2 * np.arange(_NODES) + 1) * math.pi / (2 * _NODES)
    points = np.cos(angles)
    starts = low + used * width
    nodes = (starts[:, None] + width * (points + 1) / 2).ravel()
    basis = _lagrange(2 * (logs - starts[stretch]) / width - 1, points, angles)
    return RatioSpread(zero, nodes, stretch.astype(np.intp), basis)


def _lagrange(x: FloatArray, points: FloatArray, angles: FloatArray) -> FloatArray:
    """The Lagrange polynomials of the Chebyshev points at x, by the barycentric formula; shape (points, x)."""
    basis = x - points[:, None]
    hit = basis == 0
    basis[hit] = 1.0
    np.divide((np.sin(angles) * (-1.0) ** np.arange(points.size))[:, None], basis, out=basis)
    basis /= basis.sum(axis=0)
    on_point = hit.any(axis=0)
    basis[:, on_point] = hit[:, on_point]
    return basis
