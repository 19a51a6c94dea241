"""The entity grid: which entity plays which part in which unit (Barzilay & Lapata 2005, 2008)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.ordering.arranging.baselines import original_order
from textassay.ordering.orders import Order, Unit, align

ROLES = ("S", "O", "X", "-")
"""Subject, object, another part, absent; of several mentions in one unit the first of these counts."""
Codes = npt.NDArray[np.int64]


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
            raise DataError(f"entity {mention.entity!r} is mentioned in unit {mention.unit!r}, which there is not")
        if mention.role not in ROLES[:3]:
            raise DataError(f"entity {mention.entity!r} has the role {mention.role!r}; use S, O or X")
        cell = place[mention.unit], column.setdefault(mention.entity, len(column))
        parts[cell] = min(parts.get(cell, len(ROLES)), ROLES.index(mention.role))
    roles = np.full((len(names), len(column)), ROLES.index("-"), dtype=np.int64)
    for cell, code in parts.items():
        roles[cell] = code
    return EntityGrid(names, tuple(column), roles)
