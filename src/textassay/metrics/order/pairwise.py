"""Pairwise accuracy of orders.

Share of the pairs of units that stand the same way round, (tau + 1) / 2.
"""

from __future__ import annotations

from textassay.metrics.order.metric import OrderMetric
from textassay.ordering.measures.accuracy import PAIRWISE_ACCURACY
from textassay.ordering.measures.measure import Measure


class OrderPairwise(OrderMetric):
    """Share of pairs that stand the same way round.

    >>> from textassay.metrics import score
    >>> score("order-pairwise", [[2, 1, 3, 5, 4]], [[[1, 2, 3, 4, 5]]]).segments.round(4).tolist()
    [0.8]
    """

    name = "order-pairwise"
    scale = (0.0, 1.0)
    higher_is_better = True

    def measure(self) -> Measure:
        """See `OrderMetric.measure`."""
        return PAIRWISE_ACCURACY
