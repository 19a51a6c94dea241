"""Storing the answers of a group, each with one conditional statement.

Whether an answer may be stored is decided by the statement that stores it: the participant is active, the page before
it is answered, the answer that counts so far is the one that the caller knows of, and the id is new. So it is right
however many servers use the database, and an answer that nobody objects to costs one statement. The statements are
built with SQLAlchemy, compiled once, and run on the driver's own connection, since this is what a server does most.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import Dialect, Float, Insert, bindparam, case, cast, exists, func, literal_column, select, update
from sqlalchemy.dialects import postgresql, sqlite

from textassay.answers.schema import answers, participants

_person = participants.columns
_answer = answers.columns
_other = answers.alias("other")
_times = ("started_at", "answered_at", "received_at")
_GIVEN = ("page", "answer_id", "payload", *_times, "rt_ms", "client")


class DueAnswer(NamedTuple):
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


def _insert(into: Insert, revision: Any, *conditions: Any) -> Any:
    before = exists().where(_other.columns.participant_id == _person.id, _other.columns.page == bindparam("previous"))
    found = select(_person.id, *map(_parameter, _GIVEN), revision).where(
        _person.id == bindparam("participant_id"),
        _person.code == bindparam("code"),
        _person.status == literal_column("'active'"),
        (bindparam("previous", type_=_answer.page.type) == literal_column("''")) | before,
        *conditions,
    )
    chosen: Any = into.from_select(["participant_id", *_GIVEN, "revision"], found)
    return chosen.on_conflict_do_nothing().returning(_answer.revision)


def _inserts(into: Insert) -> Iterator[Any]:
    """The statements for a first answer to a page, for a change of it, and for one that came late."""
    revision = _other.columns.revision
    zero: Any = literal_column("0")
    one: Any = literal_column("1")
    counts = _of_page(_other.columns.answer_id).order_by(revision.desc()).limit(one).scalar_subquery()
    as_known = counts == bindparam("before")
    yield _insert(into, zero)  # where there is an answer already, there is this revision too
    yield _insert(into, _of_page(func.max(revision) + one).scalar_subquery(), as_known)
    yield _insert(into, _of_page(func.min(revision) - one).scalar_subquery(), as_known)


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
        self._new, self._change, self._late = (
            CompiledStatement(each, dialect, DueAnswer._fields) for each in _inserts(insert(answers))
        )
        self._seen = CompiledStatement(_SEEN, dialect, DueAnswer._fields)

    def store(self, connection: Any, group: Sequence[DueAnswer]) -> list[bool]:
        """Store answers in a transaction of the driver's connection.

        Returns:
            For each answer whether it was stored; if not, the caller asks why.
        """
        if self._is_file:
            group = [_with_times_as_text(each) for each in group]
        cursor = connection.cursor()
        try:
            stored = self._one_by_one(cursor, group) if self._is_file else self._at_once(cursor, group)
            seen = [self._seen.row(each) for each, done in zip(group, stored, strict=True) if done]
            if seen:
                cursor.executemany(self._seen.text, seen)
        finally:
            cursor.close()
        return stored

    def _one_by_one(self, cursor: Any, group: Sequence[DueAnswer]) -> list[bool]:
        found = []
        for each in group:
            statement = self._statement(each)
            found.append(cursor.execute(statement.text, statement.row(each)).fetchone() is not None)
        return found

    def _at_once(self, cursor: Any, group: Sequence[DueAnswer]) -> list[bool]:
        """On a database server, where each statement would be a journey: all of one kind in one."""
        found = [False] * len(group)
        for statement in (self._new, self._change, self._late):
            places = [place for place, each in enumerate(group) if self._statement(each) is statement]
            if not places:
                continue
            cursor.executemany(statement.text, [statement.row(group[place]) for place in places], returning=True)
            for place in places:
                found[place] = cursor.fetchone() is not None
                cursor.nextset()
        return found

    def _statement(self, each: DueAnswer) -> CompiledStatement:
        if not each.before:
            return self._new
        return self._late if each.late else self._change


def _with_times_as_text(each: DueAnswer) -> DueAnswer:
    """As `UtcTime` stores them in a file."""
    started, answered, received = map(_time_as_text, (each.started_at, each.answered_at, each.received_at))
    return each._replace(started_at=started, answered_at=answered, received_at=received)  # type: ignore[arg-type]


def _time_as_text(moment: datetime | None) -> str | None:
    if moment is None:
        return None
    text = moment.isoformat(" ", "microseconds")
    if not text.endswith(_UTC):
        text = moment.astimezone(UTC).isoformat(" ", "microseconds")
    return text.removesuffix(_UTC)


_UTC = "+00:00"


class CompiledStatement:
    """A compiled statement, and how a row of named values becomes the parameters that the driver takes."""

    def __init__(self, statement: Any, dialect: Dialect, fields: Sequence[str]) -> None:
        """Args: the statement; the kind of database; the names of the values in a row."""
        compiled = statement.compile(dialect=dialect)
        self.text = str(compiled)
        places = {name: place for place, name in enumerate(fields)}
        constants = {name: value for name, value in compiled.params.items() if name not in places}
        self._constants = tuple(constants.values())
        places |= {name: len(fields) + place for place, name in enumerate(constants)}
        self._names = None if compiled.positiontup is not None else tuple(compiled.params)
        self._chosen = itemgetter(*(places[name] for name in compiled.positiontup or self._names or ()))

    def row(self, values: tuple[Any, ...]) -> Any:
        """The parameters of one execution."""
        chosen = self._chosen(values + self._constants)
        return chosen if self._names is None else dict(zip(self._names, chosen, strict=True))
