"""What must hold between a table collected elsewhere and the study that it is imported into."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, get_args

from textassay.answers import columns
from textassay.answers.records import Status
from textassay.errors import Problem
from textassay.study.model import ChoiceField
from textassay.study.study import Block, Study
from textassay.tables.reader import Row, Rows
from textassay.tables.schema import PARTICIPANTS

_SYSTEMS = ("system", "system_a", "system_b")
_TELL_APART = (
    "block", "trial", "kind", "repeat", "item", *_SYSTEMS, "criterion", "condition", "unit", "question",
)  # fmt: skip
"""Columns that tell one answer from another, as far as a table has them."""
_SHOWN = 5


def problems_of(study: Study, rows: Rows, others: Iterable[Rows], taken: Collection[str]) -> Iterator[Problem]:
    """Everything wrong in a table beyond its form.

    Args:
        study: The study.
        rows: The table.
        others: The other tables that are imported already.
        taken: Codes of the participants in the study's own store.
    """
    yield from taken_codes(rows, taken)
    if rows.schema.name == PARTICIPANTS.name:
        yield from _participants(study, rows)
        yield from _nobody_missing(others, rows)
        return
    nobody = [row for row in rows if not row.get("participant")]
    if nobody:  # not every table needs one, but answers in a study do
        yield rows.problem(nobody[0], "participant", "nothing in column 'participant'; say who answered")
        return
    for other in others:
        if other.schema.name == PARTICIPANTS.name:
            yield from _nobody_missing([rows], other)
    yield from _answers(study, rows)


def taken_codes(rows: Rows, taken: Collection[str]) -> Iterator[Problem]:
    """Participants that have the code of somebody in the store."""
    remedy = "stands in the store too; is it one person, export the store; if not, rename it here"
    yield from _unknown(rows, "participant", lambda row: row["participant"] not in taken, remedy)


def _unknown(rows: Rows, column: str, is_known: Callable[[Row], bool], message: str) -> Iterator[Problem]:
    """One problem for each value that is not known, at its first line."""
    wrong = [row for row in rows if row.get(column) not in (None, "") and not is_known(row)]
    counts = Counter(row[column] for row in wrong)
    first: dict[Any, Row] = {}
    for row in wrong:
        first.setdefault(row[column], row)
    for value, row in first.items():
        more = f" ({counts[value] - 1} more rows)" if counts[value] > 1 else ""
        yield rows.problem(row, column, f"{column} {value!r} {message}{more}")


def _one_of(rows: Rows, column: str, known: Collection[str]) -> Iterator[Problem]:
    listed = ", ".join(repr(value) for value in list(known)[:_SHOWN]) + (" …" if len(known) > _SHOWN else "")
    message = f"is not known in this study; correct it, known: {listed}"
    yield from _unknown(rows, column, lambda row: row[column] in known, message)


# --- participants -----------------------------------------------------------------------------------------------------


def _participants(study: Study, rows: Rows) -> Iterator[Problem]:
    yield from _one_of(rows, "cohort", [cohort.name for cohort in study.cohorts])
    yield from _one_of(rows, "status", get_args(Status))
    for field in study.file.questionnaire:
        if isinstance(field, ChoiceField):
            yield from _one_of(rows, field.name, field.choices)


def _nobody_missing(tables: Iterable[Rows], participants: Rows) -> Iterator[Problem]:
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
        yield Problem(rows.file, 1, 0, "block", f"several blocks give this table ({', '.join(names)}); say which")
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
    yield from _twice(rows)


def block_of(study: Study, table: str, row: Mapping[str, Any] | Row) -> Block:
    """The block that a row belongs to; a table that does not say is the answers of its only block."""
    blocks = columns.blocks_of(study, table)
    return next((block for block in blocks if block.name == row.get("block")), blocks[0])


def _twice(rows: Rows) -> Iterator[Problem]:
    """Two answers to one question: which of them is a repeat, or a mistake, must be said."""
    asked = [column.name for column in rows.schema.columns if column.required and column.kind == "text"]
    key = [*asked, *(name for name in _TELL_APART if name not in asked)]
    first: dict[tuple[Any, ...], Row] = {}
    for row in rows:
        values = tuple(row.get(name) for name in key)
        if values in first:
            what = ", ".join(f"{name} {value!r}" for name, value in zip(key, values, strict=True) if value is not None)
            message = f"{what} stands already in line {first[values].line}; remove one, or mark a repeat with repeat 1"
            yield rows.problem(row, "", message)
        first.setdefault(values, row)
