"""The state behind the board: progress of each participant, standings and verdicts."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property, partial
from typing import NamedTuple, Protocol

from textassay.answers.answer_rows import real_people_completed, screening_case, stored_record
from textassay.answers.columns import email_hashes
from textassay.answers.records import Participant
from textassay.answers.store import Store
from textassay.design.plan import Plan
from textassay.screening.contract import asks_for_email
from textassay.screening.verdicts import Verdict, judge
from textassay.serve.board.overview import (
    BoardOverview,
    Conditions,
    DropOut,
    PageKinds,
    SlotState,
    Standing,
    Standings,
    median_minutes,
    slot_states,
)
from textassay.serve.board.progress import ParticipantProgress, ProgressTracker
from textassay.serve.session import PageKind
from textassay.serve.session import pages as session_pages
from textassay.study.study import Study

NO_PROGRESS = ParticipantProgress()


class PageOutline(NamedTuple):
    """A page of a participant, without what it shows."""

    key: str
    kind: PageKind


class _Keyed(Protocol):
    @property
    def key(self) -> str: ...


PagesOf = Callable[[int], Sequence[_Keyed]]
_GONE = ("silent", "withdrawn")
_VerdictKey = tuple[str, str, int, frozenset[str], bool]
"""What a verdict depends on: code (numbers are given again after `textassay reset`), status, number of the last answer,
addresses given by earlier participants, and whether the participant is simulated while real people have completed the
study."""


@dataclass(frozen=True)
class BoardSnapshot:
    """All participants at one moment."""

    now: datetime
    people: Sequence[Participant]
    progress: Mapping[int, ParticipantProgress]
    standings: Mapping[int, Standing]

    def progress_of(self, person: Participant) -> ParticipantProgress:
        """The participant's progress."""
        return self.progress.get(person.id, NO_PROGRESS)

    def who(self, *standings: Standing) -> list[Participant]:
        """Participants with one of these standings."""
        return [person for person in self.people if self.standings[person.id] in standings]


class Board:
    """The board of a study that is being served."""

    def __init__(self, study: Study, plan: Plan, store: Store) -> None:
        self.study, self.plan, self.store = study, plan, store
        emails_in = partial(email_hashes, study) if asks_for_email(study) else None
        self._tracker = ProgressTracker(store.journal, emails_in)
        self._verdicts: dict[int, tuple[_VerdictKey, Verdict]] = {}
        self._pages: dict[bytes, Sequence[PageOutline]] = {}

    def pages(self, slot: int) -> Sequence[PageOutline]:
        """All pages of a slot; the same object for slots whose pages are the same."""
        order = self.plan.slots.order_of(slot)
        if order not in self._pages:
            found = session_pages(self.study, self.plan.slot(slot))
            self._pages[order] = tuple(PageOutline(sys.intern(page.key), page.kind) for page in found)
        return self._pages[order]

    def _waits(self, slot: int, answered: int) -> bool:
        pages = self.pages(slot)
        return answered < len(pages) and pages[answered].kind == "sitting"

    @cached_property
    def _conditions(self) -> Conditions:
        return Conditions(self.study, self.plan)

    @cached_property
    def _kinds(self) -> PageKinds:
        return PageKinds(self.plan)

    @contextmanager
    def moment(self, now: datetime) -> Iterator[BoardSnapshot]:
        """The current state of all participants; nothing changes inside the `with` block."""
        release_after = timedelta(minutes=self.study.file.participants.release_after_minutes)
        days = timedelta(days=self.study.file.participants.days_reserved)
        consent = "consent" in self.study.pages
        standings = Standings(now, release_after, consent, self._waits if self.study.sittings > 1 else None, days)
        people = self.store.participants()
        with self._tracker.current() as progress:
            found = {person.id: standings.of(person, progress.get(person.id, NO_PROGRESS).pages) for person in people}
            yield BoardSnapshot(now, people, progress, found)

    def overview(self, seen: BoardSnapshot, pages: PagesOf) -> BoardOverview:
        """Progress of the study."""
        counts = Counter(seen.standings.values())
        valid = seen.who("active", "between", "silent", "completed")
        states = self.slots(seen)
        active = seen.who("active", "between")
        real = [person for person in active if not person.simulated]
        in_progress = ((person.slot, {*seen.progress_of(person).pages}) for person in real or active)
        return BoardOverview(
            at=seen.now,
            paused=self.store.recruiting.paused(),
            wanted=len(self.plan.slots),
            filled=sum(state.filled for state in states),
            statuses={name: counts[name] for name in ("active", "completed", "withdrawn", "excluded")},
            between=counts["between"],
            silent=counts["silent"],
            left_out=counts["left_out"],
            no_consent=counts["no_consent"],
            simulated=sum(person.simulated for person in seen.people),
            answers_last_hour=self._tracker.in_the_last_hour(seen.now),
            # days may pass between sittings
            minutes=None if self.study.sittings > 1 else median_minutes(seen.who("completed")),
            times=self._kinds.times(self._tracker.times({person.id for person in valid})),
            conditions=self._conditions.states({state.number for state in states if state.filled}, in_progress),
            stops=drop_outs(seen.people, seen.standings, seen.progress, pages),
            slots=states,
        )

    def slots(self, seen: BoardSnapshot) -> list[SlotState]:
        """Progress of each slot of the plan; simulated participants hold none once there are real ones."""
        real = [person for person in seen.people if not person.simulated]
        return slot_states(self.plan.slots.cohort_of, real or seen.people, seen.standings)

    def verdicts(self, seen: BoardSnapshot, people: Sequence[Participant]) -> dict[int, Verdict]:
        """Verdicts of the screening rules on finished participants, by participant number."""
        finished = [person for person in people if person.status != "active"]
        first: dict[str, int] = {}
        for person in reversed(seen.people) if finished else ():
            first.update(dict.fromkeys(seen.progress_of(person).emails, person.id))
        among_real = real_people_completed(seen.people)
        return {person.id: self._verdict(seen, person, first, among_real=among_real) for person in finished}

    def _verdict(
        self, seen: BoardSnapshot, person: Participant, first: Mapping[str, int], *, among_real: bool
    ) -> Verdict:
        progress = seen.progress_of(person)
        earlier = frozenset(address for address in progress.emails if first[address] < person.id)
        key = (person.code, person.status, progress.last, earlier, person.simulated and among_real)
        known = self._verdicts.get(person.id)
        if known is None or known[0] != key:
            answers = self.store.answers(person.id, upto=progress.last)
            whole = stored_record(self.study, self.plan.slot(person.slot), person, answers)
            case = screening_case(whole, earlier, among_real=among_real)
            known = self._verdicts[person.id] = key, judge(case, self.study)
        return known[1]


def drop_outs(
    people: Sequence[Participant],
    standings: Mapping[int, Standing],
    progress: Mapping[int, ParticipantProgress],
    pages: PagesOf,
) -> list[DropOut]:
    """Pages at which participants withdrew or fell silent, most frequent first."""
    gone = [person for person in people if standings[person.id] in _GONE]
    passed = ((pages(person.slot), {*progress.get(person.id, NO_PROGRESS).pages}) for person in gone)
    reached = (next((page.key for page in every if page.key not in answered), None) for every, answered in passed)
    counts = Counter(key for key in reached if key is not None)
    return [DropOut(page=page, people=number) for page, number in counts.most_common()]
