"""Krippendorff's alpha: agreement of any number of raters, with gaps, at any level of measurement."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import get_args

import numpy as np

from textassay.errors import UsageError
from textassay.results import Record
from textassay.seeds import Stream
from textassay.stats.agreement.disagreement import Disagreement, Level, disagreement
from textassay.stats.agreement.ratings import Ratings, RatingsLike, read_numbers, read_ratings
from textassay.stats.samples import FloatArray, check_share
from textassay.stats.statistic import Statistic

_NAME = "Krippendorff's alpha"
_ROUNDING = 1e-20
"""A draw with less than this share of the expected disagreement holds one value only."""


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
    if level not in get_args(Level):
        raise UsageError(f"level must be one of {', '.join(get_args(Level))}; got {level!r}")
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
        return (low, high), ("the interval has no width and says nothing: the draws do not differ",)
    note = f"the interval leaves out {lost} of {len(drawn)} draws that hold one value only: alpha is undefined in them"
    return (low, high), (note,) if lost else ()
