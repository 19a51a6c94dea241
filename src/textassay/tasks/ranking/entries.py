"""The texts of a ranking trial: those of systems, of practice, or of an attention check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from textassay.design.plan import Trial
from textassay.tasks.ranking.settings import AttentionCheck, RankingSettings

if TYPE_CHECKING:
    from textassay.study.study import Block, Study

CHECK = "check-"
"""Before the number of an attention check, in the names of their items."""


@dataclass(frozen=True)
class Entry:
    """One text that is to be ranked."""

    name: str
    """In column `system`: the system; the practice table's unit; the place at which a check's text belongs."""
    text: str


def names_of(block: Block, item: str, systems: Sequence[str]) -> list[str]:
    """Names of a trial's texts, in the order of the data; trials without systems are practice or checks."""
    return list(systems) or [entry.name for entry in _without_system(block, item)]


def entries_of(block: Block, trial: Trial, study: Study) -> list[Entry]:
    """The texts of a trial, in the order of the data."""
    if trial.systems:
        return [Entry(system, study.texts[trial.item, system]) for system in trial.systems]
    return _without_system(block, trial.item)


def row_of(block: Block, trial: Trial, study: Study) -> Mapping[str, Any]:
    """The row that holds what is shown beside the texts."""
    if trial.kind == "practice":
        return block.practice[trial.item].values
    item = study.items.get(trial.item)
    return item.values if item and trial.systems else {}


def _without_system(block: Block, item: str) -> list[Entry]:
    if item in block.practice:
        return [Entry(unit.id, unit.text) for unit in block.practice_units.get(item, ())]
    return [Entry(str(place), text) for place, text in enumerate(_attention(block, item).texts, 1)]


def _attention(block: Block, item: str) -> AttentionCheck:
    return cast("RankingSettings", block.settings).attention_checks[int(item.removeprefix(CHECK)) - 1]
