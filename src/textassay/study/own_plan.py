"""A table that says exactly who sees what: the list of trials of each participant, and what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textassay.design.assignment import Cell
from textassay.errors import Problem
from textassay.known_names import unknown
from textassay.tables.reader import Row, Rows

if TYPE_CHECKING:
    from textassay.study.study import Block, Study

Systems = tuple[str, ...]
BETWEEN = "|"
"""Separates the systems of a comparison."""
_SHOWN = 5
"""How many problems of one kind are listed."""


@dataclass(frozen=True)
class OwnLists:
    """What a table says."""

    cells: list[list[Cell[Systems]]]
    """The trials of each participant, in the order of their positions or else of the rows."""
    ordered: bool
    """Whether the table has positions."""


def own_lists(rows: Rows, systems: Sequence[str], conditions: Sequence[Systems]) -> OwnLists:
    """The list of each participant; participants in the order of their names, in which 2 comes before 10.

    Args:
        rows: The table.
        systems: All systems of the study, in its order.
        conditions: What a trial of the block shows, where the task has a list of it: systems are named in its order.
    """
    as_named = {frozenset(condition): condition for condition in conditions}
    ordered = any(row.get("position") is not None for row in rows)
    found = []
    for own in _by_participant(rows).values():
        in_order = sorted(own, key=lambda row: row.get("position") or 0) if ordered else own
        found.append([Cell(str(row["item"]), _condition(row, systems, as_named)) for row in in_order])
    return OwnLists(found, ordered)


def _by_participant(rows: Rows) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(str(row["participant"]), []).append(row)
    return {name: found[name] for name in sorted(found, key=_natural)}


def _natural(name: str) -> list[tuple[int, str]]:
    """A key that sorts numbers in names by their size."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]


def _named(row: Row, systems: Sequence[str]) -> Systems:
    """The systems of a row as they are written."""
    text = str(row["system"]).strip()
    return (text,) if text in systems else tuple(part.strip() for part in text.split(BETWEEN))


def _condition(row: Row, systems: Sequence[str], as_named: dict[frozenset[str], Systems]) -> Systems:
    named = _named(row, systems)
    place = {system: number for number, system in enumerate(systems)}
    return as_named.get(frozenset(named)) or tuple(sorted(named, key=lambda system: place.get(system, -1)))


# --- what is wrong --------------------------------------------------------------------------------------------------


def plan_problems(study: Study, block: Block) -> Iterator[Problem]:
    """Rows that cannot be shown, texts that somebody would see twice, gaps in positions, other participants."""
    rows = block.plan_rows
    if rows is None:
        return
    try:
        conditions = list(block.task.conditions())
    except ValueError:  # which the task's own checks tell
        return
    wrong = [rows.problem(row, *found) for row in rows for found in _row_problems(study, block, row, conditions)]
    yield from wrong[:_SHOWN]
    if len(wrong) > _SHOWN:
        yield Problem(rows.file, 0, 0, "", f"{len(wrong) - _SHOWN} more rows cannot be shown")
    for name, own in _by_participant(rows).items():
        yield from _twice(rows, name, own, study.systems)
        yield from _positions(rows, name, own)
    yield from _other_people(study, block, rows)


def _row_problems(study: Study, block: Block, row: Row, conditions: Sequence[Systems]) -> Iterator[tuple[str, str]]:
    item, named = str(row["item"]), _named(row, study.systems)
    if item not in study.items_in_order:
        yield "item", unknown("item", item, study.items_in_order)
        return
    strange = [system for system in named if system not in study.systems]
    sizes = sorted({len(condition) for condition in conditions})
    if strange:
        yield "system", unknown("system", strange[0], study.systems)
    elif len(named) not in sizes:
        how = f"write them as {f' {BETWEEN} '.join(conditions[0])!r}" if sizes[-1] > 1 else "give each its own row"
        shows = " or ".join(map(str, sizes)) + (" system" if sizes == [1] else " systems")
        yield "system", f"a trial of block {block.name!r} shows {shows}, but this row names {len(named)}; {how}"
    elif len(set(named)) < len(named) and named not in conditions:
        yield "system", f"{named[0]!r} is compared with itself; name another system"
    for system in named if not strange else ():
        if (item, system) not in study.texts:
            remedy = "add it to the texts table, or remove this row"
            yield "system", f"item {item!r} has no text from system {system!r}; {remedy}"


def _twice(rows: Rows, name: str, own: Sequence[Row], systems: Sequence[str]) -> Iterator[Problem]:
    seen: dict[tuple[str, tuple[str, ...]], int] = {}
    wrong = []
    for row in own:
        text = (str(row["item"]), tuple(sorted(_named(row, systems))))
        if text in seen:
            remedy = "remove one of the two; design.repeats shows trials a second time"
            wrong.append((row, f"participant {name!r} sees the same in line {seen[text]}; {remedy}"))
        seen.setdefault(text, row.line)
    yield from (rows.problem(row, "item", message) for row, message in wrong[:_SHOWN])


def _positions(rows: Rows, name: str, own: Sequence[Row]) -> Iterator[Problem]:
    if all(row.get("position") is None for row in rows):
        return
    taken: dict[int, int] = {}
    for row in own:
        position = row.get("position")
        if position is None:
            yield rows.problem(row, "position", "the position is empty; give one in every row, or in none")
            return
        if position in taken:
            message = f"participant {name!r} has position {position} in line {taken[position]}, too; change one"
            yield rows.problem(row, "position", message)
            return
        taken[position] = row.line
    missing = sorted(set(range(1, len(own) + 1)) - taken.keys())
    if missing:
        beyond = max(taken, key=lambda position: (position > len(own) or position < 1, position))
        row = next(row for row in own if row.get("position") == beyond)
        message = f"participant {name!r} has {len(own)} trials, but none at position {missing[0]}"
        yield rows.problem(row, "position", f"{message}; number them from 1 to {len(own)}")


def _other_people(study: Study, block: Block, rows: Rows) -> Iterator[Problem]:
    """Blocks of which each has a table must have the same participants."""
    first = next((each for each in study.blocks if each.plan_rows is not None), block)
    if first.plan_rows is None or first.name == block.name:
        return
    here, there = _by_participant(rows).keys(), _by_participant(first.plan_rows).keys()
    for name in sorted(here ^ there, key=_natural)[:_SHOWN]:
        lacking, other = (first.plan_rows.file, rows.file) if name in here else (rows.file, first.plan_rows.file)
        message = f"participant {name!r} of {other} is missing; give both tables the same participants"
        yield Problem(lacking, 0, 0, "participant", message)
