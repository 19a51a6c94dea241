"""Mean displacement of units.

Mean number of places between where units stand and where they stand in the reference: lower is better.
"""

from __future__ import annotations

from textassay.metrics.order.metric import OrderMetric
from textassay.ordering.measures.displacement import DISPLACEMENT
from textassay.ordering.measures.measure import Measure


class OrderDisplacement(OrderMetric):
    """Mean number of places that units are off.

    >>> from textassay.metrics import score
    >>> score("order-displacement", [[2, 1, 3, 5, 4]], [[[1, 2, 3, 4, 5]]]).segments.round(4).tolist()
    [0.8]
    """

    name = "order-displacement"
    scale = (0.0, float("inf"))
    higher_is_better = False

    def measure(self) -> Measure:
        """See `OrderMetric.measure`."""
        return DISPLACEMENT
