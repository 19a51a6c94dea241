"""All answers of a study as tables and cases: from its store, and from tables collected elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from textassay.answers import columns
from textassay.answers.gaps import gaps
from textassay.answers.imports import imported_people, imported_tables
from textassay.answers.material import changed_material
from textassay.answers.opening import existing_store
from textassay.answers.people import Cells, Person, case_of, person_of
from textassay.answers.records import StoredAnswer
from textassay.answers.store import Store
from textassay.design.plan import Plan
from textassay.errors import UsageError
from textassay.screening.contract import Case
from textassay.study.planning import stored_plan
from textassay.study.study import Block, Study
from textassay.tables.schema import PARTICIPANTS, TableSchema

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Dataset:
    """What the participants of a study did."""

    participants: list[Cells] = field(default_factory=list)
    """One row a person, in the order in which they began."""
    tables: dict[str, list[Cells]] = field(default_factory=dict)
    """Rows of main trials and repeats, by name of the table."""
    unscored: dict[str, list[Cells]] = field(default_factory=dict)
    """Rows of practice trials and attention checks, by name of the table."""
    cases: list[Case] = field(default_factory=list)
    """What screening looks at, in the order of `participants`."""
    codes: dict[str, int] = field(default_factory=dict)
    """Number in the store by code; those who answered elsewhere have none."""
    revisions: list[tuple[str, StoredAnswer]] = field(default_factory=list)
    """Every answer that was ever stored, with the participant's code, in the order in which they came."""
    schemas: Mapping[str, TableSchema] = field(default_factory=dict)
    """The columns of each table, `participants` and the unscored ones included."""
    warnings: tuple[str, ...] = ()
    """What has changed in the study's files since people began, and what imported tables lack for screening."""

    def rows(self, name: str) -> list[Cells]:
        """The rows of a table by its name, such as `participants`, `judgements` or `judgements-unscored`.

        Raises:
            UsageError: the study has no such table.
        """
        if name not in self.schemas:
            raise UsageError(f"this study has no table {name!r}; tables there: {', '.join(self.schemas)}")
        if name == PARTICIPANTS.name:
            return self.participants
        of_kind = self.unscored if name.endswith(columns.UNSCORED) else self.tables
        return of_kind.get(name.removesuffix(columns.UNSCORED), [])

    def frame(self, name: str) -> pd.DataFrame:
        """A table as a data frame; see `rows`."""
        from textassay.tables.frames import to_frame  # noqa: PLC0415 -- pandas only for those who want frames

        return to_frame(self.rows(name), self.schemas[name])

    def of_block(self, block: Block) -> pd.DataFrame:
        """The main trials and repeats of one block; a table collected elsewhere need not name its only block."""
        table = self.frame(block.task.schema.name)
        if "block" not in table:
            return table
        return table[table["block"].fillna("").astype(str).isin(["", block.name])]


def load_dataset(study: Study, url: str | None = None) -> Dataset:
    """All answers of a study.

    Args:
        study: The study.
        url: Address of the store, if it is not the file in the study directory.

    Raises:
        StoreError: the store cannot be read.
        TableError: an imported table is wrong, or names a participant whose code stands in the store too.
    """
    with existing_store(study, url) as store:
        return make_dataset(study, stored_plan(study) if store is not None else None, store)


def make_dataset(study: Study, plan: Plan | None, store: Store | None) -> Dataset:
    """All answers of a store that is open and of the imported tables; see `load_dataset`."""
    joined = store.participants() if store is not None else []
    codes = {person.id: person.code for person in joined}
    # One statement reads all revisions, so that what is told of a participant is of one moment.
    given = store.all_answers(revisions=True) if store is not None else ()
    revisions = [(codes[number], answer) for number, answer in given if number in codes]
    latest: dict[str, dict[str, StoredAnswer]] = {}
    for code, answer in revisions:
        latest.setdefault(code, {})[answer.page] = answer
    people = [person_of(study, plan.slot(each.slot), each, latest.get(each.code, {})) for each in joined if plan]
    tables = imported_tables(study)
    dataset = _assembled(study, [*imported_people(study, tables, taken=set(codes.values())), *people])
    changes = changed_material(study, store) if store is not None else ()
    return replace(
        dataset,
        codes={code: number for number, code in codes.items()},
        revisions=revisions,
        warnings=(*changes, *gaps(study, tables)),
    )


def began(started_at: datetime | None) -> datetime:
    """What people are sorted by: those whose time is not known come first, for they answered elsewhere, before."""
    return started_at or datetime.min.replace(tzinfo=UTC)


def _assembled(study: Study, people: Iterable[Person]) -> Dataset:
    people = sorted(people, key=lambda person: began(person.cells.get("started_at")))
    dataset = Dataset(schemas=columns.schemas(study))
    seen: set[str] = set()
    for person in people:
        own = columns.email_hashes(study, person.questionnaire)
        dataset.participants.append(person.cells)
        # Its own are all that a rule can ask for; the whole set for each would fill the memory.
        dataset.cases.append(case_of(person, frozenset(seen & own)))
        seen |= own
        for trial in person.trials:
            of_kind = dataset.unscored if trial.kind in columns.UNSCORED_KINDS else dataset.tables
            of_kind.setdefault(trial.block.task.schema.name, []).extend(dict(row) for row in trial.rows)
    for block in study.blocks:
        dataset.tables.setdefault(block.task.schema.name, [])
    return dataset
