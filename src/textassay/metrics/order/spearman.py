"""Spearman's rho of orders.

The correlation of the units' places, 1 - 6 Σd² / (n(n²-1)); quadratic position kappa is the same number.
"""

from __future__ import annotations

from textassay.metrics.order.metric import OrderMetric
from textassay.ordering.measures.measure import Measure
from textassay.ordering.measures.spearman import SPEARMAN


class OrderSpearman(OrderMetric):
    """Spearman's rho of an order with its references.

    >>> from textassay.metrics import score
    >>> score("order-spearman", [[2, 1, 3, 5, 4]], [[[1, 2, 3, 4, 5]]]).segments.round(4).tolist()
    [0.8]
    """

    name = "order-spearman"
    scale = (-1.0, 1.0)
    higher_is_better = True

    def measure(self) -> Measure:
        """See `OrderMetric.measure`."""
        return SPEARMAN
