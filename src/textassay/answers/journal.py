"""All answers in the order in which they were stored, read in portions, so that memory does not limit their number.

Answers are only ever added, and the writers of a database take turns. So a reader that has reached a number has seen
everything up to it, and asks next time for what came later; and everything up to a number stays the same, however many
statements it takes to read it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

from sqlalchemy import Connection, bindparam, case, func, select

from textassay.answers import statements as sql
from textassay.answers.records import StoredAnswer
from textassay.answers.schema import answers

_PORTION = 5000
_QUESTIONNAIRE = "questionnaire"
LATE = "late"
_WITH_MICROSECONDS = 26
"""Length of a time as SQLite stores it."""
_decode = json.JSONDecoder().raw_decode
"""For JSON that the store has written itself: `json.loads` would look for white space around it."""
_given = answers.columns

_EXTENT = select(func.count(), func.coalesce(func.max(_given.id), 0)).select_from(answers)
_ENTRIES = (
    select(
        _given.id,
        _given.participant_id,
        _given.page,
        _given.rt_ms,
        case((_given.revision < 0, LATE), (_given.page == _QUESTIONNAIRE, _given.payload)),
    )
    .where(_given.id > bindparam("after"))
    .order_by(_given.id)
    .limit(_PORTION)
)
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


JournalEntry = tuple[int, int, str, float | None, str | None]
"""The fact that an answer was stored: its number, the participant's number, the page, the milliseconds.

Then `LATE`, if it is older than the answer that counts, which it does not replace; or the answers to the questionnaire
as JSON, for rules compare them between participants; or nothing.
"""


class JournalAnswer(StoredAnswer):
    """An answer as the driver gave it: quick to make, for an export may have a million."""

    def __init__(self, row: Sequence[Any]) -> None:
        """Args: a row of `statements.ANSWERS`, not converted."""
        _, answer_id, page, payload, started_at, answered_at, rt_ms, client, revision, received_at, opened_at = row
        self.__dict__.update(  # at once, where a frozen class would set one after the other
            answer_id=answer_id,
            page=page,
            payload=_decode(payload)[0],
            started_at=_utc(started_at),
            answered_at=_utc(answered_at),
            rt_ms=rt_ms,
            revision=revision,
            opened_at=_utc(opened_at),
            _stored=(client, received_at),
        )

    @property
    def client(self) -> Mapping[str, Any]:
        """See `StoredAnswer`; seldom asked for."""
        found: dict[str, Any] = _decode(self.__dict__["_stored"][0])[0]
        return found

    @property
    def received_at(self) -> datetime:
        """See `StoredAnswer`; seldom asked for."""
        return cast("datetime", _utc(self.__dict__["_stored"][1]))


def _utc(stored: str | datetime | None) -> datetime | None:
    """A time as `schema.UtcTime` gives it, in a tenth of the time."""
    if isinstance(stored, str):
        return datetime.fromisoformat(stored + "+00:00")
    return None if stored is None else stored.astimezone(UTC)


def _iso(stored: str | datetime | None) -> str | None:
    """A time as text, as `datetime.isoformat` writes it."""
    if isinstance(stored, str) and len(stored) == _WITH_MICROSECONDS:
        fraction = stored[19:] if stored[20:] != "000000" else ""
        return f"{stored[:10]}T{stored[11:19]}{fraction}+00:00"
    moment = _utc(stored)
    return None if moment is None else moment.isoformat()


class Journal:
    """Reads all answers of a store from first to last."""

    def __init__(self, reading: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._reading = reading

    def extent(self) -> Extent:
        """Its size now."""
        with self._reading() as connection:
            count, last = connection.execute(_EXTENT).one()
        return Extent(count, last)

    def entries(self, after: int = 0) -> Iterator[Sequence[JournalEntry]]:
        """What was stored after that number, including revisions, in portions."""
        while True:
            with self._reading() as connection:
                # As the driver gives them: no value needs a conversion, and there may be a million.
                rows = connection.execute(_ENTRIES, {"after": after}).cursor.fetchall()
            yield rows
            if len(rows) < _PORTION:
                return
            after = rows[-1][0]

    def received_since(self, since: datetime, upto: int) -> int:
        """How many answers up to that number were received since then, without those that do not count."""
        with self._reading() as connection:
            return connection.execute(_SINCE, {"since": since, "upto": upto}).scalar_one()

    def revisions(self, upto: int) -> Iterator[tuple[int, dict[str, Any]]]:
        """Every answer up to that number, including those that were changed later, with the participant's number.

        Each is a record as JSON has it: times are texts, and what the browser reported is a text with JSON in it.
        """
        after = 0
        while True:
            with self._reading() as connection:
                rows = connection.execute(_REVISIONS, {"after": after, "upto": upto}).cursor.fetchall()
            for participant, answer_id, page, payload, started, answered, rt_ms, client, revision, *times, _ in rows:
                received, opened = times
                yield (
                    participant,
                    {
                        "page": page,
                        "revision": revision,
                        "answer_id": answer_id,
                        "payload": _decode(payload)[0],
                        "client": client,
                        "rt_ms": rt_ms,
                        "started_at": _iso(started),
                        "answered_at": _iso(answered),
                        "opened_at": _iso(opened),
                        "received_at": _iso(received),
                    },
                )
            if len(rows) < _PORTION:
                return
            after = rows[-1][-1]

    def sizes(self, upto: int) -> dict[int, int]:
        """About how many characters each participant's answers up to that number have."""
        with self._reading() as connection:
            return {number: int(size) for number, size in connection.execute(_SIZES, {"upto": upto})}

    def latest(self, participants: Sequence[int], upto: int) -> dict[int, dict[str, StoredAnswer]]:
        """The answers of some participants up to that number, by participant and page, each in its latest revision."""
        found: dict[int, dict[str, StoredAnswer]] = {number: {} for number in participants}
        with self._reading() as connection:
            rows = connection.execute(_LATEST, {"participants": [*participants], "upto": upto}).cursor.fetchall()
        for row in rows:  # revisions come in order: the last one stays
            found[row[0]][row[2]] = JournalAnswer(row)
        return found
