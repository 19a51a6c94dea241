"""Whether orders end right.

1 for an order that ends with the unit that its reference ends with, else 0.
"""

from __future__ import annotations

from textassay.metrics.order.metric import OrderMetric
from textassay.ordering.measures.ends import LAST_CORRECT
from textassay.ordering.measures.measure import Measure


class OrderLast(OrderMetric):
    """Whether the last unit is right.

    >>> from textassay.metrics import score
    >>> score("order-last", [[2, 1, 3, 5, 4]], [[[1, 2, 3, 4, 5]]]).segments.round(4).tolist()
    [0.0]
    """

    name = "order-last"
    scale = (0.0, 1.0)
    higher_is_better = True

    def measure(self) -> Measure:
        """See `OrderMetric.measure`."""
        return LAST_CORRECT
