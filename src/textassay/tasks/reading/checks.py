"""What must hold between a reading block and the files of its study."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textassay.tasks.contract import Found
from textassay.tasks.reading.predictor import predictor_problems
from textassay.tasks.reading.questions import choices_of
from textassay.tasks.reading.settings import ReadingSettings, choice_faults

if TYPE_CHECKING:
    from textassay.study.study import Block, Study

_SHOWN = 5
"""So many rows are named; whoever has more to mend runs the check again."""
_REMEDY = "add a column 'unit' with one row a unit, or let 'units' be sentences, lines or words"


def block_problems(settings: ReadingSettings, block: Block, study: Study) -> Found:
    """Everything that is wrong with the block."""
    if settings.units == "table":
        without = [f"{item!r} by {system!r}" for item, system in study.texts if (item, system) not in study.units]
        if without:
            yield ("units",), f"the texts table names no units of {_some(without)}; {_REMEDY}"
        without = [repr(item) for item in block.practice if item not in block.practice_units]
        if without:
            yield ("practice",), f"the practice table names no units of {_some(without)}; {_REMEDY}"
    for message in list(_questions(block, study))[:_SHOWN]:
        yield ("questions",), message
    yield from predictor_problems(settings.predictor, study)


def _questions(block: Block, study: Study) -> Iterator[str]:
    table = block.tables.get("questions")
    known = {*study.items_in_order, *block.practice}
    for row in table or ():
        place = f"{table.file if table else ''}, line {row.line}"
        if row["item"] not in known:
            yield f"{place}: there is no text of item {row['item']!r}; correct it or remove the row"
        for _, message in choice_faults(choices_of(row), row["correct"]):
            yield f"{place}: {message}"


def _some(names: list[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
