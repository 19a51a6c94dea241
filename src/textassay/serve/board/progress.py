"""Progress of all participants for the board, read from the journal and kept as columns of numbers.

A study may have a million answers, and the first view of the board has to count them all. So they are not kept as
objects: a page is a number, an answer four numbers, and what a participant has answered is put together when asked for.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textassay.answers.journal import QUESTIONNAIRE, Extent, Journal, JournalEntries
from textassay.answers.statements import decode_payload

_HOUR = timedelta(hours=1)


@dataclass(slots=True)
class ParticipantProgress:
    """What one participant has answered, according to the journal."""

    pages: Mapping[str, float | None] = field(default_factory=dict)
    """Milliseconds of the latest answer to each answered page."""
    emails: frozenset[str] = frozenset()
    """Hashes of the e-mail addresses in the questionnaire."""
    last: int = 0
    """Number of the last answer."""


EmailsIn = Callable[[Mapping[str, Any]], set[str]]


@dataclass(frozen=True)
class PageTimes:
    """Milliseconds of many answers."""

    keys: Sequence[str]
    """Keys of pages."""
    pages: NDArray[np.int32]
    """The page of each answer, as its place among the keys."""
    milliseconds: NDArray[np.float64]
    """Of each answer; nan where it is not known."""


@dataclass(frozen=True)
class _Answers:
    """The latest answer of each participant to each page, sorted by participant, then by page."""

    participants: NDArray[np.int32]
    pages: NDArray[np.int32]
    milliseconds: NDArray[np.float64]
    numbers: NDArray[np.int32]
    """In the journal."""

    @classmethod
    def of(cls, entries: JournalEntries, codes: dict[str, int]) -> _Answers:
        """The answers of a portion of the journal, as they come; new pages are added to the codes."""
        for key in {*entries.pages}.difference(codes):
            codes[key] = len(codes)
        pages = np.fromiter(map(codes.__getitem__, entries.pages), np.int32, len(entries.pages))
        return cls(entries.participants.astype(np.int32), pages, entries.milliseconds, entries.numbers.astype(np.int32))

    def followed_by(self, later: Sequence[_Answers]) -> _Answers:
        """These and later ones; of several answers to a page the last one stays."""
        every = [self, *later]
        participants = np.concatenate([each.participants for each in every])
        pages = np.concatenate([each.pages for each in every])
        cells = participants.astype(np.int64) << 32 | pages
        order = np.argsort(cells, kind="stable")
        cells = cells[order]
        kept = order[np.append(cells[1:] != cells[:-1], np.ones(min(1, len(cells)), dtype=bool))]
        milliseconds = np.concatenate([each.milliseconds for each in every])[kept]
        numbers = np.concatenate([each.numbers for each in every])[kept]
        return _Answers(participants[kept], pages[kept], milliseconds, numbers)


_NONE = _Answers(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0), np.empty(0, np.int32))


class _AnsweredPages(Mapping[str, float | None]):
    """The pages of one participant; only their number is known before one is asked for."""

    __slots__ = ("_answers", "_end", "_keys", "_known", "_start")

    def __init__(self, answers: _Answers, start: int, end: int, keys: Sequence[str]) -> None:
        self._answers, self._start, self._end, self._keys = answers, start, end, keys
        self._known: dict[str, float | None] | None = None

    def _times(self) -> dict[str, float | None]:
        if self._known is None:
            pages = self._answers.pages[self._start : self._end].tolist()
            times = self._answers.milliseconds[self._start : self._end].tolist()
            known = (None if isnan(time) else time for time in times)
            self._known = dict(zip(map(self._keys.__getitem__, pages), known, strict=True))
        return self._known

    def __getitem__(self, key: str) -> float | None:
        return self._times()[key]

    def __contains__(self, key: object) -> bool:
        return key in self._times()

    def __iter__(self) -> Iterator[str]:
        return iter(self._times())

    def __len__(self) -> int:
        return self._end - self._start


class ProgressTracker:
    """Progress of all participants, read from the journal; each update reads only what is new.

    It is a copy of data in the store, so it can be discarded at any time.
    """

    def __init__(self, journal: Journal, emails_in: EmailsIn | None) -> None:
        """Track progress.

        Args:
            journal: What was answered.
            emails_in: Finds hashes of e-mail addresses in the answers to the questionnaire, if it asks for any.
        """
        self._journal, self._emails_in = journal, emails_in
        self._lock = threading.Lock()
        self._forget()

    def _forget(self) -> None:
        self._extent = Extent(0, 0)
        self._answers = _NONE
        self._codes: dict[str, int] = {}
        self._emails: dict[int, frozenset[str]] = {}
        self._progress: dict[int, ParticipantProgress] = {}

    @contextmanager
    def current(self) -> Iterator[Mapping[int, ParticipantProgress]]:
        """Current progress by participant number; it does not change inside the `with` block."""
        with self._lock:
            if not (self._extent.last and self._follows(self._journal.extent())):
                # The first time, or another program has deleted answers, and it is unknown which: read everything.
                self._forget()
                self._read_on(self._journal.last())
            yield self._progress

    def in_the_last_hour(self, now: datetime) -> int:
        """How many answers were stored in the last hour; call it inside `current`."""
        return self._journal.received_since(now - _HOUR, self._extent.last)

    def times(self, participants: Collection[int]) -> PageTimes:
        """The times of all latest answers of some participants; call it inside `current`."""
        own = np.isin(self._answers.participants, np.fromiter(participants, np.int32, len(participants)))
        return PageTimes([*self._codes], self._answers.pages[own], self._answers.milliseconds[own])

    def _follows(self, now: Extent) -> bool:
        """Read what is new up to that extent; returns whether the result is complete."""
        if now == self._extent:
            return True
        if now.last < self._extent.last:
            return False
        self._read_on(now.last)
        return self._extent == now

    def _read_on(self, upto: int) -> None:
        """Read what is new up to that number."""
        count, last = self._extent.answers, self._extent.last
        later = []
        for portion in self._journal.entries(last, upto):
            counting = portion.counting()
            later.append(_Answers.of(counting, self._codes))
            self._take_emails(counting)
            count, last = count + len(portion.pages), int(portion.numbers[-1])
        self._extent = Extent(count, last)
        if any(len(each.pages) for each in later):
            self._answers = self._answers.followed_by(later)
            self._progress = self._by_participant()

    def _take_emails(self, entries: JournalEntries) -> None:
        if self._emails_in is None:
            return
        given = entries.at([place for place, page in enumerate(entries.pages) if page == QUESTIONNAIRE])
        numbers = given.numbers.tolist()
        payloads = self._journal.payloads(numbers)
        for number, participant in zip(numbers, given.participants.tolist(), strict=True):
            if number in payloads:
                self._emails[participant] = frozenset(self._emails_in(decode_payload(payloads[number])))

    def _by_participant(self) -> dict[int, ParticipantProgress]:
        answers, keys = self._answers, [*self._codes]
        participants, starts = np.unique(answers.participants, return_index=True)
        ends = np.append(starts[1:], len(answers.participants))
        last = np.maximum.reduceat(answers.numbers, starts)
        found = (each.tolist() for each in (participants, starts, ends, last))
        return {
            participant: ParticipantProgress(
                _AnsweredPages(answers, start, end, keys), self._emails.get(participant, frozenset()), number
            )
            for participant, start, end, number in zip(*found, strict=True)
        }
