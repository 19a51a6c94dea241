"""The answers in the order in which they were stored, in portions: no reader has to hold them all.

Answers are only ever added, and the writers of a database come one after the other. So whoever has read up to a number
has seen everything up to it, and asks next time for what came later; and everything up to a number is the same at any
later time, however many statements it takes to read it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, case, func, select

from textassay.answers import statements as sql
from textassay.answers.payloads import decoded
from textassay.answers.records import StoredAnswer
from textassay.answers.schema import answers

_PORTION = 5000
_QUESTIONNAIRE = "questionnaire"
_given = answers.columns

_EXTENT = select(func.count(), func.coalesce(func.max(_given.id), 0)).select_from(answers)
_NOTES = (
    select(
        _given.id,
        _given.participant_id,
        _given.page,
        _given.rt_ms,
        _given.received_at,
        case((_given.page == _QUESTIONNAIRE, _given.payload)),
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
    """How far the journal reaches."""

    answers: int
    """How many there are, revisions counted."""
    last: int
    """Number of the last one; 0 where there is none."""


@dataclass(frozen=True, slots=True)
class Note:
    """That an answer was stored, without the answer."""

    number: int
    participant_id: int
    page: str
    rt_ms: float | None
    received_at: datetime
    questionnaire: Mapping[str, Any] | None
    """The answers about the person, where this is the questionnaire; rules look at them across people."""


class Journal:
    """What a store's answers are read through, from one end to the other."""

    def __init__(self, reading: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._reading = reading

    def extent(self) -> Extent:
        """How far it reaches now."""
        with self._reading() as connection:
            count, last = connection.execute(_EXTENT).one()
        return Extent(count, last)

    def notes(self, after: int = 0) -> Iterator[Note]:
        """What was stored after that number, revisions included."""
        while True:
            with self._reading() as connection:
                rows = connection.execute(_NOTES, {"after": after}).all()
            for number, person, page, rt_ms, received_at, payload in rows:
                after = number
                yield Note(number, person, page, rt_ms, received_at, None if payload is None else decoded(payload))
            if len(rows) < _PORTION:
                return

    def revisions(self, upto: int) -> Iterator[tuple[int, StoredAnswer]]:
        """Every answer up to that number, those that were changed later included, with the participant's number."""
        after = 0
        while True:
            with self._reading() as connection:
                rows = connection.execute(_REVISIONS, {"after": after, "upto": upto}).mappings().all()
            for row in rows:
                after = row["id"]
                yield row["participant_id"], sql.answer_of(row)
            if len(rows) < _PORTION:
                return
