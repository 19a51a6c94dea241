"""Storing the answers of a group, each with one conditional statement.

Whether an answer may be stored is decided by the statement that stores it: the participant is active, the page before
it is answered, the answer that counts so far is the one that the caller knows of, and the id is new. So it is right
however many servers use the database, and an answer that nobody objects to costs one statement. The statements are
built with SQLAlchemy, compiled once, and run on the driver's own connection, since this is what a server does most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Dialect, Float, Insert, bindparam, case, cast, exists, func, literal_column, select, update
from sqlalchemy.dialects import postgresql, sqlite

from textassay.answers.schema import answers, participants

_person = participants.columns
_answer = answers.columns
_other = answers.alias("other")
_times = ("started_at", "answered_at", "received_at")
_GIVEN = ("page", "answer_id", "payload", *_times, "rt_ms", "client")


@dataclass(frozen=True, slots=True)
class DueAnswer:
    """An answer, and what must still be true when it is stored."""

    participant_id: int
    code: str
    """Of the participant: numbers are given again after `textassay reset`."""
    page: str
    previous: str
    """Key of the page that must be answered already; empty for the first page."""
    before: str
    """Id of the answer to this page that counts so far; empty where there is none."""
    answer_id: str
    payload: str
    """As JSON, by `encode_payload`."""
    client: str
    started_at: datetime | None
    answered_at: datetime
    received_at: datetime
    rt_ms: float | None = None
    late: bool = False
    """Whether it was given before the answer that counts, which it then does not replace."""


def _of_page(what: Any) -> Any:
    return select(what).where(_other.columns.participant_id == _person.id, _other.columns.page == bindparam("page"))


def _parameter(name: str) -> Any:
    """A value of the new row; PostgreSQL has to be told the type of a number, which may be missing."""
    column = _answer[name]
    value = bindparam(name, type_=column.type)
    return cast(value, column.type) if isinstance(column.type, Float) else value


def _insert(into: Insert, *, late: bool) -> Any:
    revision = _other.columns.revision
    place = func.coalesce(func.min(revision) - 1, 0) if late else func.coalesce(func.max(revision) + 1, 0)
    counts = _of_page(_other.columns.answer_id).order_by(revision.desc()).limit(1).scalar_subquery()
    before = exists().where(_other.columns.participant_id == _person.id, _other.columns.page == bindparam("previous"))
    given = (_parameter(name) for name in _GIVEN)
    found = select(_person.id, *given, _of_page(place).scalar_subquery()).where(
        _person.id == bindparam("participant_id"),
        _person.code == bindparam("code"),
        _person.status == literal_column("'active'"),
        (bindparam("previous", type_=_answer.page.type) == literal_column("''")) | before,
        func.coalesce(counts, literal_column("''")) == bindparam("before"),
    )
    chosen: Any = into.from_select(["participant_id", *_GIVEN, "revision"], found)
    return chosen.on_conflict_do_nothing().returning(_answer.revision)


_SEEN = (
    update(participants)
    .where(_person.id == bindparam("participant_id"))
    .values(
        version=_person.version + 1,
        last_seen_at=case(
            (_person.last_seen_at < bindparam("received_at"), bindparam("received_at")), else_=_person.last_seen_at
        ),
    )
)


class AnswerStatements:
    """The statements for one kind of database."""

    def __init__(self, dialect: Dialect) -> None:
        self._is_file = dialect.name == "sqlite"
        insert: Any = sqlite.insert if self._is_file else postgresql.insert
        self._new = CompiledStatement(_insert(insert(answers), late=False), dialect)
        self._late = CompiledStatement(_insert(insert(answers), late=True), dialect)
        self._seen = CompiledStatement(_SEEN, dialect)

    def store(self, connection: Any, group: Sequence[DueAnswer]) -> list[bool]:
        """Store answers in a transaction of the driver's connection.

        Returns:
            For each answer whether it was stored; if not, the caller asks why.
        """
        cursor = connection.cursor()
        try:
            values = [self._values(each) for each in group]
            stored = self._one_by_one(cursor, group, values) if self._is_file else self._at_once(cursor, group, values)
            seen = [self._seen.row(row) for row, done in zip(values, stored, strict=True) if done]
            if seen:
                cursor.executemany(self._seen.text, seen)
        finally:
            cursor.close()
        return stored

    def _one_by_one(self, cursor: Any, group: Sequence[DueAnswer], values: Sequence[dict[str, Any]]) -> list[bool]:
        found = []
        for each, row in zip(group, values, strict=True):
            statement = self._late if each.late else self._new
            found.append(cursor.execute(statement.text, statement.row(row)).fetchone() is not None)
        return found

    def _at_once(self, cursor: Any, group: Sequence[DueAnswer], values: Sequence[dict[str, Any]]) -> list[bool]:
        """On a database server, where each statement would be a journey: all of them in one."""
        found = [False] * len(group)
        for late, statement in ((False, self._new), (True, self._late)):
            places = [place for place, each in enumerate(group) if each.late is late]
            if not places:
                continue
            cursor.executemany(statement.text, [statement.row(values[place]) for place in places], returning=True)
            for place in places:
                found[place] = cursor.fetchone() is not None
                cursor.nextset()
        return found

    def _values(self, each: DueAnswer) -> dict[str, Any]:
        return {
            "participant_id": each.participant_id,
            "code": each.code,
            "page": each.page,
            "previous": each.previous,
            "before": each.before,
            "answer_id": each.answer_id,
            "payload": each.payload,
            "client": each.client,
            "rt_ms": each.rt_ms,
            **{name: self._time(getattr(each, name)) for name in _times},
        }

    def _time(self, moment: datetime | None) -> Any:
        """As `UtcTime` stores it."""
        if moment is None or not self._is_file:
            return moment
        return moment.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "microseconds")


class CompiledStatement:
    """A compiled statement with the form of its parameters that the driver takes."""

    def __init__(self, statement: Any, dialect: Dialect) -> None:
        compiled = statement.compile(dialect=dialect)
        self.text = str(compiled)
        self._names = compiled.positiontup
        self._constants = {name: value for name, value in compiled.params.items() if value is not None}

    def row(self, values: dict[str, Any]) -> Any:
        """The parameters of one execution."""
        every = {**self._constants, **values}
        return every if self._names is None else [every[name] for name in self._names]
