"""Tables collected elsewhere: checked against the study, copied to its directory, merged with its own answers.

Their names are those of an export: `participants`, `judgements`, `judgements-unscored` …
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textassay.answers import columns, emails
from textassay.answers.answer_rows import Cells, ParticipantRecord
from textassay.answers.import_checks import block_of, import_problems, rules_to_carry, taken_codes
from textassay.answers.study_store import existing_store, open_store
from textassay.design.plan import Plan
from textassay.errors import Problem, ProblemsError, TableError, UsageError
from textassay.known_names import remedy
from textassay.screening.contract import AnsweredTrial
from textassay.screening.verdicts import EXCLUDING_STATUS, SIMULATED, split_reasons
from textassay.study.model import EmailField
from textassay.study.planning import stored_plan
from textassay.study.study import Block, Study
from textassay.tables.formats import FORMATS
from textassay.tables.reader import Row, Rows, read_table
from textassay.tables.schema import PARTICIPANTS, SCORES
from textassay.tables.writer import write_table

_TRIAL = ("block", "trial", "item", "system", "system_a", "system_b", "condition", "repeat", "kind")
"""Columns that together identify a trial, as far as a table has them."""


@dataclass(frozen=True)
class ImportReport:
    """What was imported."""

    table: str
    rows: int
    participants: int
    path: Path
    """The copy in the study directory."""
    unknown: tuple[str, ...] = ()
    """Columns that textassay does not know; they are kept as they are."""

    def __str__(self) -> str:
        text = f"{self.table}: imported {self.rows} rows of {self.participants} participants as {self.path}"
        return f"{text}; unknown columns, kept: {', '.join(self.unknown)}" if self.unknown else text


def import_table(study: Study, path: Path, table_name: str | None = None, *, replace: bool = False) -> ImportReport:
    """Import a table that was collected elsewhere.

    Values outside a scale are accepted: screening finds them. E-mail addresses are stored only as keyed hashes.

    Args:
        study: The study that the table belongs to.
        path: The file: CSV, TSV, JSON lines, JSON, Excel or Parquet.
        table_name: Which table it is; by default recognised by the file's name, then by its columns.
        replace: Whether it may replace one that was imported before.

    Raises:
        TableError: with every problem found.
        UsageError: it is not clear which table it is, or it has been imported already.
    """
    known = columns.schemas(study)
    name = table_name or _table_of(path, study)
    if name not in known:
        raise UsageError(f"this study has no table {name!r}; {remedy(name, known)}")
    target = study.directory / columns.IMPORTED_FOLDER / f"{name}.csv"
    if target.exists() and not replace:
        raise UsageError(
            f"{columns.IMPORTED_FOLDER}/{target.name} exists; replace it with --replace, or merge the two files"
        )
    rows = read_table(path, known[name])
    others = [other for other in imported_tables(study) if other.schema.name != name]
    with existing_store(study) as store:
        taken = {person.code for person in store.participants()} if store is not None else set()
    problems = list(import_problems(study, rows, others, taken))
    if problems:
        raise TableError(problems)
    cells = [dict(row.values) for row in rows]
    if name == PARTICIPANTS.name:
        cells = without_addresses(study, cells)
    write_table(target, list(dict.fromkeys([*rows.columns, *(key for row in cells for key in row)])), cells)
    extra = tuple(column for column in rows.columns if known[name].column(column) is None)
    return ImportReport(name, len(rows), len({row["participant"] for row in rows}), target, extra)


def imported_tables(study: Study) -> list[Rows]:
    """All tables that were imported.

    Raises:
        TableError: one of them is wrong.
    """
    known = columns.schemas(study)
    tables = []
    for path in sorted((study.directory / columns.IMPORTED_FOLDER).glob("*.csv")):
        if path.stem == SCORES.name:
            continue  # of texts, not of participants; see score_imports.py
        name = f"{columns.IMPORTED_FOLDER}/{path.name}"
        if path.stem not in known:
            message = f"this study has no such table; remove the file, or use one of: {', '.join(known)}"
            raise TableError([Problem(name, 0, 0, "", message)])
        tables.append(read_table(path, known[path.stem], name))
    return tables


def imported_participants(
    study: Study, tables: Sequence[Rows], *, taken: Collection[str], plan: Plan | None = None
) -> list[ParticipantRecord]:
    """All participants of the imported tables, with what an export says of them: slot, order of trials, verdict.

    Args:
        study: The study.
        tables: All tables that were imported.
        taken: Codes of the participants in the study's own store.
        plan: The study's plan, if it is at hand.

    Raises:
        TableError: a table has a participant whose code is also in the store.
        StudyError: the tables name slots of the plan, and the stored plan does not fit the study.
    """
    problems = [problem for table in tables for problem in taken_codes(table, taken)]
    if problems:
        raise TableError(problems)
    about: dict[str, Cells] = {}
    trials: dict[str, list[AnsweredTrial]] = {}
    for table in sorted(tables, key=lambda table: table.schema.name != PARTICIPANTS.name):
        if table.schema.name == PARTICIPANTS.name:
            about.update({row["participant"]: dict(row.values) for row in table})
            continue
        for trial in _trials(study, table):
            code = str(trial.rows[0]["participant"])
            about.setdefault(code, {"participant": code})
            trials.setdefault(code, []).append(trial)
    if plan is None and any(cells.get("slot") for cells in about.values()):
        plan = stored_plan(study)
    carried = rules_to_carry(study, tables)
    return [_record(study, cells, trials.get(code, []), plan, carried) for code, cells in about.items()]


def _record(
    study: Study, cells: Cells, trials: list[AnsweredTrial], plan: Plan | None, carried: Collection[str]
) -> ParticipantRecord:
    answers = columns.questionnaire_answers(study, cells)
    reasons = _earlier_reasons(study, cells, carried, answered=bool(trials))
    places = _places(cells, trials, plan)
    if places is None:
        return ParticipantRecord(cells, answers, trials, carried=reasons)
    in_order = sorted(trials, key=lambda trial: places[trial.rows[0]["trial"]])
    return ParticipantRecord(cells, answers, in_order, len(places), reasons)


def _places(cells: Cells, trials: Iterable[AnsweredTrial], plan: Plan | None) -> dict[str, int] | None:
    """The place of each trial in the participant's slot; None where the table comes from another plan or from none."""
    number = cells.get("slot")
    if plan is None or not number or not 1 <= number <= len(plan.slots):
        return None
    slot = plan.slot(number)
    planned = {trial.key: (trial.block, trial.kind, trial.item) for trial in slot.trials}
    given = [
        (trial.rows[0].get("trial"), (trial.block.name, trial.kind, trial.rows[0].get("item"))) for trial in trials
    ]
    ours = (cells.get("cohort") or "") == slot.cohort and all(planned.get(str(key)) == what for key, what in given)
    return {key: place for place, key in enumerate(planned)} if ours else None


