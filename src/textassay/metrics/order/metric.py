"""What all metrics of orders share: a measure of `textassay.ordering`, the policy for units, and several references."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np
import numpy.typing as npt

from textassay.metrics.contract import Floats, Metric, Statistics
from textassay.metrics.order.segments import OrderSegments
from textassay.metrics.settings import Settings, setting
from textassay.ordering.measures.measure import Measure
from textassay.ordering.orders import Units

POLICIES = ("mean", "best")
"""What several references make: the mean over them, or the best of them."""


@dataclass(frozen=True)
class OrderSettings(Settings):
    """What can be chosen for every metric of orders."""

    multi: str = setting("mean", sign="multi", choices=POLICIES)
    """What several references make: the mean, or the best."""
    units: str = setting("same", sign="units", choices=("same", "common"))
    """`same` refuses missing, extra and repeated units; `common` compares those that both orders have."""


class OrderMetric(Metric):
    """A metric on orders.

    Statistics are the value, the coverage (share of the reference's units that the order has) and the number of units
    that count. An order without value (too few units) is counted, and left out of the corpus score.
    """

    takes = OrderSegments
    Settings: ClassVar[type[Settings]] = OrderSettings
    settings: OrderSettings

    @abstractmethod
    def measure(self) -> Measure:
        """What is measured."""

    def value(self, counts: npt.NDArray[Any], n: int) -> Floats:
        """The metric's value of counts of the measure; most measures have their own."""
        return self.measure().values(counts, n)

    def statistics(self, segments: OrderSegments) -> Statistics:
        """See `Metric.statistics`."""
        units = cast("Units", self.settings.units)
        found = segments.alignments(units)
        values = np.full(len(found), np.nan)
        measure = self.measure()
        for n, (rows, places) in segments.groups(units).items():
            values[rows] = self.value(measure.count(places), n) if n else np.nan
        pairs = np.array([(value, each.coverage, each.n) for value, each in zip(values, found, strict=True)])
        chosen = [self._combined(pairs[rows]) for rows in segments.of_hypothesis()]
        return np.array(chosen, dtype=np.float64).reshape(-1, 3)

    def segment_scores(self, statistics: Statistics) -> Floats:
        """See `Metric.segment_scores`."""
        return np.asarray(statistics[:, 0], dtype=np.float64)

    def segment_parts(self, statistics: Statistics) -> dict[str, npt.NDArray[Any]]:
        """Coverage and number of units."""
        return {"coverage": statistics[:, 1], "units": statistics[:, 2]}

    def summands(self, statistics: Statistics) -> npt.NDArray[Any]:
        """Values, and how many orders have one."""
        defined = ~np.isnan(statistics[:, 0])
        return np.stack([np.where(defined, statistics[:, 0], 0.0), defined], axis=1)

    def from_sums(self, sums: npt.NDArray[Any], n: int) -> Floats:
        """The mean over the orders that have a value; nan where none has."""
        del n
        values, defined = sums[..., 0], sums[..., 1]
        return np.asarray(np.divide(values, defined, out=np.full(np.shape(values), np.nan), where=defined > 0))

    def remarks(self, segments: OrderSegments) -> Mapping[str, int]:
        """How many orders have no value, and how many comparisons do not cover the reference."""
        found = segments.alignments(cast("Units", self.settings.units))
        return {
            "comparisons have too few units and no value": sum(each.n < self.measure().least for each in found),
            "comparisons do not cover all units of the reference": sum(not each.coverage >= 1 for each in found),
        }

    def _combined(self, pairs: Floats) -> Floats:
        """One row for all references of an order."""
        if self.settings.multi == "best" and not np.isnan(pairs[:, 0]).all():
            pick = np.nanargmax if self.higher_is_better else np.nanargmin
            return np.asarray(pairs[pick(pairs[:, 0])])
        return np.asarray(pairs.mean(axis=0))
