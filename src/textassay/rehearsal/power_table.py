"""The answers to a plan as the table that an analysis gets, without store or web."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from textassay.answers import columns
from textassay.design.plan import Plan, Slot, Trial
from textassay.seeds import Stream
from textassay.study.study import Block, Study
from textassay.tables.frames import to_frame
from textassay.tasks.contract import Player


def answered(study: Study, plan: Plan, block: Block) -> pd.DataFrame:
    """Every main trial of the block answered once by the task's own players, one for each slot.

    It has the columns of the task's table as an export would have them, but for times of day and revisions.
    """
    stream = Stream(study.file.seed, "power", "players")
    return to_frame((row for slot in plan.slots for row in _of_slot(block, slot, stream)), block.task.schema)


def _of_slot(block: Block, slot: Slot, stream: Stream) -> Iterator[dict[str, Any]]:
    player = block.task.simulated_participant(slot.number, stream)
    whose = dict.fromkeys(columns.participant_columns(block.task.schema), f"p{slot.number}")
    for trial in slot.trials:
        if trial.block == block.name and trial.kind == "main":
            yield from ({**whose, **row} for row in _of_trial(block, trial, player))


def _of_trial(block: Block, trial: Trial, player: Player) -> Iterator[dict[str, Any]]:
    played = player.play(trial, trial.position)
    common = {
        "block": trial.block,
        "trial": trial.key,
        "position": trial.position,
        "kind": trial.kind,
        "practice": False,
        "repeat": 0,
        columns.trial_time(block.task.schema): played.rt_ms,
    }
    payload = block.task.read(trial, played.payload)
    return ({**row, **common} for row in block.task.rows(trial, payload))
