"""What must hold between the tables of a study."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product

from textassay.errors import Problem
from textassay.study.study import Study
from textassay.tables.reader import Rows

_SHOWN = 5
"""So many cases of one kind are named; the rest is counted."""


def table_problems(study: Study, texts: Rows, items: Rows | None, references: Rows | None) -> Iterator[Problem]:
    """What does not fit between the tables."""
    first = {row["item"]: row for row in reversed(texts.rows)}
    missing = [
        (item, system)
        for item, system in product(study.items_in_order, study.systems)
        if (item, system) not in study.texts
    ]
    for item, system in missing[:_SHOWN]:
        yield texts.problem(first[item], "system", f"item {item!r} has no text from system {system!r}; add that row")
    if len(missing) > _SHOWN:
        message = f"{len(missing) - _SHOWN} more texts are missing; every system needs a text for every item"
        yield texts.problem(first[missing[_SHOWN][0]], "system", message)
    yield from unit_problems(texts, ("item", "system"))
    for table, what in ((items, "properties"), (references, "reference")):
        if table is None:
            continue
        known = {row["item"] for row in table}
        for item in [item for item in study.items_in_order if item not in known][:_SHOWN]:
            yield Problem(table.file, 0, 0, "item", f"no {what} for item {item!r} of {texts.file}; add a row for it")
        for row in [row for row in table if row["item"] not in first][:_SHOWN]:
            message = f"item {row['item']!r} has no texts in {texts.file}; correct it or remove the row"
            yield table.problem(row, "item", message)


def unit_problems(table: Rows, of_one_text: tuple[str, ...]) -> Iterator[Problem]:
    """What is wrong with the ids of units, where a table has a row for each."""
    texts = Counter(tuple(row[column] for column in of_one_text) for row in table)
    wrong: list[Problem] = []
    for row in table:
        unit = str(row.get("unit") or "")
        if not unit and texts[tuple(row[column] for column in of_one_text)] > 1:
            wrong.append(table.problem(row, "unit", "this text has several rows, so each needs the id of its unit"))
        elif len(unit.split()) > 1 or unit != unit.strip():
            message = f"unit {unit!r} has a space in it, and orders are written with spaces; use another id"
            wrong.append(table.problem(row, "unit", message))
    yield from wrong[:_SHOWN]
