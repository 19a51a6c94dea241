"""What must hold between a preference block and the files of its study."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textassay.design.pairs import comparisons_per_system
from textassay.tasks.beside import beside_problems, column_problems
from textassay.tasks.contract import Found
from textassay.tasks.preference.settings import PreferenceSettings
from textassay.tasks.preference.shown import OTHER

if TYPE_CHECKING:
    from textassay.study.study import Block, Study


def block_problems(settings: PreferenceSettings, block: Block, study: Study) -> Found:
    """Everything that is wrong with the block."""
    yield from beside_problems(settings, block, study)
    yield from column_problems({("spans",): settings.spans}, study)
    yield from _pairs(settings, block, study)
    for item, row in block.practice.items():
        if not row.get(OTHER):
            message = f"practice item {item!r} has one text only; give the second one in the column {OTHER!r}"
            yield ("practice",), message
            return


def _pairs(settings: PreferenceSettings, block: Block, study: Study) -> Found:
    try:
        pairs = block.task.conditions()
    except ValueError as error:
        yield ("pairs",), str(error)
        return
    counts = comparisons_per_system([(first, second) for first, second in pairs])
    if settings.pairs.scheme == "stated" and len({counts[system] for system in study.systems}) > 1:
        counted = ", ".join(f"{system} {counts[system]}" for system in study.systems)
        yield ("pairs", "stated"), f"systems are not compared equally often ({counted}); add or remove pairs"
