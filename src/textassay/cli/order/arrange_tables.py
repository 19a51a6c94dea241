"""What `textassay order arrange` reads beside texts: similarities, times and entities."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

import numpy as np

from textassay.errors import DataError, TableError
from textassay.ordering.arranging.entity_grid import ROLES, EntityGrid, Mention, entity_grid
from textassay.ordering.unit_similarity import Floats
from textassay.tables.reader import read_table
from textassay.tables.schema import ITEM, Column, Kind, TableSchema

_UNIT = Column("unit", "text", "id of the unit", required=True)
_SIMILARITIES = TableSchema(
    "similarities",
    "how similar two units of an item are; the same both ways unless both are given",
    (
        ITEM,
        _UNIT,
        Column("other", "text", "id of the other unit; may be the same", required=True),
        Column("value", "number", "the similarity", required=True),
    ),
    key=("item", "unit", "other"),
)
_ENTITIES = TableSchema(
    "entities",
    "entities that units mention: one row a mention",
    (
        ITEM,
        _UNIT,
        Column("entity", "text", "the entity, for example the head noun", required=True),
        Column("role", "text", "S subject, O object, X another part; X where it is left out"),
    ),
)


def read_similarities(path: Path, texts: Mapping[str, Mapping[str, str]]) -> dict[str, Floats]:
    """Item → matrix in the order of its units; 1 on the diagonal where nothing else is given.

    Raises:
        TableError: units that there are not.
        DataError: a pair without a similarity.
    """
    table = read_table(path, _SIMILARITIES)
    place = {item: {unit: number for number, unit in enumerate(units)} for item, units in texts.items()}
    found = {item: np.full((len(units), len(units)), np.nan) for item, units in texts.items()}
    problems = []
    for row in table:
        places = place.get(row["item"], {})
        unknown = [column for column in ("unit", "other") if row[column] not in places]
        problems += [table.problem(row, name, f"item {row['item']} has no unit {row[name]!r}") for name in unknown]
        if not unknown:
            found[row["item"]][places[row["unit"]], places[row["other"]]] = row["value"]
    if problems:
        raise TableError(problems)
    return {item: _completed(item, matrix, list(texts[item])) for item, matrix in found.items()}


def _completed(item: str, matrix: Floats, units: list[str]) -> Floats:
    whole = np.where(np.isnan(matrix), matrix.T, matrix)
    own = whole.diagonal()
    whole[np.diag_indices(len(whole))] = np.where(np.isnan(own), 1.0, own)
    if np.isnan(whole).any():
        one, other = np.argwhere(np.isnan(whole))[0]
        raise DataError(f"item {item} has no similarity of the units {units[one]} and {units[other]}; give each pair's")
    return whole


def read_times(path: Path, column: str, system: str | None) -> dict[str, list[float]]:
    """Item → the time of each unit, in the order of the rows: the numbers of a column, or its dates as numbers.

    Raises:
        TableError: no such column, or a row whose time is neither a number nor a date.
    """
    try:
        table = read_table(path, _timed(column, "number"))
    except TableError:
        table = read_table(path, _timed(column, "time"))
    found: dict[str, list[float]] = {}
    for row in table:
        if system is None or row.get("system") == system:
            time = row[column]
            found.setdefault(row["item"], []).append(time.timestamp() if isinstance(time, datetime) else time)
    return found


def _timed(column: str, kind: Kind) -> TableSchema:
    times = Column(column, kind, "a number or a date such as 2007-04-22, for each unit", required=True)
    return TableSchema("texts", "units with times", (ITEM, _UNIT, times))


def read_mentions(path: Path) -> dict[str, list[Mention]]:
    """Item → mentions.

    Raises:
        TableError: a role that there is not.
    """
    table = read_table(path, _ENTITIES)
    known = {"": "X", **{role: role for role in ROLES[:3]}}
    roles = [(row, str(row.get("role") or "").upper()) for row in table]
    problems = [
        table.problem(row, "role", f"{row['role']!r} is no role; use S, O or X")
        for row, role in roles
        if role not in known
    ]
    if problems:
        raise TableError(problems)
    found: dict[str, list[Mention]] = {}
    for row, role in roles:
        found.setdefault(row["item"], []).append(Mention(row["unit"], row["entity"], known[role]))
    return found


def read_grids(path: Path) -> list[EntityGrid]:
    """Grids of the texts in a table of entities; units in the order of their first row."""
    return [
        entity_grid(list(dict.fromkeys(mention.unit for mention in mentions)), mentions)
        for mentions in read_mentions(path).values()
    ]
