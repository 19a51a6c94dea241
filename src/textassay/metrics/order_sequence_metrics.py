"""Metrics of what stays together in an order: its longest right sequence, skip-bigrams, neighbours, runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.metrics.contract import Floats, Limits, setting
from textassay.metrics.order_contract import CountedUnitsSettings, OrderMetric, OrderSettings, PooledSettings
from textassay.metrics.order_segments import OrderSegments
from textassay.ordering.measures.accuracy_and_distance import PAIRWISE_ACCURACY
from textassay.ordering.measures.sequences import ADJACENT, LSR, RUN, SMOOTHING, continuity
from textassay.ordering.permutations import Measure


class OrderAdjacent(OrderMetric):
    """Adjacent-pair accuracy: share of the reference's pairs of neighbours that are neighbours in the same order.

    Where in the order a pair is does not matter; 1/n on average by chance.

    >>> from textassay.metrics import score
    >>> score("order-adjacent", [[3, 4, 1, 2]], [[[1, 2, 3, 4]]]).segments.round(4).tolist()
    [0.6667]
    """

    name = "order-adjacent"
    measured = ADJACENT
    Settings = PooledSettings

    def weights(self, units: Floats) -> Floats:
        """The pairs of neighbours."""
        return units - 1


@dataclass(frozen=True)
class ContinuitySettings(OrderSettings):
    """What can be chosen for average continuity."""

    run: int = setting(RUN, sign="run", limits=Limits(2))
    """The longest runs that count."""
    smoothing: float = setting(SMOOTHING, sign="smooth", limits=Limits(0))
    """What is added to each share, so that one that is 0 does not make all 0."""


class OrderContinuity(OrderMetric):
    """Average continuity: geometric mean of the shares of runs of 2, 3 and 4 units that both orders have.

    AC = exp(1/(k-1) Σ log(P_l + α)), P_l = m / (N - l + 1), m the runs of l units in both, for l from 2 to k = 4, with
    α = 0.01 (Bollegala, Okazaki & Ishizuka 2006). The same order has 1.01, one without a pair of neighbours 0.01; of
    fewer than k units, k is their number.

    >>> from textassay.metrics import score
    >>> score("order-continuity", [[5, 1, 2, 3, 4]], [[[1, 2, 3, 4, 5]]]).segments.round(4).tolist()
    [0.6401]
    """

    name = "order-continuity"
    Settings = ContinuitySettings
    settings: ContinuitySettings
    scale = (0.0, 1.01)

    def measure(self) -> Measure:
        """The mean of the shares of runs with the settings' length and smoothing."""
        return continuity(self.settings.run, self.settings.smoothing)

    def signature_fields(self, nrefs: str) -> dict[str, str]:
        """Everything that the score depends on; the highest value is 1 and what is added to it."""
        return super().signature_fields(nrefs) | {"scale": f"0-{1 + self.settings.smoothing:g}"}


class OrderLsr(OrderMetric):
    """Longest sequence ratio (LSR): the most units that come in the right order, adjacent or not, over all units.

    Papers also call it LCS, for it is the longest common subsequence of order and reference (Gong et al. 2016;
    Prabhumoye et al. 2020); some pool it over all sentences (`corpus=pooled`). With `units=reference` it is divided by
    the units of the reference, whatever the order lacks or has besides.

    >>> from textassay.metrics import score
    >>> score("order-lsr", [[2, 1, 3, 5, 4]], [[[1, 2, 3, 4, 5]]]).segments.round(4).tolist()
    [0.6]
    """

    name = "order-lsr"
    measured = LSR
    Settings = CountedUnitsSettings


class OrderRougeS(OrderMetric):
    """ROUGE-S of orders: share of the reference's skip-bigrams, pairs of units in their order, that the order has.

    Of the same units it is `order-pairwise`, (tau + 1) / 2, for both have as many pairs; with `units=reference` it is
    the recall of skip-bigrams, so that pairs with a missing unit count as wrong (Chen et al. 2016; Prabhumoye et al.
    2020). Any number of units may be between the two. `corpus=pooled` is over the pairs of all texts.

    >>> from textassay.metrics import score
    >>> score("order-rouge-s", [[2, 1, 3]], [[[1, 2, 3, 4]]], units="reference").segments.round(4).tolist()
    [0.3333]
    """

    name = "order-rouge-s"
    measured = PAIRWISE_ACCURACY
    Settings = CountedUnitsSettings

    def counts(self, segments: OrderSegments) -> npt.NDArray[Any]:
        """Pairs of the reference that the order lacks or has the other way round."""
        common = np.array([each.n for each in segments.alignments("common")])
        lost = self.weights(self._sizes(segments)) - self.weights(common)
        return np.asarray(super().counts(segments) + lost)

    def weights(self, units: Floats) -> Floats:
        """The pairs of units."""
        return units * (units - 1) / 2
