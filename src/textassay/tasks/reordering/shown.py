"""The units of a trial: those of a system's text, of practice, or of an attention check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from textassay.seeds import Stream
from textassay.study.study import Unit
from textassay.study.units import practice_units, shared_units
from textassay.tasks.attention import check_of
from textassay.tasks.reordering.settings import ReorderingSettings

if TYPE_CHECKING:
    from textassay.study.study import Block, Study


def units_in(block: Block, study: Study, item: str, systems: Sequence[str]) -> tuple[Unit, ...]:
    """The units of a trial in the order of the data; trials without a system are practice or checks."""
    settings = cast("ReorderingSettings", block.settings)
    if systems:
        return shared_units(study, item, systems[0], settings.units_are)
    if item in block.practice:
        return practice_units(block, item, settings.units_are, study.file.language)
    check = check_of(settings.attention_checks, item)
    return tuple(Unit(str(place), text) for place, text in enumerate(check.units, 1))


def ids_in_plan(block: Block, study: Study) -> list[list[str]]:
    """The ids of the units of every text, which stand in the plan; the words of a text may be corrected."""
    how = cast("ReorderingSettings", block.settings).units_are
    texts = [shared_units(study, *text, how) for text in study.texts]
    practice = [practice_units(block, item, how, study.file.language) for item in block.practice]
    return [[unit.id for unit in units] for units in (*texts, *practice)]


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
