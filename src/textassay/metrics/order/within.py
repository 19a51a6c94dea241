"""Units near their place.

Share of the units that stand at most `window` places from where they stand in the reference.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from textassay.metrics.order.metric import OrderMetric, OrderSettings
from textassay.metrics.settings import setting
from textassay.ordering.measures.displacement import within
from textassay.ordering.measures.measure import Measure


@dataclass(frozen=True)
class WithinSettings(OrderSettings):
    """What can be chosen for the share of units near their place."""

    window: int = setting(1, sign="window")
    """Places that a unit may be off."""


class OrderWithin(OrderMetric):
    """Share of units within a window of their place.

    >>> from textassay.metrics import score
    >>> score("order-within", [[3, 1, 2, 4]], [[[1, 2, 3, 4]]]).segments.tolist()
    [0.75]
    """

    name = "order-within"
    Settings = WithinSettings
    settings: WithinSettings

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.measure()  # refuses a window that is none

    def measure(self) -> Measure:
        """See `OrderMetric.measure`."""
        return within(self.settings.window)
