"""Ulam similarity of orders.

1 - d / (n-1), d the fewest units to move that turn one order into the other (Ulam's distance), so that
orders of different lengths can be averaged: 1 the same, 0 as many moves as there can be.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.metrics.contract import Floats
from textassay.metrics.order.metric import OrderMetric
from textassay.ordering.measures.measure import Measure
from textassay.ordering.measures.ulam import ULAM


class OrderUlam(OrderMetric):
    """Moves that are not needed, as a share of the most that could be.

    >>> from textassay.metrics import score
    >>> score("order-ulam", [[2, 1, 3, 5, 4]], [[[1, 2, 3, 4, 5]]]).segments.round(4).tolist()
    [0.5]
    """

    name = "order-ulam"

    def measure(self) -> Measure:
        """See `OrderMetric.measure`."""
        return ULAM

    def value(self, counts: npt.NDArray[Any], n: int) -> Floats:
        """The similarity; nan for one unit."""
        return np.asarray(1 - counts / (n - 1)) if n > 1 else np.full(len(counts), np.nan)
