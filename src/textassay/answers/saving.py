"""Storing the answers of a group, and when pages were opened, by conditional statements.

Whether an answer may be stored is decided by the statement that stores it: the participant is active, the page before
it is answered, the answer that counts so far is the one that the caller knows of, and the id is new. So it is right
however many servers use the database, and an answer that nobody objects to costs one statement. On a database server,
where each statement is a journey, the answers of a group are the rows of one statement. The statements are built with
SQLAlchemy, compiled once, and run on the driver's own connection, since this is what a server does most.

Answers of several servers are stored side by side: two that exclude each other meet in a unique constraint, where the
second one waits for the first and is then not stored.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from operator import itemgetter
from typing import Any, Generic, NamedTuple, TypeVar

from sqlalchemy import (
    JSON,
    Dialect,
    Float,
    Insert,
    Select,
    Text,
    bindparam,
    case,
    cast,
    column,
    exists,
    func,
    literal_column,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from textassay.answers.schema import answers, openings, participants

_person = participants.columns
_answer = answers.columns
_other = answers.alias("other")
_times = ("started_at", "answered_at", "received_at")
_GIVEN = ("page", "answer_id", "payload", *_times, "rt_ms", "client")
_OPENED = ("page", "opened_at")

_Values = tuple[Any, ...]
"""The values of an answer, in the order of its fields."""
_Given = Mapping[str, Any]
"""The values of a statement by name: parameters, or columns of the rows that it is given."""


class DueOpening(NamedTuple):
    """A participant opened a page, for the first time or again."""

    participant_id: int
    code: str
    """Of the participant: numbers are given again after `textassay reset`."""
    page: str
    opened_at: datetime


@dataclass(frozen=True, slots=True)
class OpenedPages:
    """Pages that were opened at about the same time."""

    openings: Sequence[DueOpening]


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


_TYPES = {
    **{name: _answer[name].type for name in ("participant_id", *_GIVEN)},
    **dict.fromkeys(("previous", "before"), _answer.page.type),
    "code": _person.code.type,
    "opened_at": openings.columns.opened_at.type,
}


def _parameters() -> _Given:
    """The values of one row, as parameters; PostgreSQL has to be told the type of a number, which may be missing."""
    found = {name: bindparam(name, type_=kind) for name, kind in _TYPES.items()}
    return {name: cast(value, value.type) if isinstance(value.type, Float) else value for name, value in found.items()}


def _rows(names: Iterable[str]) -> Any:
    """Many rows as a table, from one parameter with JSON: a list of values for each column takes far longer to send."""
    columns = (column(name, _TYPES[name]) for name in names)
    given = cast(bindparam(_ROWS, type_=Text), JSON)
    return func.json_to_recordset(given).table_valued(*columns).render_derived("given", with_types=True)


_ROWS = "rows"


def _present(given: _Given) -> Select[Any]:
    """The participant's number, if there is such a participant."""
    return select(_person.id).where(_person.id == given["participant_id"], _person.code == given["code"])


def _eligible(given: _Given) -> Select[Any]:
    """The participant's number, if he or she is in progress and has answered the page before."""
    before = select(_other.columns.id).where(
        _other.columns.participant_id == _person.id, _other.columns.page == given["previous"]
    )
    return _present(given).where(
        # Not plainly the column: PostgreSQL would go through the index of all who are in progress.
        func.coalesce(_person.status, literal_column("''")) == literal_column("'active'"),
        (given["previous"] == literal_column("''")) | exists(before.correlate_except(_other)),
    )


def _row_by_row(found: Select[Any]) -> Any:
    """A query of one row's participant, run for each row: PostgreSQL must not go through all participants instead."""
    return found.offset(literal_column("0")).lateral("person")


