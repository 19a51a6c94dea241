"""Perfect match of orders.

1 for an order that is its reference, else 0; the corpus score is the perfect match ratio.
"""

from __future__ import annotations

from textassay.metrics.order.metric import OrderMetric
from textassay.ordering.measures.accuracy import PERFECT_MATCH
from textassay.ordering.measures.measure import Measure


class OrderPerfectMatch(OrderMetric):
    """Whether an order is its reference.

    >>> from textassay.metrics import score
    >>> score("order-perfect-match", [[2, 1, 3, 5, 4]], [[[1, 2, 3, 4, 5]]]).segments.round(4).tolist()
    [0.0]
    """

    name = "order-perfect-match"
    scale = (0.0, 1.0)
    higher_is_better = True

    def measure(self) -> Measure:
        """See `OrderMetric.measure`."""
        return PERFECT_MATCH
