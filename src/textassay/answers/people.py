"""A participant with all answers, as rows of the tables, wherever the answers came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from textassay.answers import columns
from textassay.answers.limits import time_cells
from textassay.answers.records import Participant, StoredAnswer
from textassay.design.plan import Slot, Trial
from textassay.screening.contract import AnsweredTrial, Case
from textassay.study.study import Study

Cells = dict[str, Any]
"""A row of a table: values by column."""


@dataclass(frozen=True)
class Person:
    """One participant, wherever the answers came from."""

    cells: Cells
    """The row in the participants table."""
    questionnaire: Mapping[str, Any]
    trials: list[AnsweredTrial]
    planned: int | None = None


def person_of(study: Study, slot: Slot, joined: Participant, latest: Mapping[str, StoredAnswer]) -> Person:
    """A participant of the store.

    Args:
        study: The study.
        slot: What the participant was given.
        joined: The participant.
        latest: The participant's answers by page.
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
        **columns.questionnaire_cells(study, questionnaire),
    }
    trials = [_answered(study, joined.code, trial, latest[trial.key]) for trial in slot.trials if trial.key in latest]
    return Person(cells, questionnaire, trials, len(slot.trials))


def case_of(person: Person, earlier: frozenset[str]) -> Case:
    """What screening looks at.

    Args:
        person: The participant.
        earlier: Which of the person's e-mail hashes somebody had given who began before.
    """
    return Case(
        participant=person.cells["participant"],
        status=person.cells.get("status") or "completed",
        questionnaire=person.questionnaire,
        trials=person.trials,
        planned=person.planned,
        earlier=earlier,
    )


def _answered(study: Study, code: str, trial: Trial, answer: StoredAnswer) -> AnsweredTrial:
    block = study.block(trial.block)
    schema = block.task.schema
    common = {
        "block": trial.block,
        "trial": trial.key,
        "position": trial.position,
        "kind": trial.kind,
        "practice": trial.kind == "practice",
        "repeat": int(trial.kind == "repeat"),
        columns.trial_time(schema): answer.rt_ms,
        "started_at": answer.started_at,
        "answered_at": answer.answered_at,
        "opened_at": answer.opened_at,
        **time_cells(block.task.limit_seconds(), answer),
        "revision": answer.revision,
    }
    whose = dict.fromkeys(columns.of_participant(schema), code)
    rows = [{**whose, **row, **common} for row in block.task.rows(trial, answer.payload)]
    return AnsweredTrial(block, trial.kind, rows, answer.rt_ms)
