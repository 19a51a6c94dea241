"""What the board knows between two looks at it, and how it is brought up to date."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property, partial

from textassay.answers.columns import email_hashes
from textassay.answers.people import case_of, person_of
from textassay.answers.records import Participant
from textassay.answers.store import Store
from textassay.design.plan import Plan
from textassay.screening.screen import Verdict, judged
from textassay.serve.board.conditions import Conditions
from textassay.serve.board.overview import Overview, PagesOf, SlotState, Standing, Standings, slot_states, stops
from textassay.serve.board.tally import NO_MARKS, Marks, Tally
from textassay.serve.board.times import PageKinds, median_minutes
from textassay.study.study import Study

_VerdictKey = tuple[str, int, frozenset[str]]
"""What a verdict rests on: status, number of the last answer, addresses that others had given before."""


@dataclass(frozen=True)
class Moment:
    """Everybody at one moment."""

    now: datetime
    people: Sequence[Participant]
    marks: Mapping[int, Marks]
    standings: Mapping[int, Standing]

    def marks_of(self, person: Participant) -> Marks:
        """What the participant has left in the journal."""
        return self.marks.get(person.id, NO_MARKS)

    def who(self, *standings: Standing) -> list[Participant]:
        """Those who stand so."""
        return [person for person in self.people if self.standings[person.id] in standings]


class Board:
    """The board of a study that is being served."""

    def __init__(self, study: Study, plan: Plan, store: Store) -> None:
        self.study, self.plan, self.store = study, plan, store
        self._tally = Tally(store.journal, partial(email_hashes, study))
        self._verdicts: dict[int, tuple[_VerdictKey, Verdict]] = {}

    @cached_property
    def _conditions(self) -> Conditions:
        return Conditions(self.study, self.plan)

    @cached_property
    def _kinds(self) -> PageKinds:
        return PageKinds(self.plan)

    @contextmanager
    def moment(self, now: datetime) -> Iterator[Moment]:
        """How everybody stands now; nothing changes inside the `with` block."""
        release_after = timedelta(minutes=self.study.file.participants.release_after_minutes)
        standings = Standings(now, release_after, asks_consent="consent" in self.study.pages)
        people = self.store.participants()
        with self._tally.current() as marks:
            found = {person.id: standings.of(person, marks.get(person.id, NO_MARKS).pages) for person in people}
            yield Moment(now, people, marks, found)

    def overview(self, seen: Moment, pages: PagesOf) -> Overview:
        """How the study is getting on."""
        counts = Counter(seen.standings.values())
        valid = seen.who("active", "silent", "completed")
        states = self.slots(seen)
        at_work = ((person.slot, seen.marks_of(person).pages) for person in seen.who("active"))
        return Overview(
            at=seen.now,
            paused=self.store.recruiting.paused(),
            wanted=len(self.plan.slots),
            filled=sum(state.filled for state in states),
            statuses={name: counts[name] for name in ("active", "completed", "withdrawn", "excluded")},
            silent=counts["silent"],
            left_out=counts["left_out"],
            no_consent=counts["no_consent"],
            answers_last_hour=self._tally.in_the_last_hour(seen.now),
            minutes=median_minutes(seen.who("completed")),
            times=self._kinds.times(seen.marks_of(person).pages for person in valid),
            conditions=self._conditions.states({state.number for state in states if state.filled}, at_work),
            stops=stops(seen.people, seen.standings, seen.marks, pages),
            slots=states,
        )

    def slots(self, seen: Moment) -> list[SlotState]:
        """How far each slot of the plan is."""
        return slot_states(self.plan.slots, seen.people, seen.standings)

    def verdicts(self, seen: Moment, people: Sequence[Participant]) -> dict[int, Verdict]:
        """What the screening rules say of those who have finished, by the participant's number."""
        finished = [person for person in people if person.status != "active"]
        first: dict[str, int] = {}
        for person in reversed(seen.people) if finished else ():
            first.update(dict.fromkeys(seen.marks_of(person).emails, person.id))
        return {person.id: self._verdict(seen, person, first) for person in finished}

    def _verdict(self, seen: Moment, person: Participant, first: Mapping[str, int]) -> Verdict:
        marks = seen.marks_of(person)
        earlier = frozenset(address for address in marks.emails if first[address] < person.id)
        key = (person.status, marks.last, earlier)
        known = self._verdicts.get(person.id)
        if known is None or known[0] != key:
            answers = self.store.answers(person.id, upto=marks.last)
            whole = person_of(self.study, self.plan.slot(person.slot), person, answers)
            known = self._verdicts[person.id] = key, judged(case_of(whole, earlier), self.study)
        return known[1]
