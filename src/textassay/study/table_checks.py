"""What must hold between the tables of a study."""

from __future__ import annotations

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
    for table, what in ((items, "properties"), (references, "reference")):
        if table is None:
            continue
        known = {row["item"] for row in table}
        for item in [item for item in study.items_in_order if item not in known][:_SHOWN]:
            yield Problem(table.file, 0, 0, "item", f"no {what} for item {item!r} of {texts.file}; add a row for it")
        for row in [row for row in table if row["item"] not in first][:_SHOWN]:
            message = f"item {row['item']!r} has no texts in {texts.file}; correct it or remove the row"
            yield table.problem(row, "item", message)
