"""What all metrics of orders share: the policy for units, several references, and the corpus score.

Each metric is a measure of `textassay.ordering`, of an order of units against reference orders.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from textassay.metrics.contract import Floats, MeanOfDefined, Settings, Statistics, setting
from textassay.metrics.order_segments import OrderSegments
from textassay.ordering.orders import Units
from textassay.ordering.permutations import Measure

POLICIES = ("mean", "best")
"""What several references make: the mean over them, or the best of them."""
COUNTED_UNITS = ("same", "common", "reference")
"""Units of metrics that can count a missing unit as wrong."""


@dataclass(frozen=True)
class OrderSettings(Settings):
    """What can be chosen for every metric of orders."""

    multi: str = setting("mean", sign="multi", choices=POLICIES)
    """What several references make: the mean, or the best."""
    units: str = setting("same", sign="units", choices=("same", "common"))
    """`same` refuses missing, extra and repeated units; `common` compares those that both orders have."""


@dataclass(frozen=True)
class PooledSettings(OrderSettings):
    """The same, and how texts of different lengths are averaged."""

    corpus: str = setting("mean", sign="corpus", choices=("mean", "pooled"))
    """The corpus score: the mean over texts, or pooled over the units of all texts, so that long texts count more."""


@dataclass(frozen=True)
class CountedUnitsSettings(PooledSettings):
    """The same, and that a missing unit may count as wrong."""

    units: str = setting("same", sign="units", choices=COUNTED_UNITS)
    """`same` refuses missing, extra and repeated units; `common` compares those that both orders have; with `reference`
    all units of the reference count: what is missing is wrong, what is extra is never right."""


class OrderMetric(MeanOfDefined):
    """A metric on orders.

    Statistics are the value, the coverage (share of the reference's units that the order has) and the number of units
    that count. An order without value (too few units) is counted, and excluded from the corpus score.
    """

    takes = OrderSegments
    Settings: ClassVar[type[Settings]] = OrderSettings
    settings: OrderSettings
    measured: ClassVar[Measure]
    """What is measured, unless the settings decide."""

    def measure(self) -> Measure:
        """What is measured."""
        return self.measured

    def value(self, counts: npt.NDArray[Any], n: int) -> Floats:
        """The metric's value of counts of the measure; most measures have their own."""
        return self.measure().values(counts, n)

    def statistics(self, segments: OrderSegments) -> Statistics:
        """Value, coverage and number of units of each order."""
        pairs = np.stack([self._values(segments), segments.coverage(self._aligned_by), self._sizes(segments)], axis=1)
        numbers = np.diff(segments.first_reference)
        if (numbers == 1).all():
            return pairs
        if self.settings.multi == "best":
            return np.array([self._best(pairs[rows]) for rows in segments.of_hypothesis()])
        return np.asarray(np.add.reduceat(pairs, segments.first_reference[:-1]) / numbers[:, None])

    def segment_parts(self, statistics: Statistics) -> dict[str, npt.NDArray[Any]]:
        """Coverage and number of units."""
        return {"coverage": statistics[:, 1], "units": statistics[:, 2]}

    def summands(self, statistics: Statistics) -> npt.NDArray[Any]:
        """Values with their weights, and the weights of all that have a value."""
        if getattr(self.settings, "corpus", "mean") == "mean":
            return super().summands(statistics)
        weights = np.where(np.isnan(statistics[:, 0]), 0.0, self.weights(statistics[:, 2]))
        return np.stack([np.nan_to_num(statistics[:, 0]) * weights, weights], axis=1)

    def weights(self, units: Floats) -> Floats:
        """What a text counts in a pooled corpus score: the number of things that its share is a share of."""
        return units

    def signature_fields(self, nrefs: str) -> dict[str, str]:
        """Everything that the score depends on."""
        found = super().signature_fields(nrefs)
        return found | {"corpus": getattr(self.settings, "corpus", self.corpus_is)}

    def remarks(self, segments: OrderSegments) -> Mapping[str, int]:
        """How many orders have no value, and how many comparisons do not cover the reference."""
        covered = segments.coverage(self._aligned_by) >= 1
        return {
            "comparisons have too few units and no value": int((self._sizes(segments) < self.measure().least).sum()),
            "comparisons do not cover all units of the reference": int((~covered).sum()),
        }

    def counts(self, segments: OrderSegments) -> npt.NDArray[Any]:
        """What the measure counts of each comparison, by the units that both orders have."""
        found = np.zeros(int(segments.first_reference[-1]))
        for n, (rows, places) in segments.groups(self._aligned_by).items():
            found[rows] = self.measure().count(places) if n else 0
        return found

    @property
    def _aligned_by(self) -> Units:
        return "same" if self.settings.units == "same" else "common"

    def _values(self, segments: OrderSegments) -> Floats:
        """The value of each comparison."""
        if self.settings.units == "reference":
            return self.measure().values(self.counts(segments), self._sizes(segments))
        values = np.full(int(segments.first_reference[-1]), np.nan)
        measure = self.measure()
        for n, (rows, places) in segments.groups(self._aligned_by).items():
            values[rows] = self.value(measure.count(places), n) if n else np.nan
        return values

    def _sizes(self, segments: OrderSegments) -> Floats:
        """The units that count in each comparison."""
        return segments.sizes(self._aligned_by, missing=self.settings.units == "reference")

    def _best(self, pairs: Floats) -> Floats:
        """The row of the best reference of an order; the mean of all where none has a value."""
        if np.isnan(pairs[:, 0]).all():
            return np.asarray(pairs.mean(axis=0))
        pick = np.nanargmax if self.higher_is_better else np.nanargmin
        return np.asarray(pairs[pick(pairs[:, 0])])
