"""Agreement beyond chance of any number of raters on categories: Fleiss' kappa, and Gwet's AC1 and AC2.

They differ in the agreement expected by chance only; AC1 and AC2 do not collapse where one category is rare.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from textassay.results import Record
from textassay.stats.agreement.categories import AgreementWeights, Categories, WeightKind, agreement_weights, categorise
from textassay.stats.agreement.ratings import Ratings, RatingsLike, UnitCounts, count_units, read_ratings, sums_by
from textassay.stats.distributions import normal_upper, t_quantile, t_upper
from textassay.stats.samples import FloatArray, check_share
from textassay.stats.statistic import Statistic

_NAME = "Fleiss' kappa"


@dataclass(frozen=True, kw_only=True)
class BeyondChance(Statistic):
    """Agreement of several raters beyond chance."""

    se: float
    """Standard error (Gwet), on which the interval rests."""
    ci: tuple[float, float]
    p: float
    """Two-sided, of no agreement beyond chance."""
    observed: float
    """Mean share of agreeing pairs of ratings; weighted for AC2."""
    expected: float
    """The same by chance."""
    units: int
    """Units with at least one rating."""
    n: int
    """Ratings."""
    categories: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class FleissKappa(BeyondChance):
    """Agreement beyond what the shares of the categories would give by chance: 0 none, 1 full; p is that of z."""

    kappa: float
    se_null: float
    """Standard error where the raters agree by chance only; z rests on it. nan where units differ in ratings."""
    z: float

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
    which needs the same number of ratings per unit. The interval (Student's t, cut at 1) has the standard error of Gwet
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
        DataError: wrong shape, infinite values, a label that is not a category, or no unit that two raters rated.
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


@dataclass(frozen=True, kw_only=True)
class GwetAC(BeyondChance):
    """Agreement beyond chance, where only ratings that are hard to give are taken to be guesses: 1 full.

    p is that of Student's t on units - 1 degrees of freedom.
    """

    ac: float
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
        DataError: wrong shape, infinite values, a label that is not a category, or no unit that two raters rated.
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


@dataclass(frozen=True)
class UnitAgreement:
    """Categories that raters gave to units, counted, and how far each unit's ratings agree."""

    ratings: Ratings
    categories: Categories
    counts: UnitCounts
    weights: AgreementWeights
    by_unit: FloatArray
    """Share of agreeing pairs of each unit; 0 for a unit with one rating."""
    shares: FloatArray
    """π: the mean over units of the share of each category."""

    @property
    def observed(self) -> float:
        """p_a: the mean of `by_unit` over the units with two ratings or more."""
        return float(self.by_unit.sum()) / int(np.count_nonzero(self.counts.sizes >= 2))

    @property
    def one_category(self) -> bool:
        """Whether all ratings are in one category."""
        return bool(np.all(self.counts.category == self.counts.category[0]))

    def mean_of_categories(self, figure: FloatArray) -> FloatArray:
        """For each unit the mean of a figure of the categories over its ratings."""
        return self.counts.per_unit(self.counts.count * figure[self.counts.category]) / self.counts.sizes

    def warnings(self) -> list[str]:
        """What a reader must know of the units."""
        single, units = self.ratings.single, self.ratings.units
        if not single:
            return []
        return [f"{single} of {units} units have one rating only: they count for the categories' shares alone"]


def count_agreement(ratings: RatingsLike, given: Sequence[Any] | None, kind: WeightKind, measure: str) -> UnitAgreement:
    """Read ratings and count how far they agree.

    Raises:
        DataError: wrong shape, a label that is not a category, or no unit that two raters rated.
        UsageError: weights for text whose order was not given.
    """
    read = read_ratings(ratings, measure)
    read.need_shared_units()
    codes, categories = categorise(read.values, given)
    weights = agreement_weights(kind, categories)
    counts = count_units(read.unit, codes, len(categories.labels))
    agreeing = counts.equal_pairs()
    if weights.kind != "identity":
        agreeing = agreeing + counts.unequal_pairs(weights.between)
    by_unit = agreeing / np.maximum(counts.sizes * (counts.sizes - 1), 1)
    shares = sums_by(counts.category, counts.count / counts.sizes[counts.unit], len(categories.labels))
    return UnitAgreement(read, categories, counts, weights, by_unit, shares / read.units)


@dataclass(frozen=True)
class ChanceCorrected:
    """A coefficient with its standard error, Student's t test against 0 and interval."""

    value: float
    se: float
    ci: tuple[float, float]
    p: float
    warnings: tuple[str, ...]


def chance_corrected(
    data: UnitAgreement, chance: float, chance_by_unit: FloatArray, confidence: float
) -> ChanceCorrected:
    """(p_a - p_e) / (1 - p_e), with the standard error of its linear form.

    `chance_by_unit` is what each unit adds to `chance`, which is its mean.
    """
    units, observed = data.ratings.units, data.observed
    value = (observed - chance) / (1 - chance)
    shared = data.counts.sizes >= 2
    parts = units / np.count_nonzero(shared) * (data.by_unit - chance * shared) / (1 - chance)
    parts = parts - 2 * (1 - value) * (chance_by_unit - chance) / (1 - chance)
    if units < 2:
        return ChanceCorrected(
            value, math.nan, (math.nan, math.nan), math.nan, ("one unit only: it has no standard error",)
        )
    se = math.sqrt(float(np.sum((parts - value) ** 2)) / (units * (units - 1)))
    if se < 64 * np.finfo(float).eps:
        why = "the interval has zero width and is uninformative: the agreement does not vary over units"
        return ChanceCorrected(value, 0.0, (value, value), math.nan, (why, "p is undefined: the standard error is 0"))
    half = t_quantile((1 + confidence) / 2, units - 1) * se
    p = 2 * t_upper(abs(value) / se, units - 1)
    return ChanceCorrected(value, se, (value - half, min(1.0, value + half)), p, ())


def undefined(reason: str) -> ChanceCorrected:
    """No coefficient, and why."""
    return ChanceCorrected(math.nan, math.nan, (math.nan, math.nan), math.nan, (reason,))


def _se_by_chance(data: UnitAgreement) -> float:
    """Fleiss, Nee & Landis (1979); nan where units differ in the number of ratings, or there is one category."""
    sizes = data.counts.sizes
    if data.one_category or np.any(sizes != sizes[0]):
        return math.nan
    m, share, rest = sizes[0], data.shares, 1 - data.shares
    spread = float(share @ rest)
    skew = float(np.sum(share * rest * (rest - share)))
    return math.sqrt(2 * (spread**2 - skew) / (sizes.size * m * (m - 1))) / spread


def _chance_factor(data: UnitAgreement) -> float:
    """T / (q (q-1)); T is q for identity weights."""
    q = len(data.categories.labels)
    return data.weights.total() / (q * (q - 1)) if q > 1 else 0.0