def _inserts(into: Insert, given: _Given, source: Select[Any], person: Any) -> Iterator[Any]:
    """The statements for a first answer to a page, for a change of it, and for one that came late.

    Args:
        into: Inserts into the table of answers.
        given: The values.
        source: Selects the number of a participant who may answer.
        person: That number.
    """
    revision = _other.columns.revision
    zero: Any = literal_column("0")
    one: Any = literal_column("1")

    def of_page(what: Any) -> Any:
        found = select(what).where(_other.columns.participant_id == person, _other.columns.page == given["page"])
        return found.correlate_except(_other)

    def insert(revision: Any, *conditions: Any) -> Any:
        found = source.add_columns(*(given[name] for name in _GIVEN), revision).where(*conditions)
        chosen: Any = into.from_select(["participant_id", *_GIVEN, "revision"], found)
        return chosen.on_conflict_do_nothing()

    counts = of_page(_other.columns.answer_id).order_by(revision.desc()).limit(one).scalar_subquery()
    as_known = counts == given["before"]
    yield insert(zero)  # where there is an answer already, there is this revision too
    yield insert(of_page(func.max(revision) + one).scalar_subquery(), as_known)
    yield insert(of_page(func.min(revision) - one).scalar_subquery(), as_known)


def _seen(participant_id: Any, received: Any) -> Any:
    """The participant has answered."""
    later = case((_person.last_seen_at < received, received), else_=_person.last_seen_at)
    changed = update(participants).where(_person.id == participant_id)
    return changed.values(version=_person.version + literal_column("1"), last_seen_at=later)


def _insert_and_seen(insert: Any) -> Any:
    """Both in one statement, where the database can do that; gives whose answers were stored."""
    stored = insert.returning(_answer.participant_id, _answer.answer_id, _answer.received_at).cte("stored").columns
    return _seen(stored.participant_id, stored.received_at).returning(stored.participant_id, stored.answer_id)


def _opening(into: Insert, given: _Given, source: Select[Any]) -> Any:
    """The statement for an opened page; of several times the first stays."""
    found = source.add_columns(*(given[name] for name in _OPENED))
    chosen: Any = into.from_select(["participant_id", *_OPENED], found)
    return chosen.on_conflict_do_nothing()


def answer_statements(dialect: Dialect) -> FileStatements | ServerStatements:
    """The statements for a kind of database, compiled once."""
    kind = (dialect.name, dialect.driver)
    if kind not in _COMPILED:
        _COMPILED[kind] = FileStatements(dialect) if dialect.name == "sqlite" else ServerStatements(dialect)
    return _COMPILED[kind]


_COMPILED: dict[tuple[str, str], FileStatements | ServerStatements] = {}


Statement = TypeVar("Statement", "CompiledStatement", "StatementOfRows")


class AnswerStatements(Generic[Statement]):
    """The statements for one kind of database."""

    new: Statement
    """Stores a first answer to a page."""
    change: Statement
    """Stores a change of an answer."""
    late: Statement
    """Stores an answer that was given before the one that counts."""

    def store_openings(self, connection: Any, given: Sequence[DueOpening]) -> None:
        """Store openings in a transaction of the driver's connection."""
        raise NotImplementedError

    def store_answers(self, connection: Any, group: Sequence[DueAnswer]) -> list[bool]:
        """Store answers in a transaction of the driver's connection.

        Returns:
            For each answer whether it was stored; if not, the caller asks why.
        """
        raise NotImplementedError

    def statement(self, each: DueAnswer) -> Statement:
        """The one that stores the answer."""
        if not each.before:
            return self.new
        return self.late if each.late else self.change


