"""What must hold between a decision block and the files of its study."""

from __future__ import annotations

import math
from collections.abc import Collection
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from textassay.tables.reader import Row, Rows
from textassay.tasks.beside import beside_problems, column_problems, image_problem
from textassay.tasks.contract import Found
from textassay.tasks.decision.axes import seconds
from textassay.tasks.decision.settings import DecisionSettings, Shows
from textassay.tasks.decision.tables import ids

if TYPE_CHECKING:
    from textassay.study.study import Block, Study

_SHOWN = 5
"""So many cases of one kind are named; whoever has more to mend runs the check again."""


def block_problems(settings: DecisionSettings, block: Block, study: Study) -> Found:
    """Everything that is wrong with the block."""
    actions = [str(row["action"]) for row in block.tables["actions"]]
    yield from _actions(settings, block.tables["actions"], actions)
    yield from islice(_targets(block.tables["targets"], actions, study), _SHOWN)
    yield from beside_problems(settings, block, study)
    yield from column_problems(
        {("shown_images", system): column for system, column in settings.shown_images.items()}, study
    )
    yield from _systems(settings, study)
    if "series" in block.tables:
        yield from islice(_series(block.tables["series"]), _SHOWN)
    yield from islice(_plots(settings, block, study), _SHOWN)
    yield from islice(_images(settings, block, study), _SHOWN)


def _actions(settings: DecisionSettings, table: Rows, actions: Collection[str]) -> Found:
    if len(actions) < 2:
        yield ("actions",), f"one action only in {table.file}; add at least one more to choose from"
    for row in table:
        if len(str(row["action"]).split()) != 1 or row["action"] != str(row["action"]).strip():
            place = f"{_place(table, row)}: action {row['action']!r}"
            yield ("actions",), f"{place} has a space in it; write it without, such as call-doctor"
    known = ", ".join(actions)
    if settings.no_action is not None and settings.no_action not in actions:
        yield ("no_action",), f"{settings.no_action!r} is not an action of {table.file}; use one of: {known}"
    for index, check in enumerate(settings.attention_checks):
        for action in check.expected:
            if action not in actions:
                message = f"{action!r} is not an action of {table.file}; use one of: {known}"
                yield ("attention_checks", index, "expected"), message


def _targets(table: Rows, actions: Collection[str], study: Study) -> Found:
    rows = {row["item"]: row for row in table}
    for item in study.items_in_order:
        if item not in rows:
            yield ("targets",), f"{table.file} has no row for item {item!r}; add one"
    for row in table:
        where = _place(table, row)
        sets = {name: set(ids(row.get(name))) for name in ("appropriate", "inappropriate", "target")}
        for name, chosen in sets.items():
            for action in sorted(chosen - set(actions)):
                yield ("targets",), f"{where}: {action!r} in column {name!r} is not an action; correct or add it"
        for name in ("appropriate", "target"):
            for action in sorted(sets[name] & sets["inappropriate"]):
                message = f"{where}: {action!r} is both {name} and inappropriate; remove it from one of the two"
                yield ("targets",), message


def _systems(settings: DecisionSettings, study: Study) -> Found:
    for system in settings.shows:
        if system not in study.systems:
            yield ("shows", system), f"there are no texts of system {system!r}; use one of: {', '.join(study.systems)}"


def _series(table: Rows) -> Found:
    for row in table:
        try:
            seconds(str(row["time"]))
        except ValueError:
            remedy = "write a number, a time such as 09:30, or a date and time such as 2026-01-31T09:30"
            yield ("series",), f"{_place(table, row)}: {row['time']!r} is not a time; {remedy}"


def _plots(settings: DecisionSettings, block: Block, study: Study) -> Found:
    """Plots without values."""
    plotted = list(study.items_in_order) if "plot" in settings.shows.values() else []
    for item, row in block.practice.items():
        shows = row.get("shows") or "text"
        if shows not in get_args(Shows):
            message = f"practice item {item!r} shows {shows!r}; use one of: {', '.join(get_args(Shows))}"
            yield ("practice",), message
        plotted += [item] if shows == "plot" else []
    series = block.tables.get("series")
    if series is None:
        if plotted and "plot" not in settings.shows.values():
            yield ("practice",), f"practice item {plotted[0]!r} shows a plot; name the table of its values in 'series'"
        return
    known: dict[str, dict[str, bool]] = {}
    for row in series:
        of_item = known.setdefault(row["item"], {})
        of_item[row["series"]] = of_item.get(row["series"], False) or not _nothing(row["value"])
    for item in plotted:
        if item not in known:
            yield ("series",), f"{series.file} has no values for item {item!r}, which is shown as a plot; add them"
        for name, measured in known.get(item, {}).items():
            if not measured:
                yield ("series",), f"{series.file}: series {name!r} of item {item!r} has no value; add one or remove it"


def _nothing(value: float | None) -> bool:
    return value is None or math.isnan(value)


def _images(settings: DecisionSettings, block: Block, study: Study) -> Found:
    for system, column in settings.shown_images.items():
        for item in study.items_in_order:
            row = study.items.get(item)
            if row is not None and column in row.values:
                yield from _image(("shown_images", system), f"item {item!r}", row.get(column), study.directory)
    for item, row in block.practice.items():
        if row.get("shows") == "image":
            yield from _image(("practice",), f"practice item {item!r}", row.get("shown_image"), study.directory)


def _image(path: tuple[str, ...], whose: str, name: str | None, directory: Path) -> Found:
    if not name:
        yield path, f"{whose} names no image; fill it in"
        return
    why = image_problem(name, directory)
    if why is not None:
        yield path, f"image {name!r} of {whose} {why}"


def _place(table: Rows, row: Row) -> str:
    return f"{table.file}, line {row.line}"
