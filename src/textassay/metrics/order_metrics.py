"""Metrics of orders by position, pairs and distance; `order_sequence_metrics.py` has those of what stays together."""

from __future__ import annotations

from dataclasses import dataclass
from operator import eq
from typing import Any, cast, get_args

import numpy as np
import numpy.typing as npt

from textassay.metrics.contract import Floats, Limits, Statistics, setting
from textassay.metrics.order_contract import COUNTED_UNITS, POLICIES, CountedUnitsSettings, OrderMetric, OrderSettings
from textassay.metrics.order_segments import OrderSegments
from textassay.ordering.agreement.several_references import several_references
from textassay.ordering.measures.accuracy_and_distance import (
    CAYLEY,
    DISPLACEMENT,
    FIRST_CORRECT,
    LAST_CORRECT,
    PAIRWISE_ACCURACY,
    PERFECT_MATCH,
    POSITION_ACCURACY,
    SPEARMAN,
    ULAM,
    within,
)
from textassay.ordering.measures.position_kappa import KAPPAS, Weights
from textassay.ordering.measures.tau import TAU
from textassay.ordering.orders import Units
from textassay.ordering.permutations import Measure


def units_in_place(segments: OrderSegments) -> npt.NDArray[Any]:
    """For each comparison how many positions of the reference have their unit, whatever else the order has."""
    pairs = [
        (order, reference)
        for order, references in zip(segments.hypotheses, segments.references, strict=True)
        for reference in references
    ]
    return np.array([sum(map(eq, order, reference)) for order, reference in pairs], dtype=np.float64)


class OrderAccuracy(OrderMetric):
    """Position accuracy: share of the units in the same position; 1/n on average by chance.

    Papers on sentence ordering call it accuracy (Acc); most of them pool it over all sentences (`corpus=pooled`).

    >>> from textassay.metrics import score
    >>> score("order-accuracy", [[2, 1, 3, 5, 4]], [[[1, 2, 3, 4, 5]]]).segments.round(4).tolist()
    [0.2]
    """

    name = "order-accuracy"
    measured = POSITION_ACCURACY
    Settings = CountedUnitsSettings

    def counts(self, segments: OrderSegments) -> npt.NDArray[Any]:
        """Positions that have their unit."""
        return units_in_place(segments)


class _SimilarityFromDistance(OrderMetric):
    """1 - d / (n-1), so that orders of different lengths can be averaged: 1 the same, 0 as far apart as can be."""

    def value(self, counts: npt.NDArray[Any], n: int) -> Floats:
        """The similarity; nan for one unit."""
        return np.asarray(1 - counts / (n - 1)) if n > 1 else np.full(len(counts), np.nan)


class OrderCayley(_SimilarityFromDistance):
    """Cayley similarity: 1 - d / (n-1), d the fewest exchanges of two units that turn one order into the other.

    >>> from textassay.metrics import score
    >>> score("order-cayley", [[2, 1, 3, 5, 4]], [[[1, 2, 3, 4, 5]]]).segments.round(4).tolist()
    [0.5]
    """

    name = "order-cayley"
    measured = CAYLEY


class OrderDisplacement(OrderMetric):
    """Mean displacement: mean number of positions between a unit and its position in the reference.

    >>> from textassay.metrics import score
    >>> score("order-displacement", [[2, 1, 3, 5, 4]], [[[1, 2, 3, 4, 5]]]).segments.round(4).tolist()
    [0.8]
    """

    name = "order-displacement"
    measured = DISPLACEMENT
    scale = (0.0, float("inf"))
    higher_is_better = False


class OrderFirst(OrderMetric):
    """Head accuracy: whether the order begins with the unit that its reference begins with, 1 or 0.

    >>> from textassay.metrics import score
    >>> score("order-first", [[2, 1, 3, 5, 4]], [[[1, 2, 3, 4, 5]]]).segments.round(4).tolist()
    [0.0]
    """

    name = "order-first"
    measured = FIRST_CORRECT


@dataclass(frozen=True)
class KappaSettings(OrderSettings):
    """What can be chosen for position kappa."""

    weights: str = setting("none", sign="weights", choices=get_args(Weights))
    """How a unit in another position counts: as wrong, by its distance, or by the square of it."""


class OrderKappa(OrderMetric):
    """Position kappa: agreement position by position beyond chance (Madnani et al. 2007).

    (accuracy - 1/n) / (1 - 1/n), or with weights for near misses: linear 1 - 3 Σ|d| / (n²-1), or quadratic, which is
    Spearman's rho.

    >>> from textassay.metrics import score
    >>> score("order-kappa", [[1, 3, 2]], [[[1, 2, 3]]], weights="linear").segments.tolist()
    [0.25]
    """

    name = "order-kappa"
    scale = (-1.0, 1.0)
    Settings = KappaSettings
    settings: KappaSettings

    def measure(self) -> Measure:
        """The kappa with the weights of the settings."""
        return KAPPAS[cast("Weights", self.settings.weights)]


class OrderLast(OrderMetric):
    """Tail accuracy: whether the order ends with the unit that its reference ends with, 1 or 0.

    >>> from textassay.metrics import score
    >>> score("order-last", [[2, 1, 3, 5, 4]], [[[1, 2, 3, 4, 5]]]).segments.round(4).tolist()
    [0.0]
    """

    name = "order-last"
    measured = LAST_CORRECT


