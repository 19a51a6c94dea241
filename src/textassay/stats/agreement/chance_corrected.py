"""Chance-corrected agreement of any number of raters with Gwet's standard error: Fleiss' kappa, AC1 and AC2 use it.

A coefficient is (p_a - p_e) / (1 - p_e). p_a is the mean over units of the share of agreeing pairs of ratings; p_e
depends on the mean shares π of the categories. Gwet (2008, 2014) writes the coefficient as a mean over units, up to
terms that vanish, and takes its standard error from their spread; units with one rating count for π only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from textassay.stats.agreement.categories import AgreementWeights, Categories, WeightKind, agreement_weights, categorise
from textassay.stats.agreement.ratings import Ratings, RatingsLike, UnitCounts, count_units, read_ratings, sums_by
from textassay.stats.distributions import t_quantile, t_upper
from textassay.stats.samples import FloatArray


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
        DataError: wrong shape, a label that is no category, or no unit that two raters rated.
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
        why = "the interval has no width and says nothing: the agreement does not vary over units"
        return ChanceCorrected(value, 0.0, (value, value), math.nan, (why, "p is undefined: the standard error is 0"))
    half = t_quantile((1 + confidence) / 2, units - 1) * se
    p = 2 * t_upper(abs(value) / se, units - 1)
    return ChanceCorrected(value, se, (value - half, min(1.0, value + half)), p, ())


def undefined(reason: str) -> ChanceCorrected:
    """No coefficient, and why."""
    return ChanceCorrected(math.nan, math.nan, (math.nan, math.nan), math.nan, (reason,))
