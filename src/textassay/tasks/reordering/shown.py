"""The units of a trial: those of a system's text, of practice, or of an attention check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from textassay.design.plan import Trial
from textassay.seeds import Stream
from textassay.study.study import Unit
from textassay.study.units import practice_units, units_of
from textassay.tasks.reordering.settings import ReorderingSettings

if TYPE_CHECKING:
    from textassay.study.study import Block, Study

CHECK = "check-"
"""Before the number of an attention check, in the names of their items."""


def units_in(block: Block, study: Study, item: str, systems: Sequence[str]) -> tuple[Unit, ...]:
    """The units of a trial in the order of the data; trials without a system are practice or checks."""
    settings = cast("ReorderingSettings", block.settings)
    if systems:
        return units_of(study, item, systems[0], settings.units_are)
    if item in block.practice:
        return practice_units(block, item, settings.units_are, study.file.language)
    texts = settings.attention_checks[int(item.removeprefix(CHECK)) - 1].units
    return tuple(Unit(str(place), text) for place, text in enumerate(texts, 1))


def shuffled_start(units: Sequence[Unit], stream: Stream, *, fixed: int, differs: bool = False) -> list[str]:
    """Ids of the units in an order that is drawn.

    Args:
        units: In the order of the data.
        stream: To draw from.
        fixed: So many at the beginning stay where they are.
        differs: Whether it must not be the order of the data.
    """
    ids = [unit.id for unit in units]
    while True:
        drawn = [*ids[:fixed], *stream.shuffled(ids[fixed:])]
        if drawn != ids or not differs:
            return drawn


def row_of(block: Block, trial: Trial, study: Study) -> Mapping[str, Any]:
    """The row that holds what is shown beside the units."""
    if trial.kind == "practice":
        return block.practice[trial.item].values
    item = study.items.get(trial.item)
    return item.values if item and trial.systems else {}
