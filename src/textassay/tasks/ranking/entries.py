"""The texts of a ranking trial: those of systems, of practice, or of an attention check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from textassay.design.plan import Trial
from textassay.tasks.attention import check_of
from textassay.tasks.ranking.settings import RankingSettings

if TYPE_CHECKING:
    from textassay.study.study import Block, Study


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


def _without_system(block: Block, item: str) -> list[Entry]:
    if item in block.practice:
        return [Entry(unit.id, unit.text) for unit in block.practice_units.get(item, ())]
    check = check_of(cast("RankingSettings", block.settings).attention_checks, item)
    return [Entry(str(place), text) for place, text in enumerate(check.texts, 1)]
