"""What the sub-commands of `textassay order` read: tables of orders, and texts in units."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from textassay.errors import DataError, TableError, UsageError
from textassay.known_names import remedy, unknown
from textassay.ordering import GivenOrder, tau
from textassay.study.units import split_units
from textassay.tables.reader import Row, Rows, read_table
from textassay.tables.schema import ITEM, ORDERS, SYSTEM, UNIT, Column, TableSchema

ROLES = ("participant", "system", "reference")
_NOT_MAIN = ("practice", "check", "repeat")
"""Kinds of trial whose orders say nothing about a text, or say it a second time."""
_TEXTS = TableSchema(
    "texts",
    "texts in their original order: one row per text, or one row per unit of it",
    (ITEM, Column("system", SYSTEM.kind, SYSTEM.description), UNIT, Column("text", "text", "the text", required=True)),
    key=("item", "system", "unit"),
)

_UNITS = TableSchema(
    "texts",
    "texts with a row for each unit",
    (ITEM, SYSTEM, replace(UNIT, required=True)),
    key=("item", "system", "unit"),
)


@dataclass(frozen=True)
class OrdersTable:
    """Orders of a table, by the role of their author."""

    of_role: dict[str, list[GivenOrder]]
    notes: tuple[str, ...]
    """What was excluded."""


def main_orders(path: Path) -> tuple[list[Row], tuple[str, ...]]:
    """Rows of a table `item, by, role, order` that count, and what was excluded.

    Raises:
        TableError: with every problem found, among them roles that there are not.
    """
    table = read_table(path, ORDERS)
    problems = [
        table.problem(row, "role", f"{row['role']!r} is not a role; {remedy(row['role'], ROLES)}")
        for row in table
        if row["role"] not in ROLES
    ]
    if problems:
        raise TableError(problems)
    left_out = Counter(kind for row in table if (kind := _kind(row)) in _NOT_MAIN)
    notes = tuple(f"{count} order(s) of {kind} trials are excluded" for kind, count in left_out.items())
    return [row for row in table if _kind(row) not in _NOT_MAIN], notes


def read_order_table(path: Path) -> OrdersTable:
    """A table `item, by, role, order`.

    Raises:
        TableError: with every problem found, among them roles that there are not.
        DataError: two orders of one item by one system or participant; a reference may have several.
    """
    rows, notes = main_orders(path)
    cells = Counter((row["role"], row["by"], row["item"]) for row in rows if row["role"] != "reference")
    twice = [cell for cell, count in cells.items() if count > 1]
    if twice:
        role, by, item = twice[0]
        raise DataError(f"{path}: {role} {by} has {cells[twice[0]]} orders of item {item}; keep one")
    found: dict[str, list[GivenOrder]] = {role: [] for role in ROLES}
    for row in rows:
        found[row["role"]].append(GivenOrder(row["item"], row["by"], tuple(row["order"].split())))
    return OrdersTable(found, notes)


def read_text_units(path: Path, language: str, system: str | None) -> dict[str, dict[str, str]]:
    """Item → unit id → text, from rows that are units, or from whole texts that fall into sentences.

    Raises:
        TableError: the table is wrong.
        UsageError: texts of several systems, and none named.
    """
    table = read_table(path, _TEXTS)
    rows = _of_system(table, system)
    if "unit" not in table.columns:
        return {
            row["item"]: {unit.id: unit.text for unit in split_units(row["text"], "sentences", language)}
            for row in rows
        }
    unnamed = [row for row in rows if not row["unit"]]
    if unnamed:
        message = "column 'unit' is empty; give each row the id of its unit, or remove the column"
        raise TableError(table.problem(row, "unit", message) for row in unnamed)
    spaced = [row for row in rows if len(row["unit"].split()) > 1]
    if spaced:
        message = "a unit's id must have no space, since orders are written as ids separated by spaces"
        raise TableError(table.problem(row, "unit", f"{row['unit']!r}: {message}") for row in spaced)
    found: dict[str, dict[str, str]] = {}
    for row in rows:
        found.setdefault(row["item"], {})[row["unit"]] = row["text"]
    return found


TEXT_COLUMNS = ("item", "system", "unit", "text", "tau")
"""Columns of a table of texts that a study reads, with the tau of each text as a property."""


def unit_rows(item: str, system: str, order: Sequence[Any], sentences: Mapping[str, str]) -> list[dict[str, object]]:
    """The rows of one text in a table of texts: its units in this order, and its tau with the original order."""
    with_original = tau(list(order), list(sentences))
    return [
        {"item": item, "system": system, "unit": unit, "text": sentences[unit], "tau": with_original} for unit in order
    ]


def checked_names(names: Sequence[str] | None, usual: Sequence[str], what: str) -> Sequence[str]:
    """Names of systems: those that were given, or else the usual ones.

    Raises:
        UsageError: another number of names, or the same name twice.
    """
    if names is None:
        return usual
    if len(names) != len(usual) or len(set(names)) != len(names):
        raise UsageError(f"there are {len(usual)} {what}; give each a name of its own with --names, got {len(names)}")
    return names


def read_orders_of_texts(path: Path) -> dict[str, list[tuple[str, ...]]]:
    """Item → the orders of its texts, from a table with a row for each unit.

    Raises:
        TableError: the table is wrong, or has no column `unit`.
    """
    table = read_table(path, _UNITS)
    found: dict[str, dict[str, list[str]]] = {}
    for row in table:
        found.setdefault(row["item"], {}).setdefault(row["system"], []).append(row["unit"])
    return {item: [tuple(units) for units in texts.values()] for item, texts in found.items()}


def _of_system(table: Rows, system: str | None) -> Iterable[Row]:
    systems = list(dict.fromkeys(str(row["system"]) for row in table)) if "system" in table.columns else []
    if system is None and len(systems) > 1:
        raise UsageError(f"the table has texts of several systems; say which with --system: {', '.join(systems)}")
    if system is not None and system not in systems:
        raise UsageError(unknown("system", system, systems))
    return [row for row in table if system is None or row["system"] == system]


def _kind(row: Row) -> str:
    kind = str(row.get("kind") or "")
    if row.get("practice"):
        return "practice"
    return "repeat" if not kind and row.get("repeat") else kind
