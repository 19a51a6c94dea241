"""Who has answered what, kept up to date from the journal: each look reads only what is new since the last one."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from textassay.answers.journal import Extent, Journal, Note

_HOUR = timedelta(hours=1)


@dataclass(slots=True)
class Marks:
    """What one participant has left in the journal."""

    pages: dict[str, float | None] = field(default_factory=dict)
    """Pages that were passed, with the milliseconds that the latest answer to each took."""
    emails: frozenset[str] = frozenset()
    """Hashes of the addresses in the questionnaire."""
    last: int = 0
    """Number of the last answer."""


NO_MARKS = Marks()
EmailsIn = Callable[[Mapping[str, Any]], set[str]]


class Tally:
    """The marks of everybody; a copy of what is needed of the store, so that it can be thrown away at any time."""

    def __init__(self, journal: Journal, emails_in: EmailsIn) -> None:
        self._journal, self._emails_in = journal, emails_in
        self._lock = threading.Lock()
        self._forget()

    def _forget(self) -> None:
        self._extent = Extent(0, 0)
        self._marks: dict[int, Marks] = {}
        self._recent: deque[datetime] = deque()

    @contextmanager
    def current(self) -> Iterator[Mapping[int, Marks]]:
        """Everybody's marks by number as they are now; they do not change inside the `with` block."""
        with self._lock:
            now = self._journal.extent()
            if not self._follows(now):
                # Answers were deleted by another program. Where that happened nobody can tell, so all is read again.
                self._forget()
                self._follows(now)
            yield self._marks

    def in_the_last_hour(self, now: datetime) -> int:
        """How many answers were stored in the last hour; to be asked inside `current`."""
        while self._recent and now - self._recent[0] > _HOUR:
            self._recent.popleft()
        return len(self._recent)

    def _follows(self, now: Extent) -> bool:
        """Read on up to that extent; says whether what is known then is as much as there is."""
        if now == self._extent:
            return True
        if now.last < self._extent.last:
            return False
        count, last = self._extent.answers, self._extent.last
        for note in self._journal.notes(after=last):
            if note.number > now.last:
                break
            count, last = count + 1, note.number
            self._take(note)
        self._extent = Extent(count, last)
        return self._extent == now

    def _take(self, note: Note) -> None:
        marks = self._marks.get(note.participant_id)
        if marks is None:
            marks = self._marks[note.participant_id] = Marks()
        marks.pages[note.page] = note.rt_ms
        marks.last = note.number
        if note.questionnaire is not None:
            marks.emails = frozenset(self._emails_in(note.questionnaire))
        self._recent.append(note.received_at)
        if len(self._recent) > 1 and note.received_at - self._recent[0] > _HOUR:
            self._recent.popleft()
