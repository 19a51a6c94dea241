"""The units of the texts that a block shows unit by unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textassay.study.units import UnitsAre, practice_units, units_of

if TYPE_CHECKING:
    from textassay.study.study import Block, Study, Unit


def units_of_text(
    block: Block, study: Study, item: str, systems: Sequence[str], how: UnitsAre
) -> tuple[Unit, ...] | None:
    """The units of a system's text or, without a system, of practice; nothing where the item is neither."""
    if systems:
        return units_of(study, item, systems[0], how)
    return practice_units(block, item, how, study.file.language) if item in block.practice else None


def ids_of_units(block: Block, study: Study, how: UnitsAre) -> list[list[str]]:
    """The ids of the units of every text, which stand in the plan; the words of a text may be corrected."""
    texts = [*(units_of(study, *text, how) for text in study.texts)]
    practice = [practice_units(block, item, how, study.file.language) for item in block.practice]
    return [[unit.id for unit in units] for units in (*texts, *practice)]
