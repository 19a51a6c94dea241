"""What the files of an export contain: which tables there are, and what the codebook says of their columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from textassay.answers import columns
from textassay.study.model import ChoiceField, NumberField
from textassay.study.study import Study
from textassay.tables.codebook import DescribedFile
from textassay.tables.schema import PARTICIPANTS, Column, TableSchema

REVISIONS = TableSchema(
    "answers-revisions",
    "every stored answer, including those that were changed later: one row per revision",
    (
        Column("participant", "text", "who answered; a code, never a name", required=True),
        Column("page", "text", "key of the page: consent, questionnaire, a trial, a break …", required=True),
        Column(
            "revision",
            "integer",
            "how often this answer had been changed; below 0 for one that came after a newer one",
            required=True,
        ),
        Column("answer_id", "text", "id that the browser gave the answer", required=True),
        Column("rt_ms", "number", "milliseconds from the page being shown to the answer, by the browser's clock"),
        Column("started_at", "time", "when the page was shown, UTC, by the browser's clock"),
        Column("answered_at", "time", "when it was answered, UTC, by the browser's clock"),
        Column("opened_at", "time", "when the page was first opened, UTC, by the server's clock"),
        Column("received_at", "time", "when the server stored it, UTC"),
    ),
    key=("participant", "page", "revision"),
)
_JSON_COLUMNS = (
    Column("payload", "text", "the answer, a JSON object; its personal parts are there only if asked for"),
    Column("client", "text", "what the browser reported about itself, a JSON object", personal=True),
)
"""Objects, which no table reader converts; because of them the file is JSON lines."""


def is_expected(study: Study, name: str) -> bool:
    """Whether a table is written even without rows: one for practice and checks only if the study has any."""
    if not name.endswith(columns.UNSCORED):
        return True
    return any(block.practice or block.task.attention_items() for block in columns.blocks_of(study, name))


def personal_names(study: Study) -> frozenset[str]:
    """Names of personal columns in any of the study's tables: a value of a payload with such a name is personal."""
    every = (column for schema in columns.schemas(study).values() for column in schema.columns)
    return frozenset(column.name for column in every if column.personal)


_KINDS = {
    "main": "shown for the first time",
    "repeat": "shown a second time",
    "check": "attention check",
    "practice": "for practice",
}
_STATUS = {
    "active": "in progress or abandoned",
    "completed": "passed the last page",
    "withdrawn": "asked not to be counted",
    "excluded": "by an answer in the questionnaire",
}
_VERDICTS = {"valid": "passed all rules", "excluded": "see reasons"}

Meanings = dict[str, Mapping[str, str]]
"""For each column with a fixed set of values: the values, each with its meaning or an empty text."""


def described_table(
    study: Study, schema: TableSchema, imported: Iterable[Mapping[str, Any]], *, personal: bool
) -> DescribedFile:
    """The file of one table, including columns of imported rows that the schema does not declare."""
    declared = {column.name for column in schema.columns}
    further = dict.fromkeys(name for row in imported for name in row if name not in declared)
    # What undeclared columns mean is unknown. Where they are about participants, they may be personal.
    about_participants = schema.name == PARTICIPANTS.name
    kept = (
        Column(name, "text", "kept from an imported table, not described there", personal=about_participants)
        for name in further
    )
    every = (*schema.columns, *kept)
    return DescribedFile(
        f"{schema.name}.csv", schema.description, every, column_values(study, schema), _omitted(every, personal)
    )


def described_revisions(*, personal: bool) -> DescribedFile:
    """The file of all revisions."""
    every = (*REVISIONS.columns, *_JSON_COLUMNS)
    return DescribedFile(f"{REVISIONS.name}.jsonl", REVISIONS.description, every, omitted=_omitted(every, personal))


def _omitted(every: Iterable[Column], personal: bool) -> frozenset[str]:  # noqa: FBT001 -- the option of an export
    return frozenset(column.name for column in every if column.personal and not personal)


def column_values(study: Study, schema: TableSchema) -> Meanings:
    """The values and meanings for the columns of one table of the study."""
    found = _participant_values(study) if schema.name == PARTICIPANTS.name else _answer_values(study, schema)
    return {name: meanings for name, meanings in found.items() if meanings and schema.column(name) is not None}


def _participant_values(study: Study) -> Meanings:
    found: Meanings = {
        "cohort": {cohort.name: f"{cohort.wanted} wanted" for cohort in study.cohorts if cohort.name},
        "status": _STATUS,
        "verdict": _VERDICTS,
    }
    for field in study.file.questionnaire:
        if isinstance(field, ChoiceField):
            found[field.name] = {choice: "excludes" if choice in field.exclude else "" for choice in field.choices}
        elif isinstance(field, NumberField):
            bounds = (("at least", field.min), ("at most", field.max))
            limits = (("below excludes", field.exclude_below), ("above excludes", field.exclude_above))
            found[field.name] = {what: f"{number:g}" for what, number in (*bounds, *limits) if number is not None}
    return found


def _answer_values(study: Study, schema: TableSchema) -> Meanings:
    blocks = columns.blocks_of(study, schema.name)
    kinds = columns.UNSCORED_KINDS if schema.name.endswith(columns.UNSCORED) else columns.SCORED_KINDS
    return {
        "block": {block.name: block.task.title for block in blocks},
        "kind": {kind: _KINDS[kind] for kind in kinds},
        "criterion": {
            each.name: f"{each.question} ({each.answer})" for block in blocks for each in block.task.questions()
        },
    }
