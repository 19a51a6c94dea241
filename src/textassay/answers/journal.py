"""All answers in the order in which they were stored, read in portions, so that memory does not limit their number.

Answers are only ever added. The number up to which a reader reads is taken between two writers, so that none of those
before it is stored later. So a reader that has reached a number has seen everything up to it, and asks next time for
what came later; and everything up to a number stays the same, however many statements it takes to read it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from typing import cast as as_type

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import BigInteger, ColumnElement, Connection, Text, bindparam, case, cast, func, select

from textassay.answers import statements as sql
from textassay.answers.database import between_writers
from textassay.answers.records import StoredAnswer
from textassay.answers.schema import answers

_PORTION = 5000
_ENTRIES_AT_ONCE = 20_000
_PAYLOADS_AT_ONCE = 500
QUESTIONNAIRE = "questionnaire"
LATE = ""
"""In place of the page of an answer that is older than the one that counts, which it does not replace."""
_BETWEEN = "\x1f"
"""Between values of a column: the character that ASCII has for this, and no key of a page."""
_MICROSECONDS = 26
"""Length of a time with microseconds as SQLite stores it."""
_TIMES = (4, 5, 10)
"""Places of the times that tables have, in a row."""
_decode = json.JSONDecoder().raw_decode
"""For JSON that the store has written itself: `json.loads` would look for white space around it."""
_given = answers.columns
Row = Sequence[Any]
"""An answer as the driver gives it: the columns of `statements.ANSWERS`, then its number."""

_LAST = select(func.coalesce(func.max(_given.id), 0))
_COUNT = select(func.count()).where(_given.id <= bindparam("upto"))
_microseconds = cast(func.round(_given.rt_ms * 1000), BigInteger)
_portion = (
    select(
        _given.id,
        _given.participant_id,
        case((_given.revision < 0, LATE), else_=_given.page).label("page"),
        func.coalesce(_microseconds, -1).label("microseconds"),
    )
    .where(_given.id > bindparam("after"), _given.id <= bindparam("upto"))
    .order_by(_given.id)
    .subquery("portion")
    .columns
)


def _together(column: ColumnElement[Any]) -> Any:
    return func.aggregate_strings(cast(column, Text), _BETWEEN)


_ENTRIES = select(
    func.min(_portion.id),
    func.max(_portion.id),
    func.count(),
    *map(_together, (_portion.participant_id, _portion.page, _portion.microseconds)),
)
"""Each column as one text: half a million answers are read in half the time that so many rows take. Numbers have seldom
gaps, so that only the first is read."""
_ENTRIES_AND_NUMBERS = _ENTRIES.add_columns(_together(_portion.id))
_PAYLOADS = select(_given.id, _given.payload).where(_given.id.in_(bindparam("numbers", expanding=True)))
_last_before = select(_given.id).where(_given.received_at < bindparam("since")).order_by(_given.id.desc()).limit(1)
_SINCE = select(func.count()).where(
    _given.id > func.coalesce(_last_before.scalar_subquery(), 0), _given.id <= bindparam("upto"), _given.revision >= 0
)
"""Looks at nothing older: answers are stored in the order in which they are received."""
_REVISIONS = (
    sql.ANSWERS.add_columns(_given.id)
    .where(_given.id > bindparam("after"), _given.id <= bindparam("upto"))
    .order_by(_given.id)
    .limit(_PORTION)
)
_LATEST = sql.ANSWERS.where(
    _given.participant_id.in_(bindparam("participants", expanding=True)), _given.id <= bindparam("upto")
).order_by(_given.participant_id, _given.page, _given.revision)

_SIZES = (
    select(_given.participant_id, func.sum(func.length(_given.payload) + func.length(_given.client)))
    .where(_given.id <= bindparam("upto"))
    .group_by(_given.participant_id)
)


@dataclass(frozen=True)
class Extent:
    """The size of the journal at one moment."""

    answers: int
    """Number of stored answers, including revisions."""
    last: int
    """Number of the last one; 0 if there is none."""


@dataclass(frozen=True)
class JournalEntries:
    """The facts that answers were stored, as columns, in the order of the journal."""

    numbers: NDArray[np.int64]
    participants: NDArray[np.int64]
    """Their numbers in the store."""
    pages: Sequence[str]
    """Keys of the pages, or `LATE`."""
    milliseconds: NDArray[np.float64]
    """To the microsecond; nan where it is not known."""

    @classmethod
    def read(cls, row: Sequence[Any]) -> JournalEntries:
        """From a row of `_ENTRIES`, or of `_ENTRIES_AND_NUMBERS`."""
        first, _, count, participants, pages, microseconds, *numbers = row
        times = _integers(microseconds) / 1000
        times[times < 0] = np.nan
        every = _integers(numbers[0]) if numbers else np.arange(first, first + count, dtype=np.int64)
        return cls(every, _integers(participants), pages.split(_BETWEEN), times)

    def at(self, places: Sequence[int]) -> JournalEntries:
        """Those at some places, in that order."""
        pages = [self.pages[place] for place in places]
        return JournalEntries(self.numbers[places], self.participants[places], pages, self.milliseconds[places])

    def counting(self) -> JournalEntries:
        """Those that are not late."""
        if LATE not in self.pages:
            return self
        return self.at([place for place, page in enumerate(self.pages) if page != LATE])


class JournalAnswer(StoredAnswer):
    """An answer as the driver gave it: quick to make, for an export may have a million."""

    def __init__(self, row: Row, started: str | None, answered: str | None, opened: str | None) -> None:
        """Args: the row, and its times as tables have them."""
        _, answer_id, page, payload, started_at, answered_at, rt_ms, client, revision, received_at, opened_at = row
        self.__dict__.update(  # at once, where a frozen class would set one after the other
            answer_id=answer_id,
            page=page,
            payload=_decode(payload)[0],
            rt_ms=rt_ms,
            revision=revision,
            _times={"started_at": started, "answered_at": answered, "opened_at": opened},
            _stored=(client, received_at, started_at, answered_at, opened_at),
        )

    @property
    def time_cells(self) -> dict[str, Any]:
        """See `StoredAnswer`; as texts, for a time that was stored as text need not be written anew."""
        found: dict[str, Any] = self.__dict__["_times"]
        return found

    # What follows is seldom asked for, and made only then.

    @property
    def client(self) -> Mapping[str, Any]:
        """See `StoredAnswer`."""
        found: dict[str, Any] = _decode(self.__dict__["_stored"][0])[0]
        return found

    @property
    def received_at(self) -> datetime:
        """See `StoredAnswer`."""
        return as_type("datetime", _utc(self.__dict__["_stored"][1]))

    @property
    def started_at(self) -> datetime | None:
        """See `StoredAnswer`."""
        return _utc(self.__dict__["_stored"][2])

    @property
    def answered_at(self) -> datetime:
        """See `StoredAnswer`."""
        return as_type("datetime", _utc(self.__dict__["_stored"][3]))

    @property
    def opened_at(self) -> datetime | None:
        """See `StoredAnswer`."""
        return _utc(self.__dict__["_stored"][4])


def _utc(stored: str | datetime | None) -> datetime | None:
    """A time as `schema.UtcTime` gives it, in a tenth of the time."""
    if isinstance(stored, str):
        return datetime.fromisoformat(stored + "+00:00")
    return None if stored is None else stored.astimezone(UTC)


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def iso_times(stored: Iterable[str | datetime | None]) -> list[str | None]:
    """Times as tables have them; those that SQLite stored with microseconds, nearly all, without calling a function."""
    return [
        f"{time[:10]}T{time[11:]}+00:00"
        if type(time) is str and len(time) == _MICROSECONDS and time[20:] != "000000"
        else _iso(_utc(time))
        for time in stored
    ]


def _integers(text: str) -> NDArray[np.int64]:
    return np.fromstring(text, dtype=np.int64, sep=_BETWEEN)


def _last(connection: Connection) -> int:
    with between_writers(connection):
        return int(connection.execute(_LAST).scalar_one())


class Journal:
    """Reads all answers of a store from first to last."""

    def __init__(self, reading: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._reading = reading

    def last(self) -> int:
        """Number of the last answer now; 0 if there is none."""
        with self._reading() as connection:
            return _last(connection)

    def extent(self) -> Extent:
        """Its size now; counting takes a while where there are many."""
        with self._reading() as connection:
            last = _last(connection)
            count = connection.execute(_COUNT, {"upto": last}).scalar_one()
        return Extent(count, last)

    def entries(self, after: int, upto: int) -> Iterator[JournalEntries]:
        """What was stored after the first number, up to the second, including revisions, in portions.

        While the caller works on one of several portions, another thread reads the next.
        """
        starts = range(after, upto, _ENTRIES_AT_ONCE)
        if len(starts) == 1:
            yield from self._portion(upto, after)
        elif starts:
            with ThreadPoolExecutor(1) as reader:
                portions = [reader.submit(self._portion, upto, starts[0])]
                for start in starts[1:]:
                    portions.append(reader.submit(self._portion, upto, start))
                    yield from portions.pop(0).result()
                yield from portions.pop().result()

    def _portion(self, upto: int, start: int) -> Sequence[JournalEntries]:
        """What follows that number, as far as a portion goes; nothing where all of it was deleted."""
        values = {"after": start, "upto": min(start + _ENTRIES_AT_ONCE, upto)}
        with self._reading() as connection:
            row = connection.execute(_ENTRIES, values).one()
            first, last, count, *_ = row
            if count and last - first + 1 > count:  # some were deleted, or refused by a database that had numbered them
                row = connection.execute(_ENTRIES_AND_NUMBERS, values).one()
        return [JournalEntries.read(row)] if row[2] else []

    def payloads(self, numbers: Sequence[int]) -> dict[int, str]:
        """The payloads of some answers as stored, by the answer's number; some may have been deleted."""
        found: dict[int, str] = {}
        for start in range(0, len(numbers), _PAYLOADS_AT_ONCE):
            with self._reading() as connection:
                rows = connection.execute(_PAYLOADS, {"numbers": numbers[start : start + _PAYLOADS_AT_ONCE]})
                found.update((number, payload) for number, payload in rows)
        return found

    def received_since(self, since: datetime, upto: int) -> int:
        """How many answers up to that number were received since then, without those that do not count."""
        with self._reading() as connection:
            return connection.execute(_SINCE, {"since": since, "upto": upto}).scalar_one()

    def revisions(self, upto: int) -> Iterator[Sequence[Row]]:
        """Every answer up to that number, including those that were changed later, in portions."""
        after = 0
        while True:
            with self._reading() as connection:
                rows = connection.execute(_REVISIONS, {"after": after, "upto": upto}).cursor.fetchall()
            yield rows
            if len(rows) < _PORTION:
                return
            after = rows[-1][-1]

    def sizes(self, upto: int) -> dict[int, int]:
        """About how many characters each participant's answers up to that number have."""
        with self._reading() as connection:
            return {number: int(size) for number, size in connection.execute(_SIZES, {"upto": upto})}

    def latest(self, participants: Sequence[int], upto: int) -> dict[int, dict[str, JournalAnswer]]:
        """The answers of some participants up to that number, by participant and page, each in its latest revision."""
        found: dict[int, dict[str, JournalAnswer]] = {number: {} for number in participants}
        with self._reading() as connection:
            rows = connection.execute(_LATEST, {"participants": [*participants], "upto": upto}).cursor.fetchall()
        times = (iso_times([row[place] for row in rows]) for place in _TIMES)
        for row, started, answered, opened in zip(rows, *times, strict=True):  # of several revisions the last one stays
            found[row[0]][row[2]] = JournalAnswer(row, started, answered, opened)
        return found
