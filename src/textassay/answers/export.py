"""The answers as files: tables, every revision, and a codebook that explains them.

The files are made line by line, so that the answers of only a few participants are in memory at a time. Those of the
participants table need all answers, so the other tables are made in passing and wait on the disk for their turn. What
is stored after an export has begun is in none of its files, so that they are consistent however long it takes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, cast
from weakref import finalize

from textassay.answers import columns
from textassay.answers.answer_rows import Cells, ParticipantRecord, RecordMaker, real_people_completed, screening_case
from textassay.answers.dataset import answer_warnings, no_answers, start_time
from textassay.answers.exported_columns import described_revisions, described_table, is_expected, personal_names
from textassay.answers.imports import imported_participants, imported_tables
from textassay.answers.journal import JournalAnswer
from textassay.answers.records import Participant, StoredAnswer
from textassay.answers.revision_lines import revision_lines
from textassay.answers.store import Store
from textassay.answers.study_store import existing_store, record_verdicts
from textassay.design.plan import Plan
from textassay.screening.contract import AnsweredTrial
from textassay.screening.verdicts import Verdict, joined_reasons, judge
from textassay.study.planning import stored_plan
from textassay.study.study import Study
from textassay.tables.codebook import DescribedFile, codebook
from textassay.tables.schema import PARTICIPANTS
from textassay.tables.writer import table_lines, write_lines

Lines = Callable[[], Iterator[str]]
"""Makes the lines of a file, one after the other."""

_WITHDRAWN = "withdrawn"
_VALID = "valid"
_PORTION_SIZE = 200_000
"""Characters of answers that are read at once; and then those of one more participant."""
_MOST_AT_ONCE = 100
"""Participants whose answers are read at once."""
_PIECE = 64 * 1024
_ALWAYS_SHOWN = ("participant", "cohort", "slot", "status", "counted", "started_at", "simulated")
"""What is written of a participant who withdrew where the answers are left out: to count and to sort them."""


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
        return _write(_Export(study, source, personal=personal), directory)


@dataclass(frozen=True)
class ScreenedExport:
    """What an export has written, and found out on the way."""

    paths: list[Path]
    """The files, in the order in which the codebook describes them, the codebook last."""
    warnings: tuple[str, ...]
    """What has changed in the study's files since the first participant, and what imported tables lack."""


def export_screened(study: Study, directory: Path, *, personal: bool = False) -> ScreenedExport:
    """Export a study as `export_study` does, and record the verdicts, which may change who counts.

    Raises:
        DataError: There are no answers yet.
    """
    with existing_store(study) as store:
        source = (stored_plan(study), store) if store is not None else None
        export = _Export(study, source, personal=personal)
        if not export.participants:
            raise no_answers(study)
        export.record_verdicts()
        return ScreenedExport(_write(export, directory), answer_warnings(study, store, export.tables))


def _write(export: _Export, directory: Path) -> list[Path]:
    files = export.files()
    for name, lines in files.items():
        write_lines(directory / name, lines())
    return [directory / name for name in files]


def export_files(
    study: Study,
    source: tuple[Plan, Store] | None,
    *,
    personal: bool = False,
    withdrawn: bool = True,
    all_files: bool = True,
) -> Mapping[str, Lines]:
    """All files of an export by name, each made when its lines are asked for.

    Args:
        study: The study.
        source: Its plan and its store, which must stay open until the last line is made; None if it has no store.
        personal: Whether columns that may identify a participant are included.
        withdrawn: Whether the answers of participants who withdrew are included; their verdicts are in any case.
        all_files: Whether all files are going to be made, in this order; then most are made in passing.

    Raises:
        TableError: an imported table is wrong.
    """
    return _Export(study, source, personal=personal, withdrawn=withdrawn).files(all_files=all_files)


