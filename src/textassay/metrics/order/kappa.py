"""Position kappa of orders.

Agreement position by position beyond chance (Madnani et al. 2007): (accuracy - 1/n) / (1 - 1/n), or with weights for
near misses, linear 1 - 3 Σ|d| / (n²-1) or quadratic, which is Spearman's rho.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast, get_args

from textassay.metrics.order.metric import OrderMetric, OrderSettings
from textassay.metrics.settings import setting
from textassay.ordering.measures.measure import Measure
from textassay.ordering.measures.position_kappa import KAPPAS, Weights


@dataclass(frozen=True)
class KappaSettings(OrderSettings):
    """What can be chosen for position kappa."""

    weights: str = setting("none", sign="weights", choices=get_args(Weights))
    """How a unit out of its place counts: as wrong, by its distance, or by the square of it."""


class OrderKappa(OrderMetric):
    """Units in their place, beyond chance.

    >>> from textassay.metrics import score
    >>> score("order-kappa", [[1, 3, 2]], [[[1, 2, 3]]], weights="linear").segments.tolist()
    [0.25]
    """

    name = "order-kappa"
    scale = (-1.0, 1.0)
    Settings = KappaSettings
    settings: KappaSettings

    def measure(self) -> Measure:
        """See `OrderMetric.measure`."""
        return KAPPAS[cast("Weights", self.settings.weights)]
