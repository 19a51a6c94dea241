"""All answers in the order in which they were stored, read in portions, so that memory does not limit their number.

Answers are only ever added, and the writers of a database take turns. So a reader that has reached a number has seen
everything up to it, and asks next time for what came later; and everything up to a number stays the same, however many
statements it takes to read it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, case, func, select

from textassay.answers import statements as sql
from textassay.answers.records import StoredAnswer
from textassay.answers.schema import answers

_PORTION = 5000
_QUESTIONNAIRE = "questionnaire"
_given = answers.columns

_EXTENT = select(func.count(), func.coalesce(func.max(_given.id), 0)).select_from(answers)
_ENTRIES = (
    select(
        _given.id,
        _given.participant_id,
        _given.page,
        _given.rt_ms,
        _given.received_at,
        case((_given.page == _QUESTIONNAIRE, _given.payload)),
        _given.revision < 0,
    )
    .where(_given.id > bindparam("after"))
    .order_by(_given.id)
    .limit(_PORTION)
)
_REVISIONS = (
    sql.ANSWERS.add_columns(_given.id)
    .where(_given.id > bindparam("after"), _given.id <= bindparam("upto"))
    .order_by(_given.id)
    .limit(_PORTION)
)


@dataclass(frozen=True)
class Extent:
    """The size of the journal at one moment."""

    answers: int
    """Number of stored answers, including revisions."""
    last: int
    """Number of the last one; 0 if there is none."""


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """The fact that an answer was stored, without the answer."""

    number: int
    participant_id: int
    page: str
    rt_ms: float | None
    received_at: datetime
    questionnaire: Mapping[str, Any] | None
    """The answers to the questionnaire, if this is it; rules compare them between participants."""
    late: bool = False
    """Whether it is older than the answer that counts, which it does not replace."""


class Journal:
    """Reads all answers of a store from first to last."""

    def __init__(self, reading: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._reading = reading

    def extent(self) -> Extent:
        """Its size now."""
        with self._reading() as connection:
            count, last = connection.execute(_EXTENT).one()
        return Extent(count, last)

    def entries(self, after: int = 0) -> Iterator[JournalEntry]:
        """What was stored after that number, including revisions."""
        while True:
            with self._reading() as connection:
                rows = connection.execute(_ENTRIES, {"after": after}).all()
            for number, participant, page, rt_ms, received_at, payload, late in rows:
                after = number
                answers_given = None if payload is None else sql.decode_payload(payload)
                yield JournalEntry(number, participant, page, rt_ms, received_at, answers_given, bool(late))
            if len(rows) < _PORTION:
                return

    def revisions(self, upto: int) -> Iterator[tuple[int, StoredAnswer]]:
        """Every answer up to that number, including those that were changed later, with the participant's number."""
        after = 0
        while True:
            with self._reading() as connection:
                rows = connection.execute(_REVISIONS, {"after": after, "upto": upto}).mappings().all()
            for row in rows:
                after = row["id"]
                yield row["participant_id"], sql.to_answer(row)
            if len(rows) < _PORTION:
                return
