"""The answers as files: tables, every revision, and a codebook that explains them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textassay.answers import columns
from textassay.answers.dataset import Dataset
from textassay.answers.people import Cells
from textassay.answers.records import StoredAnswer
from textassay.answers.values import values_of
from textassay.study.study import Study
from textassay.tables.codebook import DescribedFile, write_codebook
from textassay.tables.schema import PARTICIPANTS, Column, TableSchema
from textassay.tables.writer import write_table

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


def export_study(
    study: Study,
    dataset: Dataset,
    directory: Path,
    *,
    personal: bool = False,
    verdicts: Sequence[Verdict] = (),
) -> list[Path]:
    """Write all answers of a study as tables with a codebook.

    Args:
        study: The study.
        dataset: All its answers.
        directory: Where to write; files of an earlier export are replaced.
        personal: Whether columns that may tell who somebody is are written too.
        verdicts: What screening found, for the participants table.

    Returns:
        The files, in the order in which the codebook describes them, the codebook last.
    """
    described = []
    for name, schema in dataset.schemas.items():
        rows = dataset.rows(name)
        if name == PARTICIPANTS.name:
            rows = _with_verdicts(rows, verdicts)
        if name.endswith(columns.UNSCORED) and not rows and not _has_unscored(study, name):
            continue
        file = _described(study, schema, rows, personal=personal)
        write_table(directory / file.name, _written(file), rows)
        described.append(file)
    described.append(_write_revisions(study, dataset, directory, personal=personal))
    return [*(directory / file.name for file in described), *write_codebook(directory, study.file.title, described)]


def _described(study: Study, schema: TableSchema, rows: Iterable[Cells], *, personal: bool) -> DescribedFile:
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


def _written(file: DescribedFile) -> list[str]:
    return [column.name for column in file.columns if column.name not in file.left_out]


def _has_unscored(study: Study, name: str) -> bool:
    return any(block.practice or block.task.checks(block) for block in columns.blocks_of(study, name))


def _with_verdicts(rows: Sequence[Cells], verdicts: Sequence[Verdict]) -> list[Cells]:
    by_code = {verdict.participant: verdict for verdict in verdicts}
    return [{**row, **_verdict_cells(by_code.get(row["participant"]))} for row in rows]


def _verdict_cells(verdict: Verdict | None) -> Cells:
    if verdict is None:
        return {}
    reasons = "; ".join(f"{reason.rule}: {reason.text}" for reason in verdict.reasons)
    return {"verdict": "valid" if verdict.valid else "excluded", "reasons": reasons}


# --- every revision ---------------------------------------------------------------------------------------------------


def _write_revisions(study: Study, dataset: Dataset, directory: Path, *, personal: bool) -> DescribedFile:
    every = (*REVISIONS.columns, *_AS_SENT)
    left_out = frozenset(column.name for column in every if column.personal and not personal)
    file = DescribedFile(f"{REVISIONS.name}.jsonl", REVISIONS.description, every, left_out=left_out)
    hidden = frozenset() if personal else personal_names(study)
    rows = (_revision(code, answer, hidden) for code, answer in dataset.revisions)
    write_table(directory / file.name, _written(file), rows)
    return file


def personal_names(study: Study) -> frozenset[str]:
    """Names of personal columns in any of the study's tables: what in a payload has such a name is personal too."""
    every = (column for schema in columns.schemas(study).values() for column in schema.columns)
    return frozenset(column.name for column in every if column.personal)


def _revision(code: str, answer: StoredAnswer, hidden: frozenset[str]) -> Cells:
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
