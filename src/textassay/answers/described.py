"""What each exported file holds: its columns, what is left out of it, and how its rows are made."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from textassay.answers import columns
from textassay.answers.people import Cells
from textassay.answers.records import StoredAnswer
from textassay.answers.values import values_of
from textassay.study.study import Study
from textassay.tables.codebook import DescribedFile
from textassay.tables.schema import PARTICIPANTS, Column, TableSchema

if TYPE_CHECKING:
    from textassay.screening.screen import Verdict

REVISIONS = TableSchema(
    "answers-revisions",
    "every answer that was ever stored, those that were changed later included: one row a revision",
    (
        Column("participant", "text", "who answered; a code, never a name", required=True),
        Column("page", "text", "key of the page: consent, questionnaire, a trial, a break …", required=True),
        Column("revision", "integer", "how often this answer had been changed", required=True),
        Column("answer_id", "text", "id that the browser gave the answer", required=True),
        Column("rt_ms", "number", "milliseconds from the page being shown to the answer, by the browser's clock"),
        Column("started_at", "time", "when the page was shown, UTC, by the browser's clock"),
        Column("answered_at", "time", "when it was answered, UTC, by the browser's clock"),
        Column("opened_at", "time", "when the page was first opened, UTC, by the server's clock"),
        Column("received_at", "time", "when the server stored it, UTC"),
    ),
    key=("participant", "page", "revision"),
)
_AS_SENT = (
    Column("payload", "text", "the answer, a JSON object; its personal parts stand there only if asked for"),
    Column("client", "text", "what the browser said of itself, a JSON object", personal=True),
)
"""Objects, not single values, so that no table reader is to convert them; the file is JSON lines for their sake."""


def table(study: Study, schema: TableSchema, rows: Iterable[Cells], *, personal: bool) -> DescribedFile:
    """The file of one table; columns of the rows that the schema does not know are carried along."""
    declared = {column.name for column in schema.columns}
    further = dict.fromkeys(name for row in rows for name in row if name not in declared)
    # Nobody has said what these hold. Where they are about people, that may be anything.
    about_people = schema.name == PARTICIPANTS.name
    carried = (
        Column(name, "text", "carried along from an imported table, not described there", personal=about_people)
        for name in further
    )
    every = (*schema.columns, *carried)
    left_out = frozenset(column.name for column in every if column.personal and not personal)
    return DescribedFile(f"{schema.name}.csv", schema.description, every, values_of(study, schema), left_out)


def revisions(*, personal: bool) -> DescribedFile:
    """The file of all revisions."""
    every = (*REVISIONS.columns, *_AS_SENT)
    left_out = frozenset(column.name for column in every if column.personal and not personal)
    return DescribedFile(f"{REVISIONS.name}.jsonl", REVISIONS.description, every, left_out=left_out)


def written(file: DescribedFile) -> list[str]:
    """The columns that the file has."""
    return [column.name for column in file.columns if column.name not in file.left_out]


def is_expected(study: Study, name: str) -> bool:
    """Whether the table is written although it has no rows: one for practice and checks only where there are any."""
    if not name.endswith(columns.UNSCORED):
        return True
    return any(block.practice or block.task.attention_items() for block in columns.blocks_of(study, name))


def verdict_cells(verdict: Verdict | None) -> Cells:
    """What screening adds to a row of the participants table."""
    if verdict is None:
        return {}
    reasons = "; ".join(f"{reason.rule}: {reason.text}" for reason in verdict.reasons)
    return {"verdict": "valid" if verdict.valid else "excluded", "reasons": reasons}


def personal_names(study: Study) -> frozenset[str]:
    """Names of personal columns in any of the study's tables: what in a payload has such a name is personal too."""
    every = (column for schema in columns.schemas(study).values() for column in schema.columns)
    return frozenset(column.name for column in every if column.personal)


def hidden_names(study: Study, *, personal: bool) -> frozenset[str]:
    """Names whose values are taken out of payloads: those of personal columns, unless these are asked for."""
    return frozenset() if personal else personal_names(study)


def revision_cells(code: str, answer: StoredAnswer, hidden: frozenset[str]) -> Cells:
    """A row of the file of revisions, without the parts of the payload that have a hidden name."""
    payload = {name: value for name, value in answer.payload.items() if name not in hidden}
    return {
        "participant": code,
        "page": answer.page,
        "revision": answer.revision,
        "answer_id": answer.answer_id,
        "payload": payload,
        "client": answer.client,
        "rt_ms": answer.rt_ms,
        "started_at": answer.started_at,
        "answered_at": answer.answered_at,
        "opened_at": answer.opened_at,
        "received_at": answer.received_at,
    }
