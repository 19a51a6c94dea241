"""All answers of a study as tables and screening cases: from its store, and from imported tables."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from textassay.answers import columns
from textassay.answers.answer_rows import Cells, ParticipantRecord, real_people_completed, screening_case, stored_record
from textassay.answers.import_checks import screening_gaps
from textassay.answers.imports import imported_participants, imported_tables
from textassay.answers.records import StoredAnswer
from textassay.answers.served_material import changed_material
from textassay.answers.store import Store
from textassay.answers.study_store import existing_store
from textassay.design.plan import Plan
from textassay.errors import UsageError
from textassay.known_names import remedy
from textassay.screening.contract import Case
from textassay.study.planning import stored_plan
from textassay.study.study import Block, Study
from textassay.tables.reader import Rows
from textassay.tables.schema import PARTICIPANTS, TableSchema

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Dataset:
    """All answers of a study."""

    participants: list[Cells] = field(default_factory=list)
    """One row per participant, in the order in which they started."""
    tables: dict[str, list[Cells]] = field(default_factory=dict)
    """Rows of main trials and repeats, by name of the table."""
    unscored: dict[str, list[Cells]] = field(default_factory=dict)
    """Rows of practice trials and attention checks, by name of the table."""
    cases: list[Case] = field(default_factory=list)
    """What screening rules are given, in the order of `participants`."""
    codes: dict[str, int] = field(default_factory=dict)
    """Number in the store by code; participants of imported tables have none."""
    schemas: Mapping[str, TableSchema] = field(default_factory=dict)
    """The columns of each table, including `participants` and the unscored ones."""
    warnings: tuple[str, ...] = ()
    """What has changed in the study's files since the first participant, and what imported tables lack."""
    of_real_people: bool = False
    """Whether anybody but simulated participants has completed the study; these are then left out of results."""

    @property
    def through_pages(self) -> frozenset[str]:
        """Who took the study through its own pages, even if their answers were exported and imported again."""
        return frozenset(case.participant for case in self.cases if case.planned is not None)

    def rows(self, name: str) -> list[Cells]:
        """The rows of a table by its name, such as `participants`, `judgements` or `judgements-unscored`.

        Raises:
            UsageError: the study has no such table.
        """
        if name not in self.schemas:
            raise UsageError(f"this study has no table {name!r}; {remedy(name, self.schemas)}")
        if name == PARTICIPANTS.name:
            return self.participants
        of_kind = self.unscored if name.endswith(columns.UNSCORED) else self.tables
        return of_kind.get(name.removesuffix(columns.UNSCORED), [])

    def frame(self, name: str) -> pd.DataFrame:
        """A table as a data frame; see `rows`."""
        from textassay.tables.frames import to_frame  # noqa: PLC0415 -- pandas only where frames are needed

        return to_frame(self.rows(name), self.schemas[name])

    def of_block(self, block: Block, *, without: Collection[str] = ()) -> pd.DataFrame:
        """The main trials and repeats of one block, without those of some participants."""
        from textassay.tables.frames import rows_of_block  # noqa: PLC0415 -- as above

        return rows_of_block(self.frame(block.task.schema.name), block.name, without=without)


def load_dataset(study: Study) -> Dataset:
    """All answers of a study.

    Args:
        study: The study.

    Raises:
        StoreError: the store cannot be read.
        TableError: an imported table is wrong, or has a participant whose code is also in the store.
    """
    with existing_store(study) as store:
        return make_dataset(study, stored_plan(study) if store is not None else None, store)


def make_dataset(study: Study, plan: Plan | None, store: Store | None) -> Dataset:
    """All answers of an open store and of the imported tables; see `load_dataset`."""
    joined = store.participants() if store is not None else []
    latest: dict[int, dict[str, StoredAnswer]] = {}
    # Read by one statement, so that the answers of all participants are those of one moment.
    for number, answer in store.all_answers() if store is not None else ():
        latest.setdefault(number, {})[answer.page] = answer
    records = [stored_record(study, plan.slot(each.slot), each, latest.get(each.id, {})) for each in joined if plan]
    codes = {participant.code: participant.id for participant in joined}
    tables = imported_tables(study)
    imported = imported_participants(study, tables, taken=codes.keys(), plan=plan)
    dataset = _assembled(study, [*imported, *records])
    return replace(dataset, codes=codes, warnings=answer_warnings(study, store, tables))


def answer_warnings(study: Study, store: Store | None, tables: Sequence[Rows]) -> tuple[str, ...]:
    """What has changed in the study's files since the first participant, and what imported tables lack.

    Args:
        study: The study; if it is an unpacked bundle, it says what was known where the bundle was made.
        store: Its store, where it has one.
        tables: All tables that were imported.
    """
    known = study.bundled.get("warnings", ())
    changes = changed_material(study, store) if store is not None else ()
    return tuple(dict.fromkeys((*known, *changes, *screening_gaps(study, tables))))


def start_time(started_at: datetime | None) -> datetime:
    """The key that participants are sorted by; where it is unknown (in imported tables), they come first."""
    return started_at or datetime.min.replace(tzinfo=UTC)


def _assembled(study: Study, records: Sequence[ParticipantRecord]) -> Dataset:
    among_real = real_people_completed(records)
    dataset = Dataset(schemas=columns.schemas(study), of_real_people=among_real)
    seen: set[str] = set()
    for record in sorted(records, key=lambda record: start_time(record.cells.get("started_at"))):
        own = columns.email_hashes(study, record.questionnaire)
        dataset.participants.append(record.cells)
        # A rule needs only the participant's own hashes; the whole set for each case would fill the memory.
        dataset.cases.append(screening_case(record, frozenset(seen & own), among_real=among_real))
        seen |= own
        for trial in record.trials:
            of_kind = dataset.unscored if trial.kind in columns.UNSCORED_KINDS else dataset.tables
            of_kind.setdefault(trial.block.task.schema.name, []).extend(dict(row) for row in trial.rows)
    for block in study.blocks:
        dataset.tables.setdefault(block.task.schema.name, [])
    return dataset
