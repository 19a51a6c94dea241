"""What a reordering block may say in the study file, and what must hold between it and the files of its study."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Self

from pydantic import Field, model_validator

from textassay.study.model import Faults, Problems, Text
from textassay.study.study import Unit
from textassay.study.units import practice_units, shared_units
from textassay.tasks.comments import CommentSettings
from textassay.tasks.context import ContextCheck, ContextLabels, ContextSettings, context_problems
from textassay.tasks.sorting import order_faults

if TYPE_CHECKING:
    from textassay.study.study import Study
    from textassay.tasks.contract import Task


class AttentionCheck(ContextCheck):
    """A trial that tells whether the participant reads: its units say where they belong."""

    units: list[Text] = Field(min_length=2)
    """The units, in the order into which they are to be put; shown in another."""


class ReorderingLabels(ContextLabels):
    """Words on the page of a reordering."""

    hint: Text | None = None
    """How to move parts, above the list."""
    fixed: Text | None = None
    """Beside a part that cannot be moved; by default “stays first”."""
    confirm: Text | None = None
    """The box to tick if the order is not changed; by default “The order is good as it was shown”."""


class ReorderingSettings(ContextSettings, CommentSettings):
    """A block in which texts are put in order."""

    task: Literal["reordering"]
    """The kind of trial."""
    question: Text
    """What the participant is asked to do."""
    units_are: Literal["table", "sentences", "lines"] = "table"
    """What is moved: rows of the texts table, each with its `unit`; or the sentences or lines of each text."""
    start: Literal["data", "random"] = "data"
    """The order that is shown first: that of the system's rows, or one drawn for each trial."""
    first_fixed: bool = False
    """Whether the unit that the system puts first stays first and cannot be moved."""
    attention_checks: list[AttentionCheck] = Field(default_factory=list)
    """Trials that tell whether participants read."""
    labels: ReorderingLabels = ReorderingLabels()
    """Words on the page in place of those of the interface, such as `{context: Story so far}`."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        checks = [check.units for check in self.attention_checks]
        faults = [*self._check_faults(), *order_faults(checks, "units")]
        if faults:
            raise Faults(*faults)
        return self

    def _check_faults(self) -> Problems:
        least = 2 + self.first_fixed
        for index, attention in enumerate(self.attention_checks):
            if len(attention.units) < least:
                message = f"with the first unit fixed, {least} are needed so that two can change places; add one"
                yield ("attention_checks", index, "units"), message


_SHOWN = 5
"""The most cases named in messages."""


def block_problems(task: Task[ReorderingSettings]) -> Problems:
    """What is wrong between the block and the files of its study."""
    settings, study = task.settings, task.study
    yield from context_problems(task)
    if settings.units_are == "table" and not study.units:
        remedy = "add it with a row for each unit, or set 'units_are' to sentences or lines"
        yield ("units_are",), f"the texts table has no column 'unit'; {remedy}"
        return
    wrong = [message for item in study.items_in_order for message in _item(settings, study, item)]
    yield from ((("units_are",), message) for message in wrong[:_SHOWN])
    if len(wrong) > _SHOWN:
        yield ("units_are",), f"{len(wrong) - _SHOWN} more texts have units that do not fit; mend these first"
    yield from _practice(task)


def _item(settings: ReorderingSettings, study: Study, item: str) -> list[str]:
    """What is wrong with the units of one item."""
    systems = [system for system in study.systems if (item, system) in study.texts]
    first, *others = systems
    units = shared_units(study, item, first, settings.units_are)
    found = _few(settings, units, f"the text of item {item!r} by system {first!r}")
    for system in others:
        found += _same(item, (first, units), (system, shared_units(study, item, system, settings.units_are)))
    return found


def _few(settings: ReorderingSettings, units: tuple[Unit, ...], what: str) -> list[str]:
    least = 2 + settings.first_fixed
    if len(units) >= least:
        return []
    why = "the first stays where it is, and two must be able to change places" if settings.first_fixed else "to reorder"
    return [f"{what} has {len(units)} unit(s), but {least} are needed ({why}); add some or leave the item out"]


def _same(item: str, one: tuple[str, tuple[Unit, ...]], other: tuple[str, tuple[Unit, ...]]) -> list[str]:
    """What keeps the orders of two systems from being compared."""
    mine, theirs = ({unit.id: unit.text for unit in units} for _, units in (one, other))
    differing = sorted(mine.keys() ^ theirs.keys())
    if differing:
        names = ", ".join(differing[:_SHOWN])
        message = f"systems {one[0]!r} and {other[0]!r} have different units for item {item!r} (only one has: {names})"
        return [f"{message}; every system must order the same units"]
    reworded = [name for name in mine if mine[name] != theirs[name]]
    if reworded:
        message = f"unit {reworded[0]!r} of item {item!r} reads differently in systems {one[0]!r} and {other[0]!r}"
        return [f"{message}; name the units in a column 'unit' of the texts table, each text by one id"]
    return []


def _practice(task: Task[ReorderingSettings]) -> Problems:
    settings, block, study = task.settings, task.block, task.study
    checks = task.attention_items()
    for item in block.practice:
        if item in checks:
            yield ("practice",), f"item {item!r} of the practice table has the name of an attention check; rename it"
            continue
        units = practice_units(block, item, settings.units_are, study.file.language)
        for message in _few(settings, units, f"practice item {item!r}"):
            yield ("practice",), message
