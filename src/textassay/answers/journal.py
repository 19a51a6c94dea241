"""All answers in the order in which they were stored, read in portions, so that memory does not limit their number.

Answers are only ever added, and the writers of a database take turns. So a reader that has reached a number has seen
everything up to it, and asks next time for what came later; and everything up to a number stays the same, however many
statements it takes to read it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime

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
                rows = connection.execute(_REVISIONS, {"after": after, "upto": upto}).mappings().all()
            for row in rows:
                after = row["id"]
                yield row["participant_id"], sql.to_answer(row)
            if len(rows) < _PORTION:
                return
