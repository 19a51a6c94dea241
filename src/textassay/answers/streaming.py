"""The answers as files that are made while they are sent: never more than one person's answers are held.

The files are those of `export.py`, byte for byte. Each can be asked for alone. What came after the first look at the
store is in none of them, so they fit together however long it takes to send them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from textassay.answers import columns, described
from textassay.answers.dataset import began
from textassay.answers.imports import imported_people, imported_tables
from textassay.answers.people import Cells, Person, case_of, person_of
from textassay.answers.records import Participant
from textassay.answers.store import Store
from textassay.design.plan import Plan
from textassay.screening.contract import AnsweredTrial
from textassay.screening.screen import judged
from textassay.study.study import Study
from textassay.tables.codebook import DescribedFile, codebook
from textassay.tables.schema import PARTICIPANTS
from textassay.tables.writer import table_lines

Lines = Callable[[], Iterator[str]]
"""Makes the lines of a file, one after the other."""


def streamed_files(study: Study, plan: Plan, store: Store, *, personal: bool = False) -> Mapping[str, Lines]:
    """All files of an export by name, each ready to be made.

    Args:
        study: The study.
        plan: Its plan.
        store: Its store, which must stay open until the last line is made.
        personal: Whether columns that may tell who somebody is are there too.

    Raises:
        TableError: an imported table is wrong.
    """
    return _Export(study, plan, store, personal=personal).files()


class _Export:
    """One look at a store."""

    def __init__(self, study: Study, plan: Plan, store: Store, *, personal: bool) -> None:
        self.study, self.plan, self.store, self.personal = study, plan, store, personal
        joined = store.participants()
        self.upto = store.journal.extent().last
        self.codes = {person.id: person.code for person in joined}
        self.imported = imported_people(study, imported_tables(study), taken=set(self.codes.values()))
        self.people: list[Person | Participant] = sorted([*self.imported, *joined], key=_began)

    def files(self) -> dict[str, Lines]:
        """By name, in the order of an export."""
        found: dict[str, Lines] = {}
        files: list[DescribedFile] = []
        for name, schema in columns.schemas(self.study).items():
            own = name == PARTICIPANTS.name
            rows = [person.cells for person in self.imported] if own else list(self._rows_of(self.imported, name))
            if not rows and not described.is_expected(self.study, name):
                continue
            file = described.table(self.study, schema, rows, personal=self.personal)
            files.append(file)
            found[file.name] = partial(self._lines, file, self._participants if own else partial(self._answers, name))
        files.append(described.revisions(personal=self.personal))
        found[files[-1].name] = partial(self._lines, files[-1], self._revisions)
        texts = codebook(self.study.file.title, files)
        return {**found, **{name: partial(iter, [text]) for name, text in texts.items()}}

    def _lines(self, file: DescribedFile, rows: Callable[[], Iterator[Cells]]) -> Iterator[str]:
        return table_lines(Path(file.name), described.written(file), rows())

    def _participants(self) -> Iterator[Cells]:
        seen: set[str] = set()
        for person in map(self._person, self.people):
            own = columns.email_hashes(self.study, person.questionnaire)
            verdict = judged(case_of(person, frozenset(seen & own)), self.study)
            seen |= own
            yield {**person.cells, **described.verdict_cells(verdict)}

    def _answers(self, table: str) -> Iterator[Cells]:
        return self._rows_of((self._person(person, table) for person in self.people), table)

    def _revisions(self) -> Iterator[Cells]:
        hidden = described.hidden_names(self.study, personal=self.personal)
        for number, answer in self.store.journal.revisions(self.upto):
            if number in self.codes:
                yield described.revision_cells(self.codes[number], answer, hidden)

    def _person(self, person: Person | Participant, table: str = "") -> Person:
        """The person with all trials, or with those of one table."""
        if isinstance(person, Person):
            return person
        slot = self.plan.slot(person.slot)
        if table:
            blocks = {block.name for block in columns.blocks_of(self.study, table)}
            slot = replace(slot, trials=tuple(trial for trial in slot.trials if trial.block in blocks))
        return person_of(self.study, slot, person, self.store.answers(person.id, upto=self.upto))

    @staticmethod
    def _rows_of(people: Iterable[Person], table: str) -> Iterator[Cells]:
        for person in people:
            for trial in person.trials:
                if _is_in(trial, table):
                    yield from (dict(row) for row in trial.rows)


def _is_in(trial: AnsweredTrial, table: str) -> bool:
    unscored = trial.kind in columns.UNSCORED_KINDS
    return trial.block.task.schema.name + (columns.UNSCORED if unscored else "") == table


def _began(person: Person | Participant) -> datetime:
    return began(person.cells.get("started_at") if isinstance(person, Person) else person.started_at)
