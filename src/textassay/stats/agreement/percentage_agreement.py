"""Percentage agreement: how often raters give a unit the same value."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from textassay.errors import UsageError
from textassay.results import Record
from textassay.stats.agreement.categories import categorise
from textassay.stats.agreement.ratings import RatingsLike, UnitCounts, count_units, read_numbers, read_ratings
from textassay.stats.distributions import t_quantile
from textassay.stats.samples import FloatArray, IntArray, check_share
from textassay.stats.statistic import Statistic

_NAME = "percentage agreement"


@dataclass(frozen=True, kw_only=True)
class PercentageAgreement(Statistic):
    """Agreement as it is seen, with no account of chance; shares from 0 to 1."""

    agreement: float
    """Mean over units of the share of pairs of ratings that agree."""
    ci: tuple[float, float]
    unanimous: float
    """Share of the units on which all ratings agree."""
    pooled: float
    """Share of all pairs that agree, so that units with more ratings weigh more."""
    units: int
    """Units with two ratings or more."""
    n: int
    """Ratings in those units."""

    def records(self) -> list[Record]:
        """One record."""
        more: Record = {"units": self.units, "unanimous": self.unanimous, "pooled": self.pooled}
        return [self.record("agreement", self.agreement, ci=self.ci, n=self.n, **more)]


def percentage_agreement(
    ratings: RatingsLike, *, tolerance: float = 0.0, confidence: float = 0.95
) -> PercentageAgreement:
    """The share of pairs of ratings of the same unit that agree; gaps are allowed.

    Purpose: report how often raters agree, in plain per cent, in addition to a coefficient that corrects for chance.

    p_a = mean over units of Σⱼ nⱼ(nⱼ-1) / (m(m-1)), with m ratings of the unit, nⱼ of them in category j (Fleiss 1971);
    with a tolerance, numbers up to that far apart agree. Interval: Student's t over units, cut to 0 … 1. Raters who
    guess agree too: report it with a coefficient that allows for chance.

    R: `irr::agree(t(ratings), tolerance = 0)` has `unanimous`, in per cent; `irrCAC::pa.coeff.raw(t(ratings))` the mean
    over pairs.

    Example:
        >>> result = percentage_agreement([[1, 2, 3], [1, 2, 4], [1, 3, 5]])
        >>> round(result.agreement, 4), round(result.unanimous, 4)  # (1 + 1/3 + 0) / 3, and one unit of three
        (0.4444, 0.3333)

    Args:
        ratings: Labels, numbers or text, of the shape (raters, units), None or nan where missing; or `LongRatings`.
        tolerance: How far apart two numbers may be and still agree.
        confidence: Of the interval.

    Raises:
        DataError: wrong shape, infinite values, or no unit that two raters rated; text with a tolerance.
        UsageError: a tolerance that is negative or no number.
    """
    check_share("confidence", confidence)
    if not 0 <= tolerance < math.inf:
        raise UsageError(f"tolerance must be a number from 0 up, got {tolerance}")
    read = (read_numbers if tolerance else read_ratings)(ratings, _NAME)
    used = read.pairable()
    codes, categories = categorise(used.values, None)
    counts = count_units(used.unit, codes, len(categories.labels))
    scores = np.array(categories.labels, dtype=float) if tolerance else None
    agreeing, pairs = _agreeing(counts, scores, tolerance), counts.sizes * (counts.sizes - 1)
    shares = agreeing / pairs
    ci, warnings = _interval(shares, confidence)
    if used.n < read.n:
        warnings = (f"{read.n - used.n} of {read.n} ratings are the only one of their unit and are excluded", *warnings)
    return PercentageAgreement(
        method=_NAME,
        settings={"tolerance": tolerance, "raters": read.raters, "units": used.units, "confidence": confidence},
        warnings=warnings,
        agreement=float(shares.mean()),
        ci=ci,
        unanimous=float(np.mean(agreeing == pairs)),
        pooled=float(agreeing.sum() / pairs.sum()),
        units=used.units,
        n=used.n,
    )


def _agreeing(counts: UnitCounts, scores: FloatArray | None, tolerance: float) -> FloatArray:
    """Ordered pairs of ratings that agree, for each unit."""
    if scores is None:
        return counts.equal_pairs()
    known = scores

    def near(first: IntArray, second: IntArray) -> FloatArray:
        slack = 1e-9 * tolerance  # 0.3 and 0.1 are 0.2 apart, whatever floats say
        return np.asarray(np.abs(known[first] - known[second]) <= tolerance + slack, dtype=float)

    return counts.equal_pairs() + counts.unequal_pairs(near)


def _interval(shares: FloatArray, confidence: float) -> tuple[tuple[float, float], tuple[str, ...]]:
    mean, n = float(shares.mean()), shares.size
    if n < 2:
        return (math.nan, math.nan), ("the interval is undefined: there is one unit only",)
    if np.all(shares == shares[0]):
        return (mean, mean), (
            "the interval has zero width and is uninformative: the agreement does not vary over units",
        )
    half = t_quantile((1 + confidence) / 2, n - 1) * float(np.std(shares, ddof=1)) / math.sqrt(n)
    return (max(0.0, mean - half), min(1.0, mean + half)), ()
