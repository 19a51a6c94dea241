"""Fleiss' kappa: how far any number of raters agree on categories beyond chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from textassay.results import Record
from textassay.stats.agreement.chance_corrected import UnitAgreement, chance_corrected, count_agreement, undefined
from textassay.stats.agreement.ratings import RatingsLike
from textassay.stats.distributions import normal_upper
from textassay.stats.samples import check_share
from textassay.stats.statistic import Statistic

_NAME = "Fleiss' kappa"


@dataclass(frozen=True, kw_only=True)
class FleissKappa(Statistic):
    """UnitAgreement of several raters beyond what the shares of the categories would give by chance: 0 none, 1 full."""

    kappa: float
    se: float
    """Standard error in general (Gwet); the interval rests on it."""
    ci: tuple[float, float]
    se_null: float
    """Standard error where the raters agree by chance only; z rests on it. nan where units differ in ratings."""
    z: float
    p: float
    """Two-sided, of z."""
    observed: float
    """Mean share of agreeing pairs of ratings."""
    expected: float
    """The same by chance."""
    units: int
    """Units with at least one rating."""
    n: int
    """Ratings."""
    categories: tuple[str, ...]

    def records(self) -> list[Record]:
        """One record."""
        more: Record = {
            "units": self.units,
            "z": self.z,
            "se": self.se,
            "observed": self.observed,
            "expected": self.expected,
        }
        return [self.record("kappa", self.kappa, p=self.p, ci=self.ci, n=self.n, **more)]


def fleiss_kappa(
    ratings: RatingsLike, *, categories: Sequence[Any] | None = None, confidence: float = 0.95
) -> FleissKappa:
    """Fleiss' kappa of any number of raters; gaps are allowed.

    Purpose: say how far any number of raters agree on categories beyond what chance would give.

    κ = (P̄ - P̄_e) / (1 - P̄_e): P̄ is the mean over units of the share of agreeing pairs of ratings, P̄_e = Σ πⱼ² with πⱼ
    the mean share of category j (Fleiss 1971). z has the standard error under chance of Fleiss, Nee & Landis (1979),
    which needs the same number of ratings a unit. The interval (Student's t, cut at 1) has the standard error of Gwet
    (2008), for which units are a sample and raters are fixed.

    R: `irr::kappam.fleiss(t(ratings))`; `irrCAC::fleiss.kappa.raw(t(ratings))` for interval and gaps.

    Example:
        >>> result = fleiss_kappa([["a", "b", "b"], ["a", "b", "a"], ["a", "b", "b"]])
        >>> round(result.observed, 4), round(result.expected, 4)  # (1 + 1 + 1/3) / 3; (4/9)² + (5/9)²
        (0.7778, 0.5062)
        >>> round(result.kappa, 4)
        0.55

    Args:
        ratings: Labels, numbers or text, of the shape (raters, units), None or nan where missing; or `LongRatings`.
        categories: All of them; those seen if not given.
        confidence: Of the interval.

    Raises:
        DataError: wrong shape, infinite values, a label that is no category, or no unit that two raters rated.
    """
    check_share("confidence", confidence)
    data = count_agreement(ratings, categories, "identity", _NAME)
    expected = float(data.shares @ data.shares)
    if data.one_category:
        found = undefined(f"kappa is undefined: every rating is {data.categories.names[data.counts.category[0]]}")
    else:
        found = chance_corrected(data, expected, data.mean_of_categories(data.shares), confidence)
    warnings = [*data.warnings(), *(each for each in found.warnings if not each.startswith("p is"))]
    se_null = _se_by_chance(data)
    if math.isnan(se_null) and not math.isnan(found.value):
        warnings.append("z is undefined: its standard error needs the same number of ratings for every unit")
    z = found.value / se_null
    return FleissKappa(
        method=_NAME,
        settings={
            "raters": data.ratings.raters,
            "units": data.ratings.units,
            "categories": len(data.categories.labels),
            "confidence": confidence,
        },
        warnings=tuple(warnings),
        kappa=found.value,
        se=found.se,
        ci=found.ci,
        se_null=se_null,
        z=z,
        p=2 * normal_upper(abs(z)),
        observed=data.observed,
        expected=expected,
        units=data.ratings.units,
        n=data.ratings.n,
        categories=data.categories.names,
    )


def _se_by_chance(data: UnitAgreement) -> float:
    """Fleiss, Nee & Landis (1979); nan where units differ in the number of ratings, or there is one category."""
    sizes = data.counts.sizes
    if data.one_category or np.any(sizes != sizes[0]):
        return math.nan
    m, share, rest = sizes[0], data.shares, 1 - data.shares
    spread = float(share @ rest)
    skew = float(np.sum(share * rest * (rest - share)))
    return math.sqrt(2 * (spread**2 - skew) / (sizes.size * m * (m - 1))) / spread
