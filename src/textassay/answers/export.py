"""The answers as files: tables, every revision, and a codebook that explains them.

The files are made line by line, so that the answers of only one participant are in memory at a time. What is stored
after an export has begun is in none of its files, so that they are consistent however long writing or sending takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import cast

from textassay.answers import columns
from textassay.answers.answer_rows import Cells, ParticipantRecord, real_people_completed, screening_case, stored_record
from textassay.answers.dataset import start_time
from textassay.answers.imports import imported_participants, imported_tables
from textassay.answers.records import Participant, StoredAnswer
from textassay.answers.store import Store
from textassay.answers.study_store import existing_store
from textassay.design.plan import Plan
from textassay.screening.contract import AnsweredTrial
from textassay.screening.verdicts import Verdict, joined_reasons, judge
from textassay.study.model import ChoiceField, NumberField
from textassay.study.planning import stored_plan
from textassay.study.study import Study
from textassay.tables.codebook import DescribedFile, codebook
from textassay.tables.schema import PARTICIPANTS, Column, TableSchema
from textassay.tables.writer import table_lines, write_lines

Lines = Callable[[], Iterator[str]]
"""Makes the lines of a file, one after the other."""

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
_WITHDRAWN = "withdrawn"
_ALWAYS_SHOWN = ("participant", "cohort", "slot", "status", "counted", "started_at", "simulated")
"""What is written of a participant who withdrew where the answers are left out: to count and to sort them."""
_JSON_COLUMNS = (
    Column("payload", "text", "the answer, a JSON object; its personal parts are there only if asked for"),
    Column("client", "text", "what the browser reported about itself, a JSON object", personal=True),
)
"""Objects, which no table reader converts; because of them the file is JSON lines."""


def export_study(study: Study, directory: Path, *, personal: bool = False) -> list[Path]:
    """Write all answers of a study as tables with a codebook; participants with the verdict of screening.

    Args:
        study: The study.
        directory: Where to write; files of an earlier export are replaced.
        personal: Whether columns that may identify a participant are written, too.

    Returns:
        The files, in the order in which the codebook describes them, the codebook last.

    Raises:
        StoreError: the store cannot be read.
        TableError: an imported table is wrong.
    """
    with existing_store(study) as store:
        source = (stored_plan(study), store) if store is not None else None
        files = export_files(study, source, personal=personal)
        for name, lines in files.items():
            write_lines(directory / name, lines())
    return [directory / name for name in files]


def export_files(
    study: Study, source: tuple[Plan, Store] | None, *, personal: bool = False, withdrawn: bool = True
) -> Mapping[str, Lines]:
    """All files of an export by name, each made when its lines are asked for.

    Args:
        study: The study.
        source: Its plan and its store, which must stay open until the last line is made; None if it has no store.
        personal: Whether columns that may identify a participant are included.
        withdrawn: Whether the answers of participants who withdrew are included; their verdicts are in any case.

    Raises:
        TableError: an imported table is wrong.
    """
    return _Export(study, source, personal=personal, withdrawn=withdrawn).files()


def is_expected(study: Study, name: str) -> bool:
    """Whether a table is written even without rows: one for practice and checks only if the study has any."""
    if not name.endswith(columns.UNSCORED):
        return True
    return any(block.practice or block.task.attention_items() for block in columns.blocks_of(study, name))


def personal_names(study: Study) -> frozenset[str]:
    """Names of personal columns in any of the study's tables: a value of a payload with such a name is personal."""
    every = (column for schema in columns.schemas(study).values() for column in schema.columns)
    return frozenset(column.name for column in every if column.personal)


