"""Kendall's tau of orders.

1 - 2 S / (n(n-1)/2), S the least number of adjacent transpositions that turn one order into the other (Kendall 1938;
Lapata 2006). With several references the mean (Lapata's), the best, or against the first reference with transpositions
weighted by the share of references that have the pair as it has (Lapata's proposal).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textassay.metrics.contract import Statistics
from textassay.metrics.order.metric import POLICIES, OrderMetric, OrderSettings
from textassay.metrics.order.segments import OrderSegments
from textassay.metrics.settings import setting
from textassay.ordering.agreement.several_references import several_references
from textassay.ordering.measures.measure import Measure
from textassay.ordering.measures.tau import TAU


@dataclass(frozen=True)
class TauSettings(OrderSettings):
    """What can be chosen for tau."""

    multi: str = setting("mean", sign="multi", choices=(*POLICIES, "weighted"))
    """What several references make: the mean, the best, or the weighted tau against the first."""


class OrderTau(OrderMetric):
    """Kendall's tau of an order with its references.

    >>> from textassay.metrics import score
    >>> score("order-tau", [list("BADC")], [[list("ABCD"), list("ABDC")]]).segments.tolist()
    [0.5]
    """

    name = "order-tau"
    scale = (-1.0, 1.0)
    Settings = TauSettings
    settings: TauSettings

    def measure(self) -> Measure:
        """See `OrderMetric.measure`."""
        return TAU

    def statistics(self, segments: OrderSegments) -> Statistics:
        """See `Metric.statistics`."""
        if self.settings.multi != "weighted":
            return super().statistics(segments)
        segments.alignments("common" if self.settings.units == "common" else "same")  # names the order that is wrong
        rows = []
        for order, references in zip(segments.hypotheses, segments.references, strict=True):
            found = several_references(order, references, units="common" if self.settings.units == "common" else "same")
            rows.append((found.weighted[0], found.coverage, found.n))
        return np.array(rows, dtype=np.float64).reshape(-1, 3)
