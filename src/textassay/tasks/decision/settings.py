"""What a decision block may say in the study file, and what must hold between it and the files of its study."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self, get_args

from pydantic import Field, model_validator

from textassay.content.expert_sets import ADJUDICATED, Combining, ExpertSets, combined_sets, sets_by_item
from textassay.known_names import remedy
from textassay.study.model import Faults, FilePath, Problems, Text
from textassay.tables.reader import Row, Rows
from textassay.tables.schema import ITEM, Column, TableSchema
from textassay.tasks.attention import check_items
from textassay.tasks.context import (
    ContextCheck,
    ContextLabels,
    ContextSettings,
    column_problems,
    context_problems,
    context_warnings,
    image_problem,
    told_apart,
)
from textassay.tasks.decision.plot import seconds
from textassay.tasks.event_marks import EventMarksSettings, event_mark_problems, event_mark_warnings

if TYPE_CHECKING:
    from textassay.study.study import Block, Study
    from textassay.tasks.contract import Task


ACTIONS = TableSchema(
    "actions",
    "what participants can choose from, in the order in which it is shown unless the order is random",
    (
        Column("action", "text", "id of the action, without spaces", required=True),
        Column("label", "text", "the action as participants see it", required=True),
    ),
    key=("action",),
)
SERIES = TableSchema(
    "series",
    "what plots show: one row per value",
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


Shows = Literal["text", "plot", "image"]
LONGEST_LIMIT = 86_400
"""A day, in seconds."""


class AttentionCheck(ContextCheck):
    """A trial that tells whether the participant reads: its text says what to choose."""

    text: Text
    """The text, which tells what to choose; where a plot or an image is shown, its description in words."""
    shows: Shows = "text"
    """What it shows in the place of a system's text: its text, a plot of the values that the series table has for item
    `check-1` (`check-2` and so on, in the order of the checks), or an image. Then the context tells what to choose."""
    shown_image: Text | None = None
    """The image file, for `shows: image`."""
    expected: list[str] = Field(min_length=1)
    """The actions that have to be chosen, and no others."""


class DecisionLabels(ContextLabels):
    """Words on the page of a decision."""

    text: Text | None = None
    """Above a text; by default “Report”."""
    plot: Text | None = None
    """Above a plot; by default “Measurements”."""
    image: Text | None = None
    """Above an image; by default “Image”."""


class DecisionSettings(ContextSettings, EventMarksSettings):
    """A block of decisions; context and image are the background, shown first."""

    unseen: ClassVar[frozenset[str]] = ContextSettings.unseen | {"targets"}
    """See `BlockSettings.unseen`."""

    task: Literal["decision"]
    """The kind of trial."""
    question: Text
    """What the participant is asked, such as: What would you do now?"""
    actions: FilePath
    """Table `action, label`: what can be chosen."""
    targets: FilePath
    """Table `item, appropriate, inappropriate, target`: which actions suit an item; participants never see it."""
    experts: Combining = "majority"
    """Where the targets table has rows of several experts: what more than half of them say, what any of them says, or
    what stands under the expert `adjudicated`."""
    shows: dict[str, Shows] = Field(default_factory=dict)
    """What a system shows: its text (so it is for systems not named), a plot of the item's series, or an image."""
    series: FilePath | None = None
    """Table `item, series, time, value`: what plots show."""
    time_label: Text | None = None
    """Words under the time axis of plots, such as: minutes after admission."""
    plot_ranges: dict[str, Annotated[list[float], Field(min_length=2, max_length=2)]] = Field(default_factory=dict)
    """For a series the lowest and the highest value on its axis, so that the plots of all items can be compared; values
    beyond them widen it. A series that is not named fills its panel, however little it changes."""
    plot_table: bool = True
    """Whether the values of a plot can be opened as a table; if not, only screen readers find that table."""
    shown_images: dict[str, str] = Field(default_factory=dict)
    """For each system that shows an image: the column of the items table that names the file. Its text describes it."""
    action_order: Literal["random", "fixed"] = "random"
    """Random for each participant, or as in the actions table."""
    no_action: str | None = None
    """The action that means doing nothing; it comes last in a random order."""
    no_action_alone: bool = False
    """Whether doing nothing shuts out all other actions."""
    limit_seconds: float | None = Field(default=None, ge=1, le=LONGEST_LIMIT)
    """How long a trial may take; then what was chosen so far is submitted. No limit if not given."""
    attention_checks: list[AttentionCheck] = Field(default_factory=list)
    """Trials that tell whether participants read."""
    labels: DecisionLabels = DecisionLabels()
    """Words on the page in place of those of the interface, such as `{text: Weather report}`."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        faults = [*self._shown_faults(), *self._check_faults(), *self._no_action_faults()]
        if faults:
            raise Faults(*faults)
        return self

    def _shown_faults(self) -> Problems:
        for system, what in self.shows.items():
            if what == "plot" and self.series is None:
                yield ("shows", system), "a plot needs values; name their table in 'series'"
            if what == "image" and system not in self.shown_images:
                yield (
                    ("shows", system),
                    f"an image needs a file; name the column that holds it in 'shown_images.{system}'",
                )
        for system in self.shown_images:
            if self.shows.get(system) != "image":
                yield (
                    ("shown_images", system),
                    f"{system!r} shows no image; set 'shows.{system}' to image or remove this",
                )

        for series, (low, high) in self.plot_ranges.items():
            if not low < high:
                yield (
                    ("plot_ranges", series),
                    f"the range from {low:g} to {high:g} is empty; give the lower value first",
                )

    def _check_faults(self) -> Problems:
        for index, check in enumerate(self.attention_checks):
            where = ("attention_checks", index)
            if check.shows == "plot" and self.series is None:
                yield (*where, "shows"), "a plot needs values; name their table in the block's 'series'"
            if check.shows == "plot" and check.context is None:
                remedy = "say in 'context' what to choose, or let it show a text"
                yield (*where, "shows"), f"participants see a plot instead of its text; {remedy}"
            if (check.shows == "image") != (check.shown_image is not None):
                message = "'shows: image' and 'shown_image' need each other; add the one or remove the other"
                yield (*where, "shown_image"), message

    def _no_action_faults(self) -> Problems:
        if self.no_action_alone and self.no_action is None:
            yield ("no_action_alone",), "which action means doing nothing is not said; name it in 'no_action'"
        if not self.no_action_alone:
            return
        for index, check in enumerate(self.attention_checks):
            if self.no_action in check.expected and len(set(check.expected)) > 1:
                message = f"{self.no_action!r} cannot be chosen together with others; ask for it alone"
                yield ("attention_checks", index, "expected"), message


_SHOWN = 5
"""The most cases of one kind named in messages."""


def block_problems(task: Task[DecisionSettings]) -> Problems:
    """What is wrong between the block and the files of its study."""
    settings, block, study = task.settings, task.block, task.study
    actions = [str(row["action"]) for row in block.tables["actions"]]
    yield from _actions(settings, block.tables["actions"], actions)
    yield from islice(_targets(block.tables["targets"], actions, study, settings.experts), _SHOWN)
    yield from context_problems(task)
    yield from event_mark_problems(task, shows_text=lambda system: settings.shows.get(system, "text") == "text")
    yield from column_problems(
        {("shown_images", system): column for system, column in settings.shown_images.items()}, study
    )
    yield from _systems(settings, study)
    if "series" in block.tables:
        yield from islice(_series(block.tables["series"]), _SHOWN)
    yield from _ranges(settings, block)
    yield from islice(_plots(settings, block, study), _SHOWN)
    yield from islice(_images(settings, block, study), _SHOWN)


def block_warnings(task: Task[DecisionSettings]) -> Iterator[str]:
    """What tells attention checks from the other trials."""
    yield from context_warnings(task)
    yield from event_mark_warnings(task)
    shown = list(dict.fromkeys(task.settings.shows.get(system, "text") for system in task.study.systems))
    for number, check in enumerate(task.settings.attention_checks, 1):
        if check.shows not in shown:
            why = f"it shows {'an' if check.shows == 'image' else 'a'} {check.shows}, and no other trial does"
            yield told_apart(task, number, why, f"set its 'shows' to {' or '.join(shown)}")


def _actions(settings: DecisionSettings, table: Rows, actions: Collection[str]) -> Problems:
    if len(actions) < 2:
        yield ("actions",), f"one action only in {table.file}; add at least one more to choose from"
    for row in table:
        if len(str(row["action"]).split()) != 1 or row["action"] != str(row["action"]).strip():
            place = f"{_place(table, row)}: action {row['action']!r}"
            yield ("actions",), f"{place} has a space in it; write it without, such as call-doctor"
    if settings.no_action is not None and settings.no_action not in actions:
        hint = remedy(settings.no_action, actions)
        yield ("no_action",), f"{settings.no_action!r} is not an action of {table.file}; {hint}"
    for index, check in enumerate(settings.attention_checks):
        for action in check.expected:
            if action not in actions:
                message = f"{action!r} is not an action of {table.file}; {remedy(action, actions)}"
                yield ("attention_checks", index, "expected"), message


def suitable_actions(table: Iterable[Row], how: Combining) -> dict[str, ExpertSets]:
    """What experts together say of each item."""
    return {item: combined_sets(views, how) for item, views in sets_by_item(table).items()}


def _targets(table: Rows, actions: Collection[str], study: Study, how: Combining) -> Problems:
    rows = sets_by_item(table)
    for item in study.items_in_order:
        if item not in rows:
            yield ("targets",), f"{table.file} has no row for item {item!r}; add one"
        elif how == ADJUDICATED and ADJUDICATED not in rows[item]:
            yield ("experts",), f"{table.file} has no row of the expert {ADJUDICATED!r} for item {item!r}; add one"
        elif not combined_sets(rows[item], how).appropriate:
            yield (
                ("targets",),
                f"item {item!r}: the experts find no action appropriate together; combine them otherwise",
            )
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


def _systems(settings: DecisionSettings, study: Study) -> Problems:
    for system in settings.shows:
        if system not in study.systems:
            yield ("shows", system), f"there are no texts of system {system!r}; {remedy(system, study.systems)}"


def _series(table: Rows) -> Problems:
    for row in table:
        try:
            seconds(str(row["time"]))
        except ValueError:
            fitting = "write a number, a time such as 09:30, or a date and time such as 2026-01-31T09:30"
            yield ("series",), f"{_place(table, row)}: {row['time']!r} is not a time; {fitting}"


def _ranges(settings: DecisionSettings, block: Block) -> Problems:
    """Ranges of series that do not exist."""
    names = list(dict.fromkeys(str(row["series"]) for row in block.tables.get("series", ())))
    for series in settings.plot_ranges:
        if series not in names:
            known = remedy(series, names) if names else "name the table of values in 'series'"
            yield ("plot_ranges", series), f"there is no series {series!r}; {known}"


def _plots(settings: DecisionSettings, block: Block, study: Study) -> Problems:
    """Plots without values."""
    plotted = list(study.items_in_order) if "plot" in settings.shows.values() else []
    for item, row in block.practice.items():
        shows = row.get("shows") or "text"
        if shows not in get_args(Shows):
            message = f"practice item {item!r} shows {shows!r}; {remedy(shows, get_args(Shows))}"
            yield ("practice",), message
        plotted += [item] if shows == "plot" else []
    plotted += [item for item, check in _named_checks(settings) if check.shows == "plot"]
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


def _named_checks(settings: DecisionSettings) -> Iterator[tuple[str, AttentionCheck]]:
    return zip(check_items(settings.attention_checks), settings.attention_checks, strict=True)


def _nothing(value: float | None) -> bool:
    return value is None or math.isnan(value)


def _images(settings: DecisionSettings, block: Block, study: Study) -> Problems:
    for system, column in settings.shown_images.items():
        for item in study.items_in_order:
            row = study.items.get(item)
            if row is not None and column in row.values:
                yield from _image(("shown_images", system), f"item {item!r}", row.get(column), study.directory)
    for item, row in block.practice.items():
        if row.get("shows") == "image":
            yield from _image(("practice",), f"practice item {item!r}", row.get("shown_image"), study.directory)
    for index, check in enumerate(settings.attention_checks):
        if check.shows == "image":
            where = ("attention_checks", index, "shown_image")
            yield from _image(where, "this attention check", check.shown_image, study.directory)


def _image(path: tuple[str | int, ...], whose: str, name: str | None, directory: Path) -> Problems:
    if not name:
        yield path, f"{whose} names no image; fill it in"
        return
    why = image_problem(name, directory)
    if why is not None:
        yield path, f"image {name!r} of {whose} {why}"


def _place(table: Rows, row: Row) -> str:
    return f"{table.file}, line {row.line}"
