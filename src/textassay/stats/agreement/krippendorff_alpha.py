"""Krippendorff's alpha: agreement of any number of raters, with gaps, at any level of measurement.

Alpha is 1 - observed / expected disagreement; each level of measurement has its own disagreement of two values.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol, get_args

import numpy as np

from textassay.errors import DataError, UsageError
from textassay.known_names import check_choice
from textassay.results import Record
from textassay.seeds import Stream
from textassay.stats.agreement.categories import categorise
from textassay.stats.agreement.ratings import (
    Ratings,
    RatingsLike,
    UnitCounts,
    count_units,
    read_numbers,
    read_ratings,
    sums_by,
)
from textassay.stats.samples import FloatArray, IntArray, check_share
from textassay.stats.statistic import Statistic

_NAME = "Krippendorff's alpha"
_ROUNDING = 1e-20
"""A draw with less than this share of the expected disagreement holds one value only."""
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


@dataclass(frozen=True, kw_only=True)
class KrippendorffAlpha(Statistic):
    """One less the ratio of observed to expected disagreement: 1 full agreement, 0 chance, below 0 contrariness."""

    alpha: float
    ci: tuple[float, float] | None
    """Bootstrap over units; None where it was not asked for."""
    observed: float
    """Mean disagreement of two ratings of one unit."""
    expected: float
    """Mean disagreement of any two ratings."""
    n: int
    """Pairable values: those in units of two or more."""
    units: int
    """Units with two values or more."""
    raters: int
    level: Level

    def records(self) -> list[Record]:
        """One record."""
        more: Record = {
            "units": self.units,
            "raters": self.raters,
            "observed": self.observed,
            "expected": self.expected,
        }
        return [self.record("alpha", self.alpha, ci=self.ci, n=self.n, level=self.level, **more)]


def krippendorff_alpha(
    ratings: RatingsLike, *, level: Level = "interval", draws: int = 0, confidence: float = 0.95, seed: int = 0
) -> KrippendorffAlpha:
    """Krippendorff's alpha of any number of raters; gaps are allowed.

    Purpose: say how far any number of raters agree, with gaps, for categories, ranks or numbers alike.

    α = 1 - D_o / D_e. D_o is the mean of δ² over pairs of ratings of the same unit (each unit of m values weighs m),
    D_e the mean over all pairs of pairable values (Krippendorff 1970, 2011). δ² is at the nominal level 1 for
    different values; at the interval level (a-b)²; at the ordinal level the same of the mid-ranks; at the ratio level
    ((a-b)/(a+b))². With `draws`, the interval is the percentile bootstrap over whole units, with both disagreements
    computed again for each draw (Zapf et al. 2016).

    R: `irr::kripp.alpha(ratings, "interval")`, which in version 0.84.1 is wrong for three or more raters without gaps.

    Example:
        >>> result = krippendorff_alpha([[1, 2, 3, None], [1, 3, 3, 4]])
        >>> result.n, round(result.observed, 4), round(result.expected, 4)  # 2·1 / 6; 30 pairs, Σδ² = 58
        (6, 0.3333, 1.9333)
        >>> round(result.alpha, 4)
        0.8276

    Args:
        ratings: Shape (raters, units), None or nan where missing; or `LongRatings`. At the nominal level any labels.
        level: `nominal`, `ordinal`, `interval` or `ratio`.
        draws: Bootstrap samples; 0 for no interval.
        confidence: Of the interval.
        seed: Of the bootstrap.

    Raises:
        DataError: wrong shape, infinite or (ratio) negative values, or no unit that two raters rated.
        UsageError: an unknown level or a negative number of draws.
    """
    check_share("confidence", confidence)
    check_choice("level", level, get_args(Level))
    if draws < 0:
        raise UsageError(f"draws must be 0 (no interval) or more, got {draws}")
    read = (read_ratings if level == "nominal" else read_numbers)(ratings, _NAME)
    used = read.pairable()
    measured = disagreement(used, level)
    constant = bool(np.all(used.values == used.values[0]))  # asked of the values, because sums carry rounding
    observed, expected = (0.0, 0.0) if constant else measured.of(np.ones(used.units))
    ci, warnings = _interval(_drawn(measured, used.units, draws, seed), expected, confidence) if draws else (None, ())
    bootstrap = {"draws": draws, "resampled": "units", "confidence": confidence, "seed": seed} if draws else {}
    return KrippendorffAlpha(
        method=_NAME,
        settings={"level": level, "units": used.units, "n": used.n, **bootstrap},
        warnings=(*_reasons(read, used, constant=constant), *warnings),
        alpha=math.nan if constant else 0.0 if used.units == 1 else 1 - observed / expected,
        ci=ci,
        observed=observed,
        expected=expected,
        n=used.n,
        units=used.units,
        raters=read.raters,
        level=level,
    )


def _reasons(read: Ratings, used: Ratings, *, constant: bool) -> list[str]:
    found = []
    if used.n < read.n:
        found.append(f"{read.n - used.n} of {read.n} values are the only one of their unit and are excluded")
    if constant:
        found.append(f"alpha is undefined: all {used.n} values are equal, so there is nothing to agree on")
    elif used.units == 1:
        found.append("alpha is 0 by its formula: with one unit, observed and expected disagreement are the same")
    return found


def _drawn(measured: Disagreement, units: int, draws: int, seed: int) -> FloatArray:
    """Observed and expected disagreement of each draw of as many units as there are."""
    stream = Stream(seed, "krippendorff_alpha")
    found = np.empty((draws, 2))
    for draw in range(draws):
        shares = (stream.raw(units) >> np.uint64(11)) * 2.0**-53
        chosen = (shares * units).astype(np.intp)
        found[draw] = measured.of(np.bincount(chosen, minlength=units).astype(float))
    return found


def _interval(drawn: FloatArray, expected: float, confidence: float) -> tuple[tuple[float, float], tuple[str, ...]]:
    """Percentiles of the draws in which alpha is defined."""
    defined = drawn[:, 1] > _ROUNDING * expected
    lost = int(np.count_nonzero(~defined))
    if expected == 0 or lost == len(drawn):
        return (math.nan, math.nan), ("the interval is undefined: so is alpha in every draw",)
    alphas = 1 - drawn[defined, 0] / drawn[defined, 1]
    low, high = np.quantile(alphas, [(1 - confidence) / 2, (1 + confidence) / 2]).tolist()
    if low == high:
        return (low, high), ("the interval has zero width and is uninformative: the draws do not differ",)
    note = f"the interval leaves out {lost} of {len(drawn)} draws that hold one value only: alpha is undefined in them"
    return (low, high), (note,) if lost else ()


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
        return _interval_disagreement(ratings)
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


def _interval_disagreement(ratings: Ratings) -> _Interval:
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
