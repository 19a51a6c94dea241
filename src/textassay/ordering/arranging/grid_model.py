"""A model of how entities go on from unit to unit, learnt from texts; it scores orders and finds the best one."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.ordering.arranging.entity_grid import ROLES, EntityGrid
from textassay.ordering.evaluation.scorers import Scorer
from textassay.ordering.orders import Order, align
from textassay.ordering.paths.shortest_path import path_cost

Floats = npt.NDArray[np.float64]
_DIGITS = 12
"""Decimal places of a score; what lies beyond is rounding."""


@dataclass(frozen=True, eq=False)
class GridModel:
    """How likely each role follows each role, from one unit to the next."""

    probabilities: Floats
    """Shape (4, 4): from the row's role to the column's, in the order of `ROLES`; each row adds up to 1."""
    texts: int
    """How many texts it was learnt from."""
    smoothing: float

    def distances(self, grid: EntityGrid) -> Floats:
        """From each unit to each as the next: minus the log probability of what all entities do, not symmetric.

        The order with the highest score is the shortest path through these.
        """
        surprise = -np.log(self.probabilities)
        return np.asarray(surprise[grid.roles[:, None, :], grid.roles[None, :, :]].sum(axis=2), dtype=np.float64)

    def scorer(self, grid: EntityGrid) -> Scorer:
        """The mean log probability of a step of an entity, given an order of the grid's units; higher is better.

        Raises:
            DataError: a grid without entities or with one unit, which has no steps.
        """
        steps = (len(grid.units) - 1) * len(grid.entities)
        if not steps:
            raise DataError("the grid has no entities, or one unit only, so that there is nothing to score")
        distances = self.distances(grid)

        def score(order: Order) -> float:
            # Orders with the same steps must tie, in whatever order the logarithms were added up.
            return round(-path_cost(distances, align(order, grid.units).places) / steps, _DIGITS)

        return score


def fit_grid(grids: Iterable[EntityGrid], *, smoothing: float = 1.0) -> GridModel:
    """Learn from texts in good order how likely each role follows each role.

    The share of the steps from role to role in neighbouring units, over all entities and texts, as Lapata and Barzilay
    (2005) estimate it for their score of coherence: the mean log probability of the steps. Every step counts as if seen
    `smoothing` times more often, so that none is impossible.

    Args:
        grids: Of the texts, their units in the original order.
        smoothing: Above 0.

    Raises:
        DataError: no grid has an entity and two units.
        UsageError: no smoothing.

    >>> from textassay.ordering.arranging.entity_grid import Mention, entity_grid
    >>> model = fit_grid([entity_grid("ab", [Mention("a", "cat", "S"), Mention("b", "cat", "S")])])
    >>> model.probabilities[0].tolist()  # (1 + 1) / (1 + 4) for S after S
    [0.4, 0.2, 0.2, 0.2]
    """
    if not (smoothing > 0 and math.isfinite(smoothing)):
        raise UsageError(f"smoothing must be above 0, got {smoothing!r}")
    counts = np.zeros((len(ROLES), len(ROLES)))
    texts = 0
    for grid in grids:
        np.add.at(counts, (grid.roles[:-1].ravel(), grid.roles[1:].ravel()), 1.0)
        texts += 1
    if not counts.any():
        raise DataError(f"{texts} text(s) to learn from have no entity and next unit; give texts with entities")
    counts += smoothing
    return GridModel(counts / counts.sum(axis=1, keepdims=True), texts, smoothing)
