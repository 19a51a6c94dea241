"""A participant's answers as rows of the tables, from the store or from imported tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from textassay.answers import columns
from textassay.answers.records import Participant, StoredAnswer
from textassay.design.plan import Slot, Trial
from textassay.screening.contract import AnsweredTrial, Case
from textassay.study.study import Block, Study

Cells = dict[str, Any]
"""A row of a table: values by column."""


@dataclass(frozen=True)
class ParticipantRecord:
    """One participant with all answers, from the store or from imported tables."""

    cells: Cells
    """The row of the participants table."""
    questionnaire: Mapping[str, Any]
    trials: list[AnsweredTrial]
    planned: int | None = None
    """The number of trials in the participant's slot; unknown for imported tables that do not come from this plan."""
    carried: Mapping[str, str] = field(default_factory=dict)
    """The reasons of rules that cannot be applied to imported tables; see `Case`."""


def stored_record(
    study: Study, slot: Slot, joined: Participant, latest: Mapping[str, StoredAnswer]
) -> ParticipantRecord:
    """The record of one participant in the store; see `RecordMaker`."""
    return RecordMaker(study).record(slot, joined, latest)


class RecordMaker:
    """Makes the records of many participants; what all trials of a block share is found out once."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self._blocks = {block.name: _BlockColumns.of(block) for block in study.blocks}

    def record(self, slot: Slot, joined: Participant, latest: Mapping[str, StoredAnswer]) -> ParticipantRecord:
        """The record of a participant in the store.

        Args:
            slot: The participant's slot in the plan.
            joined: The participant.
            latest: The latest revision of each answer, by page.
        """
        questionnaire = latest["questionnaire"].payload if "questionnaire" in latest else {}
        cells: Cells = {
            "participant": joined.code,
            "cohort": joined.cohort,
            "slot": joined.slot,
            "status": joined.status,
            "counted": joined.counted,
            "started_at": joined.started_at,
            "completed_at": joined.completed_at,
            "external_id": joined.external_id,
            "platform_study": joined.platform_study,
            "platform_session": joined.platform_session,
            "simulated": joined.simulated,
            **columns.questionnaire_cells(self.study, questionnaire),
        }
        trials = [
            self._blocks[trial.block].answered(joined.code, trial, latest[trial.key])
            for trial in slot.trials
            if trial.key in latest
        ]
        return ParticipantRecord(cells, questionnaire, trials, len(slot.trials))


@dataclass(frozen=True)
class _BlockColumns:
    """What the rows of a block's trials have in common."""

    block: Block
    time: str
    """The column for the duration of a trial."""
    people: Sequence[str]
    """The columns that say who answered."""
    limit: float | None

    @classmethod
    def of(cls, block: Block) -> _BlockColumns:
        schema = block.task.schema
        people = columns.participant_columns(schema)
        return cls(block, columns.trial_time(schema), people, block.task.limit_seconds())

    def answered(self, code: str, trial: Trial, answer: StoredAnswer) -> AnsweredTrial:
        """A trial as rows of the table."""
        common = {
            "block": trial.block,
            "trial": trial.key,
            "position": trial.position,
            "kind": trial.kind,
            "practice": trial.kind == "practice",
            "repeat": int(trial.kind == "repeat"),
            self.time: answer.rt_ms,
            **answer.time_cells,
            "revision": answer.revision,
        }
        participant = dict.fromkeys(self.people, code)
        limit = time_limit_cells(self.limit, answer)  # a task with a limit of another kind says itself
        rows = [{**participant, **limit, **row, **common} for row in self.block.task.rows(trial, answer.payload)]
        return AnsweredTrial(self.block, trial.kind, rows, answer.rt_ms)


def real_people_completed(people: Iterable[ParticipantRecord | Participant]) -> bool:
    """Whether anybody but simulated participants has completed the study; then these are left out of results.

    Imported participants are real people who completed it, unless their table says otherwise.
    """
    return any(
        not each.cells.get("simulated") and (each.cells.get("status") or "completed") == "completed"
        if isinstance(each, ParticipantRecord)
        else not each.simulated and each.status == "completed"
        for each in people
    )


def screening_case(record: ParticipantRecord, earlier: frozenset[str], *, among_real: bool = False) -> Case:
    """What screening rules are given.

    Args:
        record: The participant.
        earlier: Those of the participant's e-mail hashes that an earlier participant had given.
        among_real: Whether real people have completed the study; see `real_people_completed`.
    """
    return Case(
        participant=record.cells["participant"],
        status=record.cells.get("status") or "completed",
        questionnaire=record.questionnaire,
        trials=record.trials,
        planned=record.planned,
        earlier=earlier,
        carried=record.carried,
        simulated=among_real and bool(record.cells.get("simulated")),
    )


GRACE_SECONDS = 2.0
"""Time allowed for sending an answer: what was selected when the time ran out is sent only then."""
TIME_OVER = "time_over"
"""Key in `client` by which the browser says that it submitted the answer because the time was over."""


def remaining_seconds(limit: float, since_opening: timedelta) -> float:
    """Seconds that remain of the time limit.

    >>> remaining_seconds(60, timedelta(seconds=45))
    15.0
    """
    return max(0.0, limit - since_opening.total_seconds())


def time_limit_cells(limit: float | None, answer: StoredAnswer) -> dict[str, bool | None]:
    """Columns `timed_out` and `late` of an answer; empty where there is no limit or the time of opening is unknown.

    The server's clock decides, the browser's explains. An answer received within limit and grace was in time, unless
    the browser says that it submitted it because the time was over, or that it was given after the limit. One received
    later is `late` if it was given in time by the browser's clock (the network was down, or the clock was changed),
    else it has timed out. Never both.
    """
    if limit is None or answer.opened_at is None:
        return {"timed_out": None, "late": None}
    over = (answer.received_at - answer.opened_at).total_seconds() > limit + GRACE_SECONDS
    in_time_there = answer.rt_ms is not None and answer.rt_ms < 1000 * limit
    said = answer.client.get(TIME_OVER) is True or answer.payload.get("timed_out") is True
    timed_out = said or (not in_time_there and (over or answer.rt_ms is not None))
    return {"timed_out": timed_out, "late": over and not timed_out}