class FileStatements(AnswerStatements["CompiledStatement"]):
    """For a file: a statement for each answer, since calling one takes next to nothing."""

    def __init__(self, dialect: Dialect) -> None:
        """Compile them."""
        given = _parameters()
        inserts = _inserts(sqlite.insert(answers), given, _eligible(given), _person.id)
        self.new, self.change, self.late = (
            CompiledStatement(each.returning(_answer.participant_id), dialect, DueAnswer._fields) for each in inserts
        )
        received: Any = bindparam("received_at", type_=_person.last_seen_at.type)
        self._seen = CompiledStatement(_seen(bindparam("participant_id"), received), dialect, DueAnswer._fields)
        opening = _opening(sqlite.insert(openings), given, _present(given))
        self._opening = CompiledStatement(opening, dialect, DueOpening._fields)

    def store_openings(self, connection: Any, given: Sequence[DueOpening]) -> None:
        """See `AnswerStatements`."""
        rows = ((*each[:-1], _time_as_text(each.opened_at)) for each in given)
        connection.executemany(self._opening.text, list(map(self._opening.row, rows))).close()

    def store_answers(self, connection: Any, group: Sequence[DueAnswer]) -> list[bool]:
        """See `AnswerStatements`."""
        cursor = connection.cursor()
        try:
            values = list(map(_with_times_as_text, group))
            statements = map(self.statement, group)
            stored = [
                cursor.execute(statement.text, statement.row(each)).fetchone() is not None
                for statement, each in zip(statements, values, strict=True)
            ]
            done = [self._seen.row(each) for each, is_stored in zip(values, stored, strict=True) if is_stored]
            cursor.executemany(self._seen.text, done)
            return stored
        finally:
            cursor.close()


class ServerStatements(AnswerStatements["StatementOfRows"]):
    """For a database server: all answers of a group in one statement."""

    def __init__(self, dialect: Dialect) -> None:
        """Compile them."""
        rows = _rows(DueAnswer._fields[: DueAnswer._fields.index("late")])
        person = _row_by_row(_eligible(rows.columns))
        source = select(person.columns.id).select_from(rows, person)
        inserts = _inserts(postgresql.insert(answers), rows.columns, source, person.columns.id)
        self.new, self.change, self.late = (StatementOfRows(_insert_and_seen(each), dialect) for each in inserts)
        opened = _rows(DueOpening._fields)
        present = _row_by_row(_present(opened.columns))
        source = select(present.columns.id).select_from(opened, present)
        self._opening = StatementOfRows(_opening(postgresql.insert(openings), opened.columns, source), dialect)

    def store_openings(self, connection: Any, given: Sequence[DueOpening]) -> None:
        """See `AnswerStatements`."""
        connection.execute(self._opening.text, self._opening.rows(sorted(given)))

    def store_answers(self, connection: Any, group: Sequence[DueAnswer]) -> list[bool]:
        """See `AnswerStatements`."""
        found = [False] * len(group)
        for places in _once_each(group):
            for statement in (self.new, self.change, self.late):
                own = [place for place in places if self.statement(group[place]) is statement]
                if own:
                    values = statement.rows([group[place] for place in own])
                    stored = {tuple(row) for row in connection.execute(statement.text, values)}
                    for place in own:  # an id alone may have been sent by two participants
                        found[place] = (group[place].participant_id, group[place].answer_id) in stored
        return found


def _once_each(group: Sequence[DueAnswer]) -> Iterator[list[int]]:
    """The places of answers in parts in which nobody occurs twice: a statement does not see what it stores itself.

    In each part they are sorted by participant: servers that store answers of the same people wait for each other only
    where all of them go through people in the same order.
    """
    left = sorted(range(len(group)), key=lambda place: group[place].participant_id)
    while left:
        first: dict[int, int] = {}
        for place in left:
            first.setdefault(group[place].participant_id, place)
        yield [*first.values()]
        left = [place for place in left if first[group[place].participant_id] != place]


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


class StatementOfRows:
    """A compiled statement that takes many rows at once, see `_rows`."""

    def __init__(self, statement: Any, dialect: Dialect) -> None:
        """Args: the statement; the kind of database."""
        self.text = str(statement.compile(dialect=dialect))

    def rows(self, rows: Iterable[DueAnswer | DueOpening]) -> Mapping[str, str]:
        """The parameters of one execution."""
        return {_ROWS: _as_json([each._asdict() for each in rows])}


_as_json = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=datetime.isoformat
).encode