class OrderPairwise(OrderMetric):
    """Pairwise accuracy: share of the pairs of units in the same relative order, (tau + 1) / 2.

    >>> from textassay.metrics import score
    >>> score("order-pairwise", [[2, 1, 3, 5, 4]], [[[1, 2, 3, 4, 5]]]).segments.round(4).tolist()
    [0.8]
    """

    name = "order-pairwise"
    measured = PAIRWISE_ACCURACY


@dataclass(frozen=True)
class PerfectMatchSettings(OrderSettings):
    """What can be chosen for perfect match."""

    units: str = setting("same", sign="units", choices=COUNTED_UNITS)
    """`same` refuses missing, extra and repeated units; `common` compares those that both orders have; with `reference`
    an order with other units than the reference is no match."""


class OrderPerfectMatch(OrderMetric):
    """Perfect match: 1 for an order equal to its reference, else 0; over a corpus the perfect match ratio (PMR).

    >>> from textassay.metrics import score
    >>> score("order-perfect-match", [[2, 1, 3, 5, 4]], [[[1, 2, 3, 4, 5]]]).segments.round(4).tolist()
    [0.0]
    """

    name = "order-perfect-match"
    measured = PERFECT_MATCH
    Settings = PerfectMatchSettings

    def counts(self, segments: OrderSegments) -> npt.NDArray[Any]:
        """Positions that have their unit; none in an order of another length, which is not the same."""
        lengths = np.diff(segments.first_reference)
        mine = np.repeat([len(order) for order in segments.hypotheses], lengths)
        wanted = [len(reference) for references in segments.references for reference in references]
        return np.asarray(units_in_place(segments) * (mine == wanted))


class OrderSpearman(OrderMetric):
    """Spearman's rho: the correlation of the units' positions, 1 - 6 Σd² / (n(n²-1)); equals quadratic position kappa.

    >>> from textassay.metrics import score
    >>> score("order-spearman", [[2, 1, 3, 5, 4]], [[[1, 2, 3, 4, 5]]]).segments.round(4).tolist()
    [0.8]
    """

    name = "order-spearman"
    measured = SPEARMAN
    scale = (-1.0, 1.0)


@dataclass(frozen=True)
class TauSettings(OrderSettings):
    """What can be chosen for tau."""

    multi: str = setting("mean", sign="multi", choices=(*POLICIES, "weighted"))
    """What several references make: the mean, the best, or the weighted tau against the first."""


class OrderTau(OrderMetric):
    """Kendall's tau of an order with its references.

    1 - 2 S / (n(n-1)/2), S the least number of adjacent transpositions that turn one order into the other (Kendall
    1938; Lapata 2006). With several references the mean (Lapata's), the best, or against the first reference with
    transpositions weighted by the share of references that order the pair as it does (Lapata's proposal).

    >>> from textassay.metrics import score
    >>> score("order-tau", [list("BADC")], [[list("ABCD"), list("ABDC")]]).segments.tolist()
    [0.5]
    """

    name = "order-tau"
    measured = TAU
    scale = (-1.0, 1.0)
    Settings = TauSettings
    settings: TauSettings

    def statistics(self, segments: OrderSegments) -> Statistics:
        """Value, coverage and number of units of each order."""
        if self.settings.multi != "weighted":
            return super().statistics(segments)
        units: Units = "common" if self.settings.units == "common" else "same"
        segments.alignments(units)  # an error names the order
        rows = []
        for order, references in zip(segments.hypotheses, segments.references, strict=True):
            found = several_references(order, references, units=units)
            rows.append((found.weighted[0], found.coverage, found.n))
        return np.array(rows, dtype=np.float64).reshape(-1, 3)


class OrderUlam(_SimilarityFromDistance):
    """Ulam similarity: 1 - d / (n-1), d the fewest units to move that turn one order into the other.

    >>> from textassay.metrics import score
    >>> score("order-ulam", [[2, 1, 3, 5, 4]], [[[1, 2, 3, 4, 5]]]).segments.round(4).tolist()
    [0.5]
    """

    name = "order-ulam"
    measured = ULAM


@dataclass(frozen=True)
class WithinSettings(OrderSettings):
    """What can be chosen for the share of units near their position."""

    window: int = setting(1, sign="window", limits=Limits(0))
    """Positions that a unit may be off."""
    corpus: str = setting("mean", sign="corpus", choices=("mean", "pooled"))
    """The corpus score: the mean over texts, or pooled over the units of all texts, so that long texts count more."""


class OrderWithin(OrderMetric):
    """Share of the units at most `window` positions from where they are in the reference.

    >>> from textassay.metrics import score
    >>> score("order-within", [[3, 1, 2, 4]], [[[1, 2, 3, 4]]]).segments.tolist()
    [0.75]
    """

    name = "order-within"
    Settings = WithinSettings
    settings: WithinSettings

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.measure()  # refuses an impossible window

    def measure(self) -> Measure:
        """The share within the window of the settings."""
        return within(self.settings.window)
