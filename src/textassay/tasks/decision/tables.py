"""The tables of a decision block: what can be done, what should be done, and what plots show."""

from __future__ import annotations

from collections.abc import Iterable

from textassay.tables.schema import ITEM, Column, TableSchema

ACTIONS = TableSchema(
    "actions",
    "what participants can choose from, in the order in which it is shown unless the order is random",
    (
        Column("action", "text", "id of the action, without spaces", required=True),
        Column("label", "text", "the action as participants see it", required=True),
    ),
    key=("action",),
)
TARGETS = TableSchema(
    "targets",
    "which actions suit an item: one row an item, ids separated by spaces; actions in neither set are neutral",
    (
        ITEM,
        Column("appropriate", "text", "actions that are appropriate", required=True),
        Column("inappropriate", "text", "actions that are inappropriate; may be empty"),
        Column("target", "text", "what experts would do; may be empty"),
    ),
    key=("item",),
)
SERIES = TableSchema(
    "series",
    "what plots show: one row a value",
    (
        ITEM,
        Column("series", "text", "name of the series, with its unit, as participants see it", required=True),
        Column("time", "text", "a number, a time such as 09:30, or a date and time in ISO form", required=True),
        Column("value", "number", "the value; empty where nothing was measured", required=True, undefined=True),
    ),
    key=("item", "series", "time"),
)


def ids(cell: object) -> tuple[str, ...]:
    """The ids in a cell, in their order, each once.

    >>> ids(" call wait call")
    ('call', 'wait')
    >>> ids(None)
    ()
    """
    return tuple(dict.fromkeys(cell.split())) if isinstance(cell, str) else ()


def written(actions: Iterable[str]) -> str:
    """Ids as a cell holds them.

    >>> written(["call", "wait"])
    'call wait'
    """
    return " ".join(actions)
