"""The entity grid: which entity has which role in which unit (Barzilay & Lapata 2005, 2008), and a model of it.

The model of how entities continue from unit to unit is fitted to texts; it scores orders and finds the best one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.ordering.arranging.scorers import Scorer
from textassay.ordering.orders import Order, Unit, align, original_order
from textassay.ordering.paths.shortest_path import path_cost
from textassay.ordering.permutations import Floats

ROLES = ("S", "O", "X", "-")
"""Subject, object, another part, absent; of several mentions in one unit the first of these counts."""
Codes = npt.NDArray[np.int64]
_DIGITS = 12
"""Decimal places of a score; what lies beyond is rounding."""


@dataclass(frozen=True)
class Mention:
    """An entity that a unit mentions."""

    unit: Unit
    entity: str
    role: str = "X"
    """S, O or X; X where only presence is known."""


@dataclass(frozen=True, eq=False)
class EntityGrid:
    """The parts that entities play in units."""

    units: tuple[Unit, ...]
    """In the original order."""
    entities: tuple[str, ...]
    """In the order of their first mention."""
    roles: Codes
    """Shape (units, entities): places in `ROLES`."""

    def rows(self) -> list[str]:
        """The grid as it is printed, a text of roles for each unit."""
        return ["".join(ROLES[code] for code in row) for row in self.roles]

    def transitions(self, order: Order | None = None, *, length: int = 2) -> dict[str, float]:
        """The share of each sequence of roles among all that an entity has in neighbouring units.

        These are the features by which Barzilay and Lapata tell coherent texts from others. Empty where the text has
        fewer units than the sequences are long, or no entities.

        Args:
            order: The units in another order than the original.
            length: Units that a sequence spans.

        Raises:
            UsageError: a length below 1.
        """
        if length < 1:
            raise UsageError(f"length must be at least 1, got {length}")
        rows = self.roles if order is None else self.roles[align(order, self.units).places]
        counts = Counter(
            "".join(ROLES[code] for code in rows[at : at + length, entity])
            for at in range(len(rows) - length + 1)
            for entity in range(len(self.entities))
        )
        total = counts.total()
        return {key: counts[key] / total for key in map("".join, product(ROLES, repeat=length)) if total}


def entity_grid(units: Order, mentions: Iterable[Mention]) -> EntityGrid:
    """The grid of a text.

    Args:
        units: The ids of all units, in the original order.
        mentions: Which entities each unit has: nouns, or whatever the data names.

    Raises:
        DataError: a mention in a unit that there is not, or with another role.

    >>> entity_grid("ab", [Mention("a", "cat", "S"), Mention("b", "cat"), Mention("b", "dog", "S")]).rows()
    ['S-', 'XS']
    """
    names = original_order(units)
    place = {unit: number for number, unit in enumerate(names)}
    column: dict[str, int] = {}
    parts: dict[tuple[int, int], int] = {}
    for mention in mentions:
        if mention.unit not in place:
            raise DataError(f"entity {mention.entity!r} is mentioned in unit {mention.unit!r}, which does not exist")
        if mention.role not in ROLES[:3]:
            raise DataError(f"entity {mention.entity!r} has the role {mention.role!r}; use S, O or X")
        cell = place[mention.unit], column.setdefault(mention.entity, len(column))
        parts[cell] = min(parts.get(cell, len(ROLES)), ROLES.index(mention.role))
    roles = np.full((len(names), len(column)), ROLES.index("-"), dtype=np.int64)
    for cell, code in parts.items():
        roles[cell] = code
    return EntityGrid(names, tuple(column), roles)


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
