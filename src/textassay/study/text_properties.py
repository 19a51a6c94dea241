"""Properties of texts that simulated participants can react to: length, metrics, columns of the texts table."""

from __future__ import annotations

import math
from collections.abc import Iterator

from textassay import catalogue
from textassay.known_names import unknown
from textassay.study.model import Problems
from textassay.study.study import Study
from textassay.study.yaml_reader import Path_

LENGTH = "length"
"""The property of a text that every study has: its number of words."""
_NOT_A_PROPERTY = {"item", "system", "text", "unit"}


def text_properties(study: Study) -> list[str]:
    """What simulated participants can react to: length, the metrics, columns of the texts table."""
    metrics = (choice.label or choice.metric for choice in study.file.metrics)
    columns = next((rows[0].values for rows in study.text_rows.values()), {})
    return list(dict.fromkeys([LENGTH, *metrics, *(name for name in columns if name not in _NOT_A_PROPERTY)]))


def simulate_problems(study: Study) -> Problems:
    """Problems of the section `simulate`."""
    known, metrics = text_properties(study), {choice.label or choice.metric for choice in study.file.metrics}
    for name in study.file.simulate.effects:
        where: Path_ = ("simulate", "effects", name)
        if name in catalogue.names("metric") and name not in known:
            yield where, f"{name} is not among the study's metrics; add it to 'metrics'"
        elif name not in known:
            yield where, unknown("property of texts", name, known)
        elif name not in {LENGTH, *metrics}:
            yield from ((where, message) for message in _not_numbers(study, name))
    for system in study.file.simulate.systems or {}:
        if system not in study.systems:
            yield ("simulate", "systems", system), unknown("system", system, study.systems)


def _not_numbers(study: Study, column: str) -> Iterator[str]:
    """What prevents a column of the texts table from being a property of texts."""
    for (item, system), rows in study.text_rows.items():
        told = {str(row.get(column) or "").strip() for row in rows}
        if len(told) > 1 or not _is_number(next(iter(told))):
            seen = "several values" if len(told) > 1 else repr(next(iter(told)))
            place = f"item {item!r}, system {system!r}"
            yield f"column {column!r} must hold one number per text, but {place} has {seen}; correct the texts table"
            return


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
