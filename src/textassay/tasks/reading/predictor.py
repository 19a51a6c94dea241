"""The property of texts on which a block's reading times are regressed: a column of the texts or items table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from textassay.known_names import did_you_mean
from textassay.study.model import Problems

if TYPE_CHECKING:
    from textassay.study.study import Study

_SHOWN = 5
"""The most texts named at once; the check can be run again after they are corrected."""


def predictor_values(column: str, study: Study) -> dict[tuple[str, str], float]:
    """The number of each text, by item and system; nan where the table has none."""
    cells = _cells(column, study)
    return {text: _number(next(iter(own), None)) for text, own in cells.items()}


def predictor_problems(column: str | None, study: Study) -> Problems:
    """What is wrong with the column that a block names, if it names one."""
    if column is None or not study.text_rows:
        return
    if not any(column in columns for columns in _columns(study)):
        known = list(dict.fromkeys(name for columns in _columns(study) for name in columns))
        hint = f"use one of: {', '.join(known)}{did_you_mean(column, known)}"
        yield ("predictor",), f"neither texts nor items table has a column {column!r}; add it or {hint}"
        return
    for message in islice(_faults(column, study), _SHOWN):
        yield ("predictor",), message


def _faults(column: str, study: Study) -> Iterator[str]:
    cells = _cells(column, study)
    for (item, system), own in cells.items():
        numbers = {_number(cell) for cell in own}
        which = f"{column!r} of item {item!r} by {system!r}"
        if any(math.isnan(number) for number in numbers):
            seen = next(cell for cell in own if math.isnan(_number(cell)))
            yield f"{which} is {str(seen or '')!r}, which is no number; correct it"
        elif len(numbers) > 1:
            yield f"{which} differs between its units; it must be one number for the whole text"
    if len({_number(cell) for own in cells.values() for cell in own}) == 1:
        yield f"{column!r} is the same for all texts; name a column that varies"


def _cells(column: str, study: Study) -> dict[tuple[str, str], list[Any]]:
    """The column's cells, for each text; the texts table comes first."""
    if column in _columns(study)[0]:
        return {text: [row.get(column) for row in rows] for text, rows in study.text_rows.items()}
    return {text: [study.items[text[0]].get(column)] if text[0] in study.items else [] for text in study.text_rows}


def _columns(study: Study) -> tuple[list[str], list[str]]:
    """The columns of the texts table, and those of the items table."""
    return _names(rows[0].values for rows in study.text_rows.values()), _names(
        row.values for row in study.items.values()
    )


def _names(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    return list(next(iter(rows), {}))


def _number(cell: Any) -> float:
    try:
        number = float(cell)
    except (TypeError, ValueError):
        return math.nan
    return number if math.isfinite(number) else math.nan
