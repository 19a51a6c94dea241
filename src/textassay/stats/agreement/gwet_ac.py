"""Gwet's AC1 and AC2: agreement beyond chance that does not collapse where one category is rare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from textassay.results import Record
from textassay.stats.agreement.categories import WeightKind
from textassay.stats.agreement.chance_corrected import UnitAgreement, chance_corrected, count_agreement, undefined
from textassay.stats.agreement.ratings import RatingsLike
from textassay.stats.samples import check_share
from textassay.stats.statistic import Statistic


@dataclass(frozen=True, kw_only=True)
class GwetAC(Statistic):
    """UnitAgreement beyond chance, where only ratings that are hard to give are taken to be guesses: 1 full."""

    ac: float
    se: float
    ci: tuple[float, float]
    p: float
    """Two-sided, Student's t on units - 1 degrees of freedom, of no agreement beyond chance."""
    observed: float
    """Mean share of agreeing pairs of ratings; weighted for AC2."""
    expected: float
    """The same by chance."""
    units: int
    """Units with at least one rating."""
    n: int
    """Ratings."""
    categories: tuple[str, ...]
    weights: str

    @property
    def name(self) -> str:
        """`AC1`, or with weights `AC2`."""
        return "AC1" if self.weights == "identity" else "AC2"

    def records(self) -> list[Record]:
        """One record."""
        more: Record = {"units": self.units, "se": self.se, "observed": self.observed, "expected": self.expected}
        return [self.record(self.name, self.ac, df=self.units - 1, p=self.p, ci=self.ci, n=self.n, **more)]


def gwet_ac(
    ratings: RatingsLike,
    *,
    weights: WeightKind = "identity",
    categories: Sequence[Any] | None = None,
    confidence: float = 0.95,
) -> GwetAC:
    """Gwet's AC1, or with weights AC2, of any number of raters; gaps are allowed.

    Purpose: say how far raters agree beyond chance when one category is far more frequent than the others, where kappa
    misleads.

    AC = (p_a - p_e) / (1 - p_e): p_a is the mean over units of the (weighted) share of agreeing pairs of ratings,
    p_e = T / (q (q-1)) · Σ πⱼ (1 - πⱼ) with πⱼ the mean share of category j, q the number of categories and T the sum
    of all q² weights (Gwet 2008; 2014). Standard error by linearisation over units; Student's t interval, cut at 1.

    R: `irrCAC::gwet.ac1.raw(t(ratings))`, and for AC2 with `weights = "quadratic"`.

    Example:
        >>> result = gwet_ac([["a", "b", "b", "b"], ["a", "b", "b", "a"]])
        >>> round(result.observed, 4), round(result.expected, 5), round(result.ac, 4)  # 3/4; 2 · 3/8 · 5/8
        (0.75, 0.46875, 0.5294)

    Args:
        ratings: Labels, numbers or text, of the shape (raters, units), None or nan where missing; or `LongRatings`.
        weights: `identity` (AC1), `linear`, `quadratic` or `ordinal` (AC2).
        categories: All of them, in order; those seen, sorted, if not given. A category without ratings changes AC,
            so name them all. Numbers are as far apart as their values, text as their places.
        confidence: Of the interval.

    Raises:
        DataError: wrong shape, infinite values, a label that is no category, or no unit that two raters rated.
        UsageError: weights for text whose order was not given.
    """
    check_share("confidence", confidence)
    data = count_agreement(ratings, categories, weights, "Gwet's AC1" if weights == "identity" else "Gwet's AC2")
    factor = _chance_factor(data)
    expected = factor * float(data.shares @ (1 - data.shares))
    if len(data.categories.labels) < 2:
        found = undefined(
            f"AC is undefined: there is one category only ({data.categories.names[0]}); "
            "name the others of the scale in categories"
        )
    else:
        found = chance_corrected(data, expected, factor * data.mean_of_categories(1 - data.shares), confidence)
    return GwetAC(
        method=data.ratings.measure,
        settings={
            "weights": weights,
            "raters": data.ratings.raters,
            "units": data.ratings.units,
            "categories": len(data.categories.labels),
            "categories_from": "the caller" if data.categories.given else "the ratings",
            "confidence": confidence,
        },
        warnings=(*data.warnings(), *found.warnings),
        ac=found.value,
        se=found.se,
        ci=found.ci,
        p=found.p,
        observed=data.observed,
        expected=expected,
        units=data.ratings.units,
        n=data.ratings.n,
        categories=data.categories.names,
        weights=weights,
    )


def _chance_factor(data: UnitAgreement) -> float:
    """T / (q (q-1)); T is q for identity weights."""
    q = len(data.categories.labels)
    return data.weights.total() / (q * (q - 1)) if q > 1 else 0.0
