"""The units of a trial: those of a system's text, of practice, or of an attention check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from textassay.seeds import Stream
from textassay.study.study import Unit
from textassay.tasks.attention import check_of
from textassay.tasks.reordering.settings import ReorderingSettings
from textassay.tasks.text_units import units_of_text

if TYPE_CHECKING:
    from textassay.study.study import Block, Study


def units_in(block: Block, study: Study, item: str, systems: Sequence[str]) -> tuple[Unit, ...]:
    """The units of a trial in the order of the data; trials without a system are practice or checks."""
    settings = cast("ReorderingSettings", block.settings)
    units = units_of_text(block, study, item, systems, settings.units_are)
    if units is not None:
        return units
    check = check_of(settings.attention_checks, item)
    return tuple(Unit(str(place), text) for place, text in enumerate(check.units, 1))


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
