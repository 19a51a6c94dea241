"""Whether orders begin right.

1 for an order that begins with the unit that its reference begins with, else 0.
"""

from __future__ import annotations

from textassay.metrics.order.metric import OrderMetric
from textassay.ordering.measures.ends import FIRST_CORRECT
from textassay.ordering.measures.measure import Measure


class OrderFirst(OrderMetric):
    """Whether the first unit is right.

    >>> from textassay.metrics import score
    >>> score("order-first", [[2, 1, 3, 5, 4]], [[[1, 2, 3, 4, 5]]]).segments.round(4).tolist()
    [0.0]
    """

    name = "order-first"
    scale = (0.0, 1.0)
    higher_is_better = True

    def measure(self) -> Measure:
        """See `OrderMetric.measure`."""
        return FIRST_CORRECT
