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


_Values = tuple[Any, ...]
"""The values of an answer, in the order of its fields."""


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
        # Not plainly the column: PostgreSQL would go through the index of all who are in progress.
        func.coalesce(_person.status, literal_column("''")) == literal_column("'active'"),
        (bindparam("previous", type_=_answer.page.type) == literal_column("''")) | before,
        *conditions,
    )
    chosen: Any = into.from_select(["participant_id", *_GIVEN, "revision"], found)
    return chosen.on_conflict_do_nothing().returning(_answer.participant_id)


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


def _seen(participant_id: Any) -> Any:
    """The participant has answered."""
    received: Any = bindparam("received_at", type_=_person.last_seen_at.type)
    later = case((_person.last_seen_at < received, received), else_=_person.last_seen_at)
    changed = update(participants).where(_person.id == participant_id)
    return changed.values(version=_person.version + literal_column("1"), last_seen_at=later)


def _insert_and_seen(insert: Any) -> Any:
    """Both in one statement, where the database can do that."""
    stored = insert.cte("stored")
    return _seen(stored.columns.participant_id).returning(_person.id)


def answer_statements(dialect: Dialect) -> AnswerStatements:
    """The statements for a kind of database, compiled once."""
    kind = (dialect.name, dialect.driver)
    if kind not in _COMPILED:
        _COMPILED[kind] = AnswerStatements(dialect)
    return _COMPILED[kind]


_COMPILED: dict[tuple[str, str], AnswerStatements] = {}


class AnswerStatements:
    """The statements for one kind of database."""

    def __init__(self, dialect: Dialect) -> None:
        self._is_file = dialect.name == "sqlite"
        insert: Any = sqlite.insert if self._is_file else postgresql.insert
        statements = _inserts(insert(answers))
        self._new, self._change, self._late = (
            CompiledStatement(each if self._is_file else _insert_and_seen(each), dialect, DueAnswer._fields)
            for each in statements
        )
        self._seen = CompiledStatement(_seen(bindparam("participant_id")), dialect, DueAnswer._fields)

    def store(self, connection: Any, group: Sequence[DueAnswer]) -> list[bool]:
        """Store answers in a transaction of the driver's connection.

        Returns:
            For each answer whether it was stored; if not, the caller asks why.
        """
        run = self._one_by_one if self._is_file else self._at_once
        cursor = connection.cursor()
        try:
            return run(cursor, group, [self._statement(each) for each in group])
        finally:
            cursor.close()

    def _one_by_one(
        self, cursor: Any, group: Sequence[DueAnswer], statements: Sequence[CompiledStatement]
    ) -> list[bool]:
        values = [_with_times_as_text(each) for each in group]
        stored = [
            cursor.execute(statement.text, statement.row(each)).fetchone() is not None
            for statement, each in zip(statements, values, strict=True)
        ]
        cursor.executemany(
            self._seen.text, [self._seen.row(each) for each, done in zip(values, stored, strict=True) if done]
        )
        return stored

    def _at_once(self, cursor: Any, group: Sequence[DueAnswer], statements: Sequence[CompiledStatement]) -> list[bool]:
        """On a database server, where each statement would be a journey: all of one kind in one."""
        found = [False] * len(group)
        for statement in (self._new, self._change, self._late):
            places = [place for place, each in enumerate(statements) if each is statement]
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


_FIRST_TIME = DueAnswer._fields.index("started_at")
_AFTER_TIMES = _FIRST_TIME + len(_times)


def _with_times_as_text(each: DueAnswer) -> _Values:
    """The values, with times as `UtcTime` stores them in a file."""
    times = map(_time_as_text, (each.started_at, each.answered_at, each.received_at))
    return (*each[:_FIRST_TIME], *times, *each[_AFTER_TIMES:])


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