class _Export:
    """The state of a study at one moment."""

    def __init__(
        self, study: Study, source: tuple[Plan, Store] | None, *, personal: bool, withdrawn: bool = True
    ) -> None:
        self.study, self.source, self.personal, self.withdrawn = study, source, personal, withdrawn
        joined = source[1].participants() if source is not None else []
        self.last_answer = source[1].journal.extent().last if source is not None else 0
        self.codes = {participant.id: participant.code for participant in joined}
        self.hidden = set() if withdrawn else {person.id for person in joined if person.status == _WITHDRAWN}
        own_plan = source[0] if source is not None else None
        taken = set(self.codes.values())
        self.imported = imported_participants(study, imported_tables(study), taken=taken, plan=own_plan)
        self.participants: list[ParticipantRecord | Participant] = sorted([*self.imported, *joined], key=_started)

    def files(self) -> dict[str, Lines]:
        """The files by name, in the order of the codebook."""
        found: dict[str, Lines] = {}
        files: list[DescribedFile] = []
        for name, schema in columns.schemas(self.study).items():
            about_participants = name == PARTICIPANTS.name
            imported = (
                [each.cells for each in self.imported] if about_participants else list(_rows(self.imported, name))
            )
            if not imported and not is_expected(self.study, name):
                continue
            file = _described_table(self.study, schema, imported, personal=self.personal)
            rows = self._participant_rows if about_participants else partial(self._answer_rows, name)
            files.append(file)
            found[file.name] = partial(_lines, file, rows)
        files.append(_described_revisions(personal=self.personal))
        found[files[-1].name] = partial(_lines, files[-1], self._revision_rows)
        texts = codebook(self.study.file.title, files)
        return {**found, **{name: partial(iter, [text]) for name, text in texts.items()}}

    def _participant_rows(self) -> Iterator[Cells]:
        seen: set[str] = set()
        among_real = real_people_completed(self.participants)
        for record in map(self._record, self.participants):
            own = columns.email_hashes(self.study, record.questionnaire)
            case = screening_case(record, frozenset(seen & own), among_real=among_real)
            verdict = judge(case, self.study)
            seen |= own
            yield {**self._shown(record), **_verdict_cells(verdict)}

    def _shown(self, record: ParticipantRecord) -> Cells:
        """The participant's row; who withdrew is counted, but with no answer."""
        if self._is_shown(record):
            return record.cells
        return {name: value for name, value in record.cells.items() if name in _ALWAYS_SHOWN}

    def _is_shown(self, record: ParticipantRecord) -> bool:
        return self.withdrawn or record.cells.get("status") != _WITHDRAWN

    def _answer_rows(self, table: str) -> Iterator[Cells]:
        records = (self._record(participant, table) for participant in self.participants)
        return _rows(filter(self._is_shown, records), table)

    def _revision_rows(self) -> Iterator[Cells]:
        hidden = frozenset() if self.personal else personal_names(self.study)
        revisions = self.source[1].journal.revisions(self.last_answer) if self.source is not None else ()
        for number, answer in revisions:
            if number in self.codes and number not in self.hidden:
                yield _revision_cells(self.codes[number], answer, hidden)

    def _record(self, participant: ParticipantRecord | Participant, table: str = "") -> ParticipantRecord:
        """The participant with all trials, or only with those of one table."""
        if isinstance(participant, ParticipantRecord):
            return participant
        plan, store = cast("tuple[Plan, Store]", self.source)  # participants who were not imported come from it
        slot = plan.slot(participant.slot)
        if table:
            blocks = {block.name for block in columns.blocks_of(self.study, table)}
            slot = replace(slot, trials=tuple(trial for trial in slot.trials if trial.block in blocks))
        return stored_record(self.study, slot, participant, store.answers(participant.id, upto=self.last_answer))


def _started(participant: ParticipantRecord | Participant) -> datetime:
    known = (
        participant.cells.get("started_at") if isinstance(participant, ParticipantRecord) else participant.started_at
    )
    return start_time(known)


def _lines(file: DescribedFile, rows: Callable[[], Iterator[Cells]]) -> Iterator[str]:
    return table_lines(Path(file.name), file.exported, rows())


def _rows(participants: Iterable[ParticipantRecord], table: str) -> Iterator[Cells]:
    for participant in participants:
        for trial in participant.trials:
            if _table_of(trial) == table:
                yield from (dict(row) for row in trial.rows)


def _table_of(trial: AnsweredTrial) -> str:
    unscored = trial.kind in columns.UNSCORED_KINDS
    return trial.block.task.schema.name + (columns.UNSCORED if unscored else "")


def _verdict_cells(verdict: Verdict) -> Cells:
    """What screening adds to a row of the participants table."""
    return {"verdict": "valid" if verdict.valid else "excluded", "reasons": joined_reasons(verdict)}


def _revision_cells(code: str, answer: StoredAnswer, hidden: frozenset[str]) -> Cells:
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


# --- what the codebook says -------------------------------------------------------------------------------------------

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


def _described_table(study: Study, schema: TableSchema, imported: Iterable[Cells], *, personal: bool) -> DescribedFile:
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


def _described_revisions(*, personal: bool) -> DescribedFile:
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
