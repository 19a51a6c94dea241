"""Whether an imported table fits the study, and what screening rules cannot find in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args

from textassay.answers import columns
from textassay.answers.records import Status
from textassay.errors import Problem
from textassay.known_names import did_you_mean
from textassay.screening.contract import Need
from textassay.screening.questionnaire import can_exclude
from textassay.study.model import ChoiceField, EmailField
from textassay.study.study import Block, Study
from textassay.tables.reader import Row, Rows
from textassay.tables.schema import PARTICIPANTS

_SYSTEMS = ("system", "system_a", "system_b")
_DISTINGUISHING = (
    "block", "trial", "kind", "repeat", "item", *_SYSTEMS, "criterion", "condition", "unit", "question",
)  # fmt: skip
"""Columns that distinguish answers, as far as a table has them."""
_SHOWN = 5
"""How many known values a message lists."""


def import_problems(study: Study, rows: Rows, others: Iterable[Rows], taken: Collection[str]) -> Iterator[Problem]:
    """What is wrong in a table that was read, compared with the study.

    Args:
        study: The study.
        rows: The table.
        others: The tables that were imported before.
        taken: Codes of the participants in the study's own store.
    """
    yield from taken_codes(rows, taken)
    if rows.schema.name == PARTICIPANTS.name:
        yield from _participants(study, rows)
        yield from _missing_participants(others, rows)
        return
    anonymous = [row for row in rows if not row.get("participant")]
    if anonymous:  # not every table needs participants, but answers in a study do
        yield rows.problem(anonymous[0], "participant", "column 'participant' is empty; say who answered")
        return
    for other in others:
        if other.schema.name == PARTICIPANTS.name:
            yield from _missing_participants([rows], other)
    yield from _answers(study, rows)


def taken_codes(rows: Rows, taken: Collection[str]) -> Iterator[Problem]:
    """Participants with the code of a participant in the store."""
    remedy = "is also in the store; if it is the same person, export the store; if not, change the code here"
    yield from _unknown(rows, "participant", lambda row: row["participant"] not in taken, remedy)


def _unknown(
    rows: Rows, column: str, is_known: Callable[[Row], bool], message: str, known: Collection[str] = ()
) -> Iterator[Problem]:
    """One problem for each unknown value, at its first line."""
    wrong = [row for row in rows if row.get(column) not in (None, "") and not is_known(row)]
    counts = Counter(row[column] for row in wrong)
    first: dict[Any, Row] = {}
    for row in wrong:
        first.setdefault(row[column], row)
    for value, row in first.items():
        more = f" ({counts[value] - 1} more rows)" if counts[value] > 1 else ""
        yield rows.problem(row, column, f"{column} {value!r} {message}{did_you_mean(value, known)}{more}")


def _one_of(rows: Rows, column: str, known: Collection[str]) -> Iterator[Problem]:
    listed = ", ".join(repr(value) for value in list(known)[:_SHOWN]) + (" …" if len(known) > _SHOWN else "")
    message = f"is unknown in this study; use one of: {listed}"
    yield from _unknown(rows, column, lambda row: row[column] in known, message, known)


# --- participants -----------------------------------------------------------------------------------------------------


def _participants(study: Study, rows: Rows) -> Iterator[Problem]:
    yield from _one_of(rows, "cohort", [cohort.name for cohort in study.cohorts])
    yield from _one_of(rows, "status", get_args(Status))
    for field in study.file.questionnaire:
        if isinstance(field, ChoiceField):
            yield from _one_of(rows, field.name, field.choices)


def _missing_participants(tables: Iterable[Rows], participants: Rows) -> Iterator[Problem]:
    known = {row["participant"] for row in participants}
    for table in tables:
        message = f"is not in {participants.file}; add a row for this participant there"
        yield from _unknown(table, "participant", lambda row: row["participant"] in known, message)


# --- answers ----------------------------------------------------------------------------------------------------------


def _answers(study: Study, rows: Rows) -> Iterator[Problem]:
    table = rows.schema.name
    blocks = columns.blocks_of(study, table)
    names = [block.name for block in blocks]
    if len(blocks) > 1 and not all(row.get("block") for row in rows):
        yield Problem(
            rows.file, 1, 0, "block", f"several blocks have this table ({', '.join(names)}); fill in the column 'block'"
        )
        return
    found = list(_one_of(rows, "block", names))
    yield from found
    kinds = columns.UNSCORED_KINDS if table.endswith(columns.UNSCORED) else columns.SCORED_KINDS
    yield from _one_of(rows, "kind", kinds)
    if found:
        return
    for block in blocks:
        of_block = tuple(row for row in rows if block_of(study, table, row) is block)
        mine = Rows(rows.schema, rows.columns, of_block, rows.file)
        if rows.schema.column("criterion") is not None:
            yield from _one_of(mine, "criterion", [each.name for each in block.task.questions()])
        if table.endswith(columns.UNSCORED):
            yield from _one_of(mine, "item", [*block.practice, *block.task.attention_items()])
        else:
            yield from _one_of(mine, "item", study.items_in_order)
            for column in _SYSTEMS:
                yield from _one_of(mine, column, study.systems)
    yield from _duplicates(rows)


def block_of(study: Study, table: str, row: Mapping[str, Any] | Row) -> Block:
    """The block that a row belongs to; a table without the column belongs to its only block."""
    blocks = columns.blocks_of(study, table)
    return next((block for block in blocks if block.name == row.get("block")), blocks[0])


def _duplicates(rows: Rows) -> Iterator[Problem]:
    """Two answers to one question: one of them is a repeat, which must be marked, or a mistake."""
    asked = [column.name for column in rows.schema.columns if column.required and column.kind == "text"]
    key = [*asked, *(name for name in _DISTINGUISHING if name not in asked)]
    first: dict[tuple[Any, ...], Row] = {}
    for row in rows:
        values = tuple(row.get(name) for name in key)
        if values in first:
            what = ", ".join(f"{name} {value!r}" for name, value in zip(key, values, strict=True) if value is not None)
            message = f"{what} is already in line {first[values].line}; remove one, or mark a repeat with repeat 1"
            yield rows.problem(row, "", message)
        first.setdefault(values, row)


_REASONS = "reasons"
"""The column of the participants table with the reasons of rules."""
_EMAIL_SUFFIX: Mapping[Need, str] = {"address": "", "plausible": "_plausible", "elsewhere": "_elsewhere"}
"""Suffix of the column that has it, after the name of an e-mail field."""


def screening_gaps(study: Study, tables: Sequence[Rows]) -> tuple[str, ...]:
    """Warnings about what the study's rules need but the imported tables lack, each with a remedy.

    An export without personal columns is such a table: it has no hashes of e-mail addresses, but the verdicts that
    were made with them, which are taken over.
    """
    there = {table.schema.name: frozenset(table.columns) for table in tables}
    taken_over = rules_to_carry(study, tables)
    return tuple(
        f"the rule {rule.name} cannot be applied to the imported tables: {lack}"
        if rule.name not in taken_over
        else f"the rule {rule.name} cannot be applied to the imported tables, which lack personal data; its verdicts "
        f"are those in the column '{_REASONS}'"
        for rule in study.rules
        for lack in (_lacking(study, rule.needs, there) if there else ())
    )


def rules_to_carry(study: Study, tables: Sequence[Rows]) -> list[str]:
    """Rules that cannot be applied to the imported tables although these say what the rules had found."""
    there = {table.schema.name: frozenset(table.columns) for table in tables}
    if _REASONS not in there.get(PARTICIPANTS.name, ()):
        return []
    return [rule.name for rule in study.rules if any(_lacking(study, rule.needs, there))]


def _lacking(study: Study, need: Need | None, there: Mapping[str, Collection[str]]) -> Iterator[str]:
    if need == "checks":
        names = dict.fromkeys(block.task.schema.name for block in study.blocks if block.task.attention_items())
        tables = {name: name + columns.UNSCORED for name in names}
        missing = [unscored for name, unscored in tables.items() if name in there and unscored not in there]
        if missing:
            it = "it" if len(missing) == 1 else "them"
            yield f"attention checks are in {' and '.join(missing)}; import {it}, too"
    elif need is not None:
        present = there.get(PARTICIPANTS.name)
        needed = list(_needed_columns(study, need))
        missing = [name for name in needed if name not in (present or ())]
        if present is None and missing:
            yield f"the table {PARTICIPANTS.name} is missing; import it, too"
        elif missing:
            listed = ", ".join(map(repr, missing))
            yield f"{PARTICIPANTS.name} has no column {listed}; if it comes from an export, export with --personal"


def _needed_columns(study: Study, need: Need) -> Iterator[str]:
    """The columns of the participants table that a rule needs."""
    for field in study.file.questionnaire:
        if need in _EMAIL_SUFFIX:
            if isinstance(field, EmailField):
                yield field.name + _EMAIL_SUFFIX[need]
        elif can_exclude(field):
            yield f"{field.name}_domain" if isinstance(field, EmailField) else field.name