def _earlier_reasons(study: Study, cells: Cells, carried: Collection[str], *, answered: bool) -> dict[str, str]:
    """By rule the reason in the table, for rules that cannot be applied; all, where the answers were not shared."""
    names = [rule.name for rule in study.rules]
    not_shared = cells.get("status") == "withdrawn" and not answered and "reasons" in cells
    known = split_reasons(str(cells.get("reasons") or ""), [*names, *EXCLUDING_STATUS, SIMULATED])
    return {name: known.get(name, "") for name in (names if not_shared else carried)}


def _trials(study: Study, table: Rows) -> Iterator[AnsweredTrial]:
    unscored = table.schema.name.endswith(columns.UNSCORED)
    grouped: dict[tuple[Any, ...], list[Cells]] = {}
    varying = {block.name: _varying(block) for block in columns.blocks_of(study, table.schema.name)}
    for row in table:
        block = block_of(study, table.schema.name, row)
        kind = row.get("kind") or (_kind_of_unscored(block, row) if unscored else _kind_of_scored(row))
        filled = {"block": block.name, "kind": kind, "practice": kind == "practice", "repeat": int(kind == "repeat")}
        cells = {**row.values, **filled}
        key = tuple(None if name in varying[block.name] else cells.get(name) for name in ("participant", *_TRIAL))
        grouped.setdefault(key, []).append(cells)
    for rows in grouped.values():
        block = block_of(study, table.schema.name, rows[0])
        took = rows[0].get(columns.trial_time(block.task.schema))
        yield AnsweredTrial(block, str(rows[0]["kind"]), rows, took)


def _varying(block: Block) -> tuple[str, ...]:
    """Columns that differ within a trial: the system, where a trial shows several and has one row for each."""
    return ("system",) if any(len(shown) > 1 for shown in block.task.conditions()) else ()


def _kind_of_scored(row: Row) -> str:
    return "repeat" if row.get("repeat") else "main"


def _kind_of_unscored(block: Block, row: Row) -> str:
    return "practice" if row.get("item") in block.practice else "check"


def _table_of(path: Path, study: Study) -> str:
    """The table that a file is: by its name, else by its columns."""
    known = columns.schemas(study)
    if path.stem in known:
        return path.stem
    reader = FORMATS.get(path.suffix.lower())
    try:
        header = set(reader(path, path.name).header) if reader is not None else set()
    except ProblemsError as error:
        raise TableError(error.problems) from None
    needed = {name: {column.name for column in schema.columns if column.required} for name, schema in known.items()}
    fits = [name for name in known if len(needed[name]) > 1 and needed[name] <= header]
    if len(fits) != 1:
        names = ", ".join(known)
        scores = "or add --scores if it holds scores of metrics"
        raise UsageError(f"{path.name}: not clear which table this is; rename it to one of {names}, {scores}")
    return fits[0]


def without_addresses(study: Study, rows: Iterable[Cells]) -> list[Cells]:
    """The rows of a participants table with each e-mail address in the form in which it is stored.

    Args:
        study: The study; its store has the key, and is created if there is none yet.
        rows: The rows.
    """
    rows = list(rows)
    fields = [field for field in study.file.questionnaire if isinstance(field, EmailField)]
    # A value without @ is a hash already, from an export or made before the table was passed on.
    if not any("@" in str(row.get(field.name)) for field in fields for row in rows):
        return rows
    with open_store(study) as store:
        key = store.secret("email")
    return [_hashed(study, row, fields, key) for row in rows]


def _hashed(study: Study, row: Cells, fields: Iterable[EmailField], key: str) -> Cells:
    answers = columns.questionnaire_answers(study, row)
    for field in fields:
        address = str(row.get(field.name) or "")
        if "@" in address:
            answers[field.name] = emails.stored_email(address, key, barred=field.exclude)
    return {**row, **columns.questionnaire_cells(study, answers)}
