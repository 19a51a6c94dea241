"""Simulated participants written directly to the store: the server's pages, validation and rules, without HTTP.

Times come from a simulated clock, so that an hour is simulated in a second.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from textassay.answers.emails import stored_email
from textassay.answers.records import NewAnswer, Participant
from textassay.answers.store import Store
from textassay.design.plan import Plan
from textassay.rehearsal import recruiting
from textassay.rehearsal.people import BehaviourShares, SimulatedPerson, person
from textassay.rehearsal.recruiting import Rehearsal, SimulatedVisit
from textassay.rehearsal.respondent import CLIENT, Respondent
from textassay.seeds import Stream
from textassay.serve import questionnaire, session
from textassay.serve.session import Page
from textassay.serve.site import is_valid
from textassay.study.model import EmailField
from textassay.study.study import Study
from textassay.tasks.contract import Payload, SimulatedResponse

BEGIN = datetime(2026, 1, 5, 9, tzinfo=UTC)
_BETWEEN_ARRIVALS = timedelta(minutes=6)


def simulate(
    study: Study,
    plan: Plan,
    store: Store,
    *,
    count: int | None = None,
    crowd: BehaviourShares | None = None,
    begin: datetime = BEGIN,
) -> Rehearsal:
    """Simulate participants until every slot is filled.

    Args:
        study: The study.
        plan: Its plan.
        store: The store for the answers.
        count: The largest number of participants; by default as many as needed.
        crowd: Shares of behaviours.
        begin: When the simulated clock starts; later if the store has later participants.
    """
    # In its own thread, because a notebook already runs an event loop.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(
            asyncio.run, _people(study, plan, store, count, crowd or BehaviourShares(), begin)
        ).result()


async def _people(
    study: Study, plan: Plan, store: Store, count: int | None, crowd: BehaviourShares, begin: datetime
) -> Rehearsal:
    known = store.participants()
    clock = max([begin, *(each.last_seen_at for each in known)])
    release_after = timedelta(minutes=study.file.participants.release_after_minutes)
    visits: list[SimulatedVisit] = []
    for number in range(len(known) + 1, len(known) + 1 + recruiting.most(plan, count)):
        cohort = recruiting.wanted(plan, store, {})
        if cohort is None:
            break
        simulated = person(study, number, crowd)
        clock += _gap(study, number)
        participant, _ = store.join(plan.slots, cohort=cohort, now=clock, release_after=release_after)
        await _Visit(study, plan, store, participant, simulated).take(clock)
        visits.append(SimulatedVisit(participant.code, number, simulated.behaviour))
    return recruiting.result(plan, store, visits)


def _gap(study: Study, number: int) -> timedelta:
    """Time to the next arrival, exponentially distributed."""
    draw = Stream(study.file.seed, "rehearsal", "arrival", number).uniform()
    return _BETWEEN_ARRIVALS * -math.log(1 - draw)


class _Visit:
    """One simulated participation."""

    def __init__(
        self, study: Study, plan: Plan, store: Store, participant: Participant, simulated: SimulatedPerson
    ) -> None:
        self.study = study
        self.store = store
        self.participant = participant
        self.slot = plan.slot(participant.slot)
        self.respondent = Respondent(study, simulated, self.slot)

    async def take(self, clock: datetime) -> None:
        """Answer all pages, or until the person drops out, starting at that time."""
        answers: list[NewAnswer] = []
        excluded = False
        for page in self.respondent.pages.values():
            response = self.respondent.answer(page.key)
            if response is None or excluded:
                break
            answers.append(self._answer(page, response, clock))
            clock = answers[-1].answered_at
            excluded = page.kind == "questionnaire" and session.is_excluded(self.study, answers[-1].payload)
        # Queued together, so that they share a commit; the queue keeps their order.
        save = self.store.asynchronously
        await asyncio.gather(*(save(self.store.save, self.participant.id, a, now=a.answered_at) for a in answers))
        if excluded:
            self.store.finish(self.participant.id, "excluded", clock)
        elif len(answers) == len(self.respondent.pages):
            stored = self.store.answers(self.participant.id)
            valid = is_valid(self.study, self.slot, self.store, self.participant, stored)
            self.store.finish(self.participant.id, "completed", clock, valid)

    def _answer(self, page: Page, response: SimulatedResponse, clock: datetime) -> NewAnswer:
        answered = clock + timedelta(milliseconds=response.rt_ms)
        payload = self._read(page, response.payload)
        return NewAnswer(str(uuid4()), page.key, payload, clock, answered, response.rt_ms, CLIENT, clock)

    def _read(self, page: Page, payload: Payload) -> Payload:
        """The answer in the form in which it is stored."""
        if page.trial is not None:
            block = self.study.block(page.block)
            return block.task.read(page.trial, payload)
        if page.kind == "questionnaire":
            return questionnaire.read(self.study.file.questionnaire, payload, self._kept_email)
        return payload

    def _kept_email(self, field: EmailField, email: str) -> Mapping[str, Any]:
        # Simulated people never took part in other studies, so none is checked.
        return stored_email(email, self.store.secret("email"), barred=field.exclude)
