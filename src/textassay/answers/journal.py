"""All answers in the order in which they were stored, read in portions, so that memory does not limit their number.

Answers are only ever added, and the writers of a database take turns. So a reader that has reached a number has seen
everything up to it, and asks next time for what came later; and everything up to a number stays the same, however many
statements it takes to read it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, bindparam, case, func, select

from textassay.answers import statements as sql
from textassay.answers.records import StoredAnswer
from textassay.answers.schema import answers

_PORTION = 5000
_QUESTIONNAIRE = "questionnaire"
LATE = "late"
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
        values = self.__dict__  # not by `object.__setattr__`, which a frozen class would need for each
        (
            _, values["answer_id"], values["page"], payload, started_at, answered_at, values["rt_ms"],
            values["_client"], values["revision"], values["_received_at"], opened_at, *_,
        ) = row  # fmt: skip
        values["payload"] = sql.decode_payload(payload)
        values["started_at"], values["answered_at"] = _utc(started_at), _utc(answered_at)
        values["opened_at"] = _utc(opened_at)

    @property
    def client(self) -> Mapping[str, Any]:
        """See `StoredAnswer`; seldom asked for."""
        return sql.decode_payload(self.__dict__["_client"])

    @property
    def received_at(self) -> datetime:
        """See `StoredAnswer`; seldom asked for."""
        moment = _utc(self.__dict__["_received_at"])
        assert moment is not None  # noqa: S101 -- the column is never empty
        return moment


def _utc(stored: str | datetime | None) -> datetime | None:
    """A time as `schema.UtcTime` gives it, in a tenth of the time."""
    if isinstance(stored, str):
        return datetime.fromisoformat(stored + "+00:00")
    return None if stored is None else stored.astimezone(UTC)


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

    def revisions(self, upto: int) -> Iterator[tuple[int, StoredAnswer]]:
        """Every answer up to that number, including those that were changed later, with the participant's number."""
        after = 0
        while True:
            with self._reading() as connection:
                rows = connection.execute(_REVISIONS, {"after": after, "upto": upto}).cursor.fetchall()
            yield from ((row[0], JournalAnswer(row)) for row in rows)
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
