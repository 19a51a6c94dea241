"""Position accuracy of orders.

Share of the units that stand in the same place; 1/n on average by chance.
"""

from __future__ import annotations

from textassay.metrics.order.metric import OrderMetric
from textassay.ordering.measures.accuracy import POSITION_ACCURACY
from textassay.ordering.measures.measure import Measure


class OrderAccuracy(OrderMetric):
    """Share of units in their place.

    >>> from textassay.metrics import score
    >>> score("order-accuracy", [[2, 1, 3, 5, 4]], [[[1, 2, 3, 4, 5]]]).segments.round(4).tolist()
    [0.2]
    """

    name = "order-accuracy"
    scale = (0.0, 1.0)
    higher_is_better = True

    def measure(self) -> Measure:
        """See `OrderMetric.measure`."""
        return POSITION_ACCURACY