class _Export:
    """The state of a study at one moment."""

    def __init__(
        self, study: Study, source: tuple[Plan, Store] | None, *, personal: bool, withdrawn: bool = True
    ) -> None:
        self.study, self.source, self.personal, self.withdrawn = study, source, personal, withdrawn
        joined = source[1].participants() if source is not None else []
        self.last_answer = source[1].journal.last() if source is not None else 0
        self.codes = {participant.id: participant.code for participant in joined}
        self.hidden = set() if withdrawn else {person.id for person in joined if person.status == _WITHDRAWN}
        own_plan = source[0] if source is not None else None
        taken = set(self.codes.values())
        self.tables = imported_tables(study)
        self.imported = imported_participants(study, self.tables, taken=taken, plan=own_plan)
        self.participants: list[ParticipantRecord | Participant] = sorted([*self.imported, *joined], key=_started)
        self._make = RecordMaker(study)
        self._waiting: dict[str, IO[str]] = {}
        """The lines of tables that were made in passing, by the table's name."""
        self._screened: list[Cells] | None = None
        """The rows of the participants table, if verdicts were recorded."""

    def files(self, *, all_files: bool = True) -> dict[str, Lines]:
        """The files by name, in the order of the codebook; see `export_files`."""
        found: dict[str, Lines] = {}
        for name, file in self.described.items():
            about_participants = name == PARTICIPANTS.name
            in_passing = all_files and about_participants
            rows = partial(self._participant_rows, in_passing=in_passing)
            found[file.name] = partial(_lines, file, rows) if about_participants else partial(self._table_lines, name)
        revisions = described_revisions(personal=self.personal)
        found[revisions.name] = self._revision_lines
        texts = codebook(self.study.file.title, [*self.described.values(), revisions])
        return {**found, **{name: partial(iter, [text]) for name, text in texts.items()}}

    @cached_property
    def described(self) -> dict[str, DescribedFile]:
        """The tables by name, each as the codebook describes its file."""
        found: dict[str, DescribedFile] = {}
        imported_rows = _rows(self.imported)
        for name, schema in columns.schemas(self.study).items():
            about_participants = name == PARTICIPANTS.name
            imported = [each.cells for each in self.imported] if about_participants else imported_rows.get(name, [])
            if imported or is_expected(self.study, name):
                found[name] = described_table(self.study, schema, imported, personal=self.personal)
        return found

    def record_verdicts(self) -> None:
        """Store the verdicts, and correct who counts: then the participants table has what is stored."""
        if self.source is None:
            return
        _, store = self.source
        self._screened = [*self._participant_rows(in_passing=True)]
        verdicts = {row["participant"]: row["verdict"] == _VALID for row in self._screened}
        record_verdicts(store, verdicts)
        counted = {person.code: person.counted for person in store.participants()}
        for row in self._screened:
            if row["participant"] in counted and row.get("status") == "completed":
                row["counted"] = counted[row["participant"]]

    def _participant_rows(self, *, in_passing: bool) -> Iterator[Cells]:
        if self._screened is not None:
            yield from self._screened
            return
        with ExitStack() as stack:
            # Without a name, so that they are gone with the program, and beside the store, where there is room.
            made: dict[str, IO[str]] = {
                name: stack.enter_context(TemporaryFile("w+", encoding="utf-8", newline="", dir=self.study.directory))
                for name in (self.described if in_passing else ())
                if name != PARTICIPANTS.name
            }
            seen: set[str] = set()
            among_real = real_people_completed(self.participants)
            for portion in self._records():
                for record in portion:
                    own = columns.email_hashes(self.study, record.questionnaire)
                    case = screening_case(record, frozenset(seen & own), among_real=among_real)
                    verdict = judge(case, self.study)
                    seen |= own
                    yield {**self._shown(record), **_verdict_cells(verdict)}
                rows = _rows(record for record in portion if self._is_shown(record))
                for name, file in made.items():
                    file.writelines(_lines(self.described[name], partial(iter, rows.get(name, ())), header=False))
            self._waiting = made
            finalize(self, stack.pop_all().close)  # also if nobody asks for them

    def _shown(self, record: ParticipantRecord) -> Cells:
        """The participant's row; who withdrew is counted, but with no answer."""
        if self._is_shown(record):
            return record.cells
        return {name: value for name, value in record.cells.items() if name in _ALWAYS_SHOWN}

    def _is_shown(self, record: ParticipantRecord) -> bool:
        return self.withdrawn or record.cells.get("status") != _WITHDRAWN

    def _table_lines(self, table: str) -> Iterator[str]:
        """The lines of a table of answers: those that were made in passing, else made now."""
        file = self.described[table]
        made = self._waiting.pop(table, None)
        if made is None:
            blocks = {block.name for block in columns.blocks_of(self.study, table)}
            records = (record for portion in self._records(blocks) for record in portion if self._is_shown(record))
            rows = (row for record in records for row in _rows([record]).get(table, ()))
            yield from _lines(file, lambda: rows)
            return
        with made:
            yield from _lines(file, partial(iter, ()))
            made.seek(0)
            yield from iter(partial(made.read, _PIECE), "")

    def _revision_lines(self) -> Iterator[str]:
        if self.source is None:
            return iter(())
        hidden = frozenset() if self.personal else personal_names(self.study)
        codes = {number: code for number, code in self.codes.items() if number not in self.hidden}
        portions = self.source[1].journal.revisions(self.last_answer)
        return revision_lines(portions, codes, hidden=hidden, personal=self.personal)

    def _records(self, blocks: Collection[str] | None = None) -> Iterator[Sequence[ParticipantRecord]]:
        """All participants, some at a time, with all trials or only with those of some blocks."""
        for portion in self._portions():
            latest = self._latest([each.id for each in portion if isinstance(each, Participant)])
            yield [
                self._record(each, latest[each.id], blocks) if isinstance(each, Participant) else each
                for each in portion
            ]

    def _portions(self) -> Iterator[Sequence[ParticipantRecord | Participant]]:
        """The participants, so many at a time that all of their answers can be in memory."""
        sizes = self.source[1].journal.sizes(self.last_answer) if self.source is not None else {}
        portion: list[ParticipantRecord | Participant] = []
        size = 0
        for each in self.participants:
            portion.append(each)
            size += sizes.get(each.id, 0) if isinstance(each, Participant) else 0
            if size >= _PORTION_SIZE or len(portion) == _MOST_AT_ONCE:
                yield portion
                portion, size = [], 0
        yield portion

    def _latest(self, numbers: Sequence[int]) -> Mapping[int, Mapping[str, JournalAnswer]]:
        if self.source is None or not numbers:
            return {}
        return self.source[1].journal.latest(numbers, self.last_answer)

    def _record(
        self, joined: Participant, latest: Mapping[str, StoredAnswer], blocks: Collection[str] | None
    ) -> ParticipantRecord:
        plan, _ = cast("tuple[Plan, Store]", self.source)  # participants who were not imported come from it
        slot = plan.slot(joined.slot)
        if blocks is not None:
            slot = replace(slot, trials=tuple(trial for trial in slot.trials if trial.block in blocks))
        return self._make.record(slot, joined, latest)


def _started(participant: ParticipantRecord | Participant) -> datetime:
    known = (
        participant.cells.get("started_at") if isinstance(participant, ParticipantRecord) else participant.started_at
    )
    return start_time(known)


def _lines(
    file: DescribedFile, rows: Callable[[], Iterator[Mapping[str, Any]]], *, header: bool = True
) -> Iterator[str]:
    return table_lines(Path(file.name), file.exported, rows(), header=header)


def _rows(participants: Iterable[ParticipantRecord]) -> dict[str, list[Mapping[str, Any]]]:
    """The rows of all tables of answers, by table."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for each in participants:
        for trial in each.trials:
            found.setdefault(_table_of(trial), []).extend(trial.rows)
    return found


def _table_of(trial: AnsweredTrial) -> str:
    unscored = trial.kind in columns.UNSCORED_KINDS
    return trial.block.task.schema.name + (columns.UNSCORED if unscored else "")


def _verdict_cells(verdict: Verdict) -> Cells:
    """What screening adds to a row of the participants table."""
    return {"verdict": _VALID if verdict.valid else "excluded", "reasons": joined_reasons(verdict)}
